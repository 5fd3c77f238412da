"""Ratings: which results count, that they follow every end, and every correction of one."""

# ruff: noqa: ARG002 - a hook is told more than it needs

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
    GameUnknown,
    Matches,
    MatchId,
    MatchView,
    Person,
    Rating,
    RatingChange,
    Score,
    Standing,
    Store,
    Terms,
)
from matches.concerns import Concern, Concerns, End
from matches.endings import Endings
from matches.holding import Held, Holder
from matches.ratings.counting import Rated, follow
from matches.ratings.glicko import rated, rested
from matches.ratings.service import PAGE
from matches.reading import fetch
from matches.terms import USUAL
from matches.times import millis
from storage.tables_ratings import RATING_STEPS, RATINGS
from tests.matches.story import ALICE, BOB, CAROL, FISTS, NOON, PLACE, SERVER, SMALL, later, move, play_out

NEW = Rating()
DAVE = Person("test:dave", "Dave")
UNRATED = replace(USUAL, rated=False)


async def begin(
    matches: Matches,
    first: Person = ALICE,
    second: Person = BOB,
    *,
    game: str = "morelli",
    server: str = SERVER,
    terms: Terms = USUAL,
    options: dict[str, str | int] | None = None,
    now: datetime = NOON,
) -> MatchView:
    small = SMALL if game == "morelli" else {}
    step = await matches.challenge(
        first,
        to=second,
        server=server,
        place=PLACE,
        game=game,
        options=small if options is None else options,
        terms=terms,
        colour=GAMES[game].sides[0],
        now=now,
    )
    return (await matches.accept(step.challenge.id, second, now=now)).match


async def both_move(matches: Matches, view: MatchView, now: datetime = NOON) -> MatchView:
    return (await move(matches, (await move(matches, view, now=now)).match, now=now)).match


async def win(
    matches: Matches,
    winner: Person,
    loser: Person,
    *,
    game: str = "morelli",
    server: str = SERVER,
    now: datetime = NOON,
) -> MatchId:
    """Have both move once, and one resign."""
    view = await both_move(
        matches, await begin(matches, winner, loser, game=game, server=server, now=now), now
    )
    await matches.resign(view.id, loser, now=now)
    return view.id


async def draw(matches: Matches, one: Person, other: Person, now: datetime = NOON) -> MatchId:
    view = await both_move(matches, await begin(matches, one, other, now=now), now)
    await matches.offer_end(view.id, one, now=now)
    await matches.answer_end(view.id, other, accept=True, now=now)
    return view.id


async def standing(matches: Matches, person: Person, now: datetime = NOON) -> Standing:
    (only,) = await matches.ratings.standings(person, now=now)
    return only


async def ratings(matches: Matches, *people: Person, now: datetime = NOON) -> list[Rating]:
    return [(await standing(matches, person, now)).rating for person in people]


async def correct(store: Store, match: MatchId, outcome: Outcome | None) -> None:
    """Write another result, as whoever corrects one does."""
    async with store.writing() as connection:
        row = replace(await fetch(connection, match, lock=True), outcome=outcome)
        await follow(connection, row, GAMES[row.game], millis(AFTERWARDS))


def alike(one: Rating, other: Rating) -> bool:
    return (one.rating, one.deviation, one.volatility) == pytest.approx(
        (other.rating, other.deviation, other.volatility), rel=1e-8
    )


async def test_win_is_rated_for_both(matches: Matches) -> None:
    await win(matches, ALICE, BOB)
    alice, bob = await ratings(matches, ALICE, BOB)
    assert alike(alice, rated(NEW, [(NEW, 1)]))
    assert alike(bob, rated(NEW, [(NEW, 0)]))


async def test_draw_is_rated_for_both(matches: Matches) -> None:
    await draw(matches, ALICE, BOB)
    alice, bob = await ratings(matches, ALICE, BOB)
    assert alike(alice, rated(NEW, [(NEW, 0.5)]))
    assert alike(bob, alice)


async def test_end_by_the_rules_is_rated_for_whoever_won(matches: Matches) -> None:
    turn = await play_out(matches, await begin(matches, game="morabaraba"))
    assert turn.match.result is not None
    winner = turn.match.result.winner
    for person in (ALICE, BOB):
        rating = (await standing(matches, person)).rating.rating
        won = winner is not None and winner.person == person
        assert (rating > NEW.rating) == won


