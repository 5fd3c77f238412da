"""The page of a signed-in person's account: the sessions, to end them, and what is known from Discord."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import structlog
from aiohttp import web

from matches import StorageUnavailable
from web import formatting
from web.addresses import ACCOUNT_PATH, SIGN_OUT_PATH, sign_in_url
from web.context import CONTEXT
from web.forms import read_form
from web.pages import NO_STORE
from web.signed_in import delete_session_cookie, end_sessions, find_session, revoke

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Session
    from web.context import WebContext

log = structlog.stdlib.get_logger(__name__)

PURGE_SECONDS = 3600


def routes() -> list[web.RouteDef]:
    """Return the routes of the page and of its forms."""
    return [web.get(ACCOUNT_PATH, account_page), web.post(SIGN_OUT_PATH, sign_out)]


async def account_page(request: web.Request) -> web.Response:
    """Show the sessions of an account; somebody who is not signed in signs in first."""
    context = request.app[CONTEXT]
    session = await find_session(request)
    if session is None:
        if not context.discord.is_offered:
            raise web.HTTPNotFound
        return _redirect(sign_in_url(ACCOUNT_PATH))
    sessions = await context.matches.sessions.list_for(session.account, now=context.now())
    answer = context.pages.respond(
        request,
        "account.html",
        name=session.name,
        sessions=[_session_item(one, session) for one in sessions],
        servers=len(session.servers),
        servers_read=formatting.format_time(session.servers_read_at),
    )
    answer.headers.update(NO_STORE)
    return answer


async def sign_out(request: web.Request) -> web.Response:
    """End this browser's session, the one that the form names, or with ``all`` every one of the account."""
    context, session = request.app[CONTEXT], await find_session(request)
    form = await read_form(request)
    if session is None:
        return _redirect("/")
    named = form.get("session", session.id)
    is_own = "all" in form or named == session.id
    answer = _redirect("/" if is_own else ACCOUNT_PATH)
    if is_own:
        delete_session_cookie(context, answer)
    await end_sessions(context, session.account, None if "all" in form else named)
    return answer


async def purge_sessions(app: web.Application) -> AsyncIterator[None]:
    """Delete expired sessions, and finish deletions that waited, every hour while the website runs."""
    task = asyncio.create_task(_purge_regularly(app[CONTEXT]))
    yield
    task.cancel()
    await asyncio.wait({task})


async def _purge_regularly(context: WebContext) -> None:
    while True:
        await asyncio.sleep(PURGE_SECONDS)
        try:
            for token in await context.matches.sessions.delete_expired(now=context.now()):
                await revoke(context, token)
            await context.matches.personal_data.finish_erasures(now=context.now())
        except StorageUnavailable as error:
            log.warning("web.storage", error=str(error))


def _session_item(one: Session, current: Session) -> dict[str, Any]:
    return {
        "id": one.id,
        "device": one.device,
        "made": formatting.format_time(one.made_at),
        "used": formatting.format_time(one.used_at),
        "is_current": one.id == current.id,
    }


def _redirect(location: str) -> web.Response:
    return web.Response(status=HTTPStatus.SEE_OTHER, headers={"Location": location, **NO_STORE})
