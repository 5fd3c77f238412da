"""Downtime of single shards: time is given back to the matches that nobody could reach, and to no others."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest

from engine.game import Side
from matches import WEBSITE_COVERAGE, Coverage, Database, Matches, MatchId, MatchState, MatchView, MoveReason
from tests.matches.clocks.scenario import DAY, HOUR, MINUTE, THREE_DAYS, time_of
from tests.matches.scenario import ALICE, BOB, CHANNEL, NOON, SMALL, later

WEBSITE = "web:table"


@pytest.fixture
def matches(database: Database) -> Matches:
    """Return matches for which a gap longer than five minutes is a downtime."""
    return Matches(database)


@pytest.fixture
async def other_matches(database_url: str) -> AsyncIterator[Matches]:
    """Return the same for another process."""
    async with await Database.open(database_url) as second:
        yield Matches(second)


def number(server: str) -> int | None:
    return None if server == WEBSITE else int(server.removeprefix("test:"))


def shards(count: int, *ids: int) -> Coverage:
    return Coverage(count, frozenset(ids), number)


async def start_match(matches: Matches, server: str) -> MatchId:
    """Start a match on a server: Alice moves first and has three days."""
    made = await matches.challenges.create(
        ALICE,
        to=BOB,
        server=server,
        channel=CHANNEL,
        game="morelli",
        options=SMALL,
        colour=Side.BLACK,
        terms=THREE_DAYS,
        now=NOON,
    )
    return (await matches.challenges.accept(made.challenge.id, BOB, now=NOON)).match.id


async def start_matches(matches: Matches, *servers: str) -> list[MatchId]:
    return [await start_match(matches, server) for server in servers]


async def beat(
    matches: Matches, coverage: Coverage, since: timedelta, until: timedelta, step: timedelta = 4 * MINUTE
) -> None:
    """Keep these shards connected from one time to another."""
    now = NOON + since
    while now < NOON + until:
        await matches.clocks.tick(now, coverage)
        now += step
    await matches.clocks.tick(NOON + until, coverage)


async def given_back(matches: Matches, match: MatchId) -> timedelta:
    """Return by how much the deadline of Alice's first move was put off."""
    deadline = time_of(await matches.view(match, now=NOON), ALICE).deadline
    assert deadline is not None
    return deadline - later(days=3)


@pytest.mark.long
async def test_only_the_matches_of_the_shard_that_was_away_get_time(matches: Matches) -> None:
    even, odd, website = await start_matches(matches, "test:4", "test:7", WEBSITE)
    await matches.clocks.tick(NOON, shards(2, 0, 1))
    await beat(matches, shards(2, 0), timedelta(0), 2 * HOUR)
    await matches.clocks.tick(NOON + 2 * HOUR, shards(2, 0, 1))
    assert [await given_back(matches, match) for match in (even, odd, website)] == [
        timedelta(0),
        2 * HOUR,
        timedelta(0),
    ]


async def test_time_stands_in_matches_that_nobody_reaches(matches: Matches) -> None:
    even, odd = await start_matches(matches, "test:4", "test:7")
    await matches.clocks.tick(NOON, shards(2, 0, 1))
    end = 3 * DAY + HOUR
    await matches.clocks.tick(NOON + 4 * MINUTE, shards(2, 0, 1))
    await beat(matches, shards(2, 0), end - HOUR, end)

    async def state(match: MatchId) -> MatchState:
        return (await matches.view(match, now=NOON)).state

    assert (await state(odd), await given_back(matches, even)) == (MatchState.PLAYING, 3 * DAY - 4 * MINUTE)
    await matches.play(odd, ALICE, ["C1-D2"], now=NOON + end)
    played: MatchView = await matches.view(odd, now=NOON)
    assert time_of(played, BOB).deadline == NOON + 4 * MINUTE + 3 * DAY
    await matches.clocks.tick(NOON + end, shards(2, 0, 1))
    assert time_of(await matches.view(odd, now=NOON), BOB).deadline == NOON + end + 3 * DAY


@pytest.mark.parametrize("counts", [(1, 1), (1, 2)])
async def test_shard_is_up_while_any_process_has_it(
    matches: Matches, other_matches: Matches, counts: tuple[int, int]
) -> None:
    (match,) = await start_matches(matches, "test:4")
    old, new = shards(counts[0], 0), shards(counts[1], 0)
    await beat(matches, old, timedelta(0), HOUR)
    await beat(other_matches, new, HOUR - 4 * MINUTE, 2 * HOUR)
    await matches.clocks.tick(NOON + 2 * HOUR, old)
    assert await given_back(matches, match) == timedelta(0)


@pytest.mark.long
async def test_time_is_given_back_when_the_number_of_shards_changes_meanwhile(matches: Matches) -> None:
    """Of two shards one stops an hour before the other; an hour later all start again as three."""
    found = await start_matches(matches, *(f"test:{one}" for one in range(6)))
    await beat(matches, shards(2, 0, 1), timedelta(0), HOUR)
    await beat(matches, shards(2, 1), HOUR, 2 * HOUR)
    for shard in range(3):
        await matches.clocks.tick(NOON + 3 * HOUR, shards(3, shard))
    assert [await given_back(matches, match) for match in found] == [2 * HOUR, HOUR] * 3
    await beat(matches, shards(3, 0, 1, 2), 3 * HOUR, 4 * HOUR)
    await matches.clocks.tick(NOON + 5 * HOUR, shards(3, 2))
    assert await given_back(matches, found[2]) == 3 * HOUR


