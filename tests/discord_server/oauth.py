"""OAuth2: people who let an application read who they are and which guilds they are in."""

from __future__ import annotations

import hashlib
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.discord_server.errors import ActionNotPossible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.discord_server.users import User
    from tests.discord_server.world import World

AUTHORIZE_PATH = "/oauth2/authorize"
CODE_SECONDS = 10 * 60
ACCESS_SECONDS = 7 * 24 * 3600
KNOWN_SCOPES = {"identify", "guilds"}


class TokenRefused(Exception):  # noqa: N818 - what a client is told
    """A request for tokens is refused with an error code of RFC 6749."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


@dataclass(eq=False, slots=True)
class Code:
    """An authorization code; it is exchanged once."""

    user: User
    scopes: tuple[str, ...]
    redirect_uri: str
    challenge: str
    expires_at: float


@dataclass(eq=False, slots=True)
class Tokens:
    """An access token and its refresh token."""

    user: User
    scopes: tuple[str, ...]
    access: str
    refresh: str
    expires_at: float


@dataclass(slots=True)
class OAuth:
    """The application's settings for OAuth2, and the codes and tokens that are valid.

    `redirect_uris` are those that the developer has registered.
    """

    world: World
    client_secret: str = "loopback-client-secret_0123456789"  # noqa: S105 - it opens nothing
    redirect_uris: set[str] = field(default_factory=set)
    codes: dict[str, Code] = field(default_factory=dict)
    tokens: list[Tokens] = field(default_factory=list)

    def check_question(self, url: str) -> dict[str, str]:
        """Return the parameters of the page that asks a person. Raises ActionNotPossible for a wrong one."""
        parts = urlsplit(url)
        query = {name: values[0] for name, values in parse_qs(parts.query, strict_parsing=True).items()}
        expected = {"response_type": "code", "client_id": str(self.world.application_id)}
        if parts.path != AUTHORIZE_PATH or any(query.get(name) != text for name, text in expected.items()):
            raise ActionNotPossible(f"{url} is not a question of the application")
        if query.get("redirect_uri") not in self.redirect_uris:
            raise ActionNotPossible(f"the redirect {query.get('redirect_uri')} is not registered")
        if not set(query.get("scope", "").split()) <= KNOWN_SCOPES:
            raise ActionNotPossible(f"unknown scopes: {query.get('scope')}")
        if query.get("code_challenge_method") not in {None, "S256"}:
            raise ActionNotPossible("the method of the code challenge is not S256")
        return query

    def answer(self, url: str, user: User | None) -> str:
        """Return where Discord sends the browser of a person who allows what is asked; None denies it."""
        query = self.check_question(url)
        state = {"state": query["state"]} if "state" in query else {}
        if user is None:
            description = "The resource owner or authorization server denied the request"
            refusal = {"error": "access_denied", "error_description": description}
            return f"{query['redirect_uri']}?{urlencode(refusal | state)}"
        code = secrets.token_urlsafe(24)
        self.codes[code] = Code(
            user,
            tuple(query["scope"].split()),
            query["redirect_uri"],
            query.get("code_challenge", ""),
            self.world.clock.time() + CODE_SECONDS,
        )
        return f"{query['redirect_uri']}?{urlencode({'code': code} | state)}"

    def exchange(self, form: Mapping[str, str]) -> Tokens:
        """Return new tokens for a code or a refresh token. Raises TokenRefused."""
        if form.get("grant_type") == "authorization_code":
            code = self.codes.pop(form.get("code", ""), None)
            digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
            challenge = urlsafe_b64encode(digest).rstrip(b"=").decode()
            if (
                code is None
                or code.expires_at <= self.world.clock.time()
                or code.redirect_uri != form.get("redirect_uri")
                or (code.challenge and code.challenge != challenge)
            ):
                raise TokenRefused("invalid_grant")
            return self._issue(code.user, code.scopes)
        if form.get("grant_type") == "refresh_token":
            old = next((one for one in self.tokens if one.refresh == form.get("refresh_token")), None)
            if old is None:
                raise TokenRefused("invalid_grant")
            self.tokens.remove(old)
            return self._issue(old.user, old.scopes)
        raise TokenRefused("unsupported_grant_type")

    def revoke(self, token: str) -> None:
        """Forget a token, and as Discord does every other token of the same person."""
        found = next((one for one in self.tokens if token in {one.access, one.refresh}), None)
        if found is not None:
            self.revoke_all(found.user)

    def revoke_all(self, user: User) -> None:
        """Forget all tokens of a person, as when they remove the application in Discord's settings."""
        self.tokens = [one for one in self.tokens if one.user is not user]

    def bearer(self, access: str, scope: str) -> User | None:
        """Return whose access token this is, if it is valid and for the scope."""
        now = self.world.clock.time()
        valid = (one for one in self.tokens if one.access == access and one.expires_at > now)
        return next((one.user for one in valid if scope in one.scopes), None)

    def _issue(self, user: User, scopes: tuple[str, ...]) -> Tokens:
        expires_at = self.world.clock.time() + ACCESS_SECONDS
        access, refresh = secrets.token_urlsafe(22), secrets.token_urlsafe(22)
        tokens = Tokens(user, scopes, access, refresh, expires_at)
        self.tokens.append(tokens)
        return tokens
