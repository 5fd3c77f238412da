"""A puzzle: a position in which one turn is clearly the best, and how the game goes on after it.

>>> from engine import GAMES
>>> text = "2 | win 2 | 1400 | - | xA2 A4 xC3 | morphos - 1b3/1b1ww/bwbwb/bwwb1/wb3 w 15 -"
>>> puzzle = Puzzle.parse(text, GAMES)
>>> puzzle.solver, puzzle.wins_in, puzzle.solver_turns
(<Side.WHITE: 'white'>, 2, 2)
>>> puzzle.is_answer(0, "x a2"), puzzle.is_answer(0, "C1")
(True, False)
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Self

from engine.game import GameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, Move, Position, Side

MAX_LINE = 15
"""The maximum number of turns of a line; a file has far shorter ones."""

MAX_RATING = 4000

_SEPARATOR = " | "
_KEY_BYTES = 8
_THEME = re.compile(r"[a-z][a-z0-9_.]{0,39}")


class PuzzleError(ValueError):
    """A text that is no puzzle, or a line that does not fit its position."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position and its solution. Creating one does not check it; see :meth:`check`.

    Attributes:
        start: The position that the solver sees, with the solver to move.
        line: The texts of the turns, one move each: the solver's, a reply, the solver's, and so on. The
            number is odd. At each turn of the solver exactly one answer is right (see :meth:`is_answer`).
        wins_in: In how many turns of the solver the first one wins by force, whatever is replied; 0 if it is
            only clearly better than all others. The line can be shorter: it ends before a turn of the solver
            that has several right answers. After the last turn the game can need a reply more to be over.
        rating: An estimate of how difficult it is, on the scale of players' ratings.
        themes: The keys of facts about the solver's turns, the most important first.

    """

    start: Position
    line: tuple[str, ...]
    wins_in: int = 0
    rating: int = 1500
    themes: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str, games: Mapping[str, Game]) -> Self:
        """Return the puzzle of a text line (see :meth:`__str__`), checked. Raise PuzzleError.

        `games` are the games by name, each with its earlier versions.
        """
        try:
            version, proof, rating, themes, line, position = text.strip().split(_SEPARATOR, 5)
            name, wins_in = position.split()[0], int(proof.removeprefix("win ")) if proof != "gap" else 0
            start = games[name].versions[int(version)].load(position)
            words = () if themes == "-" else tuple(themes.split())
            puzzle = cls(start, tuple(line.split()), wins_in, int(rating), words)
        except (KeyError, IndexError, ValueError) as error:
            raise PuzzleError(f"{text[:80]!r} is no puzzle.") from error
        puzzle.check()
        return puzzle

    def __str__(self) -> str:
        """Return one line of text: version of the rules, proof, rating, themes, turns, position line.

        The proof is ``win`` and :attr:`wins_in`, or ``gap``; no themes are ``-``.
        """
        return _SEPARATOR.join(
            (
                str(self.start.game.rules_version),
                f"win {self.wins_in}" if self.wins_in else "gap",
                str(self.rating),
                " ".join(self.themes) or "-",
                " ".join(self.line),
                str(self.start),
            )
        )

    @property
    def key(self) -> str:
        """A short name that only this position with this line has: 16 hexadecimal digits.

        Rating and themes do not change it.
        """
        text = _SEPARATOR.join((str(self.start.game.rules_version), str(self.start), " ".join(self.line)))
        return hashlib.sha256(text.encode()).hexdigest()[: 2 * _KEY_BYTES]

    @property
    def game(self) -> Game:
        """The game, under the version of its rules that holds for the puzzle."""
        return self.start.game

    @property
    def solver(self) -> Side:
        """The side of whoever solves it."""
        if self.start.to_move is None:
            raise PuzzleError(f"The game is over in {self.start}.")
        return self.start.to_move

    @property
    def solver_turns(self) -> int:
        """How many turns the solver has to find; their steps are 0, 2, 4, ..."""
        return (len(self.line) + 1) // 2

    @property
    def ends_game(self) -> bool:
        """Whether the last turn of the line wins the game at once."""
        return _is_won(self.position_at(len(self.line)), self.solver)

    def position_at(self, step: int) -> Position:
        """Return the position before the turn number `step` of the line, counted from 0.

        With the length of the line, return the last position. Raise GameError if the line is not legal.
        """
        position = self.start
        for text in self.line[:step]:
            position = position.play(position.parse(text))
        return position

    def is_answer(self, step: int, move: Move | str) -> bool:
        """Return whether a turn is right at the solver's turn number `step` of the line (0, 2, 4, ...).

        Right are the turn of the line and every other one that leads to the same position; at the last turn,
        if that of the line wins at once, every turn that wins at once. Raise GameError if the turn is not
        legal there.
        """
        before = self.position_at(step)
        after = before.play(before.parse(str(move)))
        wanted = before.play(before.parse(self.line[step]))
        if after == wanted:
            return True
        return step == len(self.line) - 1 and all(_is_won(each, self.solver) for each in (after, wanted))

    def check(self) -> None:
        """Raise PuzzleError if the line is not legal, does not alternate, or cannot win in :attr:`wins_in`.

        Whether the answers are the only ones, and win, is not checked.
        """
        count = len(self.line)
        if not count % 2 or count > MAX_LINE:
            raise PuzzleError(f"A line of {count} turns does not end with one of the solver.")
        if not 0 <= self.wins_in <= MAX_LINE or not 0 < self.rating < MAX_RATING:
            raise PuzzleError(f"A win in {self.wins_in} or a rating of {self.rating} is not possible.")
        if not all(map(_THEME.fullmatch, self.themes)):
            raise PuzzleError(f"The themes {self.themes} are no keys.")
        try:
            positions = [self.position_at(step) for step in range(count + 1)]
        except GameError as error:
            raise PuzzleError(f"The line is not legal: {error}") from error
        if any(each.moves_due > 1 for each in positions):
            raise PuzzleError("A turn of several moves cannot be asked for.")
        for before, after in pairwise(positions[:-1]):
            if after.to_move in (None, before.to_move):
                raise PuzzleError(f"The game is over or the same side moves again after {before}.")
        is_over = positions[-1].outcome is not None
        if is_over and not _is_won(positions[-1], self.solver):
            raise PuzzleError("The line does not end with a win.")
        if 0 < self.wins_in < self.solver_turns or (is_over and self.wins_in > self.solver_turns):
            raise PuzzleError(f"The line does not win in {self.wins_in} turns.")


def _is_won(position: Position, side: Side) -> bool:
    return position.outcome is not None and position.outcome.winner is side
