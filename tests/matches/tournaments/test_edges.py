"""Edges of tournaments: what happens at the same time, between stages, and after corrections."""

import json
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from engine import GAMES
from engine.game import Outcome
from matches import AnnouncementKind, Matches, MatchId, MatchState, Person, Reader
from matches.personal_data.values import ErasureChoice
from matches.times import to_millis
from matches.tournaments.entering import MAX_JOINED
from matches.tournaments.organising import MAX_CHANGES
from matches.tournaments.records import load_locked
from matches.tournaments.results import Decision, EntrantId, GameState
from matches.tournaments.values import (
    Act,
    GameSetup,
    GameView,
    Kind,
    TournamentId,
    TournamentState,
    TournamentView,
    Withdrawal,
)
from matches.tournaments.withdrawing import withdraw
from storage import Database
from storage.posting import outbox
from storage.statements import fetch_rows, select_rows
from storage.tables import OUTBOX
from storage.tournament import tournaments
from tests.matches.scenario import NOON, SERVER, post_everything
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
    settings_of,
    start,
)
from tests.refusals import refused

HOUR, DAY, WEEK = timedelta(hours=1), timedelta(days=1), timedelta(weeks=1)


async def list_started(matches: Matches, number: TournamentId, stage: int) -> list[frozenset[EntrantId]]:
    """Return who plays whom in a stage, each pair once."""
    games = all_games(await see(matches, number, stage))
    return [frozenset((one.first, one.second)) for one in games if one.second is not None and one.number == 1]


def own_entrant(view: TournamentView, number: int) -> EntrantId:
    return next(one.id for one in view.entrants if one.person == player(number))


async def test_clocks_lost_at_the_same_time_withdraw_once(matches: Matches, database: Database) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 4)
    await post_everything(matches)
    await matches.clocks.timeouts.sweep(now=START + 15 * DAY)
    await matches.tournaments.sweep(now=START + 15 * DAY)
    view = await see(matches, number)
    withdrawn = [one.person for one in view.entrants if one.withdrawn is not None]
    assert withdrawn
    logged = [one.about for one in view.log if one.act is Act.WITHDRAWN]
    assert sorted(map(str, logged)) == sorted(map(str, withdrawn))
    told = [to for kind, to in await list_kinds(database) if kind == AnnouncementKind.ENTRANT_WITHDRAWN]
    assert sorted(map(str, told)) == sorted(one.account for one in withdrawn)


@pytest.mark.long
async def test_corrected_duel_leaves_the_pairs_of_the_next_round(matches: Matches) -> None:
    number = await start(matches, Kind.KNOCK_OUT, 4)
    await play_stage(matches, number, START + HOUR)
    pairs = await list_started(matches, number, 2)
    (final,) = pairs
    duel = next(one for one in await list_started(matches, number, 1) if one & final)
    (loser,) = duel - final
    for game in all_games(await see(matches, number, 1)):
        if frozenset((game.first, game.second)) == duel:
            points = (2, 0) if game.first == loser else (0, 2)
            if game.points != points:
                await matches.tournaments.correct(
                    number, game.id, points, ORGANISER, reason=REASON, now=START + 2 * HOUR
                )
    await play_stage(matches, number, START + 3 * HOUR)
    view = await see(matches, number)
    assert view.state is TournamentState.OVER
    assert await list_started(matches, number, 2) == pairs
    assert set(view.winners) <= final


@pytest.mark.parametrize("kind", [Kind.ROUND_ROBIN, Kind.SWISS, Kind.KNOCK_OUT, Kind.LEAGUE])
async def test_no_match_goes_on_when_one_player_is_left(matches: Matches, kind: Kind) -> None:
    number = await start(matches, kind, 3)
    ids = [one.match for one in open_games(await see(matches, number))]
    assert ids
    for one in (1, 2):
        await matches.tournaments.leave(number, player(one), now=START + HOUR)
    await matches.tournaments.sweep(now=START + HOUR)
    view = await see(matches, number)
    assert view.state is TournamentState.OVER
    states = {(await matches.view(one or MatchId(0), now=START)).state for one in ids}
    assert states == {MatchState.OVER}
    assert {one.state for one in all_games(view)} <= {GameState.OVER, GameState.ANNULLED}


