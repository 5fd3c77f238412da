"""The interface that every game implements, and its value types.

A :class:`Game` creates positions and loads them from text; a :class:`Position` is an immutable value that
knows its legal moves. A cell is written as a capital file letter and a rank number, with ``A1`` at the lower
left. Callers use this interface only and never depend on a particular game.
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
    """The colour of a player; its value is its name in the text protocol."""

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

    The comment of each kind says what :attr:`Event.cells` and :attr:`Event.side` hold.
    """

    PLACE = "place"  # cells: the cells filled; side: the owner of the new pieces
    MOVE = "move"  # cells: from, to; side: the owner of the piece that moves
    CONVERT = "capture"  # cells: pieces that change their owner and stay; side: the new owner
    FLIP = "flip"  # cells: the one piece turned over; side: the new owner
    CAPTURE = "remove"  # cells: pieces taken off the board; side: their owner, who loses them
    RESTORE = "restore"  # cells: a captured piece put back on the board; side: its owner
    MILL = "mill"  # cells: a closed line, in board order; side: the owner of the pieces that close it
    OCCUPY = "occupy"  # cells: the cell occupied, then the pieces that allow it; side: who occupies it
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
    """What a player selects in one step of building a move."""

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
    """The next choice of a player who builds a move step by step.

    The answer is appended to the path passed to :meth:`Position.next_choice`: one of `options` or, if
    `multiple` is set, any subset of them joined by commas in the order of `options` (``-`` if empty).
    """

    kind: SelectionKind
    options: tuple[str, ...]
    multiple: bool = False


