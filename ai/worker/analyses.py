"""Small steps of the work on analyses of finished games, for times when nobody waits for a move."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import structlog

from ai.game_analysis import (
    AnalysedGame,
    Assessment,
    NoAnalysisError,
    assess,
    find_accuracy,
    find_turning_points,
    next_search,
)
from ai.kernel import KernelError
from ai.turn_assessment import AssessedTurn, assess_turn, choose_points, list_turns, next_turn_search
from engine.game import GameError
from matches import AnalysisStatus, GameAnalysis, TurningPoint
from matches import AssessedTurn as StoredTurn
from matches import Assessment as StoredAssessment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from ai.search import Opponent
    from matches import AnalysisJob, Matches

log = structlog.stdlib.get_logger(__name__)

STEP_SECONDS = 0.2
"""No search of a step begins later; the longest takes about half a second more."""


async def advance_analysis(matches: Matches, opponent: Opponent, now: Callable[[], datetime]) -> bool:
    """Take one step of the analysis that needs it most; return whether there was any.

    `now` returns the current time, aware.
    """
    job = await matches.game_analyses.claim(now=now())
    if job is None:
        return False
    try:
        analysis = await asyncio.to_thread(search_positions, job, opponent)
    except (NoAnalysisError, KernelError, GameError) as error:
        log.warning("computer.no_analysis", analysis=job.id, error=repr(error))
        await matches.game_analyses.give_up(job.id)
        return True
    await matches.game_analyses.save(job.id, analysis, now=now())
    return True


def search_positions(job: AnalysisJob, opponent: Opponent) -> GameAnalysis:
    """Search for a moment, and return the analysis as far as it is.

    Raises NoAnalysisError, KernelError, GameError.
    """
    turns = job.replay.turns
    game = AnalysedGame.from_turns(turns[0].position, [turn.move_texts for turn in turns[1:]])
    known = {
        number: Assessment(each.simulations, each.chances, each.line)
        for number, each in enumerate(job.assessments)
        if each is not None
    }
    end = time.monotonic() + STEP_SECONDS
    while (search := next_search(game, known)) is not None and time.monotonic() < end:
        known[search[0]] = assess(opponent, game, known, search)
    assessed, is_complete = dict[int, tuple[StoredTurn, ...]](), False
    if search is None:
        assessed, is_complete = _assess_turns(job, opponent, game, known, end)
    return GameAnalysis(
        AnalysisStatus.COMPLETE if is_complete else AnalysisStatus.REFINING,
        tuple(_to_stored(known.get(number)) for number in range(len(turns))),
        tuple(
            TurningPoint(point.number, point.loss, point.better, point.line, assessed.get(point.number, ()))
            for point in find_turning_points(game, known)
        ),
        (find_accuracy(game, known, 0), find_accuracy(game, known, 1)),
    )


def _assess_turns(
    job: AnalysisJob, opponent: Opponent, game: AnalysedGame, known: Mapping[int, Assessment], end: float
) -> tuple[dict[int, tuple[StoredTurn, ...]], bool]:
    """Compare the turns at the turning points until the time `end`; return them, and whether all is done."""
    points = choose_points(game, find_turning_points(game, known))
    stored = {point.number: point.turns for point in job.turning_points}
    assessed = {
        point.number: {
            each.moves: AssessedTurn(each.moves, each.simulations, each.chances)
            for each in stored.get(point.number, ())
        }
        or list_turns(game, point)
        for point in points
    }
    while (search := next_turn_search(game, points, assessed)) is not None and time.monotonic() < end:
        assessed[search[0].number][search[1]] = assess_turn(opponent, game, search)
    return {
        number: tuple(StoredTurn(each.moves, each.simulations, each.chances) for each in turns.values())
        for number, turns in assessed.items()
    }, search is None


def _to_stored(assessment: Assessment | None) -> StoredAssessment | None:
    if assessment is None:
        return None
    return StoredAssessment(assessment.simulations, assessment.chances, assessment.line)