async def test_whoever_joined_is_told_that_it_is_cancelled(matches: Matches, database: Database) -> None:
    number = await make(matches, Kind.SWISS, 2)
    await matches.tournaments.sweep(now=START)
    assert (await see(matches, number)).state is TournamentState.CANCELLED
    number = await make(matches, Kind.SWISS, 5)
    await matches.tournaments.end_early(number, ORGANISER, reason=REASON, now=NOON)
    view = await see(matches, number)
    assert (view.state, view.log[-2].reason) == (TournamentState.CANCELLED, REASON)
    told = [to for kind, to in await list_kinds(database) if kind == AnnouncementKind.TOURNAMENT_OVER]
    assert len(told) == 2 + 5


@pytest.mark.long
async def test_ending_early_decides_the_games_as_on_the_end_date(matches: Matches) -> None:
    number = await start(matches, Kind.SWISS, 4, rounds=3)
    await matches.tournaments.end_early(number, ORGANISER, reason=REASON, now=START + DAY)
    for hours in (24, 31):
        await matches.tournaments.sweep(now=START + hours * HOUR)
    view = await see(matches, number)
    assert (view.state, len(view.stages), view.rounds) == (TournamentState.OVER, 1, 1)
    assert {one.decision for one in all_games(view)} == {Decision.ADJUDICATED}
    with refused("tournament_over"):
        await matches.tournaments.end_early(number, ORGANISER, reason=REASON, now=START + DAY)


@pytest.mark.long
async def test_date_changes_before_the_start_only(matches: Matches) -> None:
    number = await make(matches, Kind.SWISS, 4)
    later = settings_of(Kind.SWISS, starts_at=START + WEEK)
    with refused("not_organiser"):
        await matches.tournaments.change(number, later, player(1), reason=REASON, now=NOON)
    await matches.tournaments.change(number, later, ORGANISER, reason=REASON, now=NOON)
    await matches.tournaments.sweep(now=START)
    view = await see(matches, number)
    assert (view.state, view.settings.starts_at) == (TournamentState.OPEN, START + WEEK)
    assert (view.log[-1].act, view.log[-1].by, view.log[-1].reason) == (Act.CHANGED, ORGANISER, REASON)
    await matches.tournaments.sweep(now=START + WEEK)
    assert (await see(matches, number)).state is TournamentState.RUNNING
    again = replace(later, starts_at=START + 2 * WEEK)
    with refused("tournament_started"):
        await matches.tournaments.change(number, again, ORGANISER, reason=REASON, now=START + WEEK)


async def test_entrants_are_told_once_of_changed_settings(matches: Matches, database: Database) -> None:
    number = await make(matches, Kind.SWISS, 2)
    later, web = settings_of(Kind.SWISS, starts_at=START + WEEK), Person("web:one", "Wanda")
    await matches.tournaments.join(number, web, now=NOON)
    for _ in range(2):  # sent twice
        await matches.tournaments.change(number, later, ORGANISER, reason=REASON, now=NOON)
    told = [to for kind, to in await list_kinds(database) if kind == AnnouncementKind.TOURNAMENT_CHANGED]
    assert sorted(map(str, told)) == sorted([player(1).account, player(2).account, web.account])
    log = (await see(matches, number)).log
    assert [one.act for one in log] == [Act.CREATED, Act.CHANGED]
    for days in range(MAX_CHANGES - 1):
        again = replace(later, starts_at=START + days * DAY)
        await matches.tournaments.change(number, again, ORGANISER, reason=REASON, now=NOON)
    with refused("tournament_changed_often"):
        await matches.tournaments.change(number, later, ORGANISER, reason=REASON, now=NOON)
    await matches.tournaments.change(number, later, ORGANISER, reason=REASON, now=NOON + 2 * DAY)


@pytest.mark.long
async def test_replacement_plays_from_the_next_round_on(matches: Matches) -> None:
    number = await start(matches, Kind.SWISS, 4, rounds=3)
    gone = own_entrant(await see(matches, number), 1)
    await matches.people.blocks.block(player(8), ORGANISER, now=START)
    for one in (2, 8):
        with refused("tournament_not_replaceable" if one == 2 else "blocked_by_opponent"):
            await matches.tournaments.replace(number, gone, player(one), ORGANISER, reason=REASON, now=START)
    new = await matches.tournaments.replace(number, gone, player(9), ORGANISER, reason=REASON, now=START)
    await matches.tournaments.sweep(now=START)
    await play_stage(matches, number, START + HOUR)
    seats = [set().union(*await list_started(matches, number, stage)) for stage in (1, 2)]
    assert [(gone in one, new in one) for one in seats] == [(True, False), (False, True)]
    acts = [one.act for one in (await see(matches, number)).log if one.by == ORGANISER]
    assert acts == [Act.CREATED, Act.EXCLUDED, Act.REPLACED]


