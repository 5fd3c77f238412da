"""Rules of tournaments: lost clocks, withdrawal, vacations, corrections, accounts that go."""

from datetime import datetime, timedelta

import pytest

from matches import AnnouncementKind, EndReason, Matches, MatchId, MatchState, is_deleted
from matches.personal_data.values import ErasureChoice
from matches.tournaments.results import Decision, GameState
from matches.tournaments.values import GameView, Kind, TournamentState, TournamentView, Withdrawal
from storage import Database
from tests.matches.scenario import CHANNEL, SERVER, post_everything
from tests.matches.tournaments.scenario import (
    ORGANISER,
    REASON,
    START,
    all_games,
    first_move,
    list_kinds,
    make,
    open_games,
    play_stage,
    player,
    resign,
    see,
    start,
)
from tests.refusals import refused

HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(weeks=1)


async def sweep(matches: Matches, now: datetime) -> None:
    await matches.clocks.timeouts.sweep(now=now)
    await matches.tournaments.sweep(now=now)


def games_of(view: TournamentView, number: int) -> list[GameView]:
    own = next(one.id for one in view.entrants if one.person == player(number))
    return [one for one in all_games(view) if own in (one.first, one.second)]


async def play_until_turn_of(matches: Matches, game: GameView, number: int, now: datetime) -> None:
    """Play until it is the turn of a player who has moved before."""
    assert game.match is not None
    moved = set()
    while True:
        view = await matches.view(game.match, now=now)
        assert view.to_move is not None
        if view.to_move.person == player(number) and player(number) in moved:
            return
        moved.add(view.to_move.person)
        await first_move(matches, game.match, now)


async def test_clock_lost_before_the_first_move_withdraws(matches: Matches) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 4)
    await post_everything(matches)
    await sweep(matches, START + 15 * DAY)
    view = await see(matches, number)
    assert Withdrawal.LOST_CLOCKS in {one.withdrawn for one in view.entrants}


@pytest.mark.long
@pytest.mark.parametrize("moves_in_between", [False, True])
async def test_second_lost_clock_withdraws_unless_a_move_was_made_in_between(
    matches: Matches, database: Database, *, moves_in_between: bool
) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 3)
    view = await see(matches, number)
    own = games_of(view, 1)
    assert own[1].match is not None
    (other,) = (one for one in all_games(view) if one not in own)
    await resign(matches, view, other, other.first, START)
    await play_until_turn_of(matches, own[0], 1, START)
    await play_until_turn_of(matches, own[1], 1, START)
    for _ in range(5):  # each move adds a day to the time in this game
        await play_until_turn_of(matches, own[1], 1, START + 8 * DAY)
    await post_everything(matches)
    await sweep(matches, START + 17 * DAY)
    view = await see(matches, number)
    mine = next(one for one in view.entrants if one.person == player(1))
    assert (mine.was_warned, mine.withdrawn) == (True, None)
    assert (AnnouncementKind.CLOCK_LOST.value, player(1).account) in await list_kinds(database)
    if moves_in_between:
        for _ in range(2):
            await first_move(matches, own[1].match, START + 18 * DAY)
    await post_everything(matches)
    await sweep(matches, START + 60 * DAY)
    view = await see(matches, number)
    assert [one.decision for one in games_of(view, 1)] == [Decision.LOST_CLOCK] * 2
    mine = next(one for one in view.entrants if one.person == player(1))
    assert mine.withdrawn is (None if moves_in_between else Withdrawal.LOST_CLOCKS)


@pytest.mark.parametrize("played", [False, True])
async def test_withdrawn_player_loses_the_rest_or_all_is_annulled(matches: Matches, *, played: bool) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 4)
    view = await see(matches, number)
    own = games_of(view, 1)
    for game in own[: 2 if played else 1]:
        await resign(matches, view, game, game.first, START + HOUR)
    await matches.tournaments.leave(number, player(1), now=START + HOUR)
    await sweep(matches, START + HOUR)
    view = await see(matches, number)
    states = [one.state for one in games_of(view, 1)]
    assert states == [GameState.OVER if played else GameState.ANNULLED] * 3
    ended = await matches.view(own[2].match or MatchId(0), now=START)
    assert ended.state is MatchState.OVER
    assert ended.result is not None
    assert ended.result.reason == EndReason.LEFT


