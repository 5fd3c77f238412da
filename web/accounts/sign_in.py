"""Signing in with Discord: to Discord with a question, and back with its answer to the page one came from.

What ties the answer to the browser is in a signed cookie for these paths, which is deleted by the answer.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

import structlog
from aiohttp import web

from web.accounts.discord_oauth import SignInRefused
from web.accounts.signed_in import end_sessions, find_session, set_session_cookie
from web.addresses import SIGN_IN_PATH, return_path, sign_in_url
from web.context import CONTEXT
from web.pages.pages import NO_STORE
from web.play.tokens import InvalidToken, SignInAttempt
from web.server.cookies import cookie_name, delete_private_cookie, set_private_cookie
from web.server.forms import redirect
from web.server.limits import SignInLimiter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from web.context import WebContext

log = structlog.stdlib.get_logger(__name__)

COOKIE = "signin"
ATTEMPT_LIFETIME = timedelta(minutes=10)
LIMITER = web.AppKey("sign_in_limiter", SignInLimiter)
STATUS = {
    "denied": HTTPStatus.FORBIDDEN,
    "expired": HTTPStatus.BAD_REQUEST,
    "unavailable": HTTPStatus.SERVICE_UNAVAILABLE,
    "misconfigured": HTTPStatus.SERVICE_UNAVAILABLE,
}
# The first word that is part of a browser's description decides: browsers also name those before them.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


async def begin_sign_in(request: web.Request) -> web.Response:
    """Redirect to Discord; a member who is signed in goes to the page in ``next`` at once."""
    context = _require_sign_in(request)
    path = return_path(request.query.get("next", "/"))
    if await _is_member(request):
        return redirect(path)
    authorization = context.discord.begin()
    attempt = SignInAttempt(
        authorization.state, authorization.verifier, path, context.now() + ATTEMPT_LIFETIME
    )
    answer = redirect(authorization.url)
    text = context.token_signer.sign_attempt(attempt)
    set_private_cookie(context, answer, cookie_name(context, COOKIE), text, SIGN_IN_PATH, ATTEMPT_LIFETIME)
    return answer


async def finish_sign_in(request: web.Request) -> web.Response:
    """Start a session for the person whom Discord names, or show why not and the way back."""
    context = _require_sign_in(request)
    cookie, path = request.cookies.get(cookie_name(context, COOKIE), ""), "/"
    try:
        attempt = context.token_signer.verify_attempt(cookie, context.now())
        path = return_path(attempt.return_path)
        request.app[LIMITER].acquire(context.client_address(request), asyncio.get_running_loop().time())
        person, grant = await context.discord.finish(
            request.rel_url.raw_query_string, attempt.state, attempt.verifier
        )
    except InvalidToken:
        answer = await _refuse(request, "expired", path)
    except SignInRefused as error:
        answer = await _refuse(request, error.key, path)
    else:
        device, previous = describe_device(request), await find_session(request)
        secret = await context.matches.people.sessions.start(person, grant, device=device, now=context.now())
        if previous is not None:
            await end_sessions(context, previous.account, previous.id)
        log.info("sign_in.done")
        answer = redirect(path)
        set_session_cookie(context, answer, secret)
    delete_private_cookie(context, answer, cookie_name(context, COOKIE), SIGN_IN_PATH)
    return answer


def describe_device(request: web.Request) -> str:
    """Return the browser in a few words, such as "Firefox on Linux". Nothing else of it is kept."""
    texts, user_agent = request.app[CONTEXT].texts, request.headers.get("User-Agent", "")
    browser, system = _find_name(BROWSERS, user_agent), _find_name(SYSTEMS, user_agent)
    if browser and system:
        return texts("web.account.device", browser=browser, system=system)
    return browser or system or texts("web.account.device_unknown")


def _find_name(names: Iterable[tuple[str, str]], text: str) -> str:
    return next((name for word, name in names if word in text), "")


async def _is_member(request: web.Request) -> bool:
    """Return whether somebody is signed in who is not a guest."""
    session = await find_session(request)
    return session is not None and not session.is_guest


def _require_sign_in(request: web.Request) -> WebContext:
    context = request.app[CONTEXT]
    if not context.discord.is_offered:
        raise web.HTTPNotFound
    return context


async def _refuse(request: web.Request, key: str, path: str) -> web.Response:
    """Show why nobody was signed in; but go back if somebody is, in another window or a moment ago."""
    context = request.app[CONTEXT]
    log.info("sign_in.refused", reason=key)
    if await _is_member(request):
        return redirect(path)
    answer = context.pages.respond(
        request,
        "sign_in_refused.html",
        status=STATUS[key],
        text=context.texts(f"web.sign_in.{key}"),
        # With the website's own host: Discord leads back there, where cookies of another host do not count.
        again=f"{context.base}{sign_in_url(path)}",
        back=path,
    )
    answer.headers.update(NO_STORE)
    return answer