async def test_organiser_may_play_and_corrects_no_own_result(matches: Matches) -> None:
    number = await make(matches, Kind.ROUND_ROBIN, 2)
    await matches.tournaments.join(number, ORGANISER, now=NOON)
    await matches.tournaments.sweep(now=START)
    view = await see(matches, number)
    own = view.me
    for game in open_games(view):
        await resign(matches, view, game, game.first, START)
    for game in all_games(await see(matches, number)):
        assert game.points is not None
        points, is_own = game.points[::-1], own in (game.first, game.second)
        if is_own:
            with refused("own_match_corrected"):
                await matches.tournaments.correct(
                    number, game.id, points, ORGANISER, reason=REASON, now=START
                )
        else:
            await matches.tournaments.correct(number, game.id, points, ORGANISER, reason=REASON, now=START)


@pytest.mark.long
async def test_tournament_goes_on_without_its_erased_organiser(matches: Matches) -> None:
    number = await make(matches, Kind.SWISS, 4, rounds=2)
    await matches.people.personal_data.erase(ORGANISER.account, ErasureChoice.RESIGN, now=NOON)
    await matches.tournaments.sweep(now=START)
    for _ in range(2):
        await play_stage(matches, number, START + HOUR)
    view = await see(matches, number)
    assert view.state is TournamentState.OVER
    assert view.organiser != ORGANISER


@pytest.mark.long
async def test_late_sweep_moves_no_end_date(matches: Matches) -> None:
    number = await make(matches, Kind.SWISS, 4, rounds=2)
    for late in (HOUR, 5 * WEEK + 2 * HOUR, 5 * WEEK + 9 * HOUR):  # nobody assesses the boards for six hours
        await matches.tournaments.sweep(now=START + late)
    view = await see(matches, number)
    assert [one.ends_at for one in view.stages] == [START + 5 * WEEK, START + 10 * WEEK]
    assert view.ends_at == START + 10 * WEEK


@pytest.mark.long
async def test_long_outage_shortens_no_stage_by_more_than_a_day(matches: Matches) -> None:
    number = await make(matches, Kind.SWISS, 4, rounds=2)
    await matches.tournaments.sweep(now=START)
    after = START + 6 * WEEK
    for now in (after, after + 7 * HOUR):
        await matches.tournaments.sweep(now=now)
    view = await see(matches, number)
    assert {one.decision for one in all_games(await see(matches, number, 1))} == {Decision.ADJUDICATED}
    assert [one.ends_at for one in view.stages] == [START + 5 * WEEK, after + 7 * HOUR - DAY + 5 * WEEK]


@pytest.mark.long
async def test_account_has_twenty_open_games_in_all_tournaments(matches: Matches) -> None:
    numbers = [await start(matches, Kind.ROUND_ROBIN, 7, games_at_once=6) for _ in range(4)]

    async def list_own() -> list[GameView]:
        views = [await see(matches, one) for one in numbers]
        return [
            game
            for view in views
            for game in open_games(view)
            if own_entrant(view, 1) in (game.first, game.second)
        ]

    before = len(await list_own())
    assert 18 < before <= 20  # of 24; the opponents have as many
    while any([open_games(await see(matches, one)) for one in numbers]):
        for number in numbers:
            await play_stage(matches, number, START + HOUR)
            assert len(await list_own()) <= 20
    games = [game for one in numbers for game in all_games(await see(matches, one))]
    assert [game.state for game in games] == [GameState.OVER] * 84


async def test_round_robin_has_no_more_players_than_games_that_can_be_open(matches: Matches) -> None:
    number = await make(matches, Kind.ROUND_ROBIN, 0)
    limits = (await see(matches, number)).settings.limits
    assert limits.entrants == 21
    number = await make(matches, Kind.SWISS, 0)
    assert (await see(matches, number)).settings.limits.entrants == 512


