"""A search for a good turn in a process of its own: slow, rare, and never more than one at a time.

The process is ``python -m ai``, with low priority. So the process that reads mail imports nothing of the
computer opponent, and a search that takes long delays only the next one.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import structlog

from engine.game import GameError
from runtime.worker_process import SECRETS, stop_child

if TYPE_CHECKING:
    from engine.game import Position

log = structlog.stdlib.get_logger(__name__)

LEVEL = "expert"  # as on the website
SEARCH_SECONDS = 60.0  # for all moves of a turn, with the start of the process
NICENESS = 10


class HintSearch:
    """Searches one after the other."""

    def __init__(self, search_seconds: float = SEARCH_SECONDS) -> None:
        self._lock = asyncio.Lock()
        self._search_seconds = search_seconds

    async def find_turn(self, position: Position) -> tuple[str, ...]:
        """Return the moves of a good turn; none if there is no answer, as in a game that the search lacks."""
        async with self._lock:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "ai"),
                env={name: value for name, value in os.environ.items() if name not in SECRETS},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
            with suppress(OSError, AttributeError):
                os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
            commands = [f"load {position}", *[f"genmove {LEVEL}"] * position.moves_due, "quit", ""]
            try:
                async with asyncio.timeout(self._search_seconds):
                    answers, _ = await process.communicate("\n".join(commands).encode())
            except TimeoutError:
                log.warning("mail.hint_too_slow", game=position.game.name)
                return ()
            finally:
                if process.returncode is None:
                    await stop_child(process)
        moves = [line.removeprefix("= ") for line in answers.decode().splitlines() if line.startswith("= ")]
        return _check_turn(position, moves[1 : 1 + position.moves_due])


def _check_turn(position: Position, moves: list[str]) -> tuple[str, ...]:
    """Return the moves if they are a whole legal turn, else none."""
    played: list[str] = []
    try:
        for text in moves:
            move = position.parse(text)
            played.append(str(move))
            position = position.play(move)
    except GameError:
        return ()
    return tuple(played)