async def test_swap_of_sides_does_not_confuse_the_winner(matches: Matches) -> None:
    view = await begin(matches, game="morphos", options={"size": 5})
    for text in ("C3", "swap", "D4"):
        view = (await move(matches, view, text)).match
    await matches.resign(view.id, BOB, now=NOON)
    alice, bob = await ratings(matches, ALICE, BOB)
    assert alice.rating > NEW.rating > bob.rating


async def test_time_between_matches_makes_ratings_less_sure(matches: Matches) -> None:
    await win(matches, ALICE, BOB)
    alice, bob = await ratings(matches, ALICE, BOB)
    rest = timedelta(days=200, hours=7)
    await win(matches, BOB, ALICE, now=NOON + rest)
    alice, bob = rested(alice, rest), rested(bob, rest)
    found = await ratings(matches, ALICE, BOB, now=NOON + rest)
    assert alike(found[0], rated(alice, [(bob, 0)]))
    assert alike(found[1], rated(bob, [(alice, 1)]))


async def test_each_game_has_ratings_of_its_own(matches: Matches) -> None:
    await win(matches, ALICE, BOB, now=NOON)
    await win(matches, BOB, ALICE, game="morphos", now=later(days=1))
    standings = await matches.ratings.standings(ALICE, now=later(days=1))
    assert [one.game for one in standings] == ["morphos", "morelli"]
    assert standings[0].rating.rating < NEW.rating < standings[1].rating.rating


async def test_match_agreed_to_be_unrated_is_not_rated(matches: Matches) -> None:
    view = await both_move(matches, await begin(matches, terms=UNRATED))
    await matches.resign(view.id, BOB, now=NOON)
    assert await matches.ratings.standings(ALICE, now=NOON) == ()


@pytest.mark.parametrize("moves", [0, 1])
async def test_result_before_both_have_moved_is_not_rated(matches: Matches, moves: int) -> None:
    view = await begin(matches)
    for _ in range(moves):
        view = (await move(matches, view)).match
    await matches.resign(view.id, BOB, now=NOON)
    assert await matches.ratings.standings(ALICE, now=NOON) == ()


async def test_resigning_before_there_is_a_board_is_not_rated(matches: Matches) -> None:
    view = await begin(matches, options=FISTS)
    await matches.resign(view.id, BOB, now=NOON)
    assert await matches.ratings.standings(BOB, now=NOON) == ()


class Broken(Concern):
    async def after_end(self, held: Held, end: End) -> None:
        raise RuntimeError("the end is not written")


async def test_ratings_and_end_are_written_together_or_not_at_all(matches: Matches, store: Store) -> None:
    view = await both_move(matches, await begin(matches))
    with pytest.raises(RuntimeError):
        await Endings(Holder(store, Concerns(Rated(), Broken()))).resign(view.id, BOB, NOON)
    assert await matches.view(view.id, now=NOON) == view
    assert await matches.ratings.standings(ALICE, now=NOON) == ()


async def test_two_processes_rate_one_after_the_other(matches: Matches, elsewhere: Matches) -> None:
    views = [await both_move(matches, await begin(matches, ALICE, other)) for other in (BOB, CAROL, DAVE) * 2]
    doors = (matches, elsewhere) * 3
    await asyncio.gather(
        *(door.resign(view.id, ALICE, now=NOON) for door, view in zip(doors, views, strict=True))
    )
    assert (await standing(matches, ALICE)).played == 6
    assert await matches.ratings.audit() == {}


async def test_changes_of_a_match(matches: Matches) -> None:
    await win(matches, ALICE, BOB)
    alice, bob = await ratings(matches, ALICE, BOB)
    match = await win(matches, BOB, ALICE)
    after = await ratings(matches, BOB, ALICE)
    assert await matches.ratings.changes(match, now=NOON) == (
        RatingChange(BOB, bob, after[0]),
        RatingChange(ALICE, alice, after[1]),
    )


