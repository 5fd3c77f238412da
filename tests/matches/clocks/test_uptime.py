"""Downtime of the service does not count as thinking time, no matter which process comes back."""

import asyncio
from datetime import datetime, timedelta

import pytest

from matches import Database, Matches, MatchState, MatchView, Person, Terms, TimeControl, TimeoutRule
from tests.databases import open_database
from tests.matches.clocks.scenario import (
    BANK_TERMS,
    CLAIM_THREE_DAYS,
    DAY,
    HOUR,
    MINUTE,
    start_timed_match,
    take_announcements,
    time_of,
)
from tests.matches.scenario import ALICE, BOB, NOON, later, play_move

WEEK = 7 * DAY


@pytest.fixture
def matches(database: Database) -> Matches:
    """Return matches for which a gap longer than five minutes is a downtime."""
    return Matches(database)


async def run_service(matches: Matches, since: int, until: int) -> None:
    """Record heartbeats from one minute to another."""
    for minutes in range(since, until, 4):
        await matches.clocks.tick(now=later(minutes=minutes))
    await matches.clocks.tick(now=later(minutes=until))


@pytest.mark.long
async def test_week_of_downtime_does_not_count(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await run_service(matches, 0, 60)
    back = later(hours=1) + WEEK
    await matches.clocks.tick(now=back)
    found = await matches.view(view.id, now=back)
    assert found.state is MatchState.PLAYING
    assert time_of(found, ALICE).deadline == later(days=3) + WEEK
    await matches.clocks.tick(now=back)
    assert time_of(await matches.view(view.id, now=back), ALICE).deadline == later(days=3) + WEEK


@pytest.mark.long
async def test_downtime_delays_the_timeout(matches: Matches) -> None:
    view = await start_timed_match(
        matches, Terms(time_control=TimeControl.per_move(HOUR), timeout_rule=TimeoutRule.LOST)
    )
    await run_service(matches, 0, 30)
    back = 30 + WEEK // MINUTE
    await run_service(matches, back, back + 29)
    assert (await matches.view(view.id, now=NOON)).state is MatchState.PLAYING
    await run_service(matches, back + 29, back + 30)
    assert (await matches.view(view.id, now=NOON)).state is MatchState.OVER


async def test_slowness_is_no_outage(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.tick(now=NOON)
    await matches.clocks.tick(now=later(minutes=5))
    found = await matches.view(view.id, now=later(minutes=5))
    assert time_of(found, ALICE).deadline == later(days=3)


@pytest.mark.long
async def test_timeout_before_the_outage_is_decided_after_it(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.heartbeat(now=later(days=3, minutes=1))
    await matches.clocks.tick(now=later(days=10))
    assert (await matches.view(view.id, now=NOON)).state is MatchState.OVER


@pytest.mark.long
async def test_several_outages_add_up(matches: Matches) -> None:
    view = await start_timed_match(matches)
    for hours in (0, 1, 2, 3):
        await matches.clocks.tick(now=later(hours=hours))
    assert time_of(await matches.view(view.id, now=NOON), ALICE).deadline == later(days=3, hours=3)


@pytest.mark.long
async def test_two_processes_count_a_downtime_once(matches: Matches, database_url: str) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.tick(now=NOON)
    async with open_database(database_url, 2) as second:
        both = (matches, Matches(second))
        await asyncio.gather(*(each.clocks.tick(now=later(days=7)) for each in both * 2))
    assert time_of(await matches.view(view.id, now=NOON), ALICE).deadline == later(days=10)


@pytest.mark.long
async def test_bank_is_not_charged_for_an_outage(matches: Matches) -> None:
    view = await start_timed_match(matches, BANK_TERMS)
    await matches.clocks.tick(now=NOON)
    await run_service(matches, WEEK // MINUTE, WEEK // MINUTE + 60)
    moved = (await play_move(matches, view, now=later(days=7, hours=1))).match
    assert time_of(moved, ALICE).remaining == 11 * DAY - HOUR
    assert time_of(moved, BOB).deadline == later(days=17, hours=1)


@pytest.mark.long
async def test_match_started_after_an_outage_has_its_whole_time(matches: Matches) -> None:
    await matches.clocks.tick(now=NOON)
    await run_service(matches, WEEK // MINUTE, WEEK // MINUTE + 60)
    view = await start_timed_match(matches, now=later(days=7, hours=1))
    assert time_of(view, ALICE).deadline == later(days=10, hours=1)


@pytest.mark.long
async def test_time_stands_in_the_first_match_of_a_server_if_no_heartbeat_followed_its_start(
    matches: Matches,
) -> None:
    await matches.clocks.heartbeat(now=NOON)
    terms = Terms(time_control=TimeControl.per_move(HOUR), timeout_rule=TimeoutRule.LOST)
    view = await start_timed_match(matches, terms, now=later(seconds=20))
    await matches.clocks.sweep(now=NOON + WEEK)  # by a worker, while no bot runs
    found = await matches.view(view.id, now=NOON + WEEK)
    assert found.state is MatchState.PLAYING
    assert time_of(found, ALICE).remaining == HOUR
    await run_service(matches, WEEK // MINUTE, WEEK // MINUTE + 50)
    assert (await matches.view(view.id, now=NOON + WEEK)).state is MatchState.PLAYING


@pytest.mark.long
async def test_announced_timeout_survives_an_outage(matches: Matches) -> None:
    view = await start_timed_match(matches, CLAIM_THREE_DAYS)
    await matches.clocks.heartbeat(now=later(days=3))
    await matches.clocks.tick(now=later(days=3, minutes=1))
    await matches.clocks.tick(now=later(days=10))
    rows = await take_announcements(matches, later(days=10))
    assert [row.kind.value for row in rows] == ["challenged", "started", "flagged"]
    assert (await matches.clocks.timeouts.claim(view.id, BOB, now=later(days=10))).match.result is not None


async def test_first_heartbeat_counts_no_downtime(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.tick(now=later(days=1))
    assert time_of(await matches.view(view.id, now=NOON), ALICE).deadline == later(days=3)


@pytest.mark.long
async def test_system_clock_set_back_counts_no_downtime(matches: Matches) -> None:
    view = await start_timed_match(matches)
    await matches.clocks.tick(now=later(days=1))
    for hours in (1, 2, 24):
        await matches.clocks.tick(now=later(hours=hours))
    assert time_of(await matches.view(view.id, now=NOON), ALICE).deadline == later(days=3)


async def deadline_of(matches: Matches, view: MatchView, person: Person = ALICE) -> datetime | None:
    return time_of(await matches.view(view.id, now=NOON), person).deadline


TEN_YEARS = timedelta(days=3653)


@pytest.mark.long
@pytest.mark.parametrize("leap", [TEN_YEARS, -TEN_YEARS])
async def test_leap_of_the_clock_and_its_return_move_no_deadline(matches: Matches, leap: timedelta) -> None:
    view = await start_timed_match(matches)
    await run_service(matches, 0, 60)
    for minutes in (61, 65, 69):
        await matches.clocks.tick(now=later(minutes=minutes) + leap)
        assert (await matches.view(view.id, now=NOON)).state is MatchState.PLAYING
    assert await deadline_of(matches, view) == later(days=3, minutes=1) + leap
    await run_service(matches, 70, 120)
    assert (await matches.view(view.id, now=NOON)).state is MatchState.PLAYING
    assert await deadline_of(matches, view) == later(days=3, minutes=2)


@pytest.mark.long
@pytest.mark.parametrize("leap", [TEN_YEARS, -TEN_YEARS])
async def test_process_that_starts_with_a_wrong_clock_moves_no_deadline(
    matches: Matches, database_url: str, leap: timedelta
) -> None:
    view = await start_timed_match(matches)
    await run_service(matches, 0, 60)
    async with open_database(database_url, 2) as second:
        await run_service(Matches(second), 62 + leap // MINUTE, 70 + leap // MINUTE)
    async with open_database(database_url, 3) as third:
        await run_service(Matches(third), 72, 80)
    assert (await matches.view(view.id, now=NOON)).state is MatchState.PLAYING
    assert await deadline_of(matches, view) == later(days=3, minutes=4)


@pytest.mark.long
@pytest.mark.parametrize("leap", [TEN_YEARS, -TEN_YEARS])
async def test_moves_between_a_leap_and_the_next_heartbeat_cost_no_time(
    matches: Matches, leap: timedelta
) -> None:
    view = await start_timed_match(matches, BANK_TERMS)
    await run_service(matches, 0, 60)
    moved = (await play_move(matches, view, now=later(minutes=60) + leap)).match
    assert time_of(moved, ALICE).remaining == 11 * DAY - HOUR
    await matches.clocks.tick(now=later(minutes=60) + leap)
    assert await deadline_of(matches, view, BOB) == later(days=10, hours=1) + leap
    moved = (await play_move(matches, moved, now=later(minutes=60))).match
    assert time_of(moved, BOB).remaining == 11 * DAY
    started = await start_timed_match(matches, now=later(minutes=60))
    await matches.clocks.tick(now=later(minutes=60))
    assert await deadline_of(matches, view) == later(days=11)
    assert await deadline_of(matches, started) == later(days=3, hours=1)
