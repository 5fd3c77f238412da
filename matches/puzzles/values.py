"""Values about puzzles. All are frozen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from engine.puzzle import MAX_LINE, Puzzle, PuzzleError
from matches.errors import Refusal
from matches.ratings.glicko import Rating
from matches.ratings.values import PROVISIONAL_DEVIATION, decode_rating, encode_rating
from matches.times import from_millis
from storage.puzzle import puzzles
from storage.puzzle.puzzles import NewPuzzleRow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Event, Game, Position
    from storage.puzzle.attempts import AttemptRow, SolverRow
    from storage.puzzle.puzzles import PuzzleRow

SEEN_LENGTH = 6
"""So many signs of a key are enough to know that somebody has seen a puzzle: few others begin alike."""

MAX_TURNS = (MAX_LINE + 1) // 2
"""The most turns that a solver has to find."""


class Withdrawal(StrEnum):
    """Why nobody gets a puzzle any more; the value is stored."""

    REMOVED = "removed"  # it is not in the shipped file any more
    REPORTED = "reported"  # somebody has reported a second solution, and a search has found it as good
    ASKED = puzzles.ASKED  # a player of its match has asked for it, or was erased


@dataclass(frozen=True, slots=True)
class PuzzleChoice:
    """What somebody wants to solve: puzzles of a `game` and with a `theme`; empty for any."""

    game: str = ""
    theme: str = ""


@dataclass(frozen=True, slots=True)
class StoredPuzzle:
    """A puzzle that everybody may see, with its rating and how many people have solved it, or failed."""

    key: str
    puzzle: Puzzle
    rating: Rating
    solved: int = 0
    failed: int = 0

    @property
    def is_provisional(self) -> bool:
        """Whether the rating is still uncertain."""
        return self.rating.deviation >= PROVISIONAL_DEVIATION

    @classmethod
    def from_row(cls, row: PuzzleRow, games: Mapping[str, Game]) -> StoredPuzzle:
        """Return the puzzle of a row. Raises `puzzle_unknown` for rules that are not played here."""
        try:
            puzzle = Puzzle.parse(row.text, games)
        except PuzzleError as error:
            raise Refusal("puzzle_unknown") from error
        rating = decode_rating(row.rating, row.deviation, row.volatility)
        return cls(row.key, puzzle, rating, row.solved, row.failed)


@dataclass(frozen=True, slots=True)
class SolverRating:
    """A person's rating at the puzzles of a game, after so many that were `solved` or `failed`."""

    game: str
    rating: Rating
    solved: int
    failed: int

    @property
    def is_provisional(self) -> bool:
        """Whether the rating is still uncertain."""
        return self.rating.deviation >= PROVISIONAL_DEVIATION

    @classmethod
    def from_row(cls, row: SolverRow) -> SolverRating:
        """Return the rating of a row."""
        rating = decode_rating(row.rating, row.deviation, row.volatility)
        return cls(row.game, rating, row.solved, row.failed)


@dataclass(frozen=True, slots=True)
class Attempt:
    """The first attempt of a person at a puzzle, which is the only one that counts.

    `before` and `after` are the person's rating at the puzzles of the game, in whole points.
    """

    puzzle: str
    is_solved: bool
    before: int
    after: int
    at: datetime

    @classmethod
    def from_row(cls, row: AttemptRow) -> Attempt:
        """Return the attempt of a row."""
        return cls(row.puzzle, row.is_solved, row.rating_before, row.rating_after, from_millis(row.made_at))


@dataclass(frozen=True, slots=True)
class PastAttempt:
    """An attempt in a person's history."""

    game: str
    attempt: Attempt


class PuzzleVerdict(StrEnum):
    """How far somebody is with a puzzle."""

    OPEN = "open"  # nothing was wrong so far; the next turn is to be found
    WRONG = "wrong"  # the last turn is not the right one
    SOLVED = "solved"


@dataclass(frozen=True, slots=True)
class Progress:
    """A puzzle after the turns of a solver.

    `found` are the right turns, as moves. `position` is the board to show: with the reply to the last right
    turn, or with the wrong one; `events` are what the last turn on it did, and `before` the board before that
    turn. `wrong` is the wrong turn, if there is one; nothing after it was looked at.
    """

    verdict: PuzzleVerdict
    found: tuple[str, ...]
    position: Position
    events: tuple[Event, ...] = ()
    before: Position | None = None
    wrong: str = ""

    @property
    def step(self) -> int:
        """The number of the turn of the line that is to be found next."""
        return 2 * len(self.found)


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """What became of the turns of a solver.

    `attempt` is the first one at this puzzle if the solver has an account and it has ended, now or before;
    `is_new` is whether these turns ended it.
    """

    progress: Progress
    attempt: Attempt | None = None
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class PuzzleReport:
    """A reported second solution: `turn` as a move on the board of the solver's turn `step` (0, 2, 4, ...).

    `turns` are all turns of who reported it.
    """

    key: str
    puzzle: Puzzle
    turns: str
    step: int
    turn: str


@dataclass(frozen=True, slots=True)
class PuzzleStep:
    """Where a solver is: the `key` of a puzzle, and how many of its turns are found."""

    key: str
    found: int = 0

    @classmethod
    def parse(cls, text: str) -> PuzzleStep:
        """Return the step of a text from ``str()``. Raise ValueError for another text."""
        key, _, found = text.partition("/")
        return cls(key, int(found))

    def __str__(self) -> str:
        return f"{self.key}/{self.found}"

    def is_over(self, puzzle: Puzzle) -> bool:
        """Return whether all turns are found."""
        return self.found >= puzzle.solver_turns

    def position(self, puzzle: Puzzle) -> Position:
        """Return the board on which the next turn is to be found; the last one if none is."""
        return puzzle.position_at(min(2 * self.found, len(puzzle.line)))

    def found_turns(self, puzzle: Puzzle) -> tuple[str, ...]:
        """Return the turns found; others that were right lead to the same boards."""
        return tuple(puzzle.line[: 2 * self.found : 2])


def new_row(puzzle: Puzzle, *, match: int | None = None, is_shipped: bool = False) -> NewPuzzleRow:
    """Return the row of a puzzle that nobody has solved yet, with the rating that it was estimated at."""
    rating, deviation, volatility = encode_rating(Rating(puzzle.rating))
    return NewPuzzleRow(
        key=puzzle.key,
        game=puzzle.game.name,
        text=str(puzzle),
        themes=puzzle.themes,
        rating=rating,
        deviation=deviation,
        volatility=volatility,
        match=match,
        is_shipped=is_shipped,
    )
