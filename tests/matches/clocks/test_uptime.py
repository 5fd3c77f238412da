"""Time for which the service was down is given back, once, whoever comes back and how often."""

import asyncio

import pytest

from matches import Flag, Matches, MatchState, Pace, Store, Terms
from tests.matches.clocks.acts import BANK, CLAIMED, DAY, HOUR, MINUTE, begin, due, time_of
from tests.matches.story import ALICE, BOB, NOON, later, move

WEEK = 7 * DAY


@pytest.fixture
def matches(store: Store) -> Matches:
    """Give matches that take a silence of more than five minutes for an outage."""
    return Matches(store)


async def up(matches: Matches, since: int, until: int) -> None:
    """Have the service beat from one minute to another."""
    for minutes in range(since, until, 4):
        await matches.clocks.tick(now=later(minutes=minutes))
    await matches.clocks.tick(now=later(minutes=until))


async def test_week_of_downtime_is_given_back(matches: Matches) -> None:
    view = await begin(matches)
    await up(matches, 0, 60)
    back = later(hours=1) + WEEK
    await matches.clocks.tick(now=back)
    found = await matches.view(view.id, now=back)
    assert found.state is MatchState.PLAYING
    assert time_of(found, ALICE).deadline == later(days=3) + WEEK
    await matches.clocks.tick(now=back)
    assert time_of(await matches.view(view.id, now=back), ALICE).deadline == later(days=3) + WEEK


async def test_flag_falls_as_much_later(matches: Matches) -> None:
    view = await begin(matches, Terms(pace=Pace.per_move(HOUR), flag=Flag.LOST))
    await up(matches, 0, 30)
    back = 30 + WEEK // MINUTE
    await up(matches, back, back + 29)
    assert (await matches.view(view.id, now=NOON)).state is MatchState.PLAYING
    await up(matches, back + 29, back + 30)
    assert (await matches.view(view.id, now=NOON)).state is MatchState.OVER


async def test_slowness_is_no_outage(matches: Matches) -> None:
    view = await begin(matches)
    await matches.clocks.tick(now=NOON)
    await matches.clocks.tick(now=later(minutes=5))
    found = await matches.view(view.id, now=later(minutes=5))
    assert time_of(found, ALICE).deadline == later(days=3)


async def test_flag_that_fell_before_the_outage_is_decided_after_it(matches: Matches) -> None:
    view = await begin(matches)
    await matches.clocks.beat(now=later(days=3, minutes=1))
    await matches.clocks.tick(now=later(days=10))
    assert (await matches.view(view.id, now=NOON)).state is MatchState.OVER


async def test_several_outages_add_up(matches: Matches) -> None:
    view = await begin(matches)
    for hours in (0, 1, 2, 3):
        await matches.clocks.tick(now=later(hours=hours))
    assert time_of(await matches.view(view.id, now=NOON), ALICE).deadline == later(days=3, hours=3)


async def test_two_processes_give_it_back_once(matches: Matches, database: str) -> None:
    view = await begin(matches)
    await matches.clocks.tick(now=NOON)
    async with await Store.open(database) as second:
        both = (matches, Matches(second))
        await asyncio.gather(*(each.clocks.tick(now=later(days=7)) for each in both * 2))
    assert time_of(await matches.view(view.id, now=NOON), ALICE).deadline == later(days=10)


async def test_bank_is_not_charged_for_an_outage(matches: Matches) -> None:
    view = await begin(matches, BANK)
    await matches.clocks.tick(now=NOON)
    await matches.clocks.beat(now=later(days=7))
    moved = (await move(matches, view, now=later(days=7, hours=1))).match
    assert time_of(moved, ALICE).left == 11 * DAY - HOUR
    assert time_of(moved, BOB).deadline == later(days=17, hours=1)


async def test_match_begun_after_an_outage_has_its_whole_time(matches: Matches) -> None:
    await matches.clocks.tick(now=NOON)
    await matches.clocks.tick(now=later(days=7))
    view = await begin(matches, now=later(days=8))
    assert time_of(view, ALICE).deadline == later(days=11)


async def test_flag_told_of_stays_fallen_over_an_outage(matches: Matches) -> None:
    view = await begin(matches, CLAIMED)
    await matches.clocks.beat(now=later(days=3))
    await matches.clocks.tick(now=later(days=3, minutes=1))
    await matches.clocks.tick(now=later(days=10))
    rows = await due(matches, later(days=10))
    assert [row.kind.value for row in rows] == ["challenged", "started", "flagged"]
    assert (await matches.clocks.claim(view.id, BOB, now=later(days=10))).match.result is not None


async def test_first_beat_ever_gives_nothing_back(matches: Matches) -> None:
    view = await begin(matches)
    await matches.clocks.tick(now=later(days=1))
    assert time_of(await matches.view(view.id, now=NOON), ALICE).deadline == later(days=3)


async def test_clock_of_the_machine_set_back_gives_nothing_back(matches: Matches) -> None:
    view = await begin(matches)
    await matches.clocks.tick(now=later(days=1))
    for hours in (1, 2, 24):
        await matches.clocks.tick(now=later(hours=hours))
    assert time_of(await matches.view(view.id, now=NOON), ALICE).deadline == later(days=3)
