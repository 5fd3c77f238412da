"""Ratings: which results count, and that ratings follow every end and every correction."""

# ruff: noqa: ARG002 - a hook need not use all its arguments

import asyncio
import random
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Table, update

from engine import GAMES
from engine.game import Outcome, Side
from matches import (
    Database,
    ErasureChoice,
    Matches,
    MatchId,
    MatchView,
    OfferKind,
    Person,
    Rating,
    RatingChange,
    ResultCounts,
    Standing,
    Terms,
)
from matches.hook_events import MatchEnded
from matches.locking import LockedMatch, MatchHooks, MatchLocker
from matches.ratings import service
from matches.ratings.glicko import decay, update_rating
from matches.ratings.hooks import RatingHooks, update_ratings
from matches.ratings.service import PAGE_SIZE
from matches.terms import DEFAULT_TERMS
from matches.times import to_millis
from matches.turns import MatchActions
from matches.view_builder import fetch_match
from storage.tables import RATING_STEPS, RATINGS
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    NOON,
    SERVER,
    SMALL,
    later,
    play_move,
    play_to_end,
)
from tests.refusals import refused

NEW = Rating()
DAVE = Person("test:dave", "Dave")
UNRATED = replace(DEFAULT_TERMS, rated=False)


async def start_rated_match(
    matches: Matches,
    first: Person = ALICE,
    second: Person = BOB,
    *,
    game: str = "morelli",
    server: str = SERVER,
    terms: Terms = DEFAULT_TERMS,
    options: dict[str, str | int] | None = None,
    now: datetime = NOON,
) -> MatchView:
    small = SMALL if game == "morelli" else {}
    step = await matches.challenges.create(
        first,
        to=second,
        server=server,
        channel=CHANNEL,
        game=game,
        options=small if options is None else options,
        terms=terms,
        colour=GAMES[game].sides[0],
        now=now,
    )
    return (await matches.challenges.accept(step.challenge.id, second, now=now)).match


async def both_move(matches: Matches, view: MatchView, now: datetime = NOON) -> MatchView:
    return (await play_move(matches, (await play_move(matches, view, now=now)).match, now=now)).match


async def play_won_match(
    matches: Matches,
    winner: Person,
    loser: Person,
    *,
    game: str = "morelli",
    server: str = SERVER,
    now: datetime = NOON,
) -> MatchId:
    """Play a match in which both move once and one resigns."""
    view = await both_move(
        matches, await start_rated_match(matches, winner, loser, game=game, server=server, now=now), now
    )
    await matches.resign(view.id, loser, now=now)
    return view.id


async def play_drawn_match(matches: Matches, one: Person, other: Person, now: datetime = NOON) -> MatchId:
    view = await both_move(matches, await start_rated_match(matches, one, other, now=now), now)
    await matches.offers.make(view.id, one, OfferKind.END, now=now)
    await matches.offers.answer_end(view.id, other, accept=True, now=now)
    return view.id


async def standing_of(matches: Matches, person: Person, now: datetime = NOON) -> Standing:
    (only,) = await matches.ratings.standings(person, now=now)
    return only


async def ratings(matches: Matches, *people: Person, now: datetime = NOON) -> list[Rating]:
    return [(await standing_of(matches, person, now)).rating for person in people]


async def store_result(database: Database, match: MatchId, outcome: Outcome | None) -> None:
    """Write another result, as a correction does."""
    async with database.transaction() as connection:
        row = replace(await fetch_match(connection, match, lock=True), outcome=outcome)
        await update_ratings(connection, row, GAMES[row.game], to_millis(AFTERWARDS), {})


def is_same_rating(one: Rating, other: Rating) -> bool:
    return (one.rating, one.deviation, one.volatility) == pytest.approx(
        (other.rating, other.deviation, other.volatility), rel=1e-8
    )


