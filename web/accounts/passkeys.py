"""Passkeys: what browsers are asked, what they answer, and the list on the page of the account.

A script gets the question, whose challenge is also in a signed cookie for the path of the answer, and sends
the answer with a form.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import structlog
from aiohttp import web

from i18n.writing import Moment, MomentStyle
from matches import Refusal
from matches.people.passkeys import CHALLENGE_LIFETIME, MAX_PASSKEYS, REFUSED, Site
from web.accounts.sign_in import describe_device, enter, format_device, show_ways
from web.accounts.signed_in import require_member
from web.addresses import ACCOUNT_PATH, SIGN_IN_PATH, return_path
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.pages.pages import NO_STORE
from web.play.tokens import InvalidToken, PasskeyAttempt
from web.server.cookies import cookie_name, set_private_cookie
from web.server.forms import read_form, redirect
from web.server.limits import PasskeyLimiter
from web.server.origins import is_address

if TYPE_CHECKING:
    from i18n import Texts
    from matches import Session
    from matches.people.passkeys import Passkey, Run
    from web.context import WebContext

log = structlog.stdlib.get_logger(__name__)

COOKIE = "passkey"
LIMITER = web.AppKey("passkey_limiter", PasskeyLimiter)
CHALLENGE_BYTES = 32
ALGORITHMS = (-8, -7, -257)  # EdDSA, ES256 and RS256, as COSE numbers them
PREFERRED = {"userVerification": "preferred"}


def find_site(base: str, *, is_public: bool) -> Site | None:
    """Return the host that passkeys are made for, and the origin of its pages.

    None where browsers have no passkeys: without HTTPS, and where the host is an address of numbers.
    A website without a public URL has them on this machine, as localhost.
    """
    url = urlsplit(base)
    if not is_public:
        return Site("localhost", f"http://localhost:{url.port}".removesuffix(":80"))
    host = url.hostname or ""
    is_secure = url.scheme == "https" or host == "localhost"
    return Site(host, base) if is_secure and not is_address(host) else None


async def passkeys_context(context: WebContext, session: Session) -> dict[str, Any] | None:
    """Return the template context of ``passkeys.html``; None where there are no passkeys."""
    if context.passkey_site is None:
        return None
    found = await context.matches.people.passkeys.list_for(session.account)
    return {
        "host": context.passkey_site.host,
        "origin": context.passkey_site.origin,
        "all": [_passkey_item(context.texts, one) for one in found],
        "limit": MAX_PASSKEYS,
    }


async def ask_to_sign_in(request: web.Request) -> web.Response:
    """Ask a browser for any passkey of this website."""
    site = _require_site(request)
    return _ask(request, "", SIGN_IN_PATH, {"rpId": site.host, **PREFERRED})


async def sign_in(request: web.Request) -> web.Response:
    """Sign in whoever has the passkey that answers."""
    context, site, form = request.app[CONTEXT], _require_site(request), await read_form(request)
    path = return_path(form.get("next", "/"))
    try:
        person = await context.matches.people.passkeys.sign_in(
            form.get("answer", ""),
            _find_challenge(request, ""),
            site,
            run=_limited_run(request),
            now=context.now(),
        )
    except Refusal as error:
        log.info("sign_in.refused", reason=error.key)
        notice = format_error(context.texts, error)
        return show_ways(request, path, passkey_notice=notice, status=status_code(error))
    log.info("sign_in.done")
    return await enter(request, person, None, path)


async def ask_to_add(request: web.Request) -> web.Response:
    """Ask a browser for a new passkey for the account that is signed in."""
    context, site, session = request.app[CONTEXT], _require_site(request), await require_member(request)
    known = await context.matches.people.passkeys.list_for(session.account)
    # The same for all passkeys of an account: a device replaces the one that it has.
    user = hmac.digest(context.secret.encode(), f"passkey {session.account}".encode(), "sha256")
    options = {
        "rp": {"id": site.host, "name": context.texts("web.name")},
        "user": {"id": _encode(user), "name": session.name, "displayName": session.name},
        "pubKeyCredParams": [{"type": "public-key", "alg": number} for number in ALGORITHMS],
        "excludeCredentials": [{"type": "public-key", "id": one.id} for one in known],
        "authenticatorSelection": {"residentKey": "required", "requireResidentKey": True, **PREFERRED},
        "attestation": "none",
    }
    return _ask(request, session.account, ACCOUNT_PATH, options)


async def add(request: web.Request) -> None:
    """Add the passkey that a browser has made to the account that is signed in. Raises Refusal."""
    context, site, session = request.app[CONTEXT], _require_site(request), await require_member(request)
    await context.matches.people.passkeys.add(
        session.account,
        (await read_form(request)).get("answer", ""),
        _find_challenge(request, session.account),
        site,
        device=describe_device(request),
        run=_limited_run(request),
        now=context.now(),
    )


async def remove(request: web.Request) -> web.Response:
    """Remove the passkey that the form names."""
    context, session = request.app[CONTEXT], await require_member(request)
    named = (await read_form(request)).get("passkey", "")
    await context.matches.people.passkeys.remove(session.account, named)
    return redirect(f"{ACCOUNT_PATH}#passkeys")


def _ask(request: web.Request, account: str, path: str, options: dict[str, Any]) -> web.Response:
    """Return a question as JSON, and let the browser keep its challenge for the answer below `path`."""
    context, challenge = request.app[CONTEXT], _encode(secrets.token_bytes(CHALLENGE_BYTES))
    milliseconds = int(1000 * CHALLENGE_LIFETIME.total_seconds())
    answer = web.json_response({"challenge": challenge, "timeout": milliseconds, **options}, headers=NO_STORE)
    attempt = PasskeyAttempt(challenge, account, context.now() + CHALLENGE_LIFETIME)
    text = context.token_signer.sign_attempt(attempt)
    set_private_cookie(context, answer, cookie_name(context, COOKIE), text, path, CHALLENGE_LIFETIME)
    return answer


def _find_challenge(request: web.Request, account: str) -> str:
    """Return the challenge that this browser has for an account. Raises `passkey_refused`."""
    context = request.app[CONTEXT]
    cookie = request.cookies.get(cookie_name(context, COOKIE), "")
    try:
        attempt = context.token_signer.verify_attempt(PasskeyAttempt, cookie, context.now())
    except InvalidToken as error:
        raise Refusal(REFUSED) from error
    if attempt.account != account:
        raise Refusal(REFUSED)
    return attempt.challenge


def _limited_run(request: web.Request) -> Run:
    """Return what checks the answer in a request, in a thread. Raises TooManyRequests."""
    context = request.app[CONTEXT]
    request.app[LIMITER].acquire(context.client_address(request), asyncio.get_running_loop().time())
    return lambda work: context.run_in_thread(request, work)


def _require_site(request: web.Request) -> Site:
    site = request.app[CONTEXT].passkey_site
    if site is None:
        raise web.HTTPNotFound
    return site


def _passkey_item(texts: Texts, passkey: Passkey) -> dict[str, Any]:
    used_on = None if passkey.used_on is None else Moment(passkey.used_on, MomentStyle.DATE)
    return {
        "id": passkey.id,
        "device": format_device(texts, passkey.device),
        "made": Moment(passkey.made_at),
        "used": used_on,
    }


def _encode(data: bytes) -> str:
    """Return bytes in base64url without padding."""
    return urlsafe_b64encode(data).decode().rstrip("=")
