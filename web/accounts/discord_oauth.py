"""Discord's OAuth2: the authorization code with PKCE, the identity and servers of an account, and revocation.

The messages are made and read by oauthlib, which does no input or output; aiohttp sends them. Access tokens
are used at once and forgotten.
"""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import aiohttp
import structlog
from oauthlib.oauth2 import (
    AccessDeniedError,
    InvalidClientError,
    InvalidGrantError,
    OAuth2Error,
    WebApplicationClient,
)

from matches import Grant, Person, clean_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

log = structlog.stdlib.get_logger(__name__)

AUTHORIZE_URL = "https://discord.com/oauth2/authorize"
API_URL = "https://discord.com/api/v10"
SCOPES = frozenset({"identify", "guilds"})
ID_PREFIX = "discord:"  # of accounts and servers, as the bot stores them
STATE_BYTES = 32
VERIFIER_LENGTH = 64
TIMEOUT_SECONDS = 5  # for each request

ID_PATTERN = re.compile(r"[0-9]{1,20}")
ValueT = TypeVar("ValueT")


class SignInRefused(Exception):  # noqa: N818 - a refusal, not a programming error
    """Nobody was signed in. `key` selects the sentence: denied, expired, unavailable, misconfigured."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class GrantRevoked(Exception):  # noqa: N818 - not an error of this program
    """Discord no longer accepts a token: it was revoked, or it has expired."""


@dataclass(frozen=True, slots=True)
class Authorization:
    """A question to a person at Discord: where to ask it, and what the browser keeps until the answer."""

    url: str
    state: str
    verifier: str = field(repr=False)


class DiscordOAuth:
    """The website as a client of Discord's OAuth2.

    Nobody can sign in without `client_secret`, nor before `client_id` is known. `connector` replaces the
    connections to Discord, `proxy` is the URL of a forward proxy.
    """

    def __init__(
        self,
        client_id: str | None,
        client_secret: str | None,
        redirect_url: str,
        *,
        connector: aiohttp.BaseConnector | None = None,
        proxy: str | None = None,
    ) -> None:
        self.client_id = client_id
        self._client_secret = client_secret
        self._redirect_url = redirect_url
        self._connector = connector
        self._proxy = proxy

    @property
    def has_secret(self) -> bool:
        """Whether the website is set up for signing in."""
        return self._client_secret is not None

    @property
    def is_offered(self) -> bool:
        """Whether people can sign in now."""
        return self.client_id is not None and self.has_secret

    def begin(self) -> Authorization:
        """Return a new question. Discord asks only people who have not allowed the same before."""
        client = self._client()
        state, verifier = secrets.token_urlsafe(STATE_BYTES), client.create_code_verifier(VERIFIER_LENGTH)
        url = client.prepare_request_uri(
            AUTHORIZE_URL,
            redirect_uri=self._redirect_url,
            scope=" ".join(sorted(SCOPES)),
            state=state,
            code_challenge=client.create_code_challenge(verifier, "S256"),
            code_challenge_method="S256",
            prompt="none",
        )
        return Authorization(url, state, verifier)

    async def finish(self, query_string: str, state: str, verifier: str) -> tuple[Person, Grant]:
        """Return who answered, and what they granted, by the answer's query string. Raises SignInRefused."""
        client = self._client()
        try:
            # oauthlib wants to see HTTPS, also where this is a loopback address or behind a proxy.
            answer = client.parse_request_uri_response(f"https://localhost/?{query_string}", state=state)
        except AccessDeniedError as error:
            raise SignInRefused("denied") from error
        except OAuth2Error as error:
            raise SignInRefused("expired") from error
        body = client.prepare_request_body(
            code=answer["code"], redirect_uri=self._redirect_url, code_verifier=verifier
        )
        async with self._session() as session:
            try:
                token = await self._request_token(session, body)
            except InvalidGrantError as error:
                raise SignInRefused("expired") from error
            person = _parse(_read_person, await self._get(session, "/users/@me", token))
            servers = await self._get_servers(session, token)
        return person, Grant(servers, token["refresh_token"])

    async def renew(self, refresh_token: str) -> tuple[str, frozenset[str] | None]:
        """Return the next token and the servers of an account now, None if only they could not be read.

        Raises GrantRevoked, SignInRefused.
        """
        body = self._client().prepare_refresh_body(refresh_token=refresh_token)
        async with self._session() as session:
            try:
                token = await self._request_token(session, body)
            except InvalidGrantError as error:
                raise GrantRevoked from error
            try:
                servers = await self._get_servers(session, token)
            except SignInRefused:  # the old token is worth nothing any more, so the new one must be returned
                servers = None
        return token["refresh_token"], servers

    async def revoke(self, refresh_token: str) -> None:
        """Make Discord forget what an account granted. A failure is logged: the token is forgotten here."""
        url, _, body = self._client().prepare_token_revocation_request(
            f"{API_URL}/oauth2/token/revoke", refresh_token, "refresh_token"
        )
        try:
            async with self._session() as session:
                await self._post(session, url, body)
        except (OAuth2Error, SignInRefused) as error:
            log.warning("sign_in.not_revoked", error=type(error).__name__)

    def _client(self) -> WebApplicationClient:
        return WebApplicationClient(self.client_id or "")

    def _session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=self._connector,
            connector_owner=self._connector is None,
            timeout=aiohttp.ClientTimeout(total=TIMEOUT_SECONDS),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers={"User-Agent": f"DiscordBot ({self._redirect_url}, 1.0)"},  # a form that Discord demands
            proxy=self._proxy,
        )

    async def _request_token(self, session: aiohttp.ClientSession, body: str) -> Mapping[str, Any]:
        """Return the answer to a request for tokens. Raises InvalidGrantError, SignInRefused."""
        text = await self._post(session, f"{API_URL}/oauth2/token", body)
        try:
            token: Mapping[str, Any] = self._client().parse_request_body_response(text)
        except InvalidGrantError:
            raise
        except InvalidClientError as error:
            log.error("sign_in.client_refused", hint="DISCORD_CLIENT_ID or DISCORD_CLIENT_SECRET is wrong")  # noqa: TRY400 - no trace
            raise SignInRefused("misconfigured") from error
        except (OAuth2Error, ValueError) as error:
            log.warning("sign_in.no_token", error=type(error).__name__)
            raise SignInRefused("unavailable") from error
        if not set(token.get("scope", SCOPES)) >= SCOPES or not token.get("refresh_token"):
            raise SignInRefused("denied")
        return token

    async def _post(self, session: aiohttp.ClientSession, url: str, body: str) -> str:
        """Send a form as this client and return the answer, also that to a bad request."""
        login = aiohttp.encode_basic_auth(self.client_id or "", self._client_secret or "")
        headers = {"Authorization": login, "Content-Type": "application/x-www-form-urlencoded"}
        return await self._send(session, "POST", url, headers, data=body)

    async def _get_servers(self, session: aiohttp.ClientSession, token: Mapping[str, Any]) -> frozenset[str]:
        return _parse(_read_servers, await self._get(session, "/users/@me/guilds", token))

    async def _get(self, session: aiohttp.ClientSession, path: str, token: Mapping[str, Any]) -> str:
        headers = {"Authorization": f"Bearer {token['access_token']}"}
        return await self._send(session, "GET", f"{API_URL}{path}", headers)

    async def _send(
        self, session: aiohttp.ClientSession, method: str, url: str, headers: Mapping[str, str], **more: Any
    ) -> str:
        """Return the body of an answer. Raises SignInRefused if Discord fails or does not answer in time."""
        try:
            async with session.request(
                method, url, headers=headers, allow_redirects=False, **more
            ) as response:
                body, status = await response.read(), response.status
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            log.warning("sign_in.no_answer", error=type(error).__name__)
            raise SignInRefused("unavailable") from error
        # OAuth errors have 400 or 401 and a body that oauthlib reads.
        if status not in {200, 204} and (method == "GET" or status not in {400, 401}):
            log.warning("sign_in.no_answer", status=status)
            raise SignInRefused("unavailable")
        return body.decode("utf-8", "replace")