async def test_win_is_rated_for_both(matches: Matches) -> None:
    await play_won_match(matches, ALICE, BOB)
    alice, bob = await ratings(matches, ALICE, BOB)
    assert is_same_rating(alice, update_rating(NEW, [(NEW, 1)]))
    assert is_same_rating(bob, update_rating(NEW, [(NEW, 0)]))


async def test_draw_is_rated_for_both(matches: Matches) -> None:
    await play_drawn_match(matches, ALICE, BOB)
    alice, bob = await ratings(matches, ALICE, BOB)
    assert is_same_rating(alice, update_rating(NEW, [(NEW, 0.5)]))
    assert is_same_rating(bob, alice)


@pytest.mark.long
async def test_end_by_the_rules_is_rated_for_whoever_won(matches: Matches) -> None:
    update = await play_to_end(matches, await start_rated_match(matches, game="morabaraba"))
    assert update.match.result is not None
    winner = update.match.result.winner
    for person in (ALICE, BOB):
        rating = (await standing_of(matches, person)).rating.rating
        won = winner is not None and winner.person == person
        assert (rating > NEW.rating) == won


async def test_swap_of_sides_does_not_confuse_the_winner(matches: Matches) -> None:
    view = await start_rated_match(matches, game="morphos", options={"size": 5})
    for text in ("C3", "swap", "D4"):
        view = (await play_move(matches, view, text)).match
    await matches.resign(view.id, BOB, now=NOON)
    alice, bob = await ratings(matches, ALICE, BOB)
    assert alice.rating > NEW.rating > bob.rating


async def test_time_between_matches_makes_ratings_less_sure(matches: Matches) -> None:
    await play_won_match(matches, ALICE, BOB)
    alice, bob = await ratings(matches, ALICE, BOB)
    rest = timedelta(days=200, hours=7)
    await play_won_match(matches, BOB, ALICE, now=NOON + rest)
    alice, bob = decay(alice, rest), decay(bob, rest)
    found = await ratings(matches, ALICE, BOB, now=NOON + rest)
    assert is_same_rating(found[0], update_rating(alice, [(bob, 0)]))
    assert is_same_rating(found[1], update_rating(bob, [(alice, 1)]))


async def test_each_game_has_ratings_of_its_own(matches: Matches) -> None:
    await play_won_match(matches, ALICE, BOB, now=NOON)
    await play_won_match(matches, BOB, ALICE, game="morphos", now=later(days=1))
    standings = await matches.ratings.standings(ALICE, now=later(days=1))
    assert [one.game for one in standings] == ["morphos", "morelli"]
    assert standings[0].rating.rating < NEW.rating < standings[1].rating.rating


async def test_match_agreed_to_be_unrated_is_not_rated(matches: Matches) -> None:
    view = await both_move(matches, await start_rated_match(matches, terms=UNRATED))
    await matches.resign(view.id, BOB, now=NOON)
    assert await matches.ratings.standings(ALICE, now=NOON) == ()


@pytest.mark.parametrize("moves", [0, 1])
async def test_result_before_both_have_moved_is_not_rated(matches: Matches, moves: int) -> None:
    view = await start_rated_match(matches)
    for _ in range(moves):
        view = (await play_move(matches, view)).match
    await matches.resign(view.id, BOB, now=NOON)
    assert await matches.ratings.standings(ALICE, now=NOON) == ()


async def test_resigning_before_there_is_a_board_is_not_rated(matches: Matches) -> None:
    view = await start_rated_match(matches, options=FISTS)
    await matches.resign(view.id, BOB, now=NOON)
    assert await matches.ratings.standings(BOB, now=NOON) == ()


class FailingHooks(MatchHooks):
    async def after_end(self, locked: LockedMatch, end: MatchEnded) -> None:
        raise RuntimeError("the end is not written")


