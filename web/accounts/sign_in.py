"""Signing in: the page with the ways to do it; to Discord with a question, and back with its answer.

What ties the answer to the browser is in a signed cookie for these paths, which is deleted by the answer.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import structlog
from aiohttp import web

from matches import Refusal
from matches.people.accounts import order_join
from matches.people.mail_codes import MAX_ADDRESS_LENGTH
from web.accounts.discord_oauth import SignInRefused
from web.accounts.joining import propose_join
from web.accounts.passkey_offer import offer_next
from web.accounts.signed_in import (
    end_sessions,
    find_member,
    find_session,
    require_member,
    revoke,
    set_session_cookie,
)
from web.addresses import (
    ACCOUNT_PATH,
    DISCORD_PATH,
    JOIN_PATH,
    MAIL_PATH,
    PASSKEY_PATH,
    SIGN_IN_PATH,
    return_path,
    sign_in_url,
)
from web.context import CONTEXT
from web.pages.language import share_language
from web.pages.pages import NO_STORE
from web.play.tokens import InvalidToken, SignInAttempt
from web.server.cookies import cookie_name, delete_private_cookie, set_private_cookie
from web.server.forms import redirect
from web.server.limits import SignInLimiter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from i18n import Texts
    from matches import Grant, Person
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
DEVICE_SEPARATOR, UNKNOWN_DEVICE = " on ", "Unknown browser"  # in the stored form
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


async def sign_in_page(request: web.Request) -> web.Response:
    """Show the ways to sign in; where there is only Discord, lead there at once.

    Somebody who is signed in goes to the page in ``next``.
    """
    context = request.app[CONTEXT]
    path = return_path(request.query.get("next", "/"))
    if not context.can_sign_in:
        raise web.HTTPNotFound
    if await find_member(request) is not None:
        return redirect(path)
    if not context.has_mail:
        return await begin_sign_in(request)
    return show_ways(request, path)


def show_ways(
    request: web.Request,
    path: str,
    *,
    notice: str = "",
    address: str = "",
    passkey_notice: str = "",
    status: int = HTTPStatus.OK,
) -> web.Response:
    """Return the page with the ways to sign in.

    After a refused address with that and the reason, or with why a passkey was refused.
    """
    context = request.app[CONTEXT]
    answer = context.pages.respond(
        request,
        "sign_in.html",
        status=status,
        discord=f"{DISCORD_PATH}?{urlencode({'next': path})}" if context.discord.is_offered else "",
        mail=MAIL_PATH,
        passkey=PASSKEY_PATH,
        passkey_site=context.passkey_site,
        passkey_notice=passkey_notice,
        return_path=path,
        notice=notice,
        address=address,
        max_address=MAX_ADDRESS_LENGTH,
    )
    answer.headers.update(NO_STORE)
    return answer


async def begin_sign_in(request: web.Request) -> web.Response:
    """Redirect to Discord; a member who is signed in goes to the page in ``next`` at once."""
    _require_discord(request)
    path = return_path(request.query.get("next", "/"))
    if await find_member(request) is not None:
        return redirect(path)
    return _ask_discord(request, path, "")


async def add_discord(request: web.Request) -> web.Response:
    """Redirect somebody who is signed in by mail to Discord, to join the account there with this one."""
    _require_discord(request)
    session = await require_member(request)
    return _ask_discord(request, ACCOUNT_PATH, session.account)


def _ask_discord(request: web.Request, path: str, adds_to: str) -> web.Response:
    context = request.app[CONTEXT]
    authorization = context.discord.begin()
    expires_at = context.now() + ATTEMPT_LIFETIME
    attempt = SignInAttempt(authorization.state, authorization.verifier, path, adds_to, expires_at)
    answer = redirect(authorization.url)
    text = context.token_signer.sign_attempt(attempt)
    set_private_cookie(context, answer, cookie_name(context, COOKIE), text, SIGN_IN_PATH, ATTEMPT_LIFETIME)
    return answer


async def finish_sign_in(request: web.Request) -> web.Response:
    """Start a session for the person whom Discord names, or show why not and the way back."""
    context = _require_discord(request)
    cookie, path = request.cookies.get(cookie_name(context, COOKIE), ""), "/"
    try:
        attempt = context.token_signer.verify_attempt(SignInAttempt, cookie, context.now())
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
        try:
            answer = await _enter_with_discord(request, person, grant, attempt, path)
        except Refusal:
            await revoke(context, grant.token)
            raise
        log.info("sign_in.done")
    delete_private_cookie(context, answer, cookie_name(context, COOKIE), SIGN_IN_PATH)
    return answer


async def _enter_with_discord(
    request: web.Request, person: Person, grant: Grant, attempt: SignInAttempt, path: str
) -> web.Response:
    """Sign a person in; somebody who adds Discord to another account is then asked to join the two."""
    session = await find_member(request)
    is_added = session is not None and attempt.adds_to == session.account != person.account
    if not is_added:
        return await enter(request, person, grant, path)
    order_join(person.account, attempt.adds_to)
    answer = await enter(request, person, grant, JOIN_PATH)
    propose_join(request, answer, person.account, attempt.adds_to)
    return answer


async def enter(request: web.Request, person: Person, grant: Grant | None, path: str) -> web.Response:
    """Sign a person in with this browser, and redirect to a page.

    The games of a guest become theirs. Whoever was signed in before with this browser is not any more.
    Raises `account_closed`.
    """
    context, device, previous = request.app[CONTEXT], describe_device(request), await find_session(request)
    people = context.matches.people
    if previous is not None and previous.is_guest:
        await people.accounts.join_guest(previous.account, person, now=context.now())
    secret = await people.sessions.start(person, grant, device=device, now=context.now())
    if previous is not None:
        await end_sessions(context, previous.account, previous.id)
    answer = redirect(path)
    set_session_cookie(context, answer, secret)
    await share_language(request, answer, person)
    await offer_next(request, answer, person.account)
    return answer


def describe_device(request: web.Request) -> str:
    """Return the browser as it is stored, such as "Firefox on Linux". Nothing else of it is kept."""
    user_agent = request.headers.get("User-Agent", "")
    found = _find_name(BROWSERS, user_agent), _find_name(SYSTEMS, user_agent)
    return DEVICE_SEPARATOR.join(filter(None, found)) or UNKNOWN_DEVICE


def format_device(texts: Texts, device: str) -> str:
    """Return a stored browser in words."""
    if device == UNKNOWN_DEVICE:
        return texts("web.account.device_unknown")
    browser, separator, system = device.partition(DEVICE_SEPARATOR)
    return texts("web.account.device", browser=browser, system=system) if separator else device


def _find_name(names: Iterable[tuple[str, str]], text: str) -> str:
    return next((name for word, name in names if word in text), "")


def _require_discord(request: web.Request) -> WebContext:
    context = request.app[CONTEXT]
    if not context.discord.is_offered:
        raise web.HTTPNotFound
    return context


async def _refuse(request: web.Request, key: str, path: str) -> web.Response:
    """Show why nobody was signed in; but go back if somebody is, in another window or a moment ago."""
    context = request.app[CONTEXT]
    log.info("sign_in.refused", reason=key)
    if await find_member(request) is not None:
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
