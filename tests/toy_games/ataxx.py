"""Ataxx on 7 x 7: a stone clones to a neighbouring cell or jumps two, and converts the enemies around it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.cells import PATTERN, grid
from engine.game import Event, EventKind, Fact, NotationError, Outcome, Side
from engine.position_text import EMPTY
from engine.text_move import TextMove
from tests.toy_games.board import LetterGame, LetterPosition, Step, cells_around

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.game import Cell, Move


class Clone(TextMove):
    """A new stone on `end`; which neighbour it is cloned from makes no difference."""

    __slots__ = ("end",)

    def __init__(self, end: Cell) -> None:
        super().__init__(end)
        self.end = end


PASS = TextMove(EventKind.PASS.value)


@dataclass(frozen=True, slots=True)
class AtaxxPosition(LetterPosition):
    """A position of Ataxx."""

    @property
    def game(self) -> LetterGame:
        """Ataxx."""
        return ATAXX

    def find_outcome(self) -> Outcome | None:
        """Return a win for the side with more stones if the board is full or a side has none.

        Otherwise a side can move, since some empty cell is next to a stone. The number of cells is odd, so
        there are no draws.
        """
        first, second = self.game.sides
        numbers = [self.letters.count(side[0]) for side in (first, second)]
        if EMPTY in self.letters and all(numbers):
            return None
        return Outcome(first if numbers[0] > numbers[1] else second)

    def paths(self) -> Iterator[tuple[tuple[str, ...], Move]]:
        """Yield each clone and each jump: the stone, then its target; or the only answer, to pass."""
        is_stuck = True
        for start in self.cells_of(self.mover):
            near = cells_around(start, 1, self.game.size)
            for end in cells_around(start, 2, self.game.size):
                if self.letter_at(end) == EMPTY:
                    is_stuck = False
                    yield (start, end), Clone(end) if end in near else Step(start, end)
        if is_stuck:
            yield (str(PASS),), PASS

    def describe(self, move: Move) -> tuple[Event, ...]:
        """Return the new stone or the jump, and the conversion of the enemy stones around its target."""
        if isinstance(move, Step):
            first = Event(EventKind.MOVE, self.mover, (move.start, move.end))
        elif isinstance(move, Clone):
            first = Event(EventKind.PLACE, self.mover, (move.end,))
        else:
            return (Event(EventKind.PASS, self.mover),)
        around = cells_around(first.cells[-1], 1, self.game.size)
        converted = tuple(name for name in around if self.letter_at(name) == self.opponent[0])
        return (first, Event(EventKind.CONVERT, self.mover, converted)) if converted else (first,)

    def facts(self, moves: Sequence[Move]) -> tuple[Fact, ...]:
        """Return which stones a turn converts, if any."""
        return tuple(Fact("converts", event.cells) for event in self.events(moves[0])[1:])


class Ataxx(LetterGame):
    """Ataxx, with a stone of each side in opposite corners."""

    name = "ataxx"
    sides = (Side.RED, Side.BLACK)
    first_move = "A2"
    fact_keys = ("converts",)
    size = 7
    cells = grid(size)
    start = f"r.....b{'.' * 35}b.....r"
    notation = re.compile(f"{PATTERN}(-{PATTERN})?|PASS")
    position = AtaxxPosition

    def load(self, text: str) -> LetterPosition:
        """Parse a position line. Raise NotationError."""
        position = super().load(text)
        if not position.stones:
            raise NotationError("toy.no_stones", text=text)
        return position


ATAXX = Ataxx()
