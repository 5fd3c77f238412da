"""The contract that every game keeps, and the values it is written in.

A :class:`GameResult` starts positions and reads them back; a :class:`Position` is an
immutable value that knows its legal moves. Cells are written as a capital file
letter and a rank number, ``A1`` at the lower left, seen from Black's side.
Whoever uses this module never asks which game is being played.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from engine.notation_text import MAX_MOVE_LENGTH, normalize

Cell = NewType("Cell", str)
OptionValue = str | int
OptionValues = Mapping[str, OptionValue]


class Side(StrEnum):
    """A colour that is played; its value is its name in the text protocol."""

    BLACK = "black"
    WHITE = "white"
    RED = "red"


class Outcome(StrEnum):
    """How a game ended; its value is its name in the text protocol."""

    BLACK = "black"
    WHITE = "white"
    RED = "red"
    DRAW = "draw"

    @property
    def winner(self) -> Side | None:
        """The side that won, or None for a draw."""
        return None if self is Outcome.DRAW else Side(self.value)


class EventKind(StrEnum):
    """What a move does to the board; the value is stored and is a key of texts.

    The comment of each kind says what :attr:`Event.cells` and :attr:`Event.side` are.
    """

    PLACE = "place"  # cells: the cells filled; side: whose pieces now stand there
    MOVE = "move"  # cells: from, to; side: the owner of the piece that moves
    CONVERT = "capture"  # cells: pieces that change their owner and stay; side: the new owner
    FLIP = "flip"  # cells: the one piece turned over; side: the new owner
    CAPTURE = "remove"  # cells: pieces taken off the board; side: their owner, who loses them
    RESTORE = "restore"  # cells: a captured piece put back on the board; side: its owner
    MILL = "mill"  # cells: a closed line, in board order; side: whose pieces close it
    OCCUPY = "occupy"  # cells: the cell occupied, then the pieces that earned it; side: who occupies it
    DECLINE_CONVERT = "decline_capture"  # cells: pieces not converted; side: their owner, who keeps them
    DECLINE_OCCUPY = "decline_occupy"  # cells: the cell not occupied; side: who declines
    DECLINE_CAPTURE = "decline_remove"  # cells: none; side: who declines
    SWAP = "swap"  # cells: none; side: the mover, before the people change sides
    PASS = "pass"  # noqa: S105 - a kind of move, not a password; cells: none; side: the mover


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that a move does; see :class:`EventKind`.

    A move onto an occupied cell that removes the piece there (as in chess) is two events: MOVE, then CAPTURE
    with the target cell.
    """

    kind: EventKind
    side: Side
    cells: tuple[Cell, ...] = ()


def replaced_cells(events: Iterable[Event]) -> frozenset[Cell]:
    """Return the cells on which `events` capture a piece by moving another onto it."""
    events = tuple(events)
    targets = {event.cells[1] for event in events if event.kind is EventKind.MOVE}
    captured = {cell for event in events if event.kind is EventKind.CAPTURE for cell in event.cells}
    return frozenset(targets & captured)


class SelectionKind(StrEnum):
    """What a player is asked next while building a move by picking."""

    PLACE = "place"  # an empty point for a stone (or a pair)
    STONE = "stone"  # which own stone or man is to move
    TARGET = "target"  # where it goes
    ACTION = "action"  # what kind of turn: options are words such as place, flip, swap
    FLIP = "flip"  # which enemy stone to turn
    SECOND = "second"  # a second placement, or none
    RESTORE = "restore"  # where the captured stone goes back
    CONVERSIONS = "captures"  # which of the possible conversions to carry out (many)
    OCCUPY = "occupy"  # whether to occupy: options yes, no
    CAPTURE = "remove"  # which enemy piece to take off; the option `-` declines


@dataclass(frozen=True, slots=True)
class MoveChoice:
    """One open question of a move in the making.

    An answer is appended to the path given to :meth:`Position.next_choice`: one of
    `options`, or, where `multiple` is set, any subset of them joined by commas in
    the order of `options` (the empty subset is ``-``).
    """

    kind: SelectionKind
    options: tuple[str, ...]
    multiple: bool = False