@pytest.mark.long
async def test_ratings_and_end_are_committed_together(matches: Matches, database: Database) -> None:
    view = await both_move(matches, await start_rated_match(matches))
    with pytest.raises(RuntimeError):
        await MatchActions(MatchLocker(database, [RatingHooks({}), FailingHooks()])).resign(
            view.id, BOB, now=NOON
        )
    assert await matches.view(view.id, now=NOON) == view
    assert await matches.ratings.standings(ALICE, now=NOON) == ()


@pytest.mark.long
async def test_two_processes_rate_one_after_the_other(matches: Matches, other_matches: Matches) -> None:
    views = [
        await both_move(matches, await start_rated_match(matches, ALICE, other))
        for other in (BOB, CAROL, DAVE) * 2
    ]
    doors = (matches, other_matches) * 3
    await asyncio.gather(
        *(door.resign(view.id, ALICE, now=NOON) for door, view in zip(doors, views, strict=True))
    )
    assert (await standing_of(matches, ALICE)).played == 6
    assert await matches.ratings.audit() == {}


async def test_changes_of_a_match(matches: Matches) -> None:
    await play_won_match(matches, ALICE, BOB)
    alice, bob = await ratings(matches, ALICE, BOB)
    match = await play_won_match(matches, BOB, ALICE)
    after = await ratings(matches, BOB, ALICE)
    assert await matches.ratings.changes(match, now=NOON) == (
        RatingChange(BOB, bob, after[0]),
        RatingChange(ALICE, alice, after[1]),
    )


async def test_match_that_does_not_count_changes_nothing(matches: Matches) -> None:
    view = await start_rated_match(matches)
    assert await matches.ratings.changes(view.id, now=NOON) == ()


@pytest.mark.long
async def test_history_lists_every_rated_match_in_order(matches: Matches) -> None:
    won = await play_won_match(matches, ALICE, BOB)
    drawn = await play_drawn_match(matches, ALICE, CAROL, now=later(days=3))
    lost = await play_won_match(matches, DAVE, ALICE, now=later(days=9))
    course = await matches.ratings.history(ALICE, "morelli", now=later(days=9))
    assert [(step.match, step.score, step.at) for step in course] == [
        (won, 1, NOON),
        (drawn, 0.5, later(days=3)),
        (lost, 0, later(days=9)),
    ]
    assert course[-1].rating == (await standing_of(matches, ALICE, later(days=9))).rating


PLAYERS = (ALICE, BOB, CAROL, DAVE)
AFTERWARDS = later(days=900)


async def play_season(matches: Matches, seed: int, wrong: int | None = None) -> list[MatchId]:
    """Play eight matches; in match number `wrong` the wrong player, Black, resigns."""
    chance, day, ended = random.Random(seed), 0, []
    for number in range(8):
        winner, loser = chance.sample(PLAYERS, 2)
        day += chance.randrange(40)
        if number == wrong:
            winner, loser = loser, winner
        ended.append(await play_won_match(matches, winner, loser, now=later(days=day)))
    return ended


async def all_ratings(matches: Matches) -> list[tuple[str, Rating, int]]:
    found = [await matches.ratings.standings(person, now=AFTERWARDS) for person in PLAYERS]
    return [(one.person.name, one.rating, one.played) for standings in found for one in standings]


@pytest.mark.long
@pytest.mark.parametrize(("seed", "wrong"), [(1, 0), (2, 3), (3, 7)])
async def test_corrected_result_gives_the_ratings_of_the_right_one(
    matches: Matches, database: Database, tmp_path: Path, seed: int, wrong: int
) -> None:
    async with await Database.open(f"sqlite:///{tmp_path}/right.db") as right:
        await play_season(Matches(right), seed)
        expected = await all_ratings(Matches(right))
    ended = await play_season(matches, seed, wrong)
    assert await all_ratings(matches) != expected
    await store_result(database, ended[wrong], Outcome.WHITE)
    assert await all_ratings(matches) == expected
    assert await matches.ratings.audit() == {}