def _parse(read: Callable[[Any], ValueT], text: str) -> ValueT:
    """Return what `read` finds in an answer. Raises SignInRefused for one of another form."""
    try:
        return read(json.loads(text))
    except (KeyError, RecursionError, TypeError, ValueError) as error:
        log.warning("sign_in.unreadable", error=type(error).__name__)
        raise SignInRefused("unavailable") from error


def _read_person(user: Any) -> Person:
    """Return the account that Discord describes. Raises KeyError, TypeError, ValueError."""
    account = _read_id(user)
    username, global_name = user["username"], user.get("global_name")
    if not isinstance(username, str) or not isinstance(global_name, str | None):
        raise TypeError("not a name")
    return Person(account, clean_name(global_name or "") or username)


def _read_servers(guilds: Any) -> frozenset[str]:
    """Return the servers that Discord lists. Raises KeyError, TypeError, ValueError."""
    if not isinstance(guilds, list):
        raise TypeError("not a list")
    return frozenset(map(_read_id, guilds))


def _read_id(described: Any) -> str:
    if not isinstance(described, dict):
        raise TypeError("not an object")
    if ID_PATTERN.fullmatch(described["id"]) is None:
        raise ValueError("not an id of Discord")
    return f"{ID_PREFIX}{described['id']}"