class GameError(ValueError):
    """A text or move that the game refuses.

    `text` is what was given, `reason` one sentence in the player's words,
    `position` the unchanged position (None where there is none yet), `choices`
    the canonical texts that would settle what was left open.
    """

    def __init__(
        self,
        reason: str,
        *,
        text: str = "",
        position: Position | None = None,
        choices: tuple[str, ...] = (),
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.text = text
        self.position = position
        self.choices = choices


class NotationError(GameError):
    """The text is no move (or no position line) of this game at all."""


class IllegalMove(GameError):  # noqa: N818 - the field's standard term
    """A move of this game, but not legal here; the reason says why."""


class AmbiguousMove(GameError):  # noqa: N818 - the field's standard term
    """The text leaves something open; `choices` says what would settle it."""


class OptionError(GameError):
    """An unknown option, a value out of bounds, or options that exclude each other."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game's start.

    Either `choices` lists every value, or `minimum` and `maximum` bound a whole
    number. `is_random` marks a number that chance supplies when it is not given (a
    seed): whoever starts a match draws it once and records it. `default` is None
    for such a number, and where the default hangs on the other options
    (:meth:`GameResult.complete_options` fills it in).
    """

    name: str
    default: OptionValue | None
    choices: tuple[OptionValue, ...] = ()
    minimum: int = 0
    maximum: int = 0
    is_random: bool = False

    def values(self) -> Sequence[OptionValue]:
        """Return every value in the order in which it is offered; a seed has very many."""
        return self.choices or range(self.minimum, self.maximum + 1)

    def random_value(self) -> int:
        """Return a number between the bounds by chance."""
        return self.minimum + secrets.randbelow(self.maximum - self.minimum + 1)


@dataclass(frozen=True, slots=True)
class SimultaneousChoice:
    """A start option that is decided by one secret pick of each player, revealed together.

    A match whose `option` has the value `value` waits until both players have picked one of `picks` (words of
    letters, digits and underscores); :meth:`Game.resolve_picks` then returns the option's real value.

    `value` is also the command of the text protocol that resolves two picks, so it differs from those of the
    other games; capitalized it is the header of records that lists the picks.
    """

    option: str
    value: str
    picks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """Pieces of one kind and one side, or a special cell, for the description of a board in words.

    `kind` is a word of the game's own; the catalogue has its sentence under ``spoken.KIND``, in the game's
    vocabulary, with the placeholders `side`, `count`, `cells` and, for a single cell, `cell`. `side` is None
    where the group belongs to nobody.
    """

    kind: str
    side: Side | None
    cells: tuple[Cell, ...]


class Move(ABC):
    """A move as a value; equal moves have equal canonical text."""

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str:
        """Return the canonical text of the move."""


class Position(ABC):
    """An immutable position: equal by content, hashable; `play` returns a new one."""

    __slots__ = ()

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game this is a position of."""

    @property
    @abstractmethod
    def to_move(self) -> Side | None:
        """The side to move, or None when the game is over."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The result, or None while the game goes on."""

    @property
    @abstractmethod
    def agreed_outcome(self) -> Outcome | None:
        """The result if the players agreed to end now; None where the rules know no such end."""

    @property
    @abstractmethod
    def vocabulary(self) -> str:
        """Key of the vocabulary in which the game is told to people, such as ``morelli.nestor``."""

    @property
    @abstractmethod
    def piece_groups(self) -> tuple[PieceGroup, ...]:
        """What is on the board, by kind and side, in the order in which it is described in words.

        A group of a side without any cells says that the side has none; leave other empty groups out.
        """

    @property
    @abstractmethod
    def moves_due(self) -> int:
        """How many moves in a row the side to move makes from here (set-up runs); 1 in open play."""

    @abstractmethod
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, sorted by canonical text; empty when the game is over."""

    def moves_with_prefix(self, text: str) -> Iterator[Move]:
        """Return the legal moves whose text begins with what a person has typed so far, sorted, one by one.

        Case, spaces and the kind of dash do not matter. Where a position can have very many moves, no more
        are made than are taken.
        """
        prefix = normalize(text[:MAX_MOVE_LENGTH])
        return (move for move in self.legal_moves() if str(move).upper().startswith(prefix))

    @property
    def example_move(self) -> str:
        """The text of a legal move, to show how moves are written; empty when the game is over."""
        return next((str(move) for move in self.moves_with_prefix("")), "")

    @abstractmethod
    def parse(self, text: str) -> Move:
        """Read a legal move from what a person typed, without listing all moves.

        Case, spaces and the kind of dash do not matter. Raises NotationError,
        IllegalMove or AmbiguousMove.
        """

    @abstractmethod
    def play(self, move: Move) -> Position:
        """Return the position after `move`. Raises IllegalMove if it is not legal here."""

    @abstractmethod
    def events(self, move: Move) -> tuple[Event, ...]:
        """Say what the legal `move` does, in the order in which it happens."""

    @abstractmethod
    def next_choice(self, path: tuple[str, ...] = ()) -> MoveChoice | Move:
        """Return the next open question after the answers in `path`, or the finished legal move.

        Raises IllegalMove where an answer in `path` is not on offer.
        """

    @abstractmethod
    def __str__(self) -> str:
        """Return the position line; `game.load(str(position)) == position`."""


class Game(ABC):
    """One game under one version of its rules."""

    name: str
    rules_version: int
    sides: tuple[Side, Side]  # in order of the first move
    options: tuple[Option, ...]
    allows_draws: bool  # whether its rules know a draw
    simultaneous_choice: SimultaneousChoice | None = None

    @property
    def versions(self) -> Mapping[int, Game]:
        """This game under every version of its rules that stored matches may have, by number."""
        return {self.rules_version: self}

    @abstractmethod
    def complete_options(self, /, **options: OptionValue) -> dict[str, OptionValue]:
        """Complete `options` with defaults and check them. Raises OptionError.

        A value may be given as text. A drawn option that is not given stays absent, and so may
        the value that `simultaneous_choice` settles be given in place of the settled one.
        """

    def option_values(self, option: Option) -> Iterator[OptionValue]:
        """Return every value that can be chosen for an option, the simultaneous choice first."""
        if self.simultaneous_choice is not None and self.simultaneous_choice.option == option.name:
            yield self.simultaneous_choice.value
        yield from option.values()

    @abstractmethod
    def initial_position(self, /, **options: OptionValue) -> Position:
        """Return the first position for `options` (as in :meth:`complete_options`). Raises OptionError."""

    @abstractmethod
    def load(self, text: str) -> Position:
        """Read a position line. Raises NotationError."""

    def resolve_picks(self, first: str, second: str) -> str:
        """Return the option's value that two picks of `simultaneous_choice` decide. Raises OptionError."""
        raise OptionError(f"{self.name} has no simultaneous choice.", text=f"{first} {second}")