async def test_match_that_does_not_count_changes_nothing(matches: Matches) -> None:
    view = await begin(matches)
    assert await matches.ratings.changes(view.id, now=NOON) == ()


async def test_course_tells_every_rated_match_in_order(matches: Matches) -> None:
    won = await win(matches, ALICE, BOB)
    drawn = await draw(matches, ALICE, CAROL, now=later(days=3))
    lost = await win(matches, DAVE, ALICE, now=later(days=9))
    course = await matches.ratings.course(ALICE, "morelli", now=later(days=9))
    assert [(step.match, step.score, step.at) for step in course] == [
        (won, 1, NOON),
        (drawn, 0.5, later(days=3)),
        (lost, 0, later(days=9)),
    ]
    assert course[-1].rating == (await standing(matches, ALICE, later(days=9))).rating


FOUR = (ALICE, BOB, CAROL, DAVE)
AFTERWARDS = later(days=900)


async def season(matches: Matches, seed: int, wrong: int | None = None) -> list[MatchId]:
    """Play eight matches; in the one numbered `wrong` the wrong person resigns, who has Black."""
    chance, day, ended = random.Random(seed), 0, []
    for number in range(8):
        winner, loser = chance.sample(FOUR, 2)
        day += chance.randrange(40)
        if number == wrong:
            winner, loser = loser, winner
        ended.append(await win(matches, winner, loser, now=later(days=day)))
    return ended


async def everybody(matches: Matches) -> list[tuple[str, Rating, int]]:
    found = [await matches.ratings.standings(person, now=AFTERWARDS) for person in FOUR]
    return [(one.person.name, one.rating, one.played) for standings in found for one in standings]


@pytest.mark.parametrize(("seed", "wrong"), [(1, 0), (2, 3), (3, 7)])
async def test_corrected_result_leaves_what_the_right_one_would_have(
    matches: Matches, store: Store, tmp_path: Path, seed: int, wrong: int
) -> None:
    async with await Store.open(f"sqlite:///{tmp_path}/right.db") as right:
        await season(Matches(right), seed)
        wanted = await everybody(Matches(right))
    ended = await season(matches, seed, wrong)
    assert await everybody(matches) != wanted
    await correct(store, ended[wrong], Outcome.WHITE)
    assert await everybody(matches) == wanted
    assert await matches.ratings.audit() == {}


async def test_result_taken_back_leaves_no_trace_in_any_rating(matches: Matches, store: Store) -> None:
    first = await win(matches, ALICE, BOB)
    wanted = await everybody(matches)
    void = await win(matches, CAROL, ALICE, now=later(days=5))
    await correct(store, void, None)
    assert await everybody(matches) == wanted
    assert await matches.ratings.changes(void, now=NOON) == ()
    assert [step.match for step in await matches.ratings.course(ALICE, "morelli", now=NOON)] == [first]
    assert await matches.ratings.audit() == {}


async def test_what_followed_from_a_result_taken_back_is_put_right(matches: Matches, store: Store) -> None:
    void = await win(matches, CAROL, ALICE)
    await win(matches, ALICE, BOB, now=later(days=5))
    await correct(store, void, None)
    bob = (await standing(matches, BOB, later(days=5))).rating
    assert alike(bob, rated(NEW, [(NEW, 0)]))
    assert await matches.ratings.standings(CAROL, now=NOON) == ()


async def test_result_taken_back_and_put_back_is_as_before(matches: Matches, store: Store) -> None:
    ended = await season(matches, seed=4)
    wanted = await everybody(matches)
    for outcome in (None, None, Outcome.DRAW, Outcome.BLACK, Outcome.BLACK):
        await correct(store, ended[3], outcome)
    assert await everybody(matches) == wanted
    assert await matches.ratings.audit() == {}


async def test_result_given_where_there_was_none_counts_from_then_on(matches: Matches, store: Store) -> None:
    view = await both_move(matches, await begin(matches))
    await correct(store, view.id, Outcome.BLACK)
    assert (await standing(matches, ALICE, AFTERWARDS)).rated_at == AFTERWARDS


