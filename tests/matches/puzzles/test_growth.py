"""What people do with puzzles costs the same however many puzzles and attempts there are."""

import random
from collections.abc import Awaitable
from datetime import date, timedelta
from pathlib import Path

import pytest

from bench.growth import MAX_GROWTH
from matches import Database, MatchId, PuzzleChoice
from matches.puzzles.service import Puzzles
from tests.games import GAMES
from tests.matches.instructions import InstructionCounter, count_instructions
from tests.matches.puzzles.filling import GAME, fill
from tests.matches.puzzles.puzzles import puzzle_of, wrong_turn
from tests.matches.scenario import ALICE, BOB, NOON

FEW, MANY = (1000, 10_000), (100_000, 1_000_000)  # puzzles and attempts
OWN = 300  # attempts of Alice
SEEN = tuple(f"{number:06x}" for number in range(600))
FREE = 400  # instructions; far less than a look at each of the other puzzles takes
DAY = date(2026, 5, 1)


async def do_everything(database: Database, counter: InstructionCounter, number: int) -> dict[str, int]:
    """Do everything once, and return the instructions of each; `number` is different each time."""
    # The same order of the games and the same ratings in both databases: each game without a puzzle costs.
    puzzles, counts = Puzzles(database, GAMES, chance=random.Random(number)), dict[str, int]()
    puzzle = puzzle_of(GAME)
    wrong, key = wrong_turn(puzzle), f"{(OWN + number) % 16:x}{OWN + number:015}"

    async def measure(name: str, work: Awaitable[object]) -> object:
        before = counter.count
        found = await work
        counts[name] = counter.count - before
        return found

    assert await measure("next of a member", puzzles.next(ALICE.account))
    assert await measure("next of a guest", puzzles.next(None, seen=SEEN))
    assert await measure("next with a theme", puzzles.next(None, PuzzleChoice(GAME, "rare")))
    await measure("no such theme", puzzles.next(None, PuzzleChoice(GAME, "none")))
    assert await measure("one", puzzles.get(key))
    await measure("an attempt", puzzles.attempt(key, ALICE, puzzle.line, now=NOON))
    await measure("the same again", puzzles.attempt(key, ALICE, puzzle.line, now=NOON))
    await measure("a report", puzzles.report(key, ALICE, [wrong], now=NOON))
    await measure("ratings", puzzles.list_ratings(ALICE.account))
    assert await measure("history", puzzles.list_history(ALICE.account))
    await measure("its match", puzzles.find_match(key, BOB.account))
    assert await measure("games", puzzles.list_games())
    assert await measure("themes", puzzles.list_themes(GAME))
    assert await measure("daily", puzzles.daily(DAY + timedelta(days=number)))
    await measure("found", puzzles.add_found(MatchId(1), [puzzle], now=NOON))
    return counts


@pytest.mark.long
async def test_costs_do_not_grow_with_puzzles_and_attempts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter = count_instructions(monkeypatch)
    found = list[dict[str, int]]()
    for puzzles, attempts in (FEW, MANY):
        async with await Database.open(f"sqlite:///{tmp_path / str(puzzles)}.db") as database:
            await fill(database, puzzles, attempts, OWN)
            rounds = [await do_everything(database, counter, number) for number in range(3)]
        found.append({name: min(one[name] for one in rounds) for name in rounds[0]})
    few, many = found
    grown = {name: (few[name], many[name]) for name in few if many[name] > MAX_GROWTH * few[name] + FREE}
    assert grown == {}
    assert few["an attempt"] > 0
