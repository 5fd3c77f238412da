"""Notifications on a person's devices: switched on by a script, listed and switched off on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web

from i18n.writing import Moment
from matches import NoticeKind, Person, Refusal, Way, possible_ways
from web.accounts.sign_in import format_device
from web.accounts.signed_in import find_session
from web.addresses import ACCOUNT_PATH, NOTICES_PATH
from web.context import CONTEXT
from web.errors import format_error, status_code
from web.pages.pages import NO_STORE
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from i18n import Texts
    from matches import Session
    from matches.people.push_subscriptions import Browser
    from web.context import WebContext

PUSH_PATH = f"{ACCOUNT_PATH}/push"
PAGE_PATH = f"{NOTICES_PATH}#push"  # of the page that shows the list


async def push_context(context: WebContext, session: Session) -> dict[str, Any] | None:
    """Return the template context of ``push_settings.html``; None if no notification could be sent."""
    if context.push_key is None:
        return None
    browsers = await context.matches.people.push.list_for(session.account, now=context.now())
    return {
        "key": await context.push_key(),
        "here": next((one.endpoint for one in browsers if one.session == session.id), ""),
        "browsers": [_browser_item(context.texts, one, session) for one in browsers],
    }


async def public_key(request: web.Request) -> web.Response:
    """Return the key that browsers subscribe with, for the service worker."""
    find_key = request.app[CONTEXT].push_key
    if find_key is None:
        raise web.HTTPNotFound
    return web.json_response({"key": await find_key()}, headers=NO_STORE)


async def add_browser(request: web.Request) -> web.Response:
    """Switch notifications on for the browser that sends this; a refusal is JSON with its sentence."""
    context = request.app[CONTEXT]
    try:
        await _add(request)
    except Refusal as error:
        sentence = format_error(context.texts, error)
        return web.json_response({"refusal": sentence}, status=status_code(error), headers=NO_STORE)
    return web.Response(status=204, headers=NO_STORE)


async def _add(request: web.Request) -> None:
    context, session = request.app[CONTEXT], await find_session(request)
    form = await read_form(request)
    if session is None or session.is_guest or context.push_key is None:
        raise Refusal("signed_out")
    await context.matches.people.push.add(
        session,
        form.get("endpoint", ""),
        p256dh=form.get("p256dh", ""),
        auth=form.get("auth", ""),
        more_hosts=context.push_hosts,
        now=context.now(),
    )
    await _choose_push(context, session.person)


async def _choose_push(context: WebContext, person: Person) -> None:
    """Push all kinds of notices to somebody who has chosen none of them; else the device stays silent."""
    notices = context.matches.people.notices
    ways = (await notices.choices(person.account)).ways
    if any(Way.PUSH in chosen for chosen in ways.values()):
        return
    for kind in NoticeKind:
        if Way.PUSH in possible_ways(kind):
            await notices.change(person, kind, ways[kind] | {Way.PUSH}, now=context.now())


async def remove_browser(request: web.Request) -> web.Response:
    """Switch notifications off for the browser that the form names."""
    context, session = request.app[CONTEXT], await find_session(request)
    named = (await read_form(request)).get("browser", "")
    if session is None:
        raise Refusal("signed_out")
    if not (named.isascii() and named.isdigit() and len(named) < 16):
        raise Refusal("form_malformed")
    await context.matches.people.push.remove(session.account, [int(named)])
    return redirect(PAGE_PATH)


def _browser_item(texts: Texts, browser: Browser, session: Session) -> dict[str, Any]:
    return {
        "id": browser.id,
        "device": format_device(texts, browser.device),
        "made": Moment(browser.made_at),
        "used": None if browser.used_at is None else Moment(browser.used_at),
        "is_current": browser.session == session.id,
    }
