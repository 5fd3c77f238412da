"""Mails that come back: when they stop an address, and that nobody loses time who cannot be told."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert

from matches import Announcement, AnnouncementKind, Matches, MatchView, NoticeKind, Refusal, Terms, Way
from matches.platforms import MAIL
from matches.terms import TimeControl
from matches.times import to_millis
from storage.tables import PUSH_SUBSCRIPTIONS
from tests.mail.scenario import BEN, address_of, find_stop, sending, start_with_clock
from tests.mail.smtp_server import running_smtp
from tests.matches.scenario import ALICE, NOON, later, play_move, start_match

if TYPE_CHECKING:
    from datetime import datetime

    from storage import Database

ADDRESS = address_of(BEN)


@pytest.mark.parametrize(
    ("days", "is_stopped"),
    [((0, 1, 2), False), ((0, 1, 2, 29), True), ((0, 1, 2, 30), False), ((0, 10, 20, 31, 39), True)],
)
async def test_soft_bounces_stop_an_address_within_thirty_days(
    matches: Matches, database: Database, days: tuple[int, ...], is_stopped: bool
) -> None:
    for day in days:
        await matches.people.mail_addresses.record_bounce(ADDRESS, is_hard=False, now=later(days=day))
    assert (await find_stop(database, BEN))[1] is is_stopped


async def test_hard_bounce_stops_an_address_at_once(matches: Matches, database: Database) -> None:
    await matches.people.mail_addresses.record_bounce(ADDRESS, is_hard=True, now=NOON)
    assert await find_stop(database, BEN) == (4, True)
    reach = await matches.people.notices.reach(BEN.account)
    assert reach.failed_addresses == (ADDRESS,)
    assert reach.address is None


async def test_bounce_of_an_unknown_address_changes_nothing(matches: Matches) -> None:
    await matches.people.mail_addresses.record_bounce("nobody@example.org", is_hard=True, now=NOON)


async def test_address_that_its_owner_stopped_has_not_failed(matches: Matches, database: Database) -> None:
    await matches.people.mail_addresses.stop(BEN.account, ADDRESS, now=NOON)
    await matches.people.mail_addresses.record_bounce(ADDRESS, is_hard=True, now=NOON)
    assert (await matches.people.notices.reach(BEN.account)).failed_addresses == ()
    view = await turn_of_ben(matches)
    await run_sender(database, later(hours=1))
    assert await unreached(matches, view) == []


async def turn_of_ben(matches: Matches, now: datetime = NOON) -> MatchView:
    return (await play_move(matches, await start_with_clock(matches), now=now)).match


async def unreached(matches: Matches, view: MatchView) -> list[str]:
    time = (await matches.views.current(view.id)).time
    assert time is not None
    return [person.name for person in time.unreached]


async def deadline_of_ben(matches: Matches, view: MatchView) -> datetime | None:
    time = (await matches.views.current(view.id)).time
    seat = None if time is None else time.for_account(BEN.account)
    return None if seat is None else seat.deadline


async def run_sender(database: Database, now: datetime) -> list[str]:
    """Send what is due, and return to whom."""
    async with running_smtp() as server, sending(database, server.port, lambda: now) as sender:
        await sender.send_due()
    return server.recipients


@pytest.mark.long
async def test_bounce_stops_the_clock_of_who_is_to_move(matches: Matches, database: Database) -> None:
    view = await turn_of_ben(matches)
    assert await run_sender(database, later(hours=1)) == [ADDRESS]
    await matches.people.mail_addresses.record_bounce(ADDRESS, is_hard=True, now=later(hours=2))
    assert await unreached(matches, view) == ["Ben"]
    await matches.clocks.sweep(now=later(days=30))
    assert await deadline_of_ben(matches, view) is None
    seen = await matches.posting.places.record_contact(BEN.account, match=view.id, now=later(days=30))
    assert seen == (view.id,)
    assert await deadline_of_ben(matches, view) == later(days=33)  # all of the turn is given back


async def test_clock_of_the_opponent_runs_on(matches: Matches) -> None:
    view = (await play_move(matches, await turn_of_ben(matches))).match
    await matches.people.mail_addresses.record_bounce(ADDRESS, is_hard=True, now=later(hours=2))
    assert await unreached(matches, view) == []


async def test_later_turn_stops_the_clock_again(matches: Matches, database: Database) -> None:
    view = await turn_of_ben(matches)
    await matches.people.mail_addresses.record_bounce(ADDRESS, is_hard=True, now=later(hours=2))
    view = (await play_move(matches, view, now=later(days=10))).match  # whoever plays is reached
    assert await unreached(matches, view) == []
    view = (await play_move(matches, view, now=later(days=11))).match
    assert await run_sender(database, later(days=11, hours=1)) == []
    assert await unreached(matches, view) == ["Ben"]


async def test_board_that_was_seen_counts_as_told(matches: Matches, database: Database) -> None:
    await matches.people.mail_addresses.record_bounce(ADDRESS, is_hard=True, now=NOON)
    view = await turn_of_ben(matches)
    await matches.people.notices.mark_seen(BEN.account, view.id, now=later(minutes=1))
    assert await run_sender(database, later(hours=1)) == []
    assert await unreached(matches, view) == []


async def test_whoever_has_push_is_reached(matches: Matches, database: Database) -> None:
    async with database.transaction() as connection:
        browser = {"session": "s", "endpoint": "e", "keys": "k", "device": "d", "made_at": to_millis(NOON)}
        await connection.execute(insert(PUSH_SUBSCRIPTIONS).values(account=BEN.account, **browser))
    view = await turn_of_ben(matches)
    await matches.people.mail_addresses.record_bounce(ADDRESS, is_hard=True, now=later(hours=1))
    assert await unreached(matches, view) == []
    await matches.people.notices.change(BEN, NoticeKind.TURN, {Way.MAIL}, now=later(hours=1))
    await matches.people.mail_addresses.record_untold(BEN.account, view.id, now=later(hours=1))
    assert await unreached(matches, view) == ["Ben"]  # push is not used for turns


@pytest.mark.long
async def test_failed_address_is_used_again_after_a_proof(matches: Matches, database: Database) -> None:
    await matches.people.mail_addresses.record_bounce(ADDRESS, is_hard=True, now=NOON)
    with pytest.raises(Refusal, match="address_unknown"):
        await matches.people.notices.start_mail_again(BEN.account, ADDRESS)
    await matches.people.identities.add(BEN, MAIL, ADDRESS, is_confirmed=True, now=later(hours=1))
    assert await find_stop(database, BEN) == (0, False)
    await matches.people.mail_addresses.record_bounce(ADDRESS, is_hard=True, now=later(hours=2))
    assert await matches.people.mail_addresses.record_proof(ADDRESS)
    assert not await matches.people.mail_addresses.record_proof(ADDRESS)
    await turn_of_ben(matches)
    assert await run_sender(database, later(hours=3)) == [ADDRESS]


async def test_opponent_in_discord_is_told_that_a_player_cannot_be_and_then_that_they_can(
    matches: Matches,
) -> None:
    terms = Terms(time_control=TimeControl.per_move(timedelta(days=3)))
    view = (await play_move(matches, await start_match(matches, to=BEN, terms=terms))).match
    await matches.people.mail_addresses.record_bounce(ADDRESS, is_hard=True, now=later(hours=1))
    (told,) = await told_to_alice(matches, later(hours=1))
    assert (told.kind, told.by) == (AnnouncementKind.UNREACHED, BEN.account)
    assert await matches.posting.places.is_true_still(told, now=later(hours=1))
    await matches.announcements.mark_sent(told.id, "post", now=later(hours=1))
    await matches.posting.places.record_contact(BEN.account, match=view.id, now=later(hours=2))
    assert not await matches.posting.places.is_true_still(told, now=later(hours=2))
    (told,) = await told_to_alice(matches, later(hours=2))
    assert told.kind is AnnouncementKind.REACHED
    assert await matches.posting.places.is_true_still(told, now=later(hours=2))


async def told_to_alice(matches: Matches, now: datetime) -> list[Announcement]:
    rows = await matches.announcements.claim_due("test", now=now)
    return [row for row in rows if row.to == ALICE.account]
