"""Puzzles: chosen, solved, rated once, reported and withdrawn."""

import asyncio
import random
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from engine.game import GameError, IllegalMove
from engine.puzzle import Puzzle
from matches import ErasureChoice, Matches, MatchId, Person, PuzzleChoice, PuzzleVerdict, Rating
from matches.puzzles.first_set import first_set_folder
from matches.puzzles.service import CHECK_LEASE, Puzzles
from matches.puzzles.solving import follow_turns
from matches.ratings.glicko import update_rating
from storage import Database
from storage.tables import MATCHES
from tests.games import GAMES
from tests.matches.puzzles.puzzles import make_puzzle, puzzle_of, store_puzzles, wrong_turn
from tests.matches.scenario import ALICE, BOB, CAROL, NOON, later, start_match
from tests.refusals import refused

DAN = Person("test:dan", "Dan")
GAME, OTHER_GAME = sorted(GAMES)[:2]
TODAY = date(2026, 5, 1)


async def read(database: Database, folder: Path, found: Sequence[Puzzle]) -> Puzzles:
    """Return the service after it has read a set that consists of some puzzles."""
    for game in {one.game.name for one in found} or {GAME}:
        lines = [str(one) for one in found if one.game.name == game]
        (folder / f"{game}.txt").write_text("\n".join(["# shipped", "", *lines]), encoding="utf-8")
    service = Puzzles(database, GAMES, first_set=folder, chance=random.Random(1))
    await service.read_first_set(now=NOON)
    return service


async def make_public_match(database: Database, matches: Matches, *, is_over: bool = True) -> MatchId:
    """Return a match of Alice and Bob that everybody can see."""
    match = (await start_match(matches)).id
    if is_over:
        await matches.resign(match, ALICE, now=NOON)
    await set_audience(database, match, "names")
    return match


async def set_audience(database: Database, match: MatchId, audience: str) -> None:
    async with database.transaction() as connection:
        await connection.execute(update(MATCHES).where(MATCHES.c.id == match).values(audience=audience))


@pytest.mark.parametrize("name", sorted(GAMES))
def test_turns_are_followed_up_to_the_first_wrong_one(name: str) -> None:
    puzzle = puzzle_of(name, turns=3)
    first, reply, last = puzzle.line
    begun = follow_turns(puzzle, [first.lower()])
    assert (begun.verdict, begun.found, begun.step) == (PuzzleVerdict.OPEN, (first,), 2)
    assert begun.position == puzzle.position_at(2)
    assert begun.events == puzzle.position_at(1).events(puzzle.position_at(1).parse(reply))
    solved = follow_turns(puzzle, [first, last, "what follows does not matter"])
    assert (solved.verdict, solved.position) == (PuzzleVerdict.SOLVED, puzzle.position_at(3))
    wrong = wrong_turn(puzzle, 2)
    failed = follow_turns(puzzle, [first, wrong, last])
    assert (failed.verdict, failed.found, failed.wrong) == (PuzzleVerdict.WRONG, (first,), wrong)


def test_nothing_is_judged_before_a_turn_and_illegal_turns_are_refused() -> None:
    puzzle = puzzle_of(GAME)
    assert follow_turns(puzzle, []).verdict is PuzzleVerdict.OPEN
    with pytest.raises(GameError):
        follow_turns(puzzle, ["Z99"])


async def test_first_attempt_is_rated_like_a_match_and_no_other(database: Database, tmp_path: Path) -> None:
    puzzle = make_puzzle(GAMES[GAME], rating=1650)
    puzzles = await read(database, tmp_path, [puzzle])
    solved = await puzzles.attempt(puzzle.key, ALICE, puzzle.line, now=NOON)
    expected = update_rating(Rating(), [(Rating(1650), 1)])
    assert solved.is_new
    assert solved.attempt is not None
    assert (solved.attempt.is_solved, solved.attempt.before, solved.attempt.after) == (
        *(True, 1500),
        round(expected.rating),
    )
    [rating] = await puzzles.list_ratings(ALICE.account)
    assert (rating.solved, rating.failed, rating.game) == (1, 0, GAME)
    assert rating.rating.rating == pytest.approx(expected.rating)
    stored = await puzzles.get(puzzle.key)
    assert (stored.solved, stored.failed) == (1, 0)
    assert stored.rating.rating == pytest.approx(update_rating(Rating(1650), [(Rating(), 0)]).rating)

    again = await puzzles.attempt(puzzle.key, ALICE, [wrong_turn(puzzle)], now=later(hours=1))
    assert (again.is_new, again.attempt) == (False, solved.attempt)
    assert again.progress.verdict is PuzzleVerdict.WRONG
    assert await puzzles.get(puzzle.key) == stored
    assert await puzzles.list_ratings(ALICE.account) == (rating,)


