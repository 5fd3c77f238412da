"""Notices of real matches on devices, from a turn to the notification."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from matches import ErasureChoice, Grant, Matches, Person, Terms, parse_time_control
from matches.notices.values import DELAYS, NoticeKind, Way
from matches.platforms import WEBSITE
from matches.terms import DEFAULT_TERMS
from matches.tournaments.values import Kind
from push import app
from runtime.steps import Steps
from tests.games import READER_TEXTS
from tests.matches.scenario import NOON, later, play_move, start_match
from tests.matches.tournaments.scenario import ORGANISER, START, player, settings_of
from tests.push.service import HOST
from tests.web.environment import ManualClock
from web.tournaments.paths import tournament_path

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from matches import MatchView
    from push.sender import PushSender
    from tests.push.service import PushService, StubBrowser

ANN, BEN = Person(f"web:{'a' * 24}", "Ann"), Person(f"web:{'b' * 24}", "Ben")
CONTACT = "https://rayuela.example"


async def sign_in(matches: Matches, person: Person, browser: StubBrowser) -> None:
    """Sign a person in with a browser that shows notifications."""
    sessions = matches.people.sessions
    await matches.visibility.set_alias(person, None, now=NOON)  # stores who is not known yet
    secret = await sessions.start(person, Grant(frozenset(), "token"), device="", now=NOON)
    session = await sessions.find(secret, now=NOON)
    assert session is not None
    await browser.subscribe(matches, session)


async def start(matches: Matches, terms: Terms = DEFAULT_TERMS) -> MatchView:
    """Start a match of Ann and Ben on the website, of which both have seen the start; Ann is to move."""
    view = await start_match(matches, by=ANN, to=BEN, channel=WEBSITE, terms=terms)
    for person in (ANN, BEN):
        await matches.people.notices.mark_seen(person.account, view.id, now=NOON)
    return view


@asynccontextmanager
async def serving(matches: Matches, service: PushService, clock: ManualClock) -> AsyncIterator[PushSender]:
    """Run what a process runs; nothing is due until the test advances the clock."""
    service.has_texts = True
    async with app.serve(
        matches,
        READER_TEXTS,
        clock,
        Steps(),
        contact=CONTACT,
        more_hosts=(HOST,),
        authority=service.authority,
    ) as sender:
        assert sender is not None
        yield sender


async def send(sender: PushSender, clock: ManualClock) -> None:
    """Send what is due after the delay in which somebody may see it on a page."""
    clock.advance(seconds=DELAYS[Way.PUSH].total_seconds())
    await sender.send_due()


async def test_turns_become_one_notification_while_the_device_is_off(
    matches: Matches, service: PushService
) -> None:
    phone, clock = service.browser("phone"), ManualClock(NOON)
    await sign_in(matches, BEN, phone)
    view = await start(matches)
    async with serving(matches, service, clock) as sender:
        for _ in range(2):
            view = (await play_move(matches, view)).match  # Ann's
            await send(sender, clock)
            view = (await play_move(matches, view)).match  # Ben's, elsewhere
    assert [one.topic for one in phone.received] == [f"m{view.id}"] * 2
    assert list(phone.waiting) == [f"m{view.id}"]
    shown = phone.waiting[f"m{view.id}"].payload
    assert (shown["tag"], shown["title"]) == (f"m{view.id}", "Your turn against Ann · Morelli")
    assert shown["url"] == f"/m/{view.id}/seat/2"
    assert shown["body"]


async def test_start_of_a_tournament_leads_to_its_page(matches: Matches, service: PushService) -> None:
    phone, clock = service.browser("phone"), ManualClock(START)
    await sign_in(matches, BEN, phone)
    number = await matches.tournaments.create(settings_of(Kind.LADDER), ORGANISER, now=NOON)
    for person in (BEN, player(1), player(2)):
        await matches.tournaments.join(number, person, now=NOON)
    await matches.tournaments.sweep(now=START)
    async with serving(matches, service, clock) as sender:
        await send(sender, clock)
    shown = phone.waiting[f"t{number}"].payload
    assert (shown["title"], shown["url"]) == ("“Spring cup” is open", tournament_path(number))


async def test_turn_that_was_answered_meanwhile_is_dropped(matches: Matches, service: PushService) -> None:
    phone, clock = service.browser("phone"), ManualClock(NOON)
    await sign_in(matches, BEN, phone)
    view = await start(matches)
    await play_move(matches, (await play_move(matches, view)).match)
    async with serving(matches, service, clock) as sender:
        await send(sender, clock)
    assert phone.requests == 0


async def test_push_is_kept_until_the_deadline_of_the_turn(matches: Matches, service: PushService) -> None:
    phone, clock = service.browser("phone"), ManualClock(NOON)
    await sign_in(matches, BEN, phone)
    view = await start(matches, Terms(time_control=parse_time_control("1d"), rated=False))
    await play_move(matches, view)
    async with serving(matches, service, clock) as sender:
        await send(sender, clock)
    (received,) = phone.received
    assert 23 * 3600 < int(received.headers["ttl"]) <= 24 * 3600
    assert received.claims["sub"] == CONTACT


@pytest.mark.parametrize("way", ["signed out", "erased", "not wanted"])
async def test_nothing_is_pushed_to_somebody_who_left(
    matches: Matches, service: PushService, way: str
) -> None:
    phone, clock = service.browser("phone"), ManualClock(NOON)
    await sign_in(matches, BEN, phone)
    await play_move(matches, await start(matches))
    people = matches.people
    if way == "signed out":
        await people.sessions.end(BEN.account)
    elif way == "erased":
        await people.personal_data.erase(BEN.account, ErasureChoice.RESIGN, now=NOON)
    else:
        await people.notices.change(BEN, NoticeKind.TURN, {Way.MAIL}, now=NOON)
    async with serving(matches, service, clock) as sender:
        await send(sender, clock)
        clock.time = later(hours=1)
        await sender.send_due()
    assert phone.requests == 0


async def test_challenge_opens_the_list_of_challenges(matches: Matches, service: PushService) -> None:
    phone, clock = service.browser("phone"), ManualClock(NOON)
    await sign_in(matches, BEN, phone)
    update = await matches.challenges.create(
        ANN, to=BEN, server=WEBSITE, channel=WEBSITE, game="morelli", now=NOON
    )
    async with serving(matches, service, clock) as sender:
        await send(sender, clock)
    (received,) = phone.received
    assert (received.topic, received.payload["url"]) == (
        f"c{update.challenge.id}",
        f"/c/{update.challenge.id}",
    )


async def test_without_a_contact_nothing_runs(matches: Matches) -> None:
    async with app.serve(matches, READER_TEXTS, ManualClock(NOON), Steps(), contact=None) as sender:
        assert sender is None