async def test_voided_result_leaves_no_trace_in_any_rating(matches: Matches, database: Database) -> None:
    first = await play_won_match(matches, ALICE, BOB)
    expected = await all_ratings(matches)
    void = await play_won_match(matches, CAROL, ALICE, now=later(days=5))
    await store_result(database, void, None)
    assert await all_ratings(matches) == expected
    assert await matches.ratings.changes(void, now=NOON) == ()
    assert [step.match for step in await matches.ratings.history(ALICE, "morelli", now=NOON)] == [first]
    assert await matches.ratings.audit() == {}


async def test_voided_result_corrects_later_ratings(matches: Matches, database: Database) -> None:
    void = await play_won_match(matches, CAROL, ALICE)
    await play_won_match(matches, ALICE, BOB, now=later(days=5))
    await store_result(database, void, None)
    bob = (await standing_of(matches, BOB, later(days=5))).rating
    assert is_same_rating(bob, update_rating(NEW, [(NEW, 0)]))
    assert await matches.ratings.standings(CAROL, now=NOON) == ()


@pytest.mark.long
async def test_voided_and_restored_result_is_as_before(matches: Matches, database: Database) -> None:
    ended = await play_season(matches, seed=4)
    expected = await all_ratings(matches)
    for outcome in (None, None, Outcome.DRAW, Outcome.BLACK, Outcome.BLACK):
        await store_result(database, ended[3], outcome)
    assert await all_ratings(matches) == expected
    assert await matches.ratings.audit() == {}


async def test_result_added_later_counts_from_then_on(matches: Matches, database: Database) -> None:
    view = await both_move(matches, await start_rated_match(matches))
    await store_result(database, view.id, Outcome.BLACK)
    assert (await standing_of(matches, ALICE, AFTERWARDS)).rated_at == AFTERWARDS


@pytest.mark.parametrize("table", [RATINGS, RATING_STEPS], ids=lambda table: table.name)
async def test_audit_finds_wrong_ratings(matches: Matches, database: Database, table: Table) -> None:
    await play_won_match(matches, ALICE, BOB)
    async with database.transaction() as connection:
        await connection.execute(update(table).where(table.c.person == BOB.account).values(rating=1))
    found = await matches.ratings.audit()
    assert BOB.account in found["morelli"]


@pytest.mark.long
async def test_leaders_come_best_first_and_the_provisional_last(matches: Matches) -> None:
    for number in range(16):
        await play_won_match(matches, *((ALICE, BOB) if number % 4 else (BOB, ALICE)))
    await play_won_match(matches, CAROL, BOB)
    leaders = await matches.ratings.leaderboard(SERVER, "morelli", now=NOON)
    assert [(one.person, one.rank, one.is_provisional) for one in leaders.standings] == [
        (ALICE, 1, False),
        (BOB, 2, False),
        (CAROL, None, True),
    ]
    carol, bob = leaders.standings[2].rating, leaders.standings[1].rating
    assert carol.rating > bob.rating
    assert (leaders.page, leaders.pages, leaders.people) == (1, 1, 3)


@pytest.mark.long
async def test_rating_becomes_provisional_after_years(matches: Matches) -> None:
    for number in range(20):
        await play_won_match(matches, *((ALICE, BOB) if number % 2 else (BOB, ALICE)))
    for years, provisional in ((0, False), (10, True)):
        now = later(days=365 * years)
        assert (await standing_of(matches, ALICE, now)).is_provisional is provisional
        (first, _) = (await matches.ratings.leaderboard(SERVER, "morelli", now=now)).standings
        assert (first.rank is None) is provisional


async def test_leaders_are_those_of_a_server(matches: Matches) -> None:
    await play_won_match(matches, ALICE, BOB)
    await play_won_match(matches, CAROL, ALICE, server="test:other")
    there = await matches.ratings.leaderboard("test:other", "morelli", now=NOON)
    assert {one.person for one in there.standings} == {CAROL, ALICE}
    assert (await standing_of(matches, ALICE)).played == 2