async def test_only_members_join_the_tournament_of_a_server(matches: Matches) -> None:
    number = await make(matches, Kind.SWISS, 3, server=SERVER)
    with refused("tournament_members"):
        await matches.tournaments.join(number, player(9), is_member=False, now=NOON)
    stranger = Reader(accounts=frozenset({player(9).account}))
    with refused("tournament_unknown"):
        await matches.tournaments.view(number, stranger, now=NOON)


async def test_texts_of_organisers_have_no_control_characters(matches: Matches) -> None:
    number = await make(matches, Kind.SWISS, 3, about="one\x00\u202e\n\n\ntwo\r\n")
    assert (await see(matches, number)).settings.about == "one\n\n\ntwo"
    entrant = (await see(matches, number)).entrants[0].id
    await matches.tournaments.exclude(number, entrant, ORGANISER, reason="not\x00 nice\u202e", now=NOON)
    assert (await see(matches, number)).log[-1].reason == "not nice"


@pytest.mark.long
async def test_nobody_joins_more_than_twenty(matches: Matches) -> None:
    for one in range(MAX_JOINED + 1):
        organiser = replace(ORGANISER, account=f"test:organiser{one}")
        number = await matches.tournaments.create(settings_of(Kind.SWISS), organiser, now=NOON)
        if one < MAX_JOINED:
            await matches.tournaments.join(number, player(1), now=NOON)
    with refused("too_many_tournaments_joined"):
        await matches.tournaments.join(number, player(1), now=NOON)
    assert len(await matches.tournaments.list_of(player(1).account, now=NOON)) == MAX_JOINED


@pytest.mark.parametrize("leaves", [False, True])
async def test_computer_fills_an_odd_place_as_long_as_it_is_odd(matches: Matches, *, leaves: bool) -> None:
    number = await start(matches, Kind.SWISS, 5, rounds=2, computer_level="beginner")
    view = await see(matches, number)
    assert len(view.entrants) == 6
    assert [one.second is None for one in all_games(view)] == [False] * 3
    filler = view.entrants[-1]
    for game in open_games(view):
        loser = game.second if game.first == filler.id else game.first
        await resign(matches, view, game, loser or game.first, START + HOUR)
    if leaves:
        await matches.tournaments.leave(number, player(1), now=START + HOUR)
    await matches.tournaments.sweep(now=START + HOUR)
    games = all_games(await see(matches, number, 2))
    seated = {one for game in games for one in (game.first, game.second)}
    assert None not in seated
    assert (filler.id in seated) is not leaves
    assert len(seated) == (4 if leaves else 6)


@pytest.mark.parametrize("kind", [Kind.SWISS, Kind.ROUND_ROBIN])
async def test_computer_that_wins_all_games_has_no_place_among_the_players(
    matches: Matches, kind: Kind
) -> None:
    rounds = {"rounds": 1} if kind is Kind.SWISS else {}
    number = await start(matches, kind, 3, computer_level="beginner", **rounds)
    filler = (await see(matches, number)).entrants[-1]
    for _ in range(3):
        view = await see(matches, number)
        assert view.stage is not None
        assert view.stage.groups[0].table[-1].entrant == filler.id
        assert view.stage.groups[0].table[-1].best == 4
        for game in open_games(view):
            loser = game.second if filler.id == game.first else game.first
            await resign(matches, view, game, loser or game.first, START + HOUR)
        await matches.tournaments.sweep(now=START + HOUR)
    view = await see(matches, number)
    assert view.state is TournamentState.OVER
    assert view.winners
    assert filler.id not in view.winners
    assert view.stage is not None
    last = view.stage.groups[0].table[-1]
    assert (last.entrant, last.place, last.points) == (filler.id, 4, 2 if kind is Kind.SWISS else 6)
    assert view.stage.groups[0].table[-2].tie_break == "filler"


async def test_computer_fills_the_place_of_somebody_who_leaves(matches: Matches) -> None:
    number = await start(matches, Kind.SWISS, 4, rounds=3, computer_level="beginner")
    assert len((await see(matches, number)).entrants) == 4
    await matches.tournaments.leave(number, player(1), now=START + HOUR)
    await matches.tournaments.sweep(now=START + HOUR)
    await play_stage(matches, number, START + 2 * HOUR)
    games = all_games(await see(matches, number, 2))
    assert len(games) == 2
    assert None not in {game.second for game in games}


