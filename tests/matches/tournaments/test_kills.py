"""A process that dies while it pairs: the next one finds the same pairs, or the rows."""

import asyncio
from datetime import datetime, timedelta

import pytest

from matches import Matches, MatchState
from matches.tournaments.results import GameState
from matches.tournaments.values import Kind, TournamentState
from storage import Database
from tests.matches.tournaments.scenario import (
    START,
    all_games,
    make,
    open_games,
    play_stage,
    player,
    resign,
    see,
)

HOUR, WEEK = timedelta(hours=1), timedelta(weeks=1)


async def sweep_and_die(matches: Matches, awaits: int) -> bool:
    """Sweep, and be cancelled after the task was resumed so often; return whether it had ended before."""
    task = asyncio.create_task(matches.tournaments.sweep(now=START))
    for _ in range(awaits):
        await asyncio.sleep(0)
        if task.done():
            return True
    task.cancel()
    await asyncio.wait({task})
    return False


@pytest.mark.long
@pytest.mark.parametrize("kind", [Kind.SWISS, Kind.KNOCK_OUT])
async def test_a_hundred_deaths_while_pairing_give_the_pairs_of_none(
    matches: Matches, other_matches: Matches, kind: Kind
) -> None:
    number = await make(matches, kind, 8)
    ended = False
    for awaits in range(0, 300, 3):
        ended = await sweep_and_die(matches, awaits) or ended
    await other_matches.tournaments.sweep(now=START)
    games = all_games(await see(matches, number))
    assert {one.state for one in games} == {GameState.OPEN}
    assert len({one.match for one in games}) == len(games) == (4 if kind is Kind.SWISS else 8)
    seeds = {one.id: one.seed or 0 for one in (await see(matches, number)).entrants}
    pairs = {tuple(sorted((seeds[one.first], seeds[one.second or one.first]))) for one in games}
    upper = {(1, 5), (2, 6), (3, 7), (4, 8)} if kind is Kind.SWISS else {(1, 8), (2, 7), (3, 6), (4, 5)}
    assert pairs == upper


async def sweep_until_commit(matches: Matches, database: Database, commits: int, now: datetime) -> None:
    """Sweep, and die after so many commits."""
    left = commits

    def die() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise RuntimeError("killed")

    with database.on_commit(die), pytest.raises(ExceptionGroup):
        await matches.tournaments.sweep(now=now)


@pytest.mark.parametrize("commits", [1, 2, 3])
async def test_whoever_follows_a_killed_process_opens_the_games_at_once(
    matches: Matches, other_matches: Matches, database: Database, commits: int
) -> None:
    number = await make(matches, Kind.ROUND_ROBIN, 4, games_at_once=1)
    await sweep_until_commit(matches, database, commits, START)
    await other_matches.tournaments.sweep(now=START)
    games = open_games(await see(matches, number))
    assert len(games) == 2
    for one in games:
        await resign(matches, await see(matches, number), one, one.first, START + HOUR / 2)
    await sweep_until_commit(matches, database, commits, START + HOUR / 2)
    await other_matches.tournaments.sweep(now=START + HOUR / 2)
    assert len(open_games(await see(matches, number))) == 2


@pytest.mark.long
async def test_swiss_tournament_of_64_in_which_many_leave_ends_on_its_date(matches: Matches) -> None:
    number = await make(matches, Kind.SWISS, 64, rounds=7)
    await matches.tournaments.sweep(now=START)
    now, end = START, (await see(matches, number)).ends_at
    for stage in range(1, 8):
        await play_stage(matches, number, now + HOUR, seed=stage)
        for one in range(4 * stage - 3, 4 * stage + 1):  # 6 % of 64 leave in each round
            if (await see(matches, number)).state is TournamentState.RUNNING:
                await matches.tournaments.leave(number, player(one), now=now + HOUR)
        now += 5 * WEEK
        await matches.tournaments.sweep(now=now)
    view = await see(matches, number)
    assert view.state is TournamentState.OVER
    assert view.ended_at is not None
    assert end is not None
    assert view.ended_at <= end
    games = [game for one in range(1, 8) for game in all_games(await see(matches, number, one))]
    pairs = [frozenset((one.first, one.second)) for one in games if one.second is not None]
    byes = [one.first for one in games if one.second is None]
    assert len(set(pairs)) == len(pairs)
    assert len(set(byes)) == len(byes)
    for game in games:
        if game.match is not None:
            assert (await matches.view(game.match, now=now)).state is MatchState.OVER
