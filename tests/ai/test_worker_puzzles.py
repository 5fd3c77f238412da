"""The worker looks for puzzles in public matches, and stops as soon as something else is to do."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select, update

from ai.kernel import Kernel
from ai.search import Opponent
from ai.worker.puzzles import find_next
from ai.worker.worker import Worker
from engine import GAMES
from engine.puzzle import Puzzle
from matches import AnalysisStatus, Assessment, GameAnalysis, Matches, PuzzleLook
from storage.tables import MATCHES, PUZZLES
from tests.ai.test_puzzles import RANDOM_GAME
from tests.ai.test_worker import start
from tests.discord_server.waiting import PATIENCE
from tests.matches.puzzles.puzzles import store_puzzles, wrong_turn
from tests.matches.scenario import ALICE, play_move, start_match
from tools.puzzles import load_puzzles

if TYPE_CHECKING:
    from engine.game import Position
    from matches import Replay
    from storage import Database


class WaitingOpponent(Opponent):
    """An opponent that waits in each search for a line, as do those that it starts."""

    def __init__(self, kernel: Kernel | None) -> None:
        super().__init__(kernel)
        self.is_searching, self.may_go_on = threading.Event(), threading.Event()

    def start_another(self) -> Opponent:
        other = WaitingOpponent(Kernel())
        other.is_searching, other.may_go_on = self.is_searching, self.may_go_on
        return other

    def find_best_line(
        self, position: Position, simulations: int, seed: int, *, excluded: str = "", proof: int = 0
    ) -> tuple[float, tuple[str, ...]] | None:
        self.is_searching.set()
        self.may_go_on.wait(PATIENCE)
        return super().find_best_line(position, simulations, seed, excluded=excluded, proof=proof)


def now() -> datetime:
    return datetime.now(UTC)


async def analysed_match(database: Database, matches: Matches) -> Replay:
    """Return a public match of random moves after an analysis that has found nothing."""
    view = await start_match(matches, {"size": 5}, game="morphos", now=now())
    for text in RANDOM_GAME:
        view = (await play_move(matches, view, text, now=now())).match
    async with database.transaction() as connection:
        await connection.execute(update(MATCHES).values(audience="names"))
    replay = await matches.replay(view.id, now=now())
    await matches.game_analyses.request(replay, ALICE, now=now())
    job = await matches.game_analyses.claim(now=now())
    assert job is not None
    assessments = tuple(Assessment(6400, 0.5) for _ in replay.turns)
    await matches.game_analyses.save(job.id, GameAnalysis(AnalysisStatus.COMPLETE, assessments), now=now())
    return replay


async def claim(matches: Matches) -> PuzzleLook:
    look = await matches.game_analyses.claim_look(now=now())
    assert look is not None
    return look


@pytest.mark.long
async def test_a_look_stores_puzzles_of_the_boards_of_the_match(database: Database, matches: Matches) -> None:
    replay = await analysed_match(database, matches)
    worker = Worker(matches, GAMES, Opponent.start(), now)
    while await worker.work_once():
        await worker.finish()
    async with database.read() as connection:
        rows = (await connection.execute(select(PUZZLES.c.text, PUZZLES.c.match))).all()
    found = [Puzzle.parse(row.text, GAMES) for row in rows]
    assert len(found) > 1
    assert {row.match for row in rows} == {replay.match}
    assert {str(puzzle.start) for puzzle in found} <= {str(turn.position) for turn in replay.turns}
    assert not await matches.game_analyses.has_work(now=now())


async def test_nothing_is_looked_at_after_a_stop(database: Database, matches: Matches) -> None:
    await analysed_match(database, matches)
    look, stop = await claim(matches), threading.Event()
    stop.set()
    assert find_next(look, Opponent.start(), stop) == (None, 0)


@pytest.mark.long
async def test_a_look_stops_when_the_computer_has_to_move(database: Database, matches: Matches) -> None:
    await analysed_match(database, matches)
    opponent = WaitingOpponent(Kernel())
    worker = Worker(matches, GAMES, opponent, now)
    assert await worker.work_once()
    await asyncio.to_thread(opponent.is_searching.wait, PATIENCE)
    assert not await worker.work_once()  # one look at a time
    match = await start(matches)
    assert await worker.work_once()  # although a search of the look is under way
    opponent.may_go_on.set()
    await worker.finish()
    assert (await matches.view(match.id, now=now())).ply == 1
    look = await claim(matches)
    assert look.found == 0
    board = look.replay.turns[look.number].position
    assert opponent.turns_to_win(board, 3, 20_000)  # it is looked at again


@pytest.mark.long
@pytest.mark.parametrize("is_second", [True, False])
async def test_a_reported_turn_is_searched_before_the_puzzle_is_withdrawn(
    database: Database, matches: Matches, is_second: bool
) -> None:
    shipped = next(one for one in load_puzzles("morphos") if one.wins_in == 1)
    wrong = wrong_turn(shipped)
    # A puzzle whose answer is not the best turn, or a right one; the other turn is reported.
    puzzle, reported = (Puzzle(shipped.start, (wrong,)), shipped.line[0]) if is_second else (shipped, wrong)
    await store_puzzles(database, [puzzle])
    await matches.puzzles.attempt(puzzle.key, ALICE, [reported], now=now())
    await matches.puzzles.report(puzzle.key, ALICE, [reported], now=now())
    assert await matches.computer.is_due(now=now())
    worker = Worker(matches, GAMES, Opponent.start(), now)
    assert await worker.work_once()
    await worker.finish()
    assert not await matches.computer.is_thinking()
    async with database.read() as connection:
        withdrawn = (await connection.execute(select(PUZZLES.c.withdrawn))).scalar_one()
    assert withdrawn == ("reported" if is_second else None)