async def test_knock_out_that_was_created_with_a_computer_can_be_changed(
    database: Database, matches: Matches
) -> None:
    number = await matches.tournaments.create(settings_of(Kind.KNOCK_OUT), ORGANISER, now=NOON)
    async with database.transaction() as connection:
        await connection.exec_driver_sql(
            "UPDATE tournaments SET settings = "
            """replace(settings, '"computer": null', '"computer": "club"')"""
        )
    settings = (await see(matches, number)).settings
    assert settings.computer_level is None
    changed = replace(settings, name="Cup")
    await matches.tournaments.change(number, changed, ORGANISER, reason=REASON, now=NOON)
    assert (await see(matches, number)).settings.name == "Cup"


async def test_withdrawal_is_not_shown_before_it_happens(matches: Matches) -> None:
    number = await start(matches, Kind.SWISS, 4)
    assert {one.withdrawn for one in (await see(matches, number)).entrants} == {None}
    await matches.tournaments.leave(number, player(1), now=START)
    withdrawn = [one.withdrawn for one in (await see(matches, number)).entrants]
    assert withdrawn == [Withdrawal.LEFT, None, None, None]


@pytest.mark.long
async def test_games_of_a_stage_keep_the_rules_with_which_it_began(database: Database) -> None:
    current = GAMES["morabaraba"]
    old = current.versions[1]
    matches = Matches(database, games={**GAMES, "morabaraba": old})
    games = (GameSetup("morabaraba"),)
    number = await start(matches, Kind.LEAGUE, 3, games=games, games_at_once=1, rounds=2)
    matches = Matches(database, games=GAMES)
    end = START + 13 * WEEK
    await play_stage(matches, number, START + HOUR)
    for now in (end, end + WEEK):
        await matches.tournaments.sweep(now=now)
    for stage, version in ((1, old.rules_version), (2, current.rules_version)):
        views = [
            await matches.view(one.match, now=START)
            for one in all_games(await see(matches, number, stage))
            if one.match is not None
        ]
        assert views
        assert {one.rules_version for one in views} == {version}


async def test_third_game_of_a_duel_has_half_the_time(matches: Matches) -> None:
    number = await start(matches, Kind.KNOCK_OUT, 4)
    view = await see(matches, number)
    for game in open_games(view):
        await resign(matches, view, game, game.second or game.first, START + HOUR)
    await matches.tournaments.sweep(now=START + HOUR)
    games = all_games(await see(matches, number))
    found = {}
    for game in games:
        terms = (await matches.view(game.match or MatchId(0), now=START)).terms
        assert terms.time_control is not None
        found[game.number] = (
            terms.time_control.initial,
            terms.time_control.increment,
            terms.time_control.cap,
        )
    assert len(games) == 6
    assert found == {
        1: (14 * DAY, DAY, 21 * DAY),
        2: (14 * DAY, DAY, 21 * DAY),
        3: (7 * DAY, DAY, 21 * DAY / 2),
    }


async def start_league(matches: Matches, players: int = 21) -> TournamentId:
    """Start a league with divisions of seven whose matches nobody has to play."""
    return await start(matches, Kind.LEAGUE, players, games_at_once=1, rounds=3)


async def end_season(matches: Matches, season: int) -> None:
    """Draw all games of a season, and begin the next one."""
    end = START + season * 13 * WEEK + (season - 1) * WEEK
    for now in (end, end + 7 * HOUR, end + WEEK):
        await matches.tournaments.sweep(now=now)


async def mark_lost_clocks(database: Database, number: TournamentId, account: str) -> None:
    """Withdraw an entrant as lost clocks do."""
    async with database.transaction() as connection:
        records = await load_locked(connection, number)
        entrant = next(one for one in records.active if one.account == account)
        await withdraw(connection, records, entrant, Withdrawal.LOST_CLOCKS, to_millis(START + DAY))


@pytest.mark.long
async def test_absent_player_comes_back_two_divisions_down_and_only_once(
    matches: Matches, database: Database
) -> None:
    number = await start_league(matches)
    view = await see(matches, number)
    assert view.stage is not None
    first = view.entrant(view.stage.groups[0].entrants[0]).person
    await mark_lost_clocks(database, number, first.account)
    await end_season(matches, 1)
    view = await matches.tournaments.view(number, Reader(accounts=frozenset({first.account})), now=START)
    assert view.rights.can_register
    assert first not in seated_in(view)
    with refused("tournament_withdrawn"):
        await matches.tournaments.join(number, first, now=START)
    await matches.tournaments.register(number, first, is_registered=True, now=START)
    await end_season(matches, 2)
    view = await see(matches, number)
    assert seated_in(view)[first] == len(view.stage.groups if view.stage else ()) == 3
    await mark_lost_clocks(database, number, first.account)
    await end_season(matches, 3)
    view = await matches.tournaments.view(number, Reader(accounts=frozenset({first.account})), now=START)
    assert view.state is TournamentState.OVER
    assert not view.rights.can_register


