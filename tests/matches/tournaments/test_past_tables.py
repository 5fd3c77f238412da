"""Tables of stages that are over stay as they were on their end date."""

from datetime import timedelta

import pytest

from matches import Matches
from matches.tournaments.values import Kind, TournamentId
from tests.matches.tournaments.scenario import START, play_stage, see, start

HOUR, WEEK = timedelta(hours=1), timedelta(weeks=1)


async def read_order(matches: Matches, number: TournamentId) -> tuple[int, ...]:
    """Return who was where after the first stage."""
    stage = (await see(matches, number, 1)).stage
    assert stage is not None
    return tuple(int(one) for group in stage.groups for one in group.entrants)


@pytest.mark.long
@pytest.mark.parametrize("kind", [Kind.SWISS, Kind.LEAGUE])
async def test_whoever_leaves_later_keeps_the_place(matches: Matches, kind: Kind) -> None:
    number = await start(matches, kind, 6, stage_length=4 * WEEK)
    await play_stage(matches, number, START + HOUR)
    now = START + 5 * WEEK + HOUR  # a season is followed by a week without games
    await matches.tournaments.sweep(now=now - WEEK)
    await matches.tournaments.sweep(now=now)
    before = await read_order(matches, number)
    view = await see(matches, number)
    assert view.stage is not None
    assert view.stage.dates.number > 1
    best = next(one for one in view.entrants if one.id == before[0])
    await matches.tournaments.leave(number, best.person, now=now)
    await matches.tournaments.sweep(now=now)
    assert await read_order(matches, number) == before
