"""A look for puzzles in finished matches that everybody can see, for times when nothing else is to do.

So are second solutions that people have reported: longer searches check them.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import structlog

from ai.game_analysis import AnalysedGame, Assessment
from ai.kernel import KernelError
from ai.puzzle_ratings import estimate_rating
from ai.puzzles import DISTANCE, LONGER, MOST_PER_GAME, SIMULATIONS, PuzzleFinder
from engine.game import GameError

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable
    from datetime import datetime

    from ai.search import Opponent
    from engine.puzzle import Puzzle
    from matches import Matches, PuzzleLook, PuzzleReport

log = structlog.stdlib.get_logger(__name__)

LOOK_SECONDS = 10.0
"""No board is looked at later than this after the beginning of a step; then the look is stored."""


class LookStoppedError(Exception):
    """There is something else to do."""


async def look_for_puzzles(
    matches: Matches,
    look: PuzzleLook,
    opponent: Opponent,
    stop: threading.Event,
    now: Callable[[], datetime],
) -> None:
    """Take one step of a look, until `stop` is set at most, and store what was found.

    A step ends with a puzzle, after some seconds, or at the end of the game. A search that has begun when
    `stop` is set is finished first; the board is looked at again later.
    """
    try:
        puzzle, number = await asyncio.to_thread(find_next, look, opponent, stop)
    except (KernelError, GameError) as error:
        log.warning("computer.no_puzzles", analysis=look.id, error=repr(error))
        puzzle, number = None, None
    found = look.found
    if puzzle is not None:
        found += 1
        await matches.puzzles.add_found(look.match, [puzzle], now=now())
    await matches.game_analyses.save_look(look, number, found, now=now())


def find_next(
    look: PuzzleLook, opponent: Opponent, stop: threading.Event
) -> tuple[Puzzle | None, int | None]:
    """Return the next puzzle of a match, if a step finds one, and where the look goes on: None at its end.

    Raises KernelError, GameError.
    """
    turns = look.replay.turns
    game = AnalysedGame.from_turns(turns[0].position, [turn.move_texts for turn in turns[1:]])
    known = {
        number: Assessment(each.simulations, each.chances, each.line)
        for number, each in enumerate(look.analysis.assessments)
        if each is not None
    }

    def check_stop() -> None:
        if stop.is_set():
            raise LookStoppedError

    finder, end = PuzzleFinder(opponent, before_search=check_stop), time.monotonic() + LOOK_SECONDS
    for number in range(look.number, len(turns)):
        if time.monotonic() >= end:
            return None, number
        try:
            check_stop()
            puzzle = (
                finder.find_puzzle(game.at(number)[0]) if finder.is_promising(game, known, number) else None
            )
        except LookStoppedError:
            return None, number
        if puzzle is not None:
            is_last = look.found + 1 >= MOST_PER_GAME or number + DISTANCE >= len(turns)
            return (
                replace(puzzle, rating=estimate_rating(opponent, puzzle)),
                None if is_last else number + DISTANCE,
            )
    return None, None


async def check_report(
    matches: Matches,
    report: PuzzleReport,
    opponent: Opponent,
    stop: threading.Event,
    now: Callable[[], datetime],
) -> None:
    """Search whether a reported turn solves a puzzle too, and withdraw the puzzle if it does.

    When `stop` is set the check ends; another one begins when its claim is over.
    """

    def check_stop() -> None:
        if stop.is_set():
            raise LookStoppedError

    finder = PuzzleFinder(opponent, simulations=LONGER * SIMULATIONS, before_search=check_stop)
    try:
        is_second = await asyncio.to_thread(
            finder.is_second_solution, report.puzzle, report.step, report.turn
        )
    except LookStoppedError:
        return
    except (KernelError, GameError) as error:
        log.warning("computer.no_check", puzzle=report.key, error=repr(error))
        is_second = False
    log.info("puzzle.checked", puzzle=report.key, turn=report.turn, is_second=is_second)
    await matches.puzzles.settle_report(report, is_confirmed=is_second, now=now())