async def abort_all(matches: Matches, number: TournamentId, person: Person, now: datetime) -> None:
    """Abort all games of an entrant, which is no withdrawal, but no play either."""
    view = await see(matches, number)
    for game in open_games(view):
        if person in [view.entrant(one).person for one in (game.first, game.second) if one is not None]:
            await matches.offers.abort(game.match or MatchId(0), person, now=now)


@pytest.mark.long
async def test_second_absence_is_logged_and_told_and_changes_no_table(
    matches: Matches, database: Database
) -> None:
    number = await start(matches, Kind.LEAGUE, 4)
    await abort_all(matches, number, player(1), START)
    await end_season(matches, 1)
    await matches.tournaments.register(number, player(1), is_registered=True, now=START)
    await end_season(matches, 2)
    third = START + 28 * WEEK
    await abort_all(matches, number, player(1), third)
    await end_season(matches, 3)
    view = await see(matches, number)
    own = next(one for one in view.entrants if one.person == player(1))
    assert (own.withdrawn, own.withdrawn_at) == (Withdrawal.ABSENT, view.stages[2].ended_at)
    absent = [one for one in view.log if one.details.get("why") == Withdrawal.ABSENT]
    assert [(one.act, one.about) for one in absent] == [(Act.WITHDRAWN, player(1))]
    told = [to for kind, to in await list_kinds(database) if kind == AnnouncementKind.ENTRANT_WITHDRAWN]
    assert told == [player(1).account] * 2  # after the first absence: to register again
    with refused("tournament_withdrawn"):
        await matches.tournaments.register(number, player(1), is_registered=True, now=START)


@pytest.mark.parametrize("is_over", [False, True])
async def test_nobody_registers_for_a_season_that_they_cannot_play(
    matches: Matches, database: Database, *, is_over: bool
) -> None:
    number = await start_league(matches, 4)
    if is_over:
        await matches.tournaments.end_early(number, ORGANISER, reason=REASON, now=START)
        await matches.tournaments.sweep(now=START)
        await matches.tournaments.sweep(now=START + 7 * HOUR)
    else:
        await mark_lost_clocks(database, number, player(1).account)
        async with database.transaction() as connection:
            own = own_entrant(await see(matches, number), 1)
            await tournaments.change_entrant(connection, own, absences=2)
    with refused("tournament_over" if is_over else "tournament_withdrawn"):
        await matches.tournaments.register(number, player(1), is_registered=True, now=START)


async def join_one_who_lost_clocks(matches: Matches, database: Database) -> TournamentId:
    """Start a league in which the first player owns the account of another, whom lost clocks withdrew.

    The other one is not registered for the next season.
    """
    number = await start_league(matches, 4)
    view = await see(matches, number)
    own = own_entrant(view, 1)
    met = {
        one
        for game in open_games(view)
        for one in (game.first, game.second)
        if own in (game.first, game.second)
    }
    other = next(one.person for one in view.entrants if one.id not in met)
    await matches.tournaments.register(number, other, is_registered=False, now=START)
    await mark_lost_clocks(database, number, other.account)
    await matches.people.personal_data.join(other.account, player(1).account, now=START + DAY)
    return number


async def test_owner_of_joined_accounts_registers_the_entrant_who_plays(
    matches: Matches, database: Database
) -> None:
    number = await join_one_who_lost_clocks(matches, database)
    await matches.tournaments.register(number, player(1), is_registered=False, now=START + DAY)
    view = await see(matches, number)
    assert not view.entrant(own_entrant(view, 1)).is_registered
    await matches.tournaments.register(number, player(1), is_registered=True, now=START + DAY)
    view = await see(matches, number)
    assert [one.is_registered for one in view.entrants if one.person == player(1)] == [True, False]


