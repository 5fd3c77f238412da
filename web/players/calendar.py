"""The calendar of a person's deadlines, at a secret address to subscribe to. Format: iCalendar (RFC 5545)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from aiohttp import web

from i18n.readers import current_language, reading_in
from i18n.translations import choose_language
from matches.values import ACTIVE_STATES
from web.accounts.signed_in import require_member
from web.addresses import CALENDAR_PATH, NOTICES_PATH, match_path
from web.context import CONTEXT
from web.pages.pages import NO_STORE
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from i18n import Texts
    from matches import MatchSummary
    from web.context import WebContext

MAX_DEADLINES = 500
REFRESH = timedelta(hours=1)  # how often a calendar program should ask again
SHOWN = timedelta(minutes=30)  # the length of an event, which ends at the deadline


async def calendar_file(request: web.Request) -> web.Response:
    """Return the deadlines of whoever has this calendar: those of turns that wait for them."""
    context = request.app[CONTEXT]
    account = await context.matches.people.calendars.find_account(request.match_info["key"])
    if account is None:
        raise web.HTTPNotFound
    queries, now = context.matches.public_queries, context.now()
    outlines = await queries.list_outlines_of(account, ACTIVE_STATES)
    awaited = [one.id for one in outlines if account in one.awaited and one.deadline is not None]
    listed = await queries.list_matches(sorted(awaited)[:MAX_DEADLINES])
    # Calendar programs ask for it, in whatever language they like.
    language = await context.matches.people.preferences.find_language(account, current_language())
    with reading_in(choose_language(language)):
        body = await context.run_in_thread(
            request, lambda: format_calendar(context.texts, listed, account, context.base, now)
        )
    answer = web.Response(body=body, content_type="text/calendar", charset="utf-8")
    answer.headers.update(NO_STORE)
    answer.enable_compression()
    return answer


async def change_calendar(request: web.Request) -> web.Response:
    """Make a calendar for the person who is signed in, give it another address, or end it."""
    context, session = request.app[CONTEXT], await require_member(request)
    form = await read_form(request)
    calendars = context.matches.people.calendars
    if "end" in form:
        await calendars.remove(session.account)
    else:
        await calendars.renew_key(session.account)
    return redirect(f"{NOTICES_PATH}#calendar")


async def calendar_url(context: WebContext, account: str) -> str:
    """Return the address of a person's calendar; empty if they have none."""
    key = await context.matches.people.calendars.get_key(account)
    return "" if key is None else f"{context.base}{CALENDAR_PATH}{key}.ics"


def format_calendar(
    texts: Texts, listed: Sequence[MatchSummary], account: str, base: str, now: datetime
) -> bytes:
    """Return a calendar with the deadlines of an account in these matches, as far as a clock runs."""
    from icalendar import Calendar, Event  # noqa: PLC0415 - 6 MiB that only calendars need

    calendar = Calendar()
    calendar.add("prodid", "-//Rayuela//deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add("x-wr-calname", texts("web.calendar.name"))
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", REFRESH)
    for match in listed:
        time = None if match.time is None else match.time.for_account(account)
        deadline = None if time is None else time.deadline
        if deadline is None:
            continue
        opponents = [seat.person for seat in match.seats if seat.person.account != account]
        url = f"{base}{match_path(match.id)}"
        event = Event()
        event.add("uid", f"{match.id}-{match.ply}-{match.takebacks}@{base.partition('//')[2]}")
        event.add("dtstamp", now)
        event.add("dtstart", deadline - SHOWN)
        event.add("dtend", deadline)
        event.add("transp", "TRANSPARENT")
        game = texts(f"game.{match.game}.name")
        event.add("summary", texts("web.calendar.turn", game=game, name=opponents[0]))
        event.add("description", texts("web.calendar.about", url=url))
        event.add("url", url)
        calendar.add_component(event)
    return bytes(calendar.to_ical())
