"""The page of a signed-in person's account: names, ways to sign in, sessions, and what Discord said."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from aiohttp import web

from i18n.writing import Moment
from matches import DISCORD, MAIL, MAX_NAME_LENGTH, AliasRefused, Refusal, platform_of
from matches.people.handles import MAX_LENGTH, MIN_LENGTH
from matches.people.mail_codes import MAX_ADDRESS_LENGTH
from matches.work.each import for_each
from web.accounts import passkeys
from web.accounts.mail_sign_in import ask_to_add
from web.accounts.sign_in import format_device
from web.accounts.signed_in import (
    delete_session_cookie,
    end_sessions,
    find_session,
    require_member,
    require_session,
    revoke,
)
from web.addresses import ACCOUNT_PATH, sign_in_url
from web.background import repeating
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.pages.pages import NO_STORE
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from i18n import Texts
    from matches import Session
    from web.context import WebContext

PURGE_SECONDS = 3600
ENDS, PLAYS_ON = "ends", "plays_on"  # values of the form about the computer
OWN_NAME, ALIAS, ANONYMOUS = "own", "alias", "anonymous"  # values of the form


async def account_page(request: web.Request) -> web.Response:
    """Show an account, or what is kept of a guest; somebody who is not signed in signs in first."""
    session = await find_session(request)
    if session is None:
        if not request.app[CONTEXT].can_sign_in:
            raise web.HTTPNotFound
        return redirect(sign_in_url(ACCOUNT_PATH))
    if session.is_guest:
        ending = await _computer_ending(request.app[CONTEXT], session)
        answer = request.app[CONTEXT].pages.respond(request, "guest_account.html", computer_ending=ending)
        answer.headers.update(NO_STORE)
        return answer
    return await _respond(request, session)


async def choose_handle(request: web.Request) -> web.Response:
    """Give the account a name on the website, or another one."""
    context, session = request.app[CONTEXT], await require_member(request)
    typed = (await read_form(request)).get("handle", "")
    try:
        await context.matches.people.handles.choose(session.account, typed, now=context.now())
    except Refusal as error:
        return await _respond(request, session, refused=("handle", error), typed=typed[:MAX_LENGTH])
    return redirect(f"{ACCOUNT_PATH}#name")


async def add_address(request: web.Request) -> web.Response:
    """Send a code to an address that is to be added."""
    session, typed = await require_member(request), (await read_form(request)).get("address", "")
    try:
        return await ask_to_add(request)
    except Refusal as error:
        shown = typed[:MAX_ADDRESS_LENGTH]
        return await _respond(request, session, refused=("address", error), typed=shown)


async def add_passkey(request: web.Request) -> web.Response:
    """Add the passkey that a browser has made."""
    session = await require_member(request)
    try:
        await passkeys.add(request)
    except Refusal as error:
        return await _respond(request, session, refused=("passkey", error))
    return redirect(f"{ACCOUNT_PATH}#passkeys")


async def remove_address(request: web.Request) -> web.Response:
    """Remove an address from the account, unless it is the last way to sign in."""
    context, session = request.app[CONTEXT], await require_member(request)
    address = (await read_form(request)).get("address", "")
    try:
        await context.matches.people.identities.remove(session.account, MAIL, address, now=context.now())
    except Refusal as error:
        return await _respond(request, session, refused=("address", error))
    return redirect(f"{ACCOUNT_PATH}#addresses")


async def set_name(request: web.Request) -> web.Response:
    """Set the name for public pages: the own one, an alias, or none."""
    context, session = request.app[CONTEXT], await require_member(request)
    form = await read_form(request)
    typed = form.get("alias", "")[:MAX_NAME_LENGTH]
    # A blank alias is refused; empty would mean no name at all.
    aliases = {OWN_NAME: None, ALIAS: typed or " ", ANONYMOUS: ""}
    if form.get("choice") not in aliases:
        raise Refusal("form_malformed")
    person = session.person
    try:
        await context.matches.visibility.set_alias(person, aliases[form["choice"]], now=context.now())
    except AliasRefused as error:
        return await _respond(request, session, refused=("alias", error), typed=typed)
    return redirect(f"{ACCOUNT_PATH}#public-name")


async def set_computer_ending(request: web.Request) -> web.Response:
    """Set whether the computer resigns against the person, also a guest, or plays on to the end."""
    context, session = request.app[CONTEXT], await require_session(request)
    ending = (await read_form(request)).get("ending", "")
    if ending not in {ENDS, PLAYS_ON}:
        raise Refusal("form_malformed")
    preferences = context.matches.people.preferences
    await preferences.change(session.person, computer_plays_on=ending == PLAYS_ON, now=context.now())
    return redirect(f"{ACCOUNT_PATH}#computer")


async def _computer_ending(context: WebContext, session: Session) -> str:
    preferences = await context.matches.people.preferences.get(session.account)
    return PLAYS_ON if preferences.computer_plays_on else ENDS


async def _respond(
    request: web.Request, session: Session, *, refused: tuple[str, Refusal] | None = None, typed: str = ""
) -> web.Response:
    """Return the page; after a refusal with the field that it is about, the reason, and what was `typed`."""
    context = request.app[CONTEXT]
    field, notice = "", ""
    if refused is not None:
        field, notice = refused[0], format_error(context.texts, refused[1])
    sessions = await context.matches.people.sessions.list_for(session.account, now=context.now())
    answer = context.pages.respond(
        request,
        "account.html",
        name=session.name,
        field=field,
        notice=notice,
        typed=typed,
        **await _name_context(context, session, typed if field == "alias" else None),
        **await _handle_context(context, session),
        **await _ways_context(context, session),
        passkeys=await passkeys.passkeys_context(context, session),
        computer_ending=await _computer_ending(context, session),
        sessions=[_session_item(context.texts, one, session) for one in sessions],
        servers=len(session.servers),
        servers_read=None if session.servers_read_at is None else Moment(session.servers_read_at),
    )
    if refused is not None:
        answer.set_status(status_code(refused[1]))
    answer.headers.update(NO_STORE)
    return answer


async def _handle_context(context: WebContext, session: Session) -> dict[str, Any]:
    """Return the template context of the name on the website."""
    handle = await context.matches.people.handles.get(session.account)
    is_fixed = handle is not None and handle.changeable_at > context.now()
    return {
        "handle": "" if handle is None else handle.name,
        "handle_path": "" if handle is None else f"/@{quote(handle.name)}",
        "changeable": Moment(handle.changeable_at) if handle is not None and is_fixed else None,
        "limits": {"least": MIN_LENGTH, "most": MAX_LENGTH},
    }


async def _ways_context(context: WebContext, session: Session) -> dict[str, Any]:
    """Return the template context of the ways to sign in."""
    found = await context.matches.people.identities.list(session.account)
    reach = await context.matches.people.notices.reach(session.account)
    mails = [
        (one.address, Moment(one.confirmed_at), one.address in reach.failed_addresses)
        for one in found
        if one.platform == MAIL and one.confirmed_at is not None
    ]
    is_discord = platform_of(session.account) == DISCORD
    return {
        "mails": mails,
        "can_remove": is_discord or len(mails) > 1,
        "is_discord": is_discord,
        "can_add_discord": context.discord.is_offered and not is_discord,
        "has_mail": context.has_mail,
        "max_address": MAX_ADDRESS_LENGTH,
    }


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
    """Delete what has expired, and finish deletions that waited, every hour while the website runs."""
    async with repeating(_purge_regularly(app[CONTEXT])):
        yield


async def _purge_regularly(context: WebContext) -> None:
    people = context.matches.people
    while True:
        await asyncio.sleep(PURGE_SECONDS)
        await context.steps.run("purge_sessions", lambda: _purge(context))
        await context.steps.run("purge_codes", lambda: people.mail_codes.delete_old(now=context.now()))
        await context.steps.run(
            "purge_requests", lambda: context.matches.work.requests.forget_old(now=context.now())
        )
        await context.steps.run("purge_names", lambda: people.handles.delete_old(now=context.now()))
        await context.steps.run(
            "finish_erasures", lambda: people.personal_data.finish_erasures(now=context.now())
        )


async def _purge(context: WebContext) -> None:
    tokens = await context.matches.people.sessions.delete_expired(now=context.now())
    await for_each(tokens, lambda token: revoke(context, token))


def _session_item(texts: Texts, one: Session, current: Session) -> dict[str, Any]:
    return {
        "id": one.id,
        "device": format_device(texts, one.device),
        "made": Moment(one.made_at),
        "used": Moment(one.used_at),
        "is_current": one.id == current.id,
    }
