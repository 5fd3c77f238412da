"""The page on which somebody chooses how they are told: the ways, reminders, quiet hours, mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web

from i18n.reminders import format_repeats, format_step, possible_steps, selected_steps
from i18n.reminders import parse_steps as parse_chosen_steps
from i18n.writing import TimeOfDay, Url
from matches import (
    SHOWN_DAYS,
    NoticeKind,
    Refusal,
    Way,
    format_quiet_hours,
    local_time,
    possible_ways,
    time_zone_names,
)
from web.accounts.push import push_context
from web.accounts.signed_in import find_member, require_member
from web.addresses import ACCOUNT_PATH, NOTICES_PATH, sign_in_url
from web.context import CONTEXT
from web.errors import format_error
from web.pages.pages import NO_STORE
from web.players.calendar import calendar_url
from web.puzzles.mail import describe_setting
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from matches import NoticeChoice, Reach, Session
    from web.context import WebContext

CHAT_WAYS = frozenset({Way.DIRECT, Way.CHANNEL})
SAVED = "saved"  # a field of the URL after something was saved


async def notices_page(request: web.Request) -> web.Response:
    """Show the choice; somebody who is not signed in signs in first."""
    session = await find_member(request)
    if session is None:
        if not request.app[CONTEXT].can_sign_in:
            raise web.HTTPNotFound
        return redirect(sign_in_url(NOTICES_PATH))
    return await _respond(request, session)


async def save_ways(request: web.Request) -> web.Response:
    """Save the ways of every kind; those that the page does not show stay as they were."""
    context, session = request.app[CONTEXT], await require_member(request)
    form, notices = await read_form(request), context.matches.people.notices
    shown = _shown_ways(context, await notices.reach(session.account))
    before = (await notices.choices(session.account)).ways
    for kind, offered in _shown_kinds(shown).items():
        checked = {way for way in offered if f"{kind}.{way}" in form}
        ways = checked | (before[kind] - set(offered))
        if ways != before[kind]:
            await notices.change(session.person, kind, ways, now=context.now())
    return redirect(f"{NOTICES_PATH}?{SAVED}=ways")


async def save_times(request: web.Request) -> web.Response:
    """Save when reminders are sent, and when nothing is; shows the page again with what is wrong."""
    context, session = request.app[CONTEXT], await require_member(request)
    form = await read_form(request)
    preferences = context.matches.people.preferences
    steps = possible_steps(await preferences.get(session.account))
    repeat = form.get("repeat", "0")
    if not (repeat.isascii() and repeat.isdigit() and len(repeat) <= 3):
        raise Refusal("form_malformed")
    changes = {
        **parse_chosen_steps(one for one in steps if f"step.{one}" in form),
        "repeat_days": int(repeat),
        "quiet": form.get("quiet", ""),
        "zone": form.get("zone", ""),
    }
    try:
        await preferences.change(session.person, now=context.now(), **changes)
    except Refusal as error:
        return await _respond(request, session, format_error(context.texts, error), form)
    return redirect(f"{NOTICES_PATH}?{SAVED}=times#times")


async def start_mail_again(request: web.Request) -> web.Response:
    """Send mail again to an address that was stopped."""
    context, session = request.app[CONTEXT], await require_member(request)
    form = await read_form(request)
    await context.matches.people.notices.start_mail_again(session.account, form.get("address", ""))
    return redirect(NOTICES_PATH)


async def _respond(
    request: web.Request, session: Session, notice: str = "", typed: Mapping[str, str] | None = None
) -> web.Response:
    """Return the page; after a refusal with the reason, and with what was `typed`."""
    context, notices = request.app[CONTEXT], request.app[CONTEXT].matches.people.notices
    choice, reach = await notices.choices(session.account), await notices.reach(session.account)
    answer = context.pages.respond(
        request,
        "notices.html",
        notice=notice,
        saved=request.query.get(SAVED, ""),
        push=await push_context(context, session),
        calendar_url=await calendar_url(context, session.account),
        puzzle_mail=await describe_setting(context, session.account),
        **_ways_context(context, choice, reach),
        **await _times_context(context, request, choice, typed),
    )
    answer.headers.update(NO_STORE)
    return answer


def _shown_ways(context: WebContext, reach: Reach) -> tuple[Way, ...]:
    """Return the ways that make sense for a person on this website."""
    hidden = set() if reach.has_chat else set(CHAT_WAYS)
    hidden |= (set() if context.sends_mail else {Way.MAIL}) | (set() if context.push_key else {Way.PUSH})
    return tuple(way for way in Way if way not in hidden)


def _shown_kinds(shown: Collection[Way]) -> dict[NoticeKind, tuple[Way, ...]]:
    """Return the kinds with the ways among which the page lets choose, without those that have none."""
    offered = {kind: tuple(way for way in possible_ways(kind) if way in shown) for kind in NoticeKind}
    return {kind: ways for kind, ways in offered.items() if ways}


def _ways_context(context: WebContext, choice: NoticeChoice, reach: Reach) -> dict[str, Any]:
    """Return the template context of the table, and of what a person lacks for a way."""
    shown, texts = _shown_ways(context, reach), context.pages.texts
    stopped = [
        one.address
        for one in reach.addresses
        if one.is_confirmed and one.stopped_at is not None and not one.has_failed
    ]
    no_address = ""
    if Way.MAIL in shown and reach.address is None and not stopped and not reach.failed_addresses:
        no_address = texts("web.notices.here_mail", url=Url(f"{ACCOUNT_PATH}#addresses"))
    lacks = [texts("web.notices.here_direct")] if Way.DIRECT in shown else []
    if no_address:
        lacks.append(no_address)
    if Way.PUSH in shown and Way.PUSH not in reach.ways:
        lacks.append(texts("web.notices.here_push"))
    return {
        "ways": shown,
        "kinds": [
            (kind, [(way, way in choice.ways[kind]) if way in offered else None for way in shown])
            for kind, offered in _shown_kinds(shown).items()
        ],
        "lacks": lacks,
        "no_address": no_address,
        "address": reach.address if context.sends_mail else None,
        "stopped": stopped if context.sends_mail else (),
        "failed": reach.failed_addresses if context.sends_mail else (),
    }


async def _times_context(
    context: WebContext, request: web.Request, choice: NoticeChoice, typed: Mapping[str, str] | None
) -> dict[str, Any]:
    """Return the template context of reminders and quiet hours."""
    texts, preferences = context.texts, choice.preferences
    days = sorted({*SHOWN_DAYS, preferences.repeat_days})
    chosen = selected_steps(preferences)
    if typed is not None:
        chosen = [one for one in possible_steps(preferences) if f"step.{one}" in typed]
    repeat = str(preferences.repeat_days) if typed is None else typed.get("repeat")
    return {
        "steps": [(one, format_step(texts, one), one in chosen) for one in possible_steps(preferences)],
        "repeats": [(str(one), format_repeats(texts, one), str(one) == repeat) for one in days],
        "quiet": format_quiet_hours(preferences.quiet) if typed is None else typed.get("quiet", ""),
        "zone": preferences.zone if typed is None else typed.get("zone", ""),
        "zones": await context.run_in_thread(request, time_zone_names),
        "local_time": TimeOfDay(local_time(preferences.zone, context.now())),
    }