async def test_attempt_counts_once_when_it_comes_several_times_at_once(
    matches: Matches, other_matches: Matches, database: Database, tmp_path: Path
) -> None:
    puzzle = puzzle_of(GAME)
    await read(database, tmp_path, [puzzle])
    both = [one.puzzles for one in (matches, other_matches)]
    results = await asyncio.gather(
        *(one.attempt(puzzle.key, ALICE, puzzle.line, now=NOON) for one in both * 3)
    )
    assert sum(one.is_new for one in results) == 1
    assert len({one.attempt for one in results}) == 1
    assert (await both[0].get(puzzle.key)).solved == 1


async def test_attempt_ends_with_the_last_turn_or_the_first_wrong_one(
    database: Database, tmp_path: Path
) -> None:
    puzzle = puzzle_of(GAME, turns=3)
    puzzles = await read(database, tmp_path, [puzzle])
    begun = await puzzles.attempt(puzzle.key, ALICE, puzzle.line[:1], now=NOON)
    assert begun.attempt is None
    failed = await puzzles.attempt(puzzle.key, ALICE, [puzzle.line[0], wrong_turn(puzzle, 2)], now=NOON)
    assert failed.attempt is not None
    assert not failed.attempt.is_solved
    assert failed.attempt.after < failed.attempt.before
    with pytest.raises(IllegalMove):
        await puzzles.attempt(puzzle.key, BOB, [puzzle.line[0], puzzle.line[0]], now=NOON)
    assert await puzzles.find_attempt(puzzle.key, BOB.account) is None


async def test_who_looks_at_the_solution_has_failed_unless_it_was_solved(
    database: Database, tmp_path: Path
) -> None:
    puzzle = puzzle_of(GAME)
    puzzles = await read(database, tmp_path, [puzzle])
    seen = await puzzles.reveal(puzzle.key, ALICE, now=NOON)
    assert seen is not None
    assert not seen.is_solved
    assert (await puzzles.attempt(puzzle.key, ALICE, puzzle.line, now=NOON)).attempt == seen
    solved = await puzzles.attempt(puzzle.key, BOB, puzzle.line, now=NOON)
    assert await puzzles.reveal(puzzle.key, BOB, now=NOON) == solved.attempt


async def test_without_an_account_nothing_is_stored(database: Database, tmp_path: Path) -> None:
    puzzle = puzzle_of(GAME)
    puzzles = await read(database, tmp_path, [puzzle])
    before = await puzzles.get(puzzle.key)
    result = await puzzles.attempt(puzzle.key, None, puzzle.line, now=NOON)
    assert (result.progress.verdict, result.attempt) == (PuzzleVerdict.SOLVED, None)
    assert await puzzles.get(puzzle.key) == before


async def test_next_puzzle_is_near_the_rating(database: Database, tmp_path: Path) -> None:
    middle = [1400, 1500, 1600] * 3
    levels = [*middle, *[800, 1000, 1100, 1900, 2000, 2200] * 3]
    found = [make_puzzle(GAMES[GAME], seed, rating=level) for seed, level in enumerate(levels)]
    puzzles = await read(database, tmp_path, found)
    ratings = {one.key: one.rating for one in found}
    for person, solves in ((ALICE, True), (BOB, False)):
        first = await puzzles.next(person.account)
        assert first is not None
        assert ratings[first.key] in {1000, 1100, 1400}
        for puzzle in found[: len(middle)]:
            turns = puzzle.line if solves else [wrong_turn(puzzle)]
            await puzzles.attempt(puzzle.key, person, turns, now=NOON)
        second = await puzzles.next(person.account)
        assert second is not None
        assert (ratings[second.key] > 1600) is solves


