"""Legal moves near a text that is not one, for *Did you mean*, without listing all moves of a large board."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from engine.game import AmbiguousMove, GameError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.game import Position

MAX_SUGGESTED = 3
MAX_SEARCHED = 150  # moves with the same beginning that are compared
MAX_CELLS = 3  # cells of a text that are replaced by their neighbours
MAX_LENGTH = 40  # characters of a text that are compared
MAX_LINE = 12  # moves of a line that are played to find the wrong one
_CELL = re.compile(r"([A-Z])([1-9][0-9]?)")


def suggest_lines(position: Position, words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return at most MAX_SUGGESTED lines of moves near `words`: the first that is not legal is replaced.

    Moves are canonical texts; a line ends before the next word that is not a legal move.
    """
    played: list[str] = []
    for index, text in enumerate(words[:MAX_LINE]):
        try:
            move = position.parse(text)
        except GameError:
            nearest = find_near_moves(position, text)
            return [(*played, one, *_play_on(position, one, words[index + 1 : MAX_LINE])) for one in nearest]
        played.append(str(move))
        position = position.play(move)
    return []


def suggest_turns(position: Position, typed: Sequence[str]) -> list[str]:
    """Return at most MAX_SUGGESTED legal turns near typed words that are none, nearest first."""
    due, words = position.moves_due, position.resolve_words(typed)
    if due == 1:
        words = ["".join(words)]
    lines = suggest_lines(position, words)
    return list(dict.fromkeys(" ".join(line[:due]) for line in lines))


def is_legal_turn(position: Position | None, typed: Sequence[str]) -> bool:
    """Return whether typed words are legal moves, at most as many as are due; never without a board."""
    if position is None or not typed:
        return False
    words = position.resolve_words(typed)
    if len(words) > position.moves_due:
        return False
    try:
        for text in words:
            position = position.play(position.parse(text))
    except GameError:
        return False
    return True


def find_near_moves(position: Position, text: str) -> list[str]:
    """Return at most MAX_SUGGESTED legal moves near `text`, nearest first; none if nothing is near.

    For an ambiguous text these are moves that it can mean.
    """
    if position.to_move is None:
        return []
    meanings = _readings(position, text)
    if meanings:
        return list(meanings)
    typed = "".join(text[:MAX_LENGTH].split()).upper()
    limit = 2 if _CELL.search(typed) else 1
    distances = {move: _distance(typed, move.upper()) for move in _candidates(position, typed)}
    near = [move for move, distance in distances.items() if distance <= limit]
    return sorted(near, key=lambda move: (distances[move], move))[:MAX_SUGGESTED]


def _candidates(position: Position, typed: str) -> Iterator[str]:
    """Yield legal moves: those with a neighbouring cell, and those that begin alike."""
    cells = list(islice(_CELL.finditer(typed), MAX_CELLS))
    for cell in cells:
        for neighbour in _neighbours(cell):
            yield from _readings(position, f"{typed[: cell.start()]}{neighbour}{typed[cell.end() :]}")
    for beginning in dict.fromkeys([typed[: cells[0].end()] if cells else "", typed[:1]]):
        alike = list(islice(position.moves_with_prefix(beginning), MAX_SEARCHED)) if beginning else []
        if alike:
            yield from map(str, alike)
            return


def _readings(position: Position, text: str) -> Sequence[str]:
    try:
        return (str(position.parse(text)),)
    except AmbiguousMove as error:
        return error.choices[:MAX_SUGGESTED]
    except GameError:
        return ()


def _neighbours(cell: re.Match[str]) -> Iterator[str]:
    file, rank = ord(cell[1]), int(cell[2])
    for step in (-1, 1):
        yield f"{cell[1]}{rank + step}"
        yield f"{chr(file + step)}{rank}"


def _play_on(position: Position, move_text: str, words: Sequence[str]) -> Iterator[str]:
    """Yield those of `words` that are legal moves in turn after a move."""
    position = position.play(position.parse(move_text))
    for text in words:
        try:
            move = position.parse(text)
        except GameError:
            return
        yield str(move)
        position = position.play(move)


def _distance(first: str, second: str) -> int:
    """Return how many characters have to be added, left out or replaced to turn `first` into `second`."""
    row = list(range(len(second) + 1))
    for index, character in enumerate(first, start=1):
        previous, row = row, [index]
        for place, other in enumerate(second, start=1):
            row.append(min(previous[place] + 1, row[-1] + 1, previous[place - 1] + (character != other)))
    return row[-1]