@pytest.mark.parametrize("table", [RATINGS, RATING_STEPS], ids=lambda table: table.name)
async def test_audit_finds_what_does_not_follow(matches: Matches, store: Store, table: Table) -> None:
    await win(matches, ALICE, BOB)
    async with store.writing() as connection:
        await connection.execute(update(table).where(table.c.person == BOB.account).values(rating=1))
    found = await matches.ratings.audit()
    assert BOB.account in found["morelli"]


async def test_leaders_come_best_first_and_the_provisional_last(matches: Matches) -> None:
    for number in range(16):
        await win(matches, *((ALICE, BOB) if number % 4 else (BOB, ALICE)))
    await win(matches, CAROL, BOB)
    leaders = await matches.ratings.leaders(SERVER, "morelli", now=NOON)
    assert [(one.person, one.place, one.provisional) for one in leaders.standings] == [
        (ALICE, 1, False),
        (BOB, 2, False),
        (CAROL, None, True),
    ]
    carol, bob = leaders.standings[2].rating, leaders.standings[1].rating
    assert carol.rating > bob.rating
    assert (leaders.page, leaders.pages, leaders.people) == (1, 1, 3)


async def test_whoever_rests_for_years_becomes_provisional_again(matches: Matches) -> None:
    for number in range(20):
        await win(matches, *((ALICE, BOB) if number % 2 else (BOB, ALICE)))
    for years, provisional in ((0, False), (10, True)):
        now = later(days=365 * years)
        assert (await standing(matches, ALICE, now)).provisional is provisional
        (first, _) = (await matches.ratings.leaders(SERVER, "morelli", now=now)).standings
        assert (first.place is None) is provisional


async def test_leaders_are_those_of_a_server(matches: Matches) -> None:
    await win(matches, ALICE, BOB)
    await win(matches, CAROL, ALICE, server="test:other")
    there = await matches.ratings.leaders("test:other", "morelli", now=NOON)
    assert {one.person for one in there.standings} == {CAROL, ALICE}
    assert (await standing(matches, ALICE)).played == 2


async def test_whoever_has_only_results_taken_back_is_no_leader(matches: Matches, store: Store) -> None:
    await correct(store, await win(matches, ALICE, BOB), None)
    leaders = await matches.ratings.leaders(SERVER, "morelli", now=NOON)
    assert (leaders.standings, leaders.people, leaders.pages) == ((), 0, 1)


async def test_leaders_come_in_pages(matches: Matches) -> None:
    crowd = [Person(f"test:{number}", f"N{number}") for number in range(PAGE + 1)]
    for person in crowd:
        await win(matches, person, ALICE)
    for page, shown, lines in [(1, 1, PAGE), (2, 2, 2), (7, 2, 2), (0, 1, PAGE)]:
        leaders = await matches.ratings.leaders(SERVER, "morelli", page=page, now=NOON)
        assert (leaders.page, leaders.pages, len(leaders.standings)) == (shown, 2, lines)


async def test_leaders_of_no_game_are_refused(matches: Matches) -> None:
    with pytest.raises(GameUnknown):
        await matches.ratings.leaders(SERVER, "go", now=NOON)


async def test_results_are_counted_by_opponent_colour_and_start(matches: Matches) -> None:
    await win(matches, ALICE, BOB)
    await draw(matches, BOB, ALICE)
    unrated = await begin(matches, ALICE, CAROL, terms=UNRATED, options={**SMALL, "setup": "adjacent"})
    await matches.resign(unrated.id, ALICE, now=NOON)
    await win(matches, ALICE, BOB, server="test:other")
    found = await matches.ratings.results(ALICE, SERVER, "morelli", now=NOON)
    assert found.total == Score(1, 1, 1)
    assert list(found.by_opponent.items()) == [(BOB, Score(1, 1, 0)), (CAROL, Score(0, 0, 1))]
    assert found.by_side == {Side.BLACK: Score(1, 0, 1), Side.WHITE: Score(0, 1, 0)}
    assert found.by_start == {"facing": Score(1, 1, 0), "adjacent": Score(0, 0, 1)}


async def test_game_without_fists_has_no_start_modes(matches: Matches) -> None:
    await win(matches, ALICE, BOB, game="morabaraba")
    assert (await matches.ratings.results(BOB, SERVER, "morabaraba", now=NOON)).by_start == {}
