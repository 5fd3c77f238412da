"""A process that dies while it pairs: the next one finds the same pairs, or the rows."""

import asyncio
from datetime import timedelta

import pytest

from matches import Matches, MatchState
from matches.tournaments.results import GameState
from matches.tournaments.values import Kind, TournamentState
from tests.matches.tournaments.scenario import (
    START,
    all_games,
    make,
    play_stage,
    player,
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