async def test_next_puzzle_was_not_tried(database: Database, tmp_path: Path) -> None:
    found = [puzzle_of(GAME, seed) for seed in range(21)]
    puzzles = await read(database, tmp_path, found)
    tried: list[str] = []
    while (stored := await puzzles.next(ALICE.account)) is not None:
        assert stored.key not in tried
        tried.append(stored.key)
        await puzzles.attempt(stored.key, ALICE, stored.puzzle.line, now=later(minutes=len(tried)))
    assert sorted(tried) == sorted(one.key for one in found)
    [rating] = await puzzles.list_ratings(ALICE.account)
    assert rating.solved == len(found)
    history = await puzzles.list_history(ALICE.account)
    assert [one.attempt.puzzle for one in history] == tried[:0:-1]
    older = await puzzles.list_history(ALICE.account, game=GAME, before=history[-1].attempt.at)
    assert [one.attempt.puzzle for one in older] == tried[:1]
    assert await puzzles.list_history(ALICE.account, game=OTHER_GAME) == ()


async def test_guests_do_not_get_what_they_have_seen(database: Database, tmp_path: Path) -> None:
    found = [puzzle_of(GAME, seed) for seed in range(9)]
    puzzles = await read(database, tmp_path, found)
    seen = list[str]()
    while (stored := await puzzles.next(None, seen=seen)) is not None:
        assert stored.key not in seen
        seen.append(stored.key)
    assert sorted(seen) == sorted(one.key for one in found)


async def test_game_and_theme_can_be_chosen(database: Database, tmp_path: Path) -> None:
    mill = make_puzzle(GAMES[GAME], 1, themes=("mill", "threat"))
    threat = make_puzzle(GAMES[GAME], 2, themes=("threat",))
    other = make_puzzle(GAMES[OTHER_GAME], 3, themes=("mill",))
    puzzles = await read(database, tmp_path, [mill, threat, other])
    assert await puzzles.list_games() == tuple(one for one in GAMES if one in {GAME, OTHER_GAME})
    assert await puzzles.list_themes(GAME) == ("mill", "threat")
    assert await puzzles.list_themes(OTHER_GAME) == ("mill",)
    cases: tuple[tuple[PuzzleChoice, set[str | None]], ...] = (
        (PuzzleChoice(GAME, "mill"), {mill.key}),
        (PuzzleChoice(OTHER_GAME), {other.key}),
        (PuzzleChoice("", "mill"), {mill.key, other.key}),
        (PuzzleChoice(OTHER_GAME, "threat"), {None}),
        (PuzzleChoice("chess"), {None}),
    )
    for choice, keys in cases:
        stored = await puzzles.next(None, choice)
        assert (None if stored is None else stored.key) in keys


async def test_a_report_that_a_search_confirms_withdraws_a_puzzle(database: Database, tmp_path: Path) -> None:
    puzzle, other = puzzle_of(GAME, turns=3), puzzle_of(GAME, 2)
    puzzles = await read(database, tmp_path, [puzzle, other])
    turns = [puzzle.line[0], wrong_turn(puzzle, 2)]
    with refused("not_tried"):
        await puzzles.report(puzzle.key, ALICE, turns, now=NOON)
    for person in (ALICE, BOB, CAROL):
        await puzzles.attempt(puzzle.key, person, turns, now=NOON)
    for right in (puzzle.line[:1], (puzzle.line[0], puzzle.line[2]), ("Z99",)):
        with refused("no_second_solution"):
            await puzzles.report(puzzle.key, ALICE, right, now=NOON)
    assert await puzzles.claim_report(now=NOON) is None
    for person in (ALICE, ALICE, BOB, CAROL):
        await puzzles.report(puzzle.key, person, turns, now=NOON)
    assert (await puzzles.get(puzzle.key)).key == puzzle.key
    report = await puzzles.claim_report(now=NOON)
    assert report is not None
    assert (report.puzzle, report.step, report.turn) == (puzzle, 2, turns[1])
    assert await puzzles.claim_report(now=NOON) is None  # the others say the same
    report = await puzzles.claim_report(now=NOON + CHECK_LEASE)  # whoever had claimed it is gone
    assert report is not None
    await puzzles.settle_report(report, is_confirmed=True, now=NOON)
    with refused("puzzle_withdrawn"):
        await puzzles.get(puzzle.key)
    with refused("puzzle_withdrawn"):
        await puzzles.attempt(puzzle.key, DAN, puzzle.line, now=NOON)
    chosen = await puzzles.next(DAN.account)
    assert chosen is not None
    assert chosen.key == other.key
    assert await puzzles.next(DAN.account, seen=[]) is not None
    await puzzles.read_first_set(now=NOON)  # it does not come back
    with refused("puzzle_withdrawn"):
        await puzzles.get(puzzle.key)