@pytest.mark.parametrize(("is_excluded", "moves"), [(False, 2), (False, 1), (True, 2)])
async def test_who_leaves_a_running_game_has_resigned_it_and_who_is_excluded_has_not(
    matches: Matches, *, is_excluded: bool, moves: int
) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 3)
    view = await see(matches, number)
    game = games_of(view, 1)[0]
    for _ in range(moves):
        await first_move(matches, game.match or MatchId(0), START)
    if is_excluded:
        one = next(one for one in view.entrants if one.person == player(1))
        await matches.tournaments.exclude(number, one.id, ORGANISER, reason=REASON, now=START + HOUR)
    else:
        await matches.tournaments.leave(number, player(1), now=START + HOUR)
    await sweep(matches, START + HOUR)
    ended = await matches.view(game.match or MatchId(0), now=START + HOUR)
    assert ended.result is not None
    winner = ended.result.winner
    assert winner is not None
    assert winner.person != player(1)
    assert ended.result.reason is (EndReason.FORFEITED if is_excluded else EndReason.LEFT)
    changes = await matches.ratings.changes(ended.id, now=START + HOUR)
    assert len(changes) == (2 if moves == 2 and not is_excluded else 0)


async def test_organiser_excludes_with_a_reason_that_all_can_read(matches: Matches) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 4)
    entrant = (await see(matches, number)).entrants[0]
    tournaments = matches.tournaments
    with refused("not_organiser"):
        await tournaments.exclude(number, entrant.id, player(2), reason=REASON, now=START)
    with refused("tournament_reason"):
        await tournaments.exclude(number, entrant.id, ORGANISER, reason=" x ", now=START)
    await tournaments.exclude(number, entrant.id, ORGANISER, reason=REASON, now=START)
    last = (await see(matches, number)).log[-1]
    assert (last.by, last.about, last.reason) == (ORGANISER, player(1), REASON)
    with refused("tournament_closed"):
        await tournaments.join(number, player(9), now=START)


async def test_refusals_say_what_the_tournament_is_not(matches: Matches) -> None:
    number, tournaments = await start(matches, Kind.ROUND_ROBIN, 4), matches.tournaments
    opponent = (await see(matches, number)).entrants[0].id
    with refused("not_league"):
        await tournaments.register(number, player(1), is_registered=True, now=START)
    with refused("not_ladder"):
        await tournaments.challenge(number, player(2), opponent, setup=0, now=START)
    with refused("not_in_tournament"):
        await tournaments.leave(number, player(9), now=START)


async def test_only_players_of_a_league_register(matches: Matches) -> None:
    number, tournaments = await start(matches, Kind.LEAGUE, 4), matches.tournaments
    entrant = (await see(matches, number)).entrants[0]
    await tournaments.exclude(number, entrant.id, ORGANISER, reason=REASON, now=START)
    with refused("tournament_withdrawn"):
        await tournaments.register(number, entrant.person, is_registered=True, now=START)
    with refused("not_in_tournament"):
        await tournaments.register(number, player(9), is_registered=True, now=START)


async def test_correction_changes_the_table_and_no_pairs(matches: Matches) -> None:
    number = await start(matches, Kind.SWISS, 6)
    await play_stage(matches, number, START + HOUR)
    before = await see(matches, number)
    first = await see(matches, number, 1)
    game = all_games(first)[0]
    assert game.points is not None
    assert len(before.stages) == 2
    await matches.tournaments.correct(
        number, game.id, game.points[::-1], ORGANISER, reason=REASON, now=START + 2 * HOUR
    )
    await sweep(matches, START + 2 * HOUR)
    after = await see(matches, number)
    pairs = [[(one.first, one.second) for one in all_games(view)] for view in (before, after)]
    assert pairs[0] == pairs[1]
    assert all_games(await see(matches, number, 1))[0].points == game.points[::-1]
    assert before.stage is not None
    assert after.stage is not None
    stages = (before.stage, after.stage)
    points = [{row.entrant: row.points for row in stage.groups[0].table} for stage in stages]
    assert points[0] != points[1]


async def test_erased_player_keeps_the_points_under_another_name(matches: Matches) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 3)
    view = await see(matches, number)
    for game in games_of(view, 1):
        loser = game.second if view.entrant(game.first).person == player(1) else game.first
        assert loser is not None
        await resign(matches, view, game, loser, START + HOUR)
    await matches.people.personal_data.erase(player(1).account, ErasureChoice.RESIGN, now=START + HOUR)
    await sweep(matches, START + HOUR)
    view = await see(matches, number)
    gone = next(one for one in view.entrants if is_deleted(one.person.account))
    assert gone.withdrawn is Withdrawal.GONE
    assert view.stage is not None
    assert next(row.points for row in view.stage.groups[0].table if row.entrant == gone.id) == 4


