"""Who has sent a request: the session of a person who signed in, or of a guest, by the secret in a cookie.

The list of the person's servers is read again when it is due, before the request goes on.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import structlog
from aiohttp import web

from matches import Refusal, Session, StorageUnavailable
from matches.people.guests import GUEST_LIFETIME
from matches.people.sessions import SESSION_LIFETIME
from web.accounts.discord_oauth import GrantRevoked, SignInRefused
from web.addresses import sign_in_url
from web.context import CONTEXT
from web.pages.pages import ACCOUNT_NAME, IS_GUEST, SIGN_IN_URL
from web.server.cookies import cookie_name, delete_private_cookie, set_private_cookie
from web.server.forms import redirect

if TYPE_CHECKING:
    from datetime import timedelta

    from matches import MatchId, SeatState
    from web.context import WebContext

log = structlog.stdlib.get_logger(__name__)

MAX_SECRET_LENGTH = 200  # characters
FOUND = web.RequestKey("found_sessions", tuple[Session, ...])


async def find_session(request: web.Request) -> Session | None:
    """Return the session of a request, None for somebody who is not signed in; read once for each request.

    Tells the header of the page about it. Raises StorageUnavailable.
    """
    if FOUND not in request:
        context, secret = request.app[CONTEXT], _session_secret(request)
        session = await context.matches.people.sessions.find(secret, now=context.now()) if secret else None
        await _remember(request, session)
    found = request[FOUND]
    return found[0] if found else None


async def find_seat(request: web.Request, match: MatchId) -> tuple[Session, SeatState] | None:
    """Return the session of a request and the seat of its account in a match; None without a session.

    A session that was not read before is read by the same query. Raises MatchUnknown, StorageUnavailable.
    """
    context, secret = request.app[CONTEXT], _session_secret(request)
    seats, state = context.matches.people.seats, None
    if FOUND not in request and secret:
        found = await seats.load_of_session(match, secret, now=context.now())
        if found is not None:
            state = found[1]
            await _remember(request, found[0])
    session = await find_session(request)
    if session is None:
        return None
    return session, state or await seats.load(match, (session.account,))


async def _remember(request: web.Request, session: Session | None) -> None:
    """Keep the session that was read for a request; first its servers are read again if they are due."""
    context = request.app[CONTEXT]
    due_at = None if session is None else session.servers_due_at
    if session is not None and due_at is not None and due_at <= context.now() and context.discord.is_offered:
        session = await _renew(context, session, _session_secret(request))
    request[FOUND] = () if session is None else (session,)
    if session is not None and not session.is_guest:
        request[ACCOUNT_NAME] = session.name
        return
    if session is not None:
        request[IS_GUEST] = True
    if context.can_sign_in:
        path = request.path_qs if request.method in {"GET", "HEAD"} else "/"
        request[SIGN_IN_URL] = sign_in_url(path)


async def find_member(request: web.Request) -> Session | None:
    """Return the session of somebody who is signed in, None for a guest too."""
    session = await find_session(request)
    return None if session is None or session.is_guest else session


async def require_member(request: web.Request) -> Session:
    """Return the session of somebody who is signed in. Raises `signed_out`."""
    session = await find_member(request)
    if session is None:
        raise Refusal("signed_out")
    return session


async def require_session(request: web.Request) -> Session:
    """Return the session of somebody who is signed in, or of a guest. Raises `signed_out`."""
    session = await find_session(request)
    if session is None:
        raise Refusal("signed_out")
    return session


def lead_to_sign_in(request: web.Request, path: str) -> web.Response:
    """Redirect to signing in, which leads back to `path`. Raises HTTPNotFound where nobody can sign in."""
    if SIGN_IN_URL not in request:
        raise web.HTTPNotFound
    return redirect(sign_in_url(path))


def forget_session(request: web.Request) -> None:
    """Have the session of a request that is still open be read again."""
    request.pop(FOUND, None)


def is_signed_in(request: web.Request) -> bool:
    """Return whether the session of a request has been found."""
    return bool(request.get(FOUND))


async def end_sessions(context: WebContext, account: str, session_id: str | None = None) -> None:
    """End a session of an account, or all of them; with the last one Discord's token is given back."""
    token = await context.matches.people.sessions.end(account, session_id)
    await revoke(context, token)


async def revoke(context: WebContext, token: str | None) -> None:
    """Tell Discord that a token is no longer needed."""
    if token is not None and context.discord.is_offered:
        await context.discord.revoke(token)


def _session_secret(request: web.Request) -> str:
    """Return the secret that a request has for its session; empty without one."""
    return request.cookies.get(_cookie_name(request.app[CONTEXT]), "")[:MAX_SECRET_LENGTH]


async def keep_guest(request: web.Request, answer: web.StreamResponse) -> None:
    """Prolong the session of a guest who looks at a page, at most once a day, and its cookie with it."""
    context, found = request.app[CONTEXT], request.get(FOUND)
    if not found or not found[0].is_guest or _cookie_name(context) in answer.cookies:
        return
    with suppress(StorageUnavailable):
        if await context.matches.people.guests.keep(found[0], now=context.now()):
            set_session_cookie(context, answer, _session_secret(request), GUEST_LIFETIME)


def set_session_cookie(
    context: WebContext, answer: web.StreamResponse, secret: str, lifetime: timedelta = SESSION_LIFETIME
) -> None:
    """Let a browser keep the secret of its session."""
    set_private_cookie(context, answer, _cookie_name(context), secret, "/", lifetime)


def delete_session_cookie(context: WebContext, answer: web.Response) -> None:
    """Let a browser forget its session."""
    delete_private_cookie(context, answer, _cookie_name(context), "/")


async def _renew(context: WebContext, session: Session, secret: str) -> Session | None:
    """Read the person's servers again. A person who revoked the grant at Discord is signed out everywhere."""
    sessions = context.matches.people.sessions
    token = await sessions.claim_grant(session, now=context.now())
    if token is None:
        return session
    try:
        next_token, servers = await context.discord.renew(token)
    except SignInRefused:
        return session
    except GrantRevoked:
        log.info("sign_in.revoked")
        await sessions.revoke_grant(session.account, token)
    else:
        await sessions.renew_grant(session.account, token, next_token, servers, now=context.now())
    return await sessions.find(secret, now=context.now())


def _cookie_name(context: WebContext) -> str:
    return cookie_name(context, "session", "__Host-")
