"""Boards of tournament games that were not over on their end date: assessed, which decides them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from ai.kernel import KernelError
from ai.seats import result_for
from engine.game import GameError
from matches.tournaments.adjudication import SIMULATIONS

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from ai.search import Opponent
    from engine.game import Position
    from matches import Matches

log = structlog.stdlib.get_logger(__name__)


async def assess_next(matches: Matches, opponent: Opponent, now: Callable[[], datetime]) -> bool:
    """Assess the board that waits longest; return whether there was any.

    Where the kernel does not play the game, or fails, the game is a draw. `now` returns the current time.
    """
    adjudication = matches.tournaments.adjudication
    job = await adjudication.claim(now=now())
    if job is None:
        return False
    try:
        chances = await asyncio.to_thread(assess_board, opponent, job.position)
    except (KernelError, GameError) as error:
        log.warning("computer.no_assessment", game=job.game, error=repr(error))
        chances = None
    await adjudication.decide(job.game, chances, now=now())
    return True


def assess_board(opponent: Opponent, position: Position) -> float | None:
    """Return the chances of the game's first side, from 0 to 1; None if the kernel does not play the game.

    Raises KernelError, GameError.
    """
    if position.to_move is None:
        return result_for(position, 0, swapped=False)
    found = opponent.find_best_line(position, SIMULATIONS, 0)
    if found is None:
        return None
    value, _line = found
    return value if position.to_move is position.game.sides[0] else 1 - value