@pytest.mark.long
async def test_number_of_shards_changes_without_an_outage(matches: Matches, other_matches: Matches) -> None:
    found = await start_matches(matches, "test:4", "test:5")
    await beat(matches, shards(1, 0), timedelta(0), HOUR)
    minutes = 4 * MINUTE
    for shard in range(2):  # the new processes start one after the other; then the old one is stopped
        await matches.clocks.tick(NOON + HOUR + shard * minutes, shards(1, 0))
        await other_matches.clocks.tick(NOON + HOUR + shard * minutes, shards(2, *range(shard + 1)))
    await beat(other_matches, shards(2, 0, 1), HOUR + 2 * minutes, 2 * HOUR)
    assert [await given_back(matches, match) for match in found] == [timedelta(0)] * 2


@pytest.mark.long
async def test_direct_messages_belong_to_shard_0(matches: Matches) -> None:
    here, direct = await start_matches(matches, "test:7", "test:9")
    await matches.clocks.tick(NOON, shards(2, 0, 1))
    await beat(matches, shards(2, 0), timedelta(0), HOUR)
    await matches.posting.places.lose("test:9", CHANNEL, MoveReason.DELETED, now=NOON + HOUR)
    await beat(matches, shards(2, 0), HOUR, 2 * HOUR)
    await matches.clocks.tick(NOON + 2 * HOUR, shards(2, 0, 1))
    await beat(matches, shards(2, 1), 2 * HOUR, 3 * HOUR)
    await matches.clocks.tick(NOON + 3 * HOUR, shards(2, 0, 1))
    # An hour with the shard of its server, then one with shard 0.
    assert [await given_back(matches, match) for match in (here, direct)] == [2 * HOUR, 2 * HOUR]


async def test_leap_of_the_clock_and_its_return_move_no_deadline_of_any_shard(matches: Matches) -> None:
    even, odd = await start_matches(matches, "test:4", "test:7")
    both, leap = shards(2, 0, 1), timedelta(days=3653)
    await beat(matches, both, timedelta(0), HOUR)

    async def tick(now: datetime) -> None:
        for shard in range(2):
            await matches.clocks.tick(now, shards(2, shard))

    await tick(NOON + HOUR + leap)
    await tick(NOON + HOUR)
    assert [await given_back(matches, match) for match in (even, odd)] == [timedelta(0)] * 2


@pytest.mark.long
@pytest.mark.parametrize("count", [1, 2])
async def test_time_stands_in_matches_of_the_website_while_no_website_runs(
    database: Database, other_matches: Matches, count: int
) -> None:
    """The shards of Discord stay connected meanwhile, and change nothing."""
    matches = Matches(database, outage=3 * HOUR)
    website, discord = await start_matches(matches, WEBSITE, "test:4")
    everything = shards(count, *range(count))
    await matches.clocks.tick(NOON, everything)
    await other_matches.clocks.heartbeat(NOON, WEBSITE_COVERAGE)
    await beat(matches, everything, timedelta(0), 4 * DAY, step=2 * HOUR)
    states = [(await matches.view(match, now=NOON)).state for match in (website, discord)]
    assert states == [MatchState.PLAYING, MatchState.OVER]
    await other_matches.clocks.heartbeat(NOON + 4 * DAY, WEBSITE_COVERAGE)
    await matches.clocks.tick(NOON + 4 * DAY, everything)
    assert await given_back(matches, website) == 4 * DAY


@pytest.mark.long
async def test_time_runs_on_the_website_while_shards_are_away(
    matches: Matches, other_matches: Matches
) -> None:
    """Nothing is given back there when they return, and they still get what they are owed."""
    website, discord = await start_matches(matches, WEBSITE, "test:4")
    await matches.clocks.tick(NOON, shards(2, 0, 1))
    await beat(other_matches, WEBSITE_COVERAGE, timedelta(0), 3 * HOUR)
    await matches.clocks.tick(NOON + 3 * HOUR, shards(1, 0))
    await other_matches.clocks.heartbeat(NOON + 3 * HOUR, WEBSITE_COVERAGE)
    assert [await given_back(matches, match) for match in (website, discord)] == [timedelta(0), 3 * HOUR]


async def test_outage_of_the_website_is_not_forgotten_with_shards_of_an_old_count(matches: Matches) -> None:
    (website,) = await start_matches(matches, WEBSITE)
    await matches.clocks.tick(NOON, shards(1, 0))
    await matches.clocks.heartbeat(NOON, WEBSITE_COVERAGE)
    await matches.clocks.tick(NOON + DAY, shards(2, 0, 1))
    await matches.clocks.heartbeat(NOON + DAY, WEBSITE_COVERAGE)
    assert await given_back(matches, website) == DAY


@pytest.mark.long
async def test_several_websites_are_down_only_together(matches: Matches, other_matches: Matches) -> None:
    (website,) = await start_matches(matches, WEBSITE)
    await beat(matches, WEBSITE_COVERAGE, timedelta(0), HOUR)
    await beat(other_matches, WEBSITE_COVERAGE, HOUR - 4 * MINUTE, 2 * HOUR)
    await matches.clocks.heartbeat(NOON + 2 * HOUR, WEBSITE_COVERAGE)
    assert await given_back(matches, website) == timedelta(0)


@pytest.mark.long
async def test_website_that_meets_a_server_of_discord_leaves_its_number_open(matches: Matches) -> None:
    (discord,) = await start_matches(matches, "test:7")
    await matches.clocks.tick(NOON, WEBSITE_COVERAGE)
    await matches.clocks.tick(NOON + MINUTE, shards(2, 0, 1))
    await beat(matches, WEBSITE_COVERAGE, timedelta(0), 3 * HOUR)
    await matches.clocks.tick(NOON + 3 * HOUR, shards(2, 0, 1))
    assert await given_back(matches, discord) == 3 * HOUR - MINUTE
