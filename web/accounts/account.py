"""The page of a signed-in person's account: sessions, the name on public pages, and what Discord said."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from aiohttp import web

from i18n.writing import Moment
from matches import MAX_NAME_LENGTH, AliasRefused, Person, Refusal
from matches.work.each import for_each
from web.accounts.signed_in import delete_session_cookie, end_sessions, find_session, revoke
from web.addresses import ACCOUNT_PATH, sign_in_url
from web.background import repeating
from web.context import CONTEXT
from web.errors import format_error
from web.pages.pages import NO_STORE
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import Session
    from web.context import WebContext

PURGE_SECONDS = 3600
OWN_NAME, ALIAS, ANONYMOUS = "own", "alias", "anonymous"  # values of the form


async def account_page(request: web.Request) -> web.Response:
    """Show an account, or what is kept of a guest; somebody who is not signed in signs in first."""
    session = await find_session(request)
    if session is None:
        if not request.app[CONTEXT].discord.is_offered:
            raise web.HTTPNotFound
        return redirect(sign_in_url(ACCOUNT_PATH))
    if session.is_guest:
        answer = request.app[CONTEXT].pages.respond(request, "guest_account.html")
        answer.headers.update(NO_STORE)
        return answer
    return await _respond(request, session)


async def set_name(request: web.Request) -> web.Response:
    """Set the name for public pages: the own one, an alias, or none."""
    context, session = request.app[CONTEXT], await find_session(request)
    form = await read_form(request)
    if session is None or session.is_guest:
        raise Refusal("signed_out")
    typed = form.get("alias", "")[:MAX_NAME_LENGTH]
    # A blank alias is refused; empty would mean no name at all.
    aliases = {OWN_NAME: None, ALIAS: typed or " ", ANONYMOUS: ""}
    if form.get("choice") not in aliases:
        raise Refusal("form_malformed")
    person = Person(session.account, session.name)
    try:
        await context.matches.visibility.set_alias(person, aliases[form["choice"]], now=context.now())
    except AliasRefused as error:
        return await _respond(request, session, format_error(context.texts, error), typed)
    return redirect(f"{ACCOUNT_PATH}#public-name")


async def _respond(
    request: web.Request, session: Session, notice: str = "", typed: str | None = None
) -> web.Response:
    """Return the page; after a refused alias with the reason, and with what was `typed`."""
    context = request.app[CONTEXT]
    sessions = await context.matches.people.sessions.list_for(session.account, now=context.now())
    answer = context.pages.respond(
        request,
        "account.html",
        name=session.name,
        notice=notice,
        **await _name_context(context, session, typed),
        sessions=[_session_item(one, session) for one in sessions],
        servers=len(session.servers),
        servers_read=None if session.servers_read_at is None else Moment(session.servers_read_at),
    )
    answer.headers.update(NO_STORE)
    return answer


async def _name_context(context: WebContext, session: Session, typed: str | None) -> dict[str, Any]:
    """Return the template context of the choice of the name for public pages."""
    alias = await context.matches.visibility.get_alias(session.account) if typed is None else typed
    is_alias = bool(alias) or typed is not None
    choice = ALIAS if is_alias else OWN_NAME if alias is None else ANONYMOUS
    return {"choice": choice, "alias": alias or "", "max_name": MAX_NAME_LENGTH}


async def sign_out(request: web.Request) -> web.Response:
    """End this browser's session, the one that the form names, or with ``all`` every one of the account."""
    context, session = request.app[CONTEXT], await find_session(request)
    form = await read_form(request)
    if session is None:
        return redirect("/")
    named = form.get("session", session.id)
    is_own = "all" in form or named == session.id
    answer = redirect("/" if is_own else ACCOUNT_PATH)
    if is_own:
        delete_session_cookie(context, answer)
    await end_sessions(context, session.account, None if "all" in form else named)
    return answer


async def purge_sessions(app: web.Application) -> AsyncIterator[None]:
    """Delete expired sessions, and finish deletions that waited, every hour while the website runs."""
    async with repeating(_purge_regularly(app[CONTEXT])):
        yield


async def _purge_regularly(context: WebContext) -> None:
    personal_data = context.matches.people.personal_data
    while True:
        await asyncio.sleep(PURGE_SECONDS)
        await context.steps.run("purge_sessions", lambda: _purge(context))
        await context.steps.run("finish_erasures", lambda: personal_data.finish_erasures(now=context.now()))


async def _purge(context: WebContext) -> None:
    tokens = await context.matches.people.sessions.delete_expired(now=context.now())
    await for_each(tokens, lambda token: revoke(context, token))


def _session_item(one: Session, current: Session) -> dict[str, Any]:
    return {
        "id": one.id,
        "device": one.device,
        "made": Moment(one.made_at),
        "used": Moment(one.used_at),
        "is_current": one.id == current.id,
    }
