"""Lines of moves as people type them: with move numbers, sides, cells apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, GameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Move, Position

MAX_WORDS_OF_MOVE = 7
"""The words of a move that is typed as ``1. White moves from A4 to F4``."""


def resolve_line(position: Position, words: Sequence[str]) -> list[str]:
    """Return the moves that typed words mean, each as :meth:`Position.resolve_words` reads it on its board.

    Commas separate moves, unless they belong to one. From the first move on that is not legal, words stay as
    they are; that move is put together if it can be.
    """
    line: list[str] = []
    while words:
        used, move = _find_first_move(position, words)
        if move is None and "," in words[0] and "~" not in words[0]:
            words = [*filter(None, words[0].split(",")), *words[1:]]
            used, move = _find_first_move(position, words)
        if move is None:
            return [*line, *_join_first_move(position, words)]
        line.append(str(move))
        position, words = position.play(move), words[used:]
    return line


def _find_first_move(position: Position, words: Sequence[str]) -> tuple[int, Move | None]:
    """Return how many words are the first legal move, and that move; None if there is none."""
    for used in range(1, min(MAX_WORDS_OF_MOVE, len(words)) + 1):
        turn = position.read_turn(words[:used])
        if len(turn.texts) == 1:
            try:
                return used, turn.first_move or position.parse(turn.texts[0])
            except AmbiguousMove:
                break
            except GameError:
                continue
    return 0, None


def _join_first_move(position: Position, words: Sequence[str]) -> list[str]:
    """Return the words with an illegal first move as one word."""
    for used in range(min(MAX_WORDS_OF_MOVE, len(words)), 0, -1):
        resolved = position.resolve_words(words[:used])
        if len(resolved) == 1 and resolved[0] != words[0]:
            return [resolved[0], *words[used:]]
    return list(words)
