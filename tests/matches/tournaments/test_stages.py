"""Stages of tournaments: they end on their date, from what is stored."""

from datetime import timedelta

import pytest

from matches import Matches
from matches.times import to_millis
from matches.tournaments.results import Decision, GameState
from matches.tournaments.values import Act, Kind, StageState, TournamentState
from storage import Database
from storage.tournament import games
from tests.matches.tournaments.scenario import (
    START,
    all_games,
    make,
    open_games,
    play_stage,
    player,
    see,
    start,
)

HOUR, WEEK = timedelta(hours=1), timedelta(weeks=1)


async def test_round_robin_opens_as_many_games_as_allowed(matches: Matches) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 5, games_at_once=2)
    view = await see(matches, number)
    assert view.state is TournamentState.RUNNING
    assert (len(all_games(view)), len(open_games(view))) == (10, 5)
    await play_stage(matches, number, START + HOUR)
    view = await see(matches, number)
    assert view.state is TournamentState.OVER
    assert len(view.winners) == 1
    assert view.stage is not None
    assert view.stage.groups[0].table[0].entrant == view.winners[0]


async def test_swiss_tournament_of_five_is_shortened_to_four_rounds(matches: Matches) -> None:
    number = await start(matches, Kind.SWISS, 5, rounds=7)
    view = await see(matches, number)
    assert view.rounds == 4
    assert [dict(one.details) for one in view.log if one.act is Act.SHORTENED] == [{"asked": 7, "rounds": 4}]


async def test_too_few_cancel_it(matches: Matches) -> None:
    for players in (0, 2):
        number = await start(matches, Kind.SWISS, players)
        assert (await see(matches, number)).state is TournamentState.CANCELLED


async def test_only_one_is_left(matches: Matches) -> None:
    number = await start(matches, Kind.SWISS, 4)
    for one in (1, 2, 3):
        await matches.tournaments.leave(number, player(one), now=START + HOUR)
    await matches.tournaments.sweep(now=START + HOUR)
    view = await see(matches, number)
    assert view.state is TournamentState.OVER
    assert [view.entrant(one).person for one in view.winners] == [player(4)]


async def test_last_game_in_which_nobody_moves_is_over_on_the_end_date(matches: Matches) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 3, stage_length=4 * WEEK, games_at_once=2)
    kept = open_games(await see(matches, number))[0]
    await play_stage(matches, number, START + HOUR, keep=[kept.id])
    end = START + 4 * WEEK
    await matches.tournaments.sweep(now=end)
    view = await see(matches, number)
    assert view.stage is not None
    assert view.stage.dates.state is StageState.CLOSING
    job = await matches.tournaments.adjudication.claim(now=end)
    assert job is not None
    assert job.game == kept.id
    assert await matches.tournaments.adjudication.claim(now=end) is None
    await matches.tournaments.adjudication.decide(job.game, 0.9, now=end)
    await matches.tournaments.sweep(now=end)
    view = await see(matches, number)
    game = next(one for one in all_games(view) if one.id == kept.id)
    assert (game.decision, game.points, game.chances) == (Decision.ADJUDICATED, (2, 0), 0.9)
    assert view.state is TournamentState.OVER


async def test_annulled_game_stays_annulled_when_its_board_is_assessed(
    matches: Matches, database: Database
) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 3, stage_length=4 * WEEK, games_at_once=2)
    end = START + 4 * WEEK
    await matches.tournaments.sweep(now=end)
    job = await matches.tournaments.adjudication.claim(now=end)
    assert job is not None
    async with database.transaction() as connection:
        await games.change(connection, job.game, state=GameState.ANNULLED, ended_at=to_millis(end))
    await matches.tournaments.adjudication.decide(job.game, 0.9, now=end)
    game = next(one for one in all_games(await see(matches, number)) if one.id == job.game)
    assert (game.state, game.points) == (GameState.ANNULLED, None)
    assert game.match is not None
    result = (await matches.view(game.match, now=end)).result
    assert result is not None
    assert result.winner is not None


@pytest.mark.long
async def test_board_that_nobody_assesses_is_a_draw(matches: Matches) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 3, stage_length=4 * WEEK)
    for now in (START + 4 * WEEK, START + 4 * WEEK + 7 * HOUR):
        await matches.tournaments.sweep(now=now)
    view = await see(matches, number)
    assert {(one.points, one.state) for one in all_games(view)} == {((1, 1), GameState.OVER)}
    assert view.state is TournamentState.OVER


@pytest.mark.long
async def test_knock_out_has_one_winner(matches: Matches) -> None:
    number = await start(matches, Kind.KNOCK_OUT, 5)
    for _ in range(3):
        await play_stage(matches, number, START + HOUR)
    view = await see(matches, number)
    assert view.state is TournamentState.OVER
    assert (len(view.stages), len(view.winners)) == (3, 1)


async def test_two_processes_and_a_repeated_sweep_make_one_pairing(
    matches: Matches, other_matches: Matches
) -> None:
    number = await make(matches, Kind.SWISS, 8)
    for one in (matches, other_matches, matches):
        await one.tournaments.sweep(now=START)
    games = all_games(await see(matches, number))
    assert len(games) == len({frozenset((one.first, one.second)) for one in games}) == 4


@pytest.mark.long
async def test_league_goes_on_after_a_pause_of_a_week(matches: Matches) -> None:
    number = await start(matches, Kind.LEAGUE, 14, games_at_once=20, rounds=2)
    view = await see(matches, number)
    assert view.stage is not None
    assert [len(group.entrants) for group in view.stage.groups] == [7, 7]
    await play_stage(matches, number, START + HOUR)
    end = START + 13 * WEEK
    for now, stages in ((START + WEEK, 1), (end, 1), (end + WEEK, 2)):
        await matches.tournaments.sweep(now=now)
        assert len((await see(matches, number)).stages) == stages
    first = await see(matches, number, 1)
    second = await see(matches, number)
    assert first.stage is not None
    assert second.stage is not None
    promoted = {row.entrant for row in first.stage.groups[1].table if row.is_promoted}
    assert len(promoted) == 2
    assert promoted <= set(second.stage.groups[0].entrants)
