"""The rules: pieces move one step forward or diagonally forward and capture diagonally by moving there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine import options
from engine.cells import PATTERN, cell, coordinates, grid
from engine.game import (
    Event,
    EventKind,
    Game,
    IllegalMove,
    MoveChoice,
    NotationError,
    Outcome,
    PieceGroup,
    Position,
    SelectionKind,
    Side,
)
from engine.notation_text import MAX_MOVE_LENGTH, normalize
from engine.position_fields import check_side, split_fields
from engine.position_rows import EMPTY, format_rows, parse_rows
from engine.text_move import TextMove

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Cell, Move, OptionValue

SIZE = 6
CELLS = grid(SIZE)
LETTERS = {Side.WHITE: "w", Side.BLACK: "b"}
OPPONENT = {Side.WHITE: Side.BLACK, Side.BLACK: Side.WHITE}
FORWARD = {Side.WHITE: 1, Side.BLACK: -1}
GOAL_RANK = {Side.WHITE: SIZE - 1, Side.BLACK: 0}
MOVE = re.compile(rf"({PATTERN})-({PATTERN})")


class Step(TextMove):
    """A move of a piece from `start` to `end`."""

    __slots__ = ("end", "start")

    def __init__(self, start: Cell, end: Cell) -> None:
        super().__init__(f"{start}-{end}")
        self.start = start
        self.end = end


@dataclass(frozen=True, slots=True)
class BreakthroughPosition(Position):
    """The letters on :data:`CELLS`, in that order, and the side to move next."""

    letters: str
    mover: Side

    @property
    def game(self) -> Game:
        """Breakthrough."""
        return BREAKTHROUGH

    @property
    def to_move(self) -> Side | None:
        """The side to move, or None when the game is over."""
        return None if self.outcome else self.mover

    def find_outcome(self) -> Outcome | None:
        """Return a win for the last mover if it has reached the far side or captured every piece."""
        last_mover = OPPONENT[self.mover]
        ranks = {coordinates(name)[1] for name in self.cells_of(last_mover)}
        if GOAL_RANK[last_mover] in ranks or not self.cells_of(self.mover):
            return Outcome(last_mover.value)
        return None

    @property
    def agreed_outcome(self) -> Outcome | None:
        """None: the players cannot agree on a result."""
        return None

    @property
    def vocabulary(self) -> str:
        """``breakthrough``."""
        return "breakthrough"

    @property
    def piece_groups(self) -> tuple[PieceGroup, ...]:
        """The pieces of each side."""
        return PieceGroup.by_side("pieces", self.stones, BREAKTHROUGH.sides)

    @property
    def moves_due(self) -> int:
        """Always 1: the sides alternate."""
        return 1

    @property
    def stones(self) -> Mapping[Cell, Side]:
        """The owner of the piece on each occupied cell."""
        return {name: side for side in BREAKTHROUGH.sides for name in self.cells_of(side)}

    def cells_of(self, side: Side) -> tuple[Cell, ...]:
        """Return the cells of a side's pieces, by file, then rank."""
        return tuple(
            name for name, letter in zip(CELLS, self.letters, strict=True) if letter == LETTERS[side]
        )

    def letter_at(self, name: Cell) -> str:
        """Return the letter on a cell."""
        return self.letters[CELLS.index(name)]

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, sorted by text; empty when the game is over."""
        if self.outcome:
            return ()
        steps = (Step(start, end) for start in self.cells_of(self.mover) for end in self._targets(start))
        return tuple(sorted(steps, key=str))

    def parse(self, text: str) -> Move:
        """Parse a legal move. Raise NotationError or IllegalMove."""
        match = MOVE.fullmatch(normalize(text[:MAX_MOVE_LENGTH]))
        if match is None:
            example = self.example_move or "A2-A3"
            raise NotationError("breakthrough.not_a_move", {"example": example}, text=text, position=self)
        move = next((move for move in self.legal_moves() if str(move) == match[0]), None)
        if move is None:
            raise IllegalMove("breakthrough.not_possible", text=text, position=self)
        return move

    def play(self, move: Move) -> BreakthroughPosition:
        """Return the position after `move`. Raise IllegalMove if it is not legal here."""
        step = self._require_legal(move)
        letters = list(self.letters)
        letters[CELLS.index(step.start)] = EMPTY
        letters[CELLS.index(step.end)] = LETTERS[self.mover]
        return replace(self, letters="".join(letters), mover=OPPONENT[self.mover])

    def events(self, move: Move) -> tuple[Event, ...]:
        """Return the step, and the capture of the piece on its target cell."""
        step = self._require_legal(move)
        moved = Event(EventKind.MOVE, self.mover, (step.start, step.end))
        if self.letter_at(step.end) == EMPTY:
            return (moved,)
        return (moved, Event(EventKind.CAPTURE, OPPONENT[self.mover], (step.end,)))

    def next_choice(self, path: tuple[str, ...] = ()) -> MoveChoice | Move:
        """Ask for the piece, then for its target. Raise IllegalMove."""
        steps = [move for move in self.legal_moves() if isinstance(move, Step)]
        for answer, field in zip(path, ("start", "end"), strict=False):
            steps = [step for step in steps if getattr(step, field) == answer]
        if not steps or len(path) > 2:
            raise IllegalMove("breakthrough.not_possible", text=" ".join(path), position=self)
        if len(path) == 2:
            return steps[0]
        if path:
            return MoveChoice(SelectionKind.TARGET, tuple(step.end for step in steps))
        return MoveChoice(SelectionKind.STONE, tuple(dict.fromkeys(step.start for step in steps)))

    def __str__(self) -> str:
        rows = ((self.letter_at(cell(file, rank)) for file in range(SIZE)) for rank in reversed(range(SIZE)))
        return f"{BREAKTHROUGH.name} {format_rows(rows)} {LETTERS[self.mover]}"

    def _targets(self, start: Cell) -> Iterator[Cell]:
        file, rank = coordinates(start)
        for sideways in (-1, 0, 1):
            if 0 <= file + sideways < SIZE:
                target = cell(file + sideways, rank + FORWARD[self.mover])
                letter = self.letter_at(target)
                if letter == EMPTY or (sideways and letter != LETTERS[self.mover]):
                    yield target

    def _require_legal(self, move: Move) -> Step:
        if not isinstance(move, Step) or move not in self.legal_moves():
            raise IllegalMove("breakthrough.not_possible", text=str(move), position=self)
        return move


class Breakthrough(Game):
    """Breakthrough under version 1 of its rules. It has no options."""

    name = "breakthrough"
    rules_version = 1
    sides = (Side.WHITE, Side.BLACK)
    options = ()
    allows_draws = False

    def complete_options(self, /, **given: OptionValue) -> dict[str, OptionValue]:
        """Return no options. Raise OptionError if any is given."""
        return options.complete(self.name, self.options, given)

    def initial_position(self, /, **given: OptionValue) -> BreakthroughPosition:
        """Return the position with two full ranks of pieces for each side. Raise OptionError."""
        self.complete_options(**given)
        return BreakthroughPosition("ww..bb" * SIZE, Side.WHITE)

    def load(self, text: str) -> BreakthroughPosition:
        """Parse a position line. Raise NotationError."""
        rows_text, letter = split_fields(text, f"{self.name} ROWS SIDE")
        rows = parse_rows(rows_text, [SIZE] * SIZE, "wb", text)
        check_side(letter, LETTERS.values(), text)
        mover = next(side for side in self.sides if LETTERS[side] == letter)
        letters = "".join(rows[SIZE - 1 - rank][file] for file, rank in map(coordinates, CELLS))
        return BreakthroughPosition(letters, mover)


BREAKTHROUGH = Breakthrough()
