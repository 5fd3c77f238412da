"""What both games share: a square board of letters, a move as the answers that build it, a position line."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from engine import options
from engine.cells import cell, coordinates
from engine.game import (
    EventKind,
    Game,
    IllegalMove,
    MoveChoice,
    NotationError,
    PieceGroup,
    Position,
    SelectionKind,
    Side,
)
from engine.notation_text import MAX_MOVE_LENGTH, normalize
from engine.position_text import EMPTY, check_side, format_rows, parse_rows, split_fields
from engine.text_move import TextMove

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

    from engine.game import Cell, Event, Move, OptionValue, Outcome

ANSWER_KINDS = (SelectionKind.STONE, SelectionKind.TARGET)
"""The questions that lead to a move of a piece; a path of one word answers :attr:`SelectionKind.ACTION`."""


class Step(TextMove):
    """A move of a piece from `start` to `end`."""

    __slots__ = ("end", "start")

    def __init__(self, start: Cell, end: Cell) -> None:
        super().__init__(f"{start}-{end}")
        self.start = start
        self.end = end


@cache
def cells_around(name: Cell, distance: int, size: int) -> tuple[Cell, ...]:
    """Return the cells of a board at most `distance` away, straight or diagonally, by file, then rank."""
    file, rank = coordinates(name)
    files, ranks = (range(max(0, at - distance), min(size, at + distance + 1)) for at in (file, rank))
    return tuple(cell(*place) for place in product(files, ranks) if place != (file, rank))


@dataclass(frozen=True, slots=True)
class LetterPosition(Position):
    """The letters on the cells of the board, by file, then rank, and the side to move next."""

    letters: str
    mover: Side

    @property
    @abstractmethod
    def game(self) -> LetterGame:
        """The game this is a position of."""

    @abstractmethod
    def paths(self) -> Iterator[tuple[tuple[str, ...], Move]]:
        """Yield the answers that build a legal move, and the move; several paths may build one move."""

    @property
    def to_move(self) -> Side | None:
        """The side to move, or None when the game is over."""
        return None if self.outcome else self.mover

    @property
    def opponent(self) -> Side:
        """The side that does not move next."""
        return next(side for side in self.game.sides if side is not self.mover)

    @property
    def agreed_outcome(self) -> Outcome | None:
        """None: the players cannot agree on a result."""
        return None

    @property
    def vocabulary(self) -> str:
        """The name of the game."""
        return self.game.name

    @property
    def piece_groups(self) -> tuple[PieceGroup, ...]:
        """The pieces of each side."""
        return PieceGroup.by_side("pieces", self.stones, self.game.sides)

    @property
    def moves_due(self) -> int:
        """Always 1: a turn is one move."""
        return 1

    @property
    def stones(self) -> Mapping[Cell, Side]:
        """The owner of the piece on each occupied cell."""
        return {name: side for side in self.game.sides for name in self.cells_of(side)}

    def cells_of(self, side: Side) -> tuple[Cell, ...]:
        """Return the cells of a side's pieces, by file, then rank."""
        names = zip(self.game.cells, self.letters, strict=True)
        return tuple(name for name, letter in names if letter == side[0])

    def letter_at(self, name: Cell) -> str:
        """Return the letter on a cell: the first of the side's name, or :data:`EMPTY`."""
        file, rank = coordinates(name)
        return self.letters[file * self.game.size + rank]

    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, sorted by text; empty when the game is over."""
        return () if self.outcome else tuple(sorted({move for _, move in self.paths()}, key=str))

    def parse(self, text: str) -> Move:
        """Parse a legal move, also from the answers that build it. Raise NotationError or IllegalMove."""
        typed = normalize(text[:MAX_MOVE_LENGTH])
        if not self.game.notation.fullmatch(typed):
            raise NotationError("toy.not_a_move", text=text, position=self)
        for path, move in () if self.outcome else self.paths():
            if typed in {str(move).upper(), "-".join(path).upper()}:
                return move
        raise IllegalMove("toy.not_possible", text=text, position=self)

    def play(self, move: Move) -> LetterPosition:
        """Return the position after `move`. Raise IllegalMove if it is not legal here."""
        letters = dict(zip(self.game.cells, self.letters, strict=True))
        for event in reversed(self.events(move)):  # the cell of a captured piece is filled by the move before
            if event.kind in {EventKind.MOVE, EventKind.CAPTURE}:
                letters[event.cells[0]] = EMPTY
            if event.kind is EventKind.MOVE:
                letters[event.cells[1]] = event.side[0]
            if event.kind in {EventKind.PLACE, EventKind.CONVERT}:
                letters |= dict.fromkeys(event.cells, event.side[0])
        return replace(self, letters="".join(letters.values()), mover=self.opponent)

    def events(self, move: Move) -> tuple[Event, ...]:
        """Return what `move` does, in order. Raise IllegalMove if it is not legal here."""
        if move not in self.legal_moves():
            raise IllegalMove("toy.not_possible", text=str(move), position=self)
        return self.describe(move)

    @abstractmethod
    def describe(self, move: Move) -> tuple[Event, ...]:
        """Return what a legal move does, in order."""

    def next_choice(self, path: tuple[str, ...] = ()) -> MoveChoice | Move:
        """Return the next question, or the move that the answers in `path` build. Raise IllegalMove."""
        found = {one: move for one, move in self.paths() if one[: len(path)] == path and not self.outcome}
        if path in found:
            return found[path]
        if not found:
            raise IllegalMove("toy.not_possible", text=" ".join(path), position=self)
        kind = SelectionKind.ACTION if len(next(iter(found))) == 1 else ANSWER_KINDS[len(path)]
        return MoveChoice(kind, tuple(dict.fromkeys(one[len(path)] for one in found)))

    def __str__(self) -> str:
        size = range(self.game.size)
        rows = ((self.letter_at(cell(file, rank)) for file in size) for rank in reversed(size))
        return f"{self.game.name} {format_rows(rows)} {self.mover[0]}"


class LetterGame(Game):
    """A game on a square board with pieces of one kind. It has no options."""

    rules_version = 1
    options = ()
    allows_draws = False
    size: int
    cells: tuple[Cell, ...]  # of the board, by file, then rank
    start: str  # the letters of the first position, in the same order
    notation: re.Pattern[str]  # of normalized text
    position: type[LetterPosition]

    def complete_options(self, /, **given: OptionValue) -> dict[str, OptionValue]:
        """Return no options. Raise OptionError if any is given."""
        return options.complete(self.name, self.options, given)

    def initial_position(self, /, **given: OptionValue) -> LetterPosition:
        """Return the first position. Raise OptionError if any option is given."""
        self.complete_options(**given)
        return self.position(self.start, self.sides[0])

    def load(self, text: str) -> LetterPosition:
        """Parse a position line. Raise NotationError."""
        movers = {side[0]: side for side in self.sides}
        rows_text, letter = split_fields(text, f"{self.name} ROWS SIDE")
        rows = parse_rows(rows_text, [self.size] * self.size, "".join(movers), text)
        check_side(letter, movers, text)
        letters = "".join(rows[self.size - 1 - rank][file] for file, rank in map(coordinates, self.cells))
        return self.position(letters, movers[letter])