async def test_players_are_told_two_weeks_and_two_days_before(matches: Matches, database: Database) -> None:
    await start(matches, Kind.ROUND_ROBIN, 3, stage_length=6 * WEEK)
    counts = []
    for left in (timedelta(days=15), timedelta(days=14), timedelta(days=3), timedelta(days=2), DAY):
        await matches.tournaments.sweep(now=START + 6 * WEEK - left)
        kinds = await list_kinds(database)
        own = [to for kind, to in kinds if kind == AnnouncementKind.ENDS_SOON]
        counts.append([own.count(player(one).account) for one in (1, 2, 3)])
    assert counts == [[0] * 3, [2] * 3, [2] * 3, [4] * 3, [4] * 3]  # each plays two games


async def test_vacation_stops_clocks_for_fourteen_days_of_a_stage(matches: Matches) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 3)
    await matches.clocks.vacations.begin(player(1), now=START)
    match = games_of(await see(matches, number), 1)[0].match or MatchId(0)
    away = []
    for days in (1, 13, 15, 20):
        await matches.tournaments.sweep(now=START + days * DAY)
        time = (await matches.view(match, now=START)).time
        assert time is not None
        seat = time.for_account(player(1).account)
        assert seat is not None
        away.append(seat.on_vacation)
    assert away == [True, True, False, False]


async def test_blocked_pair_gets_half_a_point_each(matches: Matches) -> None:
    number = await make(matches, Kind.ROUND_ROBIN, 3)
    await matches.people.blocks.block(player(1), player(2), now=START)
    await matches.tournaments.sweep(now=START)
    blocked = [one for one in all_games(await see(matches, number)) if one.decision is Decision.BLOCKED]
    assert [one.points for one in blocked] == [(1, 1)]


async def test_joined_account_keeps_one_place(matches: Matches) -> None:
    number = await make(matches, Kind.ROUND_ROBIN, 4)
    await matches.people.personal_data.join(player(1).account, player(2).account, now=START)
    await matches.tournaments.sweep(now=START)
    view = await see(matches, number)
    assert [one.withdrawn for one in view.entrants] == [Withdrawal.JOINED, None, None, None]
    assert len(all_games(view)) == 3


async def test_server_that_is_left_ends_no_tournament(matches: Matches) -> None:
    number = await make(matches, Kind.SWISS, 4, server=SERVER, channel=CHANNEL)
    await matches.people.personal_data.list_left_servers("test:", [], lambda _server: True, now=START)
    await matches.tournaments.sweep(now=START)
    games = all_games(await see(matches, number))
    views = [await matches.view(one.match or MatchId(0), now=START) for one in games]
    assert [(one.channel, one.is_direct) for one in views] == [("", True)] * 2


async def test_ladder_moves_the_winner_up_and_silence_loses(matches: Matches) -> None:
    number = await start(matches, Kind.LADDER, 4)
    view = await see(matches, number)
    assert view.stage is not None
    order = view.stage.groups[0].entrants
    low, high = view.entrant(order[3]).person, order[0]
    with refused("ladder_too_far"):
        await matches.tournaments.challenge(number, view.entrant(high).person, order[1], now=START)
    game = await matches.tournaments.challenge(number, low, high, now=START)
    with refused("ladder_busy"):
        await matches.tournaments.challenge(number, low, order[1], now=START)
    match = await matches.tournaments.answer(number, game, view.entrant(high).person, accept=True, now=START)
    assert match is not None
    await matches.resign(match, view.entrant(high).person, now=START + HOUR)
    await sweep(matches, START + HOUR)
    view = await see(matches, number)
    assert view.stage is not None
    assert view.stage.groups[0].entrants == (order[3], *order[:3])
    await matches.tournaments.challenge(number, view.entrant(order[0]).person, order[3], now=START + 2 * HOUR)
    await sweep(matches, START + 6 * DAY)
    view = await see(matches, number)
    assert view.stage is not None
    assert view.stage.groups[0].entrants == order[:1] + order[3:] + order[1:3]
    assert view.state is TournamentState.RUNNING


async def test_game_is_of_its_tournament_and_counts_as_rated(matches: Matches) -> None:
    number = await start(matches, Kind.SWISS, 4)
    game = open_games(await see(matches, number))[0]
    found = await matches.tournaments.find_by_match(game.match or MatchId(0))
    assert found is not None
    assert (found.tournament, found.stage, found.name) == (number, 1, "Spring cup")
    assert await matches.tournaments.find_by_match(MatchId(4711)) is None
