"""Breakthrough on 6 x 6: pieces move one step forward or diagonally forward, and capture diagonally."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.cells import PATTERN, coordinates, grid
from engine.game import Event, EventKind, Outcome, Side
from engine.position_text import EMPTY
from tests.toy_games.board import LetterGame, LetterPosition, Step, cells_around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Cell, Move

FORWARD = {Side.WHITE: 1, Side.BLACK: -1}


@dataclass(frozen=True, slots=True)
class BreakthroughPosition(LetterPosition):
    """A position of Breakthrough."""

    @property
    def game(self) -> LetterGame:
        """Breakthrough."""
        return BREAKTHROUGH

    def find_outcome(self) -> Outcome | None:
        """Return a win for the last mover if it has reached the far side or captured every piece."""
        far_rank = self.game.size - 1 if self.opponent is Side.WHITE else 0
        ranks = {coordinates(name)[1] for name in self.cells_of(self.opponent)}
        return Outcome(self.opponent) if far_rank in ranks or not self.cells_of(self.mover) else None

    def paths(self) -> Iterator[tuple[tuple[str, ...], Move]]:
        """Yield each step: the piece, then its target."""
        for start in self.cells_of(self.mover):
            yield from (((start, end), Step(start, end)) for end in self._targets(start))

    def _targets(self, start: Cell) -> Iterator[Cell]:
        file, rank = coordinates(start)
        for name in cells_around(start, 1, self.game.size):
            target_file, target_rank = coordinates(name)
            can_capture = target_file != file and self.letter_at(name) == self.opponent[0]
            if target_rank == rank + FORWARD[self.mover] and (self.letter_at(name) == EMPTY or can_capture):
                yield name

    def describe(self, move: Move) -> tuple[Event, ...]:
        """Return the step, and the capture of the piece on its target cell."""
        assert isinstance(move, Step)
        moved = Event(EventKind.MOVE, self.mover, (move.start, move.end))
        if self.letter_at(move.end) == EMPTY:
            return (moved,)
        return (moved, Event(EventKind.CAPTURE, self.opponent, (move.end,)))


class Breakthrough(LetterGame):
    """Breakthrough, with two full ranks of pieces for each side."""

    name = "breakthrough"
    sides = (Side.WHITE, Side.BLACK)
    size = 6
    cells = grid(size)
    start = "ww..bb" * size
    notation = re.compile(f"{PATTERN}-{PATTERN}")
    position = BreakthroughPosition


BREAKTHROUGH = Breakthrough()