class GameError(ValueError):
    """Base class of the errors that a game raises for a text or a move.

    `text` is the input, `reason` one sentence for the player, `position` the unchanged position (None if
    there is none yet), `choices` the canonical texts of the moves that an ambiguous text may mean.
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
    """The text cannot be parsed as a move or as a position line of this game."""


class IllegalMove(GameError):  # noqa: N818 - the field's standard term
    """The text is a move of this game that is not legal in the position; `reason` says why."""


class AmbiguousMove(GameError):  # noqa: N818 - the field's standard term
    """The text matches several legal moves; `choices` lists their canonical texts."""


class OptionError(GameError):
    """An option is unknown, its value is out of bounds, or two options exclude each other."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game, such as the board size.

    Either `choices` lists every value, or the value is a whole number from `minimum` to `maximum`.
    `is_random` marks a number (a seed) that is drawn at random and stored when a match starts without it.
    `default` is None for such a number, and if the default depends on the other options
    (:meth:`Game.complete_options` fills it in).
    """

    name: str
    default: OptionValue | None
    choices: tuple[OptionValue, ...] = ()
    minimum: int = 0
    maximum: int = 0
    is_random: bool = False

    def values(self) -> Sequence[OptionValue]:
        """Return every value in the order of presentation; for a seed that is a very long range."""
        return self.choices or range(self.minimum, self.maximum + 1)

    def random_value(self) -> int:
        """Return a random number from `minimum` to `maximum`."""
        return self.minimum + secrets.randbelow(self.maximum - self.minimum + 1)


@dataclass(frozen=True, slots=True)
class SimultaneousChoice:
    """An option that both players decide: each makes a secret pick, and both are revealed together.

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

    `kind` is defined by the game; the text of the group is the catalogue entry ``spoken.KIND`` in the game's
    vocabulary, with the placeholders `side`, `count`, `cells` and, for a single cell, `cell`. `side` is None
    if the group has no owner.
    """

    kind: str
    side: Side | None
    cells: tuple[Cell, ...]


class Move(ABC):
    """An immutable move; two moves are equal if and only if their canonical texts are."""

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str:
        """Return the canonical text of the move."""


class Position(ABC):
    """An immutable, hashable position, compared by content; `play` returns a new one."""

    __slots__ = ()

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game to which this position belongs."""

    @property
    @abstractmethod
    def to_move(self) -> Side | None:
        """The side to move, or None when the game is over."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """The result; None while the game is in progress."""

    @property
    @abstractmethod
    def agreed_outcome(self) -> Outcome | None:
        """The result if the players agree to end the game now; None if the rules do not allow that."""

    @property
    @abstractmethod
    def vocabulary(self) -> str:
        """The key of the vocabulary of texts about this game, such as ``morelli.nestor``."""

    @property
    @abstractmethod
    def piece_groups(self) -> tuple[PieceGroup, ...]:
        """The pieces on the board by kind and side, in the order of the description in words.

        An empty group of a side is described as "none"; other empty groups are omitted.
        """

    @property
    @abstractmethod
    def moves_due(self) -> int:
        """How many moves in a row the side to move makes now: more than 1 only in a set-up run."""

    @abstractmethod
    def legal_moves(self) -> tuple[Move, ...]:
        """Return all legal moves, sorted by canonical text; empty if the game is over."""

    def moves_with_prefix(self, text: str) -> Iterator[Move]:
        """Iterate over the legal moves whose canonical text begins with `text`, sorted.

        Case, spaces and the kind of dash do not matter. Games with very many moves generate them lazily.
        """
        prefix = normalize(text[:MAX_MOVE_LENGTH])
        return (move for move in self.legal_moves() if str(move).upper().startswith(prefix))

    @property
    def example_move(self) -> str:
        """The text of a legal move, as an example of the notation; empty if the game is over."""
        return next((str(move) for move in self.moves_with_prefix("")), "")

    @abstractmethod
    def parse(self, text: str) -> Move:
        """Parse a legal move that a person typed, without listing all moves.

        Case, spaces and the kind of dash do not matter. Raises NotationError, IllegalMove, AmbiguousMove.
        """

    @abstractmethod
    def play(self, move: Move) -> Position:
        """Return the position after `move`. Raises IllegalMove if it is not legal here."""

    @abstractmethod
    def events(self, move: Move) -> tuple[Event, ...]:
        """Return the events of `move`, in order. Raises IllegalMove if it is not legal here."""

    @abstractmethod
    def next_choice(self, path: tuple[str, ...] = ()) -> MoveChoice | Move:
        """Return the next choice after the answers in `path`, or the complete legal move.

        Raises IllegalMove if an answer in `path` is not one of the options.
        """

    @abstractmethod
    def __str__(self) -> str:
        """Return the position line; `game.load(str(position)) == position`."""


class Game(ABC):
    """A game in one version of its rules."""

    name: str
    rules_version: int
    sides: tuple[Side, Side]  # in order of the first move
    options: tuple[Option, ...]
    allows_draws: bool  # whether the rules allow a draw
    simultaneous_choice: SimultaneousChoice | None = None

    @property
    def versions(self) -> Mapping[int, Game]:
        """This game in every version of its rules that stored matches may have, by version number."""
        return {self.rules_version: self}

    @abstractmethod
    def complete_options(self, /, **options: OptionValue) -> dict[str, OptionValue]:
        """Complete `options` with defaults and check them. Raises OptionError.

        A value may be given as text. A missing random option stays missing. The value of
        `simultaneous_choice` is accepted as well: it means that the players' picks decide the option.
        """

    def option_values(self, option: Option) -> Iterator[OptionValue]:
        """Iterate over the values that can be chosen for an option, the simultaneous choice first."""
        if self.simultaneous_choice is not None and self.simultaneous_choice.option == option.name:
            yield self.simultaneous_choice.value
        yield from option.values()

    @abstractmethod
    def initial_position(self, /, **options: OptionValue) -> Position:
        """Return the first position for `options` (as in :meth:`complete_options`). Raises OptionError."""

    @abstractmethod
    def load(self, text: str) -> Position:
        """Parse a position line. Raises NotationError."""

    def resolve_picks(self, first: str, second: str) -> str:
        """Return the option's value for two picks of `simultaneous_choice`. Raises OptionError."""
        raise OptionError(f"{self.name} has no simultaneous choice.", text=f"{first} {second}")