async def test_a_person_reports_a_few_puzzles_a_day(database: Database, tmp_path: Path) -> None:
    found = [puzzle_of(GAME, seed) for seed in range(11)]
    puzzles = await read(database, tmp_path, found)
    for puzzle in found:
        await puzzles.reveal(puzzle.key, ALICE, now=NOON)
    for puzzle in found[:10]:
        await puzzles.report(puzzle.key, ALICE, [wrong_turn(puzzle)], now=NOON)
    last = found[10]
    with refused("too_many_puzzle_reports"):
        await puzzles.report(last.key, ALICE, [wrong_turn(last)], now=NOON)
    await puzzles.report(last.key, ALICE, [wrong_turn(last)], now=later(days=2))


async def test_two_workers_do_not_search_one_turn_that_several_report(
    matches: Matches, other_matches: Matches, database: Database
) -> None:
    puzzle = puzzle_of(GAME)
    await store_puzzles(database, [puzzle])
    turns = [wrong_turn(puzzle)]
    for person in (ALICE, BOB, CAROL, DAN):
        await matches.puzzles.attempt(puzzle.key, person, turns, now=NOON)
        await matches.puzzles.report(puzzle.key, person, turns, now=NOON)
    workers = [matches.puzzles, other_matches.puzzles] * 2
    for hour in range(5):  # none finishes what it claims
        claimed = await asyncio.gather(*(one.claim_report(now=later(hours=hour)) for one in workers))
        assert sum(one is not None for one in claimed) == 1


async def test_many_reports_that_a_search_refutes_withdraw_nothing(
    database: Database, tmp_path: Path
) -> None:
    puzzle = puzzle_of(GAME)
    puzzles = await read(database, tmp_path, [puzzle])
    turns = [wrong_turn(puzzle)]
    for number in range(10):
        person = Person(f"web:{number}", f"Throwaway{number}")
        await puzzles.attempt(puzzle.key, person, turns, now=NOON)
        await puzzles.report(puzzle.key, person, turns, now=NOON)
        report = await puzzles.claim_report(now=NOON)
        assert (report is None) == (number > 0)  # each turn is searched once
        if report is not None:
            await puzzles.settle_report(report, is_confirmed=False, now=NOON)
    assert (await puzzles.get(puzzle.key)).key == puzzle.key


async def test_players_can_keep_their_matches_out_of_puzzles(matches: Matches, database: Database) -> None:
    first, second = [await make_public_match(database, matches) for _ in range(2)]
    found = [puzzle_of(GAME, seed) for seed in (1, 2)]
    assert await matches.puzzles.add_found(first, found[:1], now=NOON) == 1
    change = matches.people.preferences.change
    await change(BOB, puzzles=False, now=NOON)
    with refused("puzzle_withdrawn"):
        await matches.puzzles.get(found[0].key)
    assert await matches.puzzles.add_found(second, found[1:], now=NOON) == 0
    await change(BOB, puzzles=True, now=NOON)
    assert await matches.puzzles.add_found(second, found[1:], now=NOON) == 1


@pytest.mark.parametrize("refuses", [ALICE, CAROL])
async def test_of_joined_accounts_neither_has_puzzles_if_one_wanted_none(
    matches: Matches, database: Database, refuses: Person
) -> None:
    match, puzzle = await make_public_match(database, matches), puzzle_of(GAME)
    await matches.people.preferences.change(CAROL, large=True, now=NOON)
    await matches.puzzles.add_found(match, [puzzle], now=NOON)
    await matches.people.preferences.change(refuses, puzzles=False, now=NOON)
    await matches.people.personal_data.join(ALICE.account, CAROL.account, now=NOON)
    with refused("puzzle_withdrawn"):
        await matches.puzzles.get(puzzle.key)
    settings = await matches.people.preferences.get(CAROL.account)
    assert (settings.puzzles, settings.large) == (False, True)


