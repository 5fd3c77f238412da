"""The first moves of a game as the explorer counts them: by position, whatever the order of moves before it.

A position is one with all its mirror images (:mod:`engine.symmetry`). It is known by a fingerprint of its
line, which says game, options, board and side to move, but not the version of the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from engine import get_game
from engine.game import GameError
from engine.symmetry import find_canonical
from matches.explorer.values import ExploredMove
from matches.options import format_options, parse_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Game, OptionValue, OptionValues, Position
    from engine.symmetry import CanonicalForm
    from storage.match.explorer import ExploredMatchRow

MAX_MOVES = 20  # of a game that are counted; later boards hardly ever occur twice
FINGERPRINT_BYTES = 8


@dataclass(frozen=True, slots=True)
class OpeningLine:
    """The options with which a game began, as they are stored, and its first moves.

    Each move is a fingerprint of the position before it, and its text on the canonical form of that.
    """

    options: str
    moves: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class ExplorerBoard:
    """A position as the explorer knows it: by a fingerprint of its canonical form, a signed 64-bit number."""

    form: CanonicalForm
    fingerprint: int

    @classmethod
    def of(cls, position: Position) -> ExplorerBoard:
        """Return the board of a position; this takes a few milliseconds."""
        form = find_canonical(position)
        digest = blake2b(form.key.encode(), digest_size=FINGERPRINT_BYTES).digest()
        return cls(form, int.from_bytes(digest, "big", signed=True))

    def show(self, moves: Sequence[ExploredMove]) -> tuple[ExploredMove, ...]:
        """Return moves of the canonical form as they are on this board.

        A move that is not legal here, under other rules, is left out.
        """
        texts = [(self.form.to_own(move.text), move.results) for move in moves]
        return tuple(ExploredMove(text, results) for text, results in texts if text is not None)


def build_line(row: ExploredMatchRow, texts: Sequence[str], games: Mapping[str, Game]) -> OpeningLine | None:
    """Return the first moves of a match; None if they are of no use to anybody.

    That is a match without moves, one that began from another board than the game's own, and one with a
    random start, which hardly anybody sees twice. A position that comes again in a game counts once.
    """
    if row.base is not None or not texts:
        return None
    try:
        game, options = get_game(row.game, row.rules_version, games), parse_options(row.options)
        if has_random_start(game, options):
            return None
        position = game.initial_position(**options)
        moves: dict[int, str] = {}
        for text in texts[:MAX_MOVES]:
            board = ExplorerBoard.of(position)
            moves.setdefault(board.fingerprint, board.form.to_canonical(text))
            position = position.play(position.parse(text))
    except (GameError, ValueError):
        return None  # a damaged match, which the audit reports, or a game that is no longer played
    return OpeningLine(format_options(without_random(game, options)), tuple(moves.items()))


def without_random(game: Game, options: OptionValues) -> dict[str, OptionValue]:
    """Return the options of a game without those that are drawn at random."""
    random = {option.name for option in game.options if option.is_random}
    return {name: value for name, value in options.items() if name not in random}


def has_random_start(game: Game, options: OptionValues) -> bool:
    """Return whether another random number would give another start. Raises GameError."""
    start = game.initial_position(**options)
    return any(
        game.initial_position(**{**options, option.name: other}) != start
        for option in game.options
        if option.is_random and option.name in options
        for other in (option.minimum, option.maximum)
    )
