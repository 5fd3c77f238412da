"""Tournaments of 512 players: what a sweep and a view cost, in processor time."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import pytest

from matches import Matches
from matches.tournaments.results import GameState
from matches.tournaments.values import Kind
from tests.matches.tournaments.scenario import START, all_games, make, open_games, play_stage, resign, see

HOUR = timedelta(hours=1)


@dataclass
class Cost:
    seconds: float = 0


@contextmanager
def measured() -> Iterator[Cost]:
    cost, begun = Cost(), time.process_time()
    yield cost
    cost.seconds = time.process_time() - begun


@pytest.mark.long
@pytest.mark.parametrize("kind", [Kind.SWISS, Kind.LEAGUE, Kind.KNOCK_OUT, Kind.LADDER])
async def test_large_field_costs_little_when_nothing_or_one_result_is_due(
    matches: Matches, kind: Kind
) -> None:
    number = await make(matches, kind, 512)
    await matches.tournaments.sweep(now=START)
    if kind is Kind.SWISS:
        await play_stage(matches, number, START + HOUR)
    view = await see(matches, number)
    now = START + 3 * HOUR
    await matches.tournaments.sweep(now=now)
    with measured() as idle:
        await matches.tournaments.sweep(now=now + 2 * HOUR)
    if kind is not Kind.LADDER:
        game = open_games(view)[0]
        await resign(matches, view, game, game.first, now + 2 * HOUR)
    with measured() as one_result:
        await matches.tournaments.sweep(now=now + 2 * HOUR)
    with measured() as seen:
        view = await see(matches, number)
    assert len(view.entrants) == 512
    assert GameState.OVER in {game.state for game in all_games(view)} or kind is Kind.LADDER
    costs = {"idle": idle.seconds, "one result": one_result.seconds, "view": seen.seconds}
    assert max(costs.values()) < 0.5, costs