async def test_first_set_is_read_once_by_several_processes(
    database: Database, tmp_path: Path, other_matches: Matches
) -> None:
    found = [puzzle_of(GAME, seed) for seed in range(5)]
    first = await read(database, tmp_path, [])
    (tmp_path / f"{GAME}.txt").write_text("\n".join(map(str, found)), encoding="utf-8")
    second = Puzzles(other_matches._database, GAMES, first_set=tmp_path)
    await asyncio.gather(*(one.read_first_set(now=NOON) for one in (first, second)))
    for puzzle in found:
        assert (await first.get(puzzle.key)).puzzle == puzzle
    seen = set[str]()
    while (stored := await first.next(None, seen=seen)) is not None:
        seen.add(stored.key)
    assert seen == {one.key for one in found}


async def test_shipped_puzzles_follow_their_file(database: Database, tmp_path: Path) -> None:
    kept, removed = puzzle_of(GAME, 1), puzzle_of(GAME, 2)
    puzzles = await read(database, tmp_path, [kept, removed])
    await puzzles.attempt(kept.key, ALICE, kept.line, now=NOON)
    rated = (await puzzles.get(kept.key)).rating
    themed = Puzzle(kept.start, kept.line, 0, 1200, ("new_theme",))
    puzzles = await read(database, tmp_path, [themed])
    with refused("puzzle_withdrawn"):
        await puzzles.get(removed.key)
    stored = await puzzles.get(kept.key)
    assert (stored.puzzle.themes, stored.rating, stored.solved) == (("new_theme",), rated, 1)
    assert await puzzles.list_themes(GAME) == ("new_theme",)
    puzzles = await read(database, tmp_path, [themed, removed])
    assert (await puzzles.get(removed.key)).puzzle == removed


async def test_shipped_puzzles_of_this_project_can_be_read(database: Database) -> None:
    shipped = Puzzles(database, GAMES, first_set=first_set_folder())
    await shipped.read_first_set(now=NOON)
    games = await shipped.list_games()
    assert games
    for game in games:
        stored = await shipped.next(None, PuzzleChoice(game))
        assert stored is not None
        assert follow_turns(stored.puzzle, stored.puzzle.line[::2]).verdict is PuzzleVerdict.SOLVED


async def test_puzzles_come_from_public_matches_that_are_over(matches: Matches, database: Database) -> None:
    found = [puzzle_of(GAME, seed) for seed in (1, 2)]
    puzzles = matches.puzzles
    running = await make_public_match(database, matches, is_over=False)
    assert await puzzles.add_found(running, found, now=NOON) == 0
    private = await make_public_match(database, matches)
    for audience in ("players", "unknown", "closed", "members", "unlisted"):
        await set_audience(database, private, audience)
        assert await puzzles.add_found(private, found, now=NOON) == 0
    assert await puzzles.add_found(MatchId(4711), found, now=NOON) == 0
    public = await make_public_match(database, matches)
    assert await puzzles.add_found(public, found, now=NOON) == 2
    assert await puzzles.add_found(public, found, now=NOON) == 0
    assert await puzzles.find_match(found[0].key, ALICE.account) == public
    assert await puzzles.find_match(found[0].key, CAROL.account) is None


async def test_position_of_a_match_under_way_makes_no_puzzle(matches: Matches, database: Database) -> None:
    public = await make_public_match(database, matches)
    view = await start_match(matches, {}, game="morabaraba", by=CAROL, to=DAN)
    for _ in range(14):
        assert view.position is not None
        assert view.to_move is not None
        move = str(view.position.legal_moves()[0])
        view = (await matches.play(view.id, view.to_move.person, [move], now=NOON)).match
    assert view.position is not None
    puzzle = Puzzle(view.position, (str(view.position.legal_moves()[0]),))
    assert await matches.puzzles.add_found(public, [puzzle], now=NOON) == 0
    await matches.resign(view.id, CAROL, now=NOON)
    assert await matches.puzzles.add_found(public, [puzzle], now=NOON) == 1


async def test_puzzle_is_gone_while_its_match_is_not_public(matches: Matches, database: Database) -> None:
    puzzle, puzzles = puzzle_of(GAME), matches.puzzles
    match = await make_public_match(database, matches)
    await puzzles.add_found(match, [puzzle], now=NOON)
    assert await puzzles.next(CAROL.account) is not None
    await set_audience(database, match, "members")
    assert await puzzles.next(CAROL.account) is None
    assert await puzzles.daily(TODAY) is None
    for step in (
        puzzles.get(puzzle.key),
        puzzles.attempt(puzzle.key, CAROL, puzzle.line, now=NOON),
        puzzles.reveal(puzzle.key, CAROL, now=NOON),
    ):
        with refused("puzzle_withdrawn"):
            await step
    await set_audience(database, match, "aliases")
    assert (await puzzles.get(puzzle.key)).puzzle == puzzle