async def test_person_with_only_voided_results_is_not_ranked(matches: Matches, database: Database) -> None:
    await store_result(database, await play_won_match(matches, ALICE, BOB), None)
    leaders = await matches.ratings.leaderboard(SERVER, "morelli", now=NOON)
    assert (leaders.standings, leaders.people, leaders.pages) == ((), 0, 1)


@pytest.mark.long
async def test_leaders_come_in_pages(matches: Matches) -> None:
    crowd = [Person(f"test:{number}", f"N{number}") for number in range(PAGE_SIZE + 1)]
    for person in crowd:
        await play_won_match(matches, person, ALICE)
    for page, shown, lines in [(1, 1, PAGE_SIZE), (2, 2, 2), (7, 2, 2), (0, 1, PAGE_SIZE)]:
        leaders = await matches.ratings.leaderboard(SERVER, "morelli", page=page, now=NOON)
        assert (leaders.page, leaders.pages, len(leaders.standings)) == (shown, 2, lines)


@pytest.mark.long
async def test_order_of_a_long_leaderboard_is_kept_for_a_minute(
    matches: Matches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "LONG_LEADERBOARD", 3)
    await play_won_match(matches, ALICE, BOB)
    short = await matches.ratings.leaderboard(SERVER, "morelli", now=NOON)
    await play_won_match(matches, CAROL, BOB)
    dan = Person("test:dan", "Dan")
    expected = [(2, NOON), (3, NOON), (3, later(seconds=59)), (4, later(seconds=61))]
    found = [(short.people, NOON)]
    for _, now in expected[1:]:
        leaders = await matches.ratings.leaderboard(SERVER, "morelli", now=now)
        assert len(leaders.standings) == leaders.people
        found.append((leaders.people, now))
        if len(found) == 2:
            await play_won_match(matches, dan, ALICE)
    assert found == expected
    # The lines are those of now: nobody whose data were erased is shown.
    await matches.people.personal_data.erase(dan.account, ErasureChoice.RESIGN, now=later(seconds=62))
    leaders = await matches.ratings.leaderboard(SERVER, "morelli", now=later(seconds=62))
    assert dan.account not in {one.person.account for one in leaders.standings}
    assert len(leaders.standings) == 3


async def test_leaders_of_no_game_are_refused(matches: Matches) -> None:
    with refused("game_unknown"):
        await matches.ratings.leaderboard(SERVER, "go", now=NOON)


@pytest.mark.long
async def test_results_are_counted_by_opponent_colour_and_start(matches: Matches) -> None:
    await play_won_match(matches, ALICE, BOB)
    await play_drawn_match(matches, BOB, ALICE)
    unrated = await start_rated_match(
        matches, ALICE, CAROL, terms=UNRATED, options={**SMALL, "setup": "adjacent"}
    )
    await matches.resign(unrated.id, ALICE, now=NOON)
    await play_won_match(matches, ALICE, BOB, server="test:other")
    found = await matches.ratings.results(ALICE, SERVER, "morelli", now=NOON)
    assert found.total == ResultCounts(1, 1, 1)
    assert list(found.by_opponent.items()) == [(BOB, ResultCounts(1, 1, 0)), (CAROL, ResultCounts(0, 0, 1))]
    assert found.by_side == {Side.BLACK: ResultCounts(1, 0, 1), Side.WHITE: ResultCounts(0, 1, 0)}
    assert found.by_start == {"facing": ResultCounts(1, 1, 0), "adjacent": ResultCounts(0, 0, 1)}


async def test_game_without_a_choice_has_no_start_modes(matches: Matches) -> None:
    await play_won_match(matches, ALICE, BOB, game="morabaraba")
    assert (await matches.ratings.results(BOB, SERVER, "morabaraba", now=NOON)).by_start == {}
