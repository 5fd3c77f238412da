"""Analysis: what could be played on from a board, and where lines too long for a button are put away.

Positions and moves are the engine's; nothing of an analysis is ever stored with a match.
"""

from __future__ import annotations

import hashlib
from itertools import takewhile
from typing import TYPE_CHECKING, NewType

from matches.conditionals.ahead import steps
from matches.reading import completes
from matches.times import millis
from storage import people, sketches

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from engine.game import Position
    from matches.conditionals.tree import Line
    from matches.conditionals.values import Settled
    from matches.moving import Moved
    from matches.values import Person
    from storage import Store

SketchId = NewType("SketchId", int)
MOST = 200  # lines that are kept of one person, the latest


class Drawer:
    """Lines of analyses, put away for nobody but the person who did so. The same line twice is one."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def put(self, text: str, person: Person, *, now: datetime) -> SketchId:
        """Put a line away, and give the number by which it is found."""
        digest = hashlib.sha256(text.encode()).hexdigest()
        async with self._store.reading() as connection:
            known = await sketches.find(connection, person.account, digest)
        if known is not None:
            return SketchId(known)
        async with self._store.writing() as connection:
            await people.remember(connection, person.account, person.name, millis(now))
            number = await sketches.add(connection, person.account, digest, text, millis(now))
            await sketches.forget_old(connection, person.account, MOST)
        return SketchId(number)

    async def get(self, number: SketchId, person: Person) -> str | None:
        """Give a line that a person has put away, None where there is none any more."""
        async with self._store.reading() as connection:
            return await sketches.get(connection, number, person.account)


def whole_turns(start: Position, moves: Sequence[Moved]) -> tuple[Line, tuple[str, ...]]:
    """Part moves from `start` into turns; give those that are whole, and the moves of one that is not."""
    turns, turn, before = [], list[str](), start
    for move in moves:
        turn.append(move.text)
        if completes(before, move.position):
            turns.append(tuple(turn))
            turn = []
        before = move.position
    return tuple(turns), tuple(turn)


def line_from(settled: Settled, start: Position, moves: Sequence[Moved]) -> Line:
    """Give what of an analysis can be settled beforehand; empty where nothing can.

    That is what it plays on from the present board, wherever in it that comes up last, until the last turn
    that is the person's own.
    """
    if not settled.waits:
        return ()
    boards = [start, *(move.position for move in moves)]
    at = next((n for n in range(len(boards) - 1, -1, -1) if boards[n] == settled.board.position), None)
    if at is None:
        return ()
    line, _ = whole_turns(boards[at], moves[at:])
    own = [step.own for step in steps(settled.board, line)]
    others = len(list(takewhile(lambda mine: not mine, reversed(own))))
    return line[: len(line) - others]
