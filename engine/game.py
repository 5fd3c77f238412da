"""The contract that every game implements, and its value types.

A :class:`Game` creates and loads positions; a :class:`Position` is an immutable value that knows its legal
moves. A cell is written as a capital file letter and a rank number; ``A1`` is at the lower left, seen from
Black's side. Callers never need to know which game is being played.

>>> from engine import GAMES
>>> game = GAMES["morabaraba"]
>>> start = game.initial_position(men=11)  # options that are not given have their defaults
>>> start.to_move, start.outcome
(<Side.WHITE: 'white'>, None)
>>> [str(move) for move in start.legal_moves()][:3]
['A1', 'A4', 'A7']

A move is parsed as people type it, and played; the position before stays as it is.

>>> move = start.parse(" d6 ")
>>> start.events(move)
(Event(kind=<EventKind.PLACE: 'place'>, side=<Side.WHITE: 'white'>, cells=('D6',)),)
>>> position = start.play(move)
>>> print(position)
morabaraba 11 3/1w1/3/6/3/3/3 r 10,11 -
>>> game.load(str(position)) == position
True

Whoever clicks instead of typing answers one question after another.

>>> question = position.next_choice()
>>> question.kind, question.options[:3]
(<SelectionKind.PLACE: 'place'>, ('A1', 'A4', 'A7'))
>>> print(position.next_choice(("A1",)))
A1

What is refused says why; see :class:`GameError`.

>>> position.parse("D6")
Traceback (most recent call last):
engine.game.IllegalMove: D6: D6 already holds a white man.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, NewType

from engine.notation_text import MAX_MOVE_LENGTH, abbreviate, normalize
from engine.sentences import RefusalValue, Word, find_sentence
from engine.typed_moves import Readability, resolve_words

Cell = NewType("Cell", str)
OptionValue = str | int
OptionValues = Mapping[str, OptionValue]
CellMap = Mapping[Cell, Cell]
"""Which cell each cell of a board becomes when the board is turned or mirrored."""


class Side(StrEnum):
    """A colour that a player plays; the value is its name in the text protocol."""

    BLACK = "black"
    WHITE = "white"
    RED = "red"

    @property
    def noun(self) -> Word:
        """The side as the value of a refusal, such as ``Black``."""
        return Word(f"side.{self}")

    @property
    def adjective(self) -> Word:
        """The colour of its pieces as the value of a refusal, such as ``black``."""
        return Word(f"colour.{self}")


class Outcome(StrEnum):
    """The result of a game; the value is its name in the text protocol."""

    BLACK = "black"
    WHITE = "white"
    RED = "red"
    DRAW = "draw"

    @property
    def winner(self) -> Side | None:
        """The side that won, or None for a draw."""
        return None if self is Outcome.DRAW else Side(self.value)


class EventKind(StrEnum):
    """What a move does to the board; rule books, lessons and text keys name the value.

    The comment on each kind says what :attr:`Event.cells` and :attr:`Event.side` are.
    """

    PLACE = "place"  # cells: the cells filled; side: the owner of the pieces placed
    MOVE = "move"  # cells: from, to; side: the owner of the piece that moves
    CONVERT = "convert"  # cells: pieces that change owner and stay; side: the new owner
    FLIP = "flip"  # cells: the one piece turned over; side: the new owner
    CAPTURE = "capture"  # cells: pieces taken off the board; side: their owner, who loses them
    RESTORE = "restore"  # cells: a captured piece put back on the board; side: its owner
    MILL = "mill"  # cells: a closed line, in board order; side: the owner of its pieces
    OCCUPY = "occupy"  # cells: the cell occupied, then the pieces that earned it; side: who occupies it
    DECLINE_CONVERT = "decline_convert"  # cells: pieces not converted; side: their owner, who keeps them
    DECLINE_OCCUPY = "decline_occupy"  # cells: the cell not occupied; side: who declines
    DECLINE_CAPTURE = "decline_capture"  # cells: none; side: who declines
    SWAP = "swap"  # cells: none; side: the mover, before the players change sides
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


@dataclass(frozen=True, slots=True)
class Fact:
    """One plain fact about a turn, found by the rules and never guessed, such as a mill that it threatens.

    Whoever has the move, the fact is about the player whose turn it is; "the opponent" is the other one.

    Attributes:
        key: What is true, one of :attr:`Game.fact_keys`, such as ``threatens_mill``. The sentence is in the
            catalogue under ``fact.KEY``, the name of the theme under ``theme.KEY``, in the game's vocabulary.
        cells: Where; what they are is said for each key.
        count: How many or how much; where nothing else is counted, the number of `cells`.
        before: The same number before the turn, where the fact is that it changes.
        is_drawback: Whether it speaks against the turn: what it allows the opponent to do next.

    """

    key: str
    cells: tuple[Cell, ...] = ()
    count: int = 0
    before: int | None = None
    is_drawback: bool = False

    def __post_init__(self) -> None:
        if not self.count:
            object.__setattr__(self, "count", len(self.cells))

    @property
    def extent(self) -> int:
        """How much it is, to compare facts of the same key about turns from the same position."""
        return self.count if self.before is None else abs(self.count - self.before)

    def __str__(self) -> str:
        """Return the fact without a sentence, such as ``threatens mill: D3, E4``."""
        words = self.key.replace("_", " ")
        numbers = "" if self.before is None else f" ({self.before} before, {self.count} now)"
        cells = f": {', '.join(self.cells)}" if self.cells else ""
        return f"{words}{numbers}{cells}"


class SelectionKind(StrEnum):
    """The kind of question that a player is asked while building a move step by step."""

    PLACE = "place"  # an empty point for a stone (or a pair)
    STONE = "stone"  # which own stone or man is to move
    TARGET = "target"  # where it goes
    ACTION = "action"  # what kind of turn: options are words such as place, flip, swap
    FLIP = "flip"  # which enemy stone to flip
    SECOND = "second"  # a second placement, or none
    RESTORE = "restore"  # where the captured stone goes back
    CONVERSIONS = "conversions"  # which of the possible conversions to carry out (many)
    OCCUPY = "occupy"  # whether to occupy: options yes, no
    CAPTURE = "capture"  # which enemy piece to take off; the option `-` declines


@dataclass(frozen=True, slots=True)
class MoveChoice:
    """The next question when a move is built step by step.

    The answer is appended to the path given to :meth:`Position.next_choice`: one of `options` or, if
    `multiple` is set, any subset of them joined by commas in the order of `options` (``-`` for the empty
    subset).
    """

    kind: SelectionKind
    options: tuple[str, ...]
    multiple: bool = False


class GameError(ValueError):
    """A text or move that the game refuses. Its three kinds for moves are caught apart or together.

    >>> from engine import GAMES
    >>> mill = GAMES["morabaraba"].load("morabaraba 12 2r/3/r1r/6/3/3/ww1 w 10,9 -")
    >>> for text in ("hello", "A1", "G1"):
    ...     try:
    ...         mill.parse(text)
    ...     except GameError as error:
    ...         print(type(error).__name__, error.key, error.choices)
    NotationError morabaraba.not_a_turn ()
    IllegalMove morabaraba.taken ()
    AmbiguousMove morabaraba.which_man ('G1xC5', 'G1xE5', 'G1xG7', 'G1~')
    >>> error = IllegalMove("morabaraba.taken", {"cell": "A1", "colour": Side.WHITE.adjective}, text="a1")
    >>> error.reason
    'a1: A1 already holds a white man.'

    Attributes:
        key: Why, such as ``morelli.blocked``: the key of a sentence. Its first word is the game, or what the
            refusal is about.
        values: What the placeholders of the sentence stand for.
        text: The refused input.
        position: The unchanged position; None if there is none yet.
        choices: The canonical texts of the moves that an ambiguous text could mean.
        vocabulary: Whose terms the sentence uses; that of the position, if there is one.

    """

    def __init__(
        self,
        key: str,
        values: Mapping[str, RefusalValue] = MappingProxyType({}),
        *,
        text: str = "",
        position: Position | None = None,
        choices: tuple[str, ...] = (),
        vocabulary: str = "",
    ) -> None:
        super().__init__(key)
        self.key = key
        self.values = dict(values)
        self.text = text
        self.position = position
        self.choices = choices
        self.vocabulary = vocabulary if position is None else position.vocabulary

    @property
    def reason(self) -> str:
        """The English sentence for the player."""
        return find_sentence(self.key, self.vocabulary).format(**self.format_values(find_sentence))

    def format_values(self, find_word: Callable[[str], str | None]) -> dict[str, str | int]:
        """Return the values as they stand in a sentence, with the refused `text`.

        `find_word` returns the name of a :class:`~engine.sentences.Word` by its key, or None; then it is the
        English one. Lists are separated by commas.
        """
        shown: dict[str, str | int] = {"text": abbreviate(self.text)}
        for name, value in self.values.items():
            if isinstance(value, Word):
                shown[name] = find_word(value) or find_sentence(value)
            else:
                shown[name] = ", ".join(value) if isinstance(value, tuple) else value
        return shown

    def __str__(self) -> str:
        return self.reason


class NotationError(GameError):
    """The text is not a move (or not a position line) of this game."""


class IllegalMove(GameError):  # noqa: N818 - the field's standard term
    """A move of this game that is not legal in this position; the reason says why."""


class AmbiguousMove(GameError):  # noqa: N818 - the field's standard term
    """The text can mean several moves; `choices` lists them."""


class OptionError(GameError):
    """An unknown option, a value out of bounds, or options that exclude each other."""


class UnknownGameError(GameError, KeyError):
    """No game has that name, or the game has no such version of its rules."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option that is chosen before a game starts.

    Either `choices` lists every value, or the value is a whole number from `minimum` to `maximum`.
    `is_random` marks a number that is drawn at random if it is not given (a seed): the code that starts a
    match draws it once and stores it. `default` is None for such a number, or if it depends on other
    options (then :meth:`Game.complete_options` fills it in).
    """

    name: str
    default: OptionValue | None
    choices: tuple[OptionValue, ...] = ()
    minimum: int = 0
    maximum: int = 0
    is_random: bool = False

    def values(self) -> Sequence[OptionValue]:
        """Return every value in the order in which it is offered; a seed has billions of them."""
        return self.choices or range(self.minimum, self.maximum + 1)

    def random_value(self) -> int:
        """Return a random number from `minimum` to `maximum`."""
        return self.minimum + secrets.randbelow(self.maximum - self.minimum + 1)


@dataclass(frozen=True, slots=True)
class SimultaneousChoice:
    """An option that is decided by one secret pick of each player, revealed together.

    A match whose `option` has the value `value` waits until both players have picked one of `picks` (words of
    letters, digits and underscores); :meth:`Game.resolve_picks` then returns the option's real value.

    `value` is also the command of the text protocol that resolves two picks, so no two games may
    share it. Capitalized, it is the record header that lists the picks.
    """

    option: str
    value: str
    picks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """Pieces of one kind and one side, or a special cell, for the board as text.

    The game chooses the word `kind`; the catalogue has its sentence under ``board_text.KIND``, in the game's
    vocabulary, with the placeholders `side`, `count`, `cells` and, for a single cell, `cell`. `side` is None
    if the group belongs to neither side.
    """

    kind: str
    side: Side | None
    cells: tuple[Cell, ...]

    @classmethod
    def by_side(cls, kind: str, stones: Mapping[Cell, Side], sides: Iterable[Side]) -> tuple[PieceGroup, ...]:
        """Return one group of pieces of one kind for each of `sides`, also if it is empty."""
        return tuple(
            cls(kind, side, tuple(cell for cell, owner in stones.items() if owner is side)) for side in sides
        )


class Move(ABC):
    """A move as a value; equal moves have the same canonical text."""

    __slots__ = ()

    @abstractmethod
    def __str__(self) -> str:
        """Return the canonical text of the move."""


class TypedTurn(NamedTuple):
    """The turn that typed words mean: the texts of its moves, and the first move if it is parsed already."""

    texts: list[str]
    first_move: Move | None


@dataclass(frozen=True, slots=True)
class Position(ABC):
    """An immutable position: equal by content, hashable; `play` returns a new one."""

    _found_outcome: tuple[Outcome | None] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game this is a position of."""

    @property
    @abstractmethod
    def to_move(self) -> Side | None:
        """The side to move, or None when the game is over."""

    @property
    def outcome(self) -> Outcome | None:
        """The result, or None while the game is in progress; it is found once and kept."""
        found = self._found_outcome
        if found is None:
            found = (self.find_outcome(),)
            object.__setattr__(self, "_found_outcome", found)
        return found[0]

    @abstractmethod
    def find_outcome(self) -> Outcome | None:
        """Find the result; None while the game is in progress. Callers ask for :attr:`outcome`."""

    @property
    def outcome_cause(self) -> str:
        """One word for what decided the game, if it can be decided in several ways; else empty.

        The sentence is in the catalogue under ``result.played.CAUSE``, in the game's vocabulary.
        """
        return ""

    @property
    def agreed_outcome(self) -> Outcome | None:
        """The result if the players agreed to end now; None if the rules have no such end."""
        return None

    @property
    def turns_to_draw(self) -> int | None:
        """How many more turns end the game as a draw unless something stops that count; None if far off.

        None also if the rules have no such limit. The sentence is in the catalogue under ``board.draw_in``.
        """
        return None

    @property
    def vocabulary(self) -> str:
        """The key of the texts that describe the game, such as ``morelli.nestor``; by default its name."""
        return self.game.name

    @property
    def options(self) -> OptionValues:
        """The options that still decide how the game goes on, as far as they may; none by default."""
        return {}

    @property
    @abstractmethod
    def piece_groups(self) -> tuple[PieceGroup, ...]:
        """What is on the board, by kind and side, in the order of the board as text.

        An empty group of a side says that the side has none of that kind; other empty groups are left out.
        """

    @property
    def moves_due(self) -> int:
        """How many moves in a row the side to move still makes (in a set-up); otherwise 1."""
        return 1

    @property
    def symmetries(self) -> tuple[CellMap, ...]:
        """The ways to turn or mirror the board that change no rule and no side, without leaving it as it is.

        With each of them its inverse is among them. See :mod:`engine.symmetry`.
        """
        return ()

    def image(self, cells: CellMap) -> Position:
        """Return the position with everything moved by one of :attr:`symmetries`."""
        raise NotImplementedError(f"{self.game.name} has no symmetries")

    @abstractmethod
    def legal_moves(self) -> tuple[Move, ...]:
        """All legal moves, sorted by canonical text; empty when the game is over."""

    def moves_with_prefix(self, text: str) -> Iterator[Move]:
        """Yield the legal moves whose text begins with `text`, typed by a player, sorted by text.

        Case, spaces and the kind of dash do not matter. Games whose positions can have very many moves
        override this method to generate moves lazily.
        """
        prefix = normalize(text[:MAX_MOVE_LENGTH])
        return (move for move in self.legal_moves() if str(move).upper().startswith(prefix))

    @property
    def example_move(self) -> str:
        """The text of a legal move, to show how moves are written; empty when the game is over."""
        return next((str(move) for move in self.moves_with_prefix("")), "")

    @abstractmethod
    def parse(self, text: str) -> Move:
        """Parse a legal move as typed by a player, without listing all moves.

        Case, spaces and the kind of dash do not matter. Raise NotationError, IllegalMove or AmbiguousMove.
        """

    def resolve_words(self, words: Sequence[str]) -> list[str]:
        """Return the move texts of a turn that typed words mean, such as ``A4-F4`` for ``1. a4 to f4!``."""
        return self.read_turn(words).texts

    def read_turn(self, words: Sequence[str]) -> TypedTurn:
        """Return the turn that typed words mean. Each text is parsed once at most."""
        moves: dict[str, Move] = {}
        errors: dict[str, GameError] = {}

        def rate(text: str) -> Readability:
            if text not in moves and text not in errors:
                try:
                    moves[text] = self.parse(text)
                except GameError as error:
                    errors[text] = error
            if isinstance(errors.get(text), NotationError):
                return Readability.UNREADABLE
            return Readability.ILLEGAL if isinstance(errors.get(text), IllegalMove) else Readability.LEGAL

        texts = resolve_words(words, self.moves_due, rate)
        return TypedTurn(texts, moves.get(texts[0]) if texts else None)

    @abstractmethod
    def play(self, move: Move) -> Position:
        """Return the position after `move`. Raise IllegalMove if it is not legal here."""

    @abstractmethod
    def events(self, move: Move) -> tuple[Event, ...]:
        """Return what `move` does, in order. Raise IllegalMove if it is not legal here."""

    def facts(self, moves: Sequence[Move]) -> tuple[Fact, ...]:  # noqa: ARG002 - none by default
        """Return plain facts about a turn, the most important first; none if the game knows none.

        `moves` are the moves of the turn: several in a set-up. Raise IllegalMove if one is not legal.
        """
        return ()

    @abstractmethod
    def next_choice(self, path: tuple[str, ...] = ()) -> MoveChoice | Move:
        """Return the next question after the answers in `path`, or the finished legal move.

        Raise IllegalMove if an answer in `path` was not offered.
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
    allows_draws: bool  # whether the game can end in a draw
    simultaneous_choice: SimultaneousChoice | None = None
    first_options: Mapping[str, OptionValue] = MappingProxyType({})  # better for a first game
    fact_keys: tuple[str, ...] = ()  # of all facts about turns, the most important first
    first_move: str = ""  # a usual one, legal with the default options and with `first_options`; or empty

    @property
    def versions(self) -> Mapping[int, Game]:
        """The game under each version of its rules that stored matches may have, by number."""
        return {self.rules_version: self}

    @abstractmethod
    def complete_options(self, /, **options: OptionValue) -> dict[str, OptionValue]:
        """Return `options`, checked and completed with defaults. Raise OptionError.

        A value may be given as text. A random option that is not given stays absent. An option that a
        simultaneous choice decides may have the value ``simultaneous_choice.value`` until it is decided.
        """

    def option_values(self, option: Option) -> Iterator[OptionValue]:
        """Yield every value that can be chosen for an option, the simultaneous choice first."""
        if self.simultaneous_choice is not None and self.simultaneous_choice.option == option.name:
            yield self.simultaneous_choice.value
        yield from option.values()

    @abstractmethod
    def initial_position(self, /, **options: OptionValue) -> Position:
        """Return the first position for `options` (see :meth:`complete_options`). Raise OptionError."""

    @abstractmethod
    def load(self, text: str) -> Position:
        """Parse a position line. Raise NotationError."""

    def resolve_picks(self, first: str, second: str) -> str:
        """Return the option value that two picks of `simultaneous_choice` decide. Raise OptionError."""
        raise OptionError("game.no_simultaneous_choice", {"name": self.name}, text=f"{first} {second}")
