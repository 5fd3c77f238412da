"""Tables of stages that are over stay as they were on their end date."""

from datetime import timedelta

import pytest

from matches import Matches, MatchId
from matches.tournaments.results import Decision, EntrantId, GameState
from matches.tournaments.values import Kind, StageState, TournamentId
from tests.matches.tournaments.scenario import (
    START,
    all_games,
    first_move,
    open_games,
    play_stage,
    player,
    see,
    start,
)

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


@pytest.mark.parametrize("is_joined", [False, True])
async def test_whoever_leaves_in_the_pause_after_a_season_keeps_the_place(
    matches: Matches, *, is_joined: bool
) -> None:
    number = await start(matches, Kind.LEAGUE, 4, stage_length=4 * WEEK)
    await play_stage(matches, number, START + HOUR)
    now = START + 4 * WEEK + HOUR
    await matches.tournaments.sweep(now=now)
    before = await read_order(matches, number)
    persons = {one.id: one.person for one in (await see(matches, number)).entrants}
    best = persons[EntrantId(before[0])]
    if is_joined:
        await matches.tournaments.join(number, player(9), now=now)
        await matches.people.personal_data.join(best.account, player(9).account, now=now)
    else:
        await matches.tournaments.leave(number, best, now=now)
    await matches.tournaments.sweep(now=now)
    assert await read_order(matches, number) == before


@pytest.mark.long
async def test_whoever_leaves_after_the_end_date_keeps_games_that_wait_to_be_assessed(
    matches: Matches,
) -> None:
    number = await start(matches, Kind.LEAGUE, 4, stage_length=4 * WEEK)
    games = open_games(await see(matches, number))
    for one in games:
        await first_move(matches, one.match or MatchId(0), START + HOUR)
    now = START + 4 * WEEK
    await matches.tournaments.sweep(now=now)
    first = next(one for one in (await see(matches, number)).entrants if one.id == games[0].first)
    await matches.tournaments.leave(number, first.person, now=now + HOUR)
    await matches.tournaments.sweep(now=now + HOUR)
    assert {one.state for one in all_games(await see(matches, number))} == {GameState.OPEN}
    await matches.tournaments.sweep(now=now + 7 * HOUR)
    view = await see(matches, number)
    assert {one.decision for one in all_games(view)} == {Decision.ADJUDICATED}
    assert view.stage is not None
    assert view.stage.dates.state is StageState.OVER


async def test_whoever_leaves_between_the_end_date_and_the_sweep_is_assessed_too(matches: Matches) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 3, stage_length=4 * WEEK)
    games = open_games(await see(matches, number))
    for one in games:
        await first_move(matches, one.match or MatchId(0), START + HOUR)
    now = START + 4 * WEEK
    first = next(one for one in (await see(matches, number)).entrants if one.id == games[0].first)
    await matches.tournaments.leave(number, first.person, now=now + HOUR)
    await matches.tournaments.sweep(now=now + HOUR)
    await matches.tournaments.sweep(now=now + 8 * HOUR)
    assert {one.decision for one in all_games(await see(matches, number))} == {Decision.ADJUDICATED}


@pytest.mark.long
async def test_whose_other_account_was_withdrawn_in_a_season_keeps_the_place(matches: Matches) -> None:
    number = await start(matches, Kind.LEAGUE, 14, stage_length=4 * WEEK)
    view = await see(matches, number)
    assert view.stage is not None
    other = view.entrant(view.stage.groups[1].entrants[0]).person
    await matches.tournaments.leave(number, other, now=START + HOUR)
    await play_stage(matches, number, START + HOUR)
    now = START + 4 * WEEK + HOUR
    await matches.tournaments.sweep(now=now)
    before = await read_order(matches, number)
    best = view.entrant(EntrantId(before[0])).person
    await matches.people.personal_data.join(other.account, best.account, now=now)
    await matches.tournaments.sweep(now=now)
    assert await read_order(matches, number) == before