async def test_owner_of_joined_accounts_is_asked_to_register_the_entrant_who_plays(
    matches: Matches, database: Database
) -> None:
    number = await join_one_who_lost_clocks(matches, database)
    reader = Reader(accounts=frozenset({player(1).account}))
    assert not (await matches.tournaments.view(number, reader, now=START)).rights.can_register
    await matches.tournaments.register(number, player(1), is_registered=False, now=START + DAY)
    assert (await matches.tournaments.view(number, reader, now=START)).rights.can_register


@pytest.mark.long
async def test_second_withdrawal_changes_no_table_of_the_first_season(
    matches: Matches, database: Database
) -> None:
    number = await start_league(matches, 4)
    await play_stage(matches, number, START + HOUR)
    best = seated_in_order(await see(matches, number))[0]
    await mark_lost_clocks(database, number, best.account)
    await end_season(matches, 1)
    before = seated_in_order(await see(matches, number, 1))
    assert before[-1] == best
    await matches.tournaments.register(number, best, is_registered=True, now=START)
    await end_season(matches, 2)
    assert best in seated_in(await see(matches, number))
    await matches.tournaments.leave(number, best, now=START + 29 * WEEK)
    await matches.tournaments.sweep(now=START + 29 * WEEK)
    assert seated_in_order(await see(matches, number, 1)) == before


@pytest.mark.long
async def test_deleted_account_comes_back_to_no_season(matches: Matches, database: Database) -> None:
    number = await start_league(matches, 4)
    await mark_lost_clocks(database, number, player(1).account)
    await end_season(matches, 1)
    await matches.tournaments.register(number, player(1), is_registered=True, now=START)
    await matches.people.personal_data.erase(player(1).account, ErasureChoice.RESIGN, now=START)
    await end_season(matches, 2)
    view = await see(matches, number)
    assert view.stage is not None
    assert view.stage.dates.number == 3
    assert {*seated_in(view)} == {player(one) for one in (2, 3, 4)}


def seated_in_order(view: TournamentView) -> list[Person]:
    assert view.stage is not None
    return [view.entrant(one).person for group in view.stage.groups for one in group.entrants]


def seated_in(view: TournamentView) -> dict[Person, int]:
    assert view.stage is not None
    groups = enumerate(view.stage.groups, 1)
    return {view.entrant(one).person: number for number, group in groups for one in group.entrants}


@pytest.mark.long
async def test_player_who_left_a_league_comes_back_below_all_others(
    matches: Matches, database: Database
) -> None:
    number = await start_league(matches, 14)
    await matches.tournaments.leave(number, player(1), now=START + DAY)
    await matches.tournaments.join(number, player(1), now=START + 2 * DAY)
    await end_season(matches, 1)
    view = await see(matches, number)
    assert view.stage is not None
    assert seated_in(view)[player(1)] == 2
    assert sum(map(len, (group.entrants for group in view.stage.groups))) == 14
    await end_season(matches, 2)
    await end_season(matches, 3)
    view = await see(matches, number)
    assert view.state is TournamentState.OVER
    async with database.read() as connection:
        rows = await fetch_rows(connection, outbox.OutboxRow, select_rows(outbox.OutboxRow, OUTBOX))
    told = [json.loads(row.details or "{}") for row in rows if row.kind == AnnouncementKind.TOURNAMENT_OVER]
    assert {(one["entrants"], one["division"]) for one in told if "place" in one} == {(7, 1), (7, 2)}


async def test_challenged_player_is_told_and_the_challenger_of_silence(
    matches: Matches, database: Database
) -> None:
    number = await start(matches, Kind.LADDER, 3)
    order = await list_ladder(matches, number)
    high = next(one.id for one in (await see(matches, number)).entrants if one.person == order[0])
    await matches.tournaments.challenge(number, order[1], high, now=START)
    await matches.tournaments.sweep(now=START + 6 * DAY)
    kinds = await list_kinds(database)
    assert (AnnouncementKind.LADDER_CHALLENGED, order[0].account) in kinds
    assert (AnnouncementKind.LADDER_UNANSWERED, order[1].account) in kinds
    assert await list_ladder(matches, number) == [order[1], order[0], order[2]]


async def list_ladder(matches: Matches, number: TournamentId) -> list[Person]:
    view = await see(matches, number)
    assert view.stage is not None
    return [view.entrant(one).person for one in view.stage.groups[0].entrants]


