"""The calendar of deadlines: its secret address, what is in it, and who may change it."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from icalendar import Calendar, Event

from i18n import Texts
from matches import OfferKind, Terms, TimeControl
from tests.web.environment import ALICE, BOB, FISTS, SIGN_IN_SETTINGS, running_web

if TYPE_CHECKING:
    from matches import Database
    from tests.web.environment import Visitor, WebEnvironment

TIMED = Terms(rated=False, time_control=TimeControl.per_move(timedelta(days=3)))


async def calendar_path(env: WebEnvironment) -> str:
    """Make Alice a calendar and return the path of its file."""
    await env.start_match()
    return f"/calendar/{await env.matches.people.calendars.renew_key(ALICE.account)}.ics"


async def read_events(visitor: Visitor, path: str) -> list[Event]:
    answer = await visitor.get(path)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    assert answer.headers["Cache-Control"] == "no-store"
    return [one for one in Calendar.from_ical(answer.text).walk() if isinstance(one, Event)]


async def test_calendar_has_the_deadlines_of_turns_that_wait_for_its_owner(
    env: WebEnvironment, visitor: Visitor
) -> None:
    path = await calendar_path(env)
    own = await env.start_match(terms=TIMED)
    choosing = await env.start_match(FISTS, terms=TIMED)
    await env.start_match(terms=TIMED, people=(BOB, ALICE))  # Bob is to move
    over = await env.start_match(terms=TIMED)
    await env.matches.resign(over.id, BOB, now=env.clock())
    events = await read_events(visitor, path)
    urls = {str(event["url"]) for event in events}
    assert urls == {f"{env.base}/m/{one.id}" for one in (own, choosing)}
    assert {event.decoded("dtend") for event in events} == {env.clock() + timedelta(days=3)}
    assert {str(event["summary"]) for event in events} == {"Rayuela: your turn in Morelli against Bob"}
    await env.play(own.id)
    assert [str(event["url"]) for event in await read_events(visitor, path)] == [
        f"{env.base}/m/{choosing.id}"
    ]


async def test_calendar_is_in_the_language_of_its_owner(env: WebEnvironment, visitor: Visitor) -> None:
    path = await calendar_path(env)
    await env.matches.people.preferences.change(ALICE, language="ja", now=env.clock())
    await env.start_match(terms=TIMED)
    texts = Texts.load(language="ja")
    for asked in ("de", "en"):
        answer = await visitor.get(path, headers={"Accept-Language": asked})
        (event,) = (one for one in Calendar.from_ical(answer.text).walk() if isinstance(one, Event))
        assert event["summary"] == texts("web.calendar.turn", game="Morelli", name="Bob")


async def test_new_deadline_is_a_new_event(env: WebEnvironment, visitor: Visitor) -> None:
    path = await calendar_path(env)
    match = await env.start_match(terms=TIMED)
    first = await read_events(visitor, path)
    await env.play(match.id)
    await env.play(match.id)
    second = await read_events(visitor, path)
    assert first[0]["uid"] != second[0]["uid"]
    offer = (await env.matches.offers.make(match.id, ALICE, OfferKind.DRAW, now=env.clock())).match
    assert offer.pending_offer is not None
    assert [event["uid"] for event in await read_events(visitor, path)] == [second[0]["uid"]]


async def test_new_address_replaces_the_old_one(database: Database) -> None:
    async with running_web(database, **SIGN_IN_SETTINGS) as env, env.visitor() as visitor:
        await check_renewal(env, visitor)


async def check_renewal(env: WebEnvironment, visitor: Visitor) -> None:
    path = await calendar_path(env)
    visitor.session.cookie_jar.update_cookies({"session": await env.start_seat_session(ALICE)})
    answer = await visitor.post("/account/calendar", allow_redirects=False)
    assert answer.headers["Location"] == "/account/notices#calendar"
    key = await env.matches.people.calendars.get_key(ALICE.account)
    assert key is not None
    assert re.fullmatch(r"[\w-]{32}", key)
    assert (await visitor.get(path)).status == 404
    assert (await visitor.get(f"/calendar/{key}.ics")).status == 200
    await visitor.post("/account/calendar", data={"end": "yes"}, allow_redirects=False)
    assert (await visitor.get(f"/calendar/{key}.ics")).status == 404


async def test_nobody_makes_a_calendar_without_signing_in(visitor: Visitor) -> None:
    assert (await visitor.post("/account/calendar")).status == 403
    assert (await visitor.get("/calendar/aaaaaaaaaaaaaaaaaaaaaaaa.ics")).status == 404


async def test_names_cannot_add_lines_to_a_calendar(env: WebEnvironment, visitor: Visitor) -> None:
    path = await calendar_path(env)
    await env.start_match(
        terms=TIMED, people=(ALICE, type(BOB)("test:evil", "B;ob,\\nURL:https://evil.example"))
    )
    events = await read_events(visitor, path)
    assert len(events) == 1
    assert str(events[0]["url"]).startswith(env.base)
    assert str(events[0]["summary"]).endswith("against B;ob,\\nURL:https://evil.example")