async def test_players_neither_get_nor_are_rated_for_their_own_puzzles(
    matches: Matches, database: Database
) -> None:
    puzzle, puzzles = puzzle_of(GAME), matches.puzzles
    await puzzles.add_found(await make_public_match(database, matches), [puzzle], now=NOON)
    assert await puzzles.next(BOB.account) is None
    result = await puzzles.attempt(puzzle.key, BOB, puzzle.line, now=NOON)
    assert (result.progress.verdict, result.attempt) == (PuzzleVerdict.SOLVED, None)
    assert await puzzles.reveal(puzzle.key, BOB, now=NOON) is None
    assert await puzzles.list_ratings(BOB.account) == ()


async def test_player_can_have_a_puzzle_removed(matches: Matches, database: Database) -> None:
    puzzle, puzzles = puzzle_of(GAME), matches.puzzles
    match = await make_public_match(database, matches)
    await puzzles.add_found(match, [puzzle], now=NOON)
    await puzzles.attempt(puzzle.key, CAROL, puzzle.line, now=NOON)
    with refused("puzzle_unknown"):
        await puzzles.withdraw(puzzle.key, CAROL.account, now=NOON)
    await puzzles.withdraw(puzzle.key, BOB.account, now=NOON)
    with refused("puzzle_withdrawn"):
        await puzzles.get(puzzle.key)
    assert await puzzles.add_found(match, [puzzle], now=NOON) == 0
    [past] = await puzzles.list_history(CAROL.account)
    assert past.attempt.is_solved


@pytest.mark.parametrize("choice", list(ErasureChoice))
async def test_puzzles_of_a_match_go_with_its_players(
    matches: Matches, database: Database, choice: ErasureChoice
) -> None:
    puzzle, puzzles = puzzle_of(GAME), matches.puzzles
    match = await make_public_match(database, matches)
    await start_match(matches)  # one that is in progress
    await puzzles.add_found(match, [puzzle], now=NOON)
    await matches.people.personal_data.erase(BOB.account, choice, now=NOON)
    with refused("puzzle_withdrawn"):
        await puzzles.get(puzzle.key)
    if choice is ErasureChoice.RESIGN:
        assert await puzzles.add_found(match, [puzzle_of(GAME, 2)], now=NOON) == 0


async def test_daily_puzzle_is_the_same_for_everybody_and_repeated_as_late_as_possible(
    matches: Matches, other_matches: Matches, database: Database, tmp_path: Path
) -> None:
    found = [puzzle_of(game, seed) for game in (GAME, OTHER_GAME) for seed in range(3)]
    assert await matches.puzzles.daily(TODAY) is None
    await read(database, tmp_path, found)
    days = [TODAY + timedelta(days=number) for number in range(6)]
    keys = list[str]()
    for day in days:
        both = await asyncio.gather(*(one.puzzles.daily(day) for one in (matches, other_matches)))
        assert both[0] == both[1]
        assert both[0] is not None
        keys.append(both[0].key)
    assert len(set(keys)) == 6
    again = [await matches.puzzles.daily(day) for day in days]
    assert [one and one.key for one in again] == keys
    await read(database, tmp_path, [one for one in found if one.key != keys[1]])
    for number, oldest in ((6, keys[0]), (7, keys[2])):
        repeated = await matches.puzzles.daily(TODAY + timedelta(days=number))
        assert repeated is not None
        assert repeated.key == oldest


async def test_withdrawn_daily_puzzle_is_replaced(database: Database, tmp_path: Path) -> None:
    found = [puzzle_of(GAME, seed) for seed in range(3)]
    puzzles = await read(database, tmp_path, found)
    first = await puzzles.daily(TODAY)
    assert first is not None
    puzzles = await read(database, tmp_path, [one for one in found if one.key != first.key])
    second = await puzzles.daily(TODAY)
    assert second is not None
    assert second.key != first.key
    assert await puzzles.daily(TODAY) == second