@pytest.mark.long
async def test_ladder_drops_whoever_began_no_game_for_thirty_days(matches: Matches) -> None:
    number = await start(matches, Kind.LADDER, 4)
    order, view = await list_ladder(matches, number), await see(matches, number)
    ids = {one.person: one.id for one in view.entrants}
    game = await matches.tournaments.challenge(number, order[1], ids[order[0]], now=START)
    match = await matches.tournaments.answer(number, game, order[0], accept=True, now=START)
    await matches.tournaments.sweep(now=START + 29 * DAY)
    assert await list_ladder(matches, number) == order
    await matches.tournaments.sweep(now=START + 31 * DAY)
    dropped = [one.about for one in (await see(matches, number)).log if one.act is Act.DROPPED]
    assert sorted(map(str, dropped)) == sorted(map(str, order[2:]))
    assert match is not None
    await matches.resign(match, order[1], now=START + 40 * DAY)
    await matches.tournaments.sweep(now=START + 40 * DAY)
    assert (await list_ladder(matches, number))[:2] == order[:2]
    await matches.tournaments.sweep(now=START + 71 * DAY)
    assert (await list_ladder(matches, number))[0] == order[0]  # all are idle: nobody overtakes anybody
    acts = [one.about for one in (await see(matches, number)).log if one.act is Act.DROPPED]
    assert acts.count(order[0]) == acts.count(order[1]) == 1


async def test_newcomer_begins_at_the_end_of_a_ladder(matches: Matches) -> None:
    number = await start(matches, Kind.LADDER, 5)
    order = await list_ladder(matches, number)
    for one in order[:2]:
        await matches.tournaments.leave(number, one, now=START)
    await matches.tournaments.join(number, player(9), now=START)
    await matches.tournaments.join(number, order[0], now=START)
    await matches.tournaments.sweep(now=START + HOUR)
    assert await list_ladder(matches, number) == [*order[2:], player(9), order[0]]


async def test_first_place_follows_a_correction_after_the_end(matches: Matches) -> None:
    number = await start(matches, Kind.ROUND_ROBIN, 3, server=SERVER)
    view = await see(matches, number)
    for game in all_games(view):  # the first one loses both games, the second one wins both
        ids = [one.id for one in view.entrants]
        loser = max((game.first, game.second or game.first), key=[ids[1], ids[2], ids[0]].index)
        await first_move(matches, game.match or MatchId(0), START)
        await first_move(matches, game.match or MatchId(0), START)
        await resign(matches, view, game, loser, START + HOUR)
    await matches.tournaments.sweep(now=START + HOUR)
    view = await see(matches, number)
    assert (view.state, view.winners) == (TournamentState.OVER, (ids[1],))
    for game in all_games(view):
        if ids[1] in (game.first, game.second):
            match = await matches.view(game.match or MatchId(0), now=START)
            winner = next(one.side for one in match.seats if one.person != player(2))
            await matches.corrections.correct(
                match.id, ORGANISER, Outcome(winner.value), reason=REASON, server=SERVER, now=START + DAY
            )
    await matches.tournaments.sweep(now=START + 2 * DAY)
    assert (await see(matches, number)).winners == (ids[2],)


async def test_names_of_an_open_tournament_are_the_public_ones(matches: Matches, database: Database) -> None:
    number = await make(matches, Kind.LADDER, 3)
    for one in range(1, 4):
        await matches.visibility.set_alias(player(one), f"Alias {one}", now=NOON)
    await matches.tournaments.sweep(now=START)
    order = await list_ladder(matches, number)
    reader = Reader(accounts=frozenset({order[2].account}))
    view = await matches.tournaments.view(number, reader, now=START)
    names = {one.person.account: one.person.name for one in view.entrants}
    assert names.pop(order[2].account) == f"Player {order[2].account[-1]}"
    assert all(name.startswith("Alias") for name in names.values())
    target = next(one.id for one in view.entrants if one.person.account == order[0].account)
    await matches.tournaments.challenge(number, order[2], target, now=START)
    async with database.read() as connection:
        rows = await fetch_rows(connection, outbox.OutboxRow, select_rows(outbox.OutboxRow, OUTBOX))
    told = [row.details or "" for row in rows if row.kind == AnnouncementKind.LADDER_CHALLENGED]
    assert told
    assert all(f"Alias {order[2].account[-1]}" in one for one in told)
