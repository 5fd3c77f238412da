"""Positions that differ only by how the board is turned or mirrored.

>>> from engine import GAMES
>>> start = GAMES["morabaraba"].initial_position()
>>> corners = [find_canonical(start.play(start.parse(text))).key for text in ("A1", "G7", "E3")]
>>> len(set(corners))
1

Moves that lead to such positions are one move of the canonical form, and are shown as one on every board.

>>> form = find_canonical(start)
>>> form.to_canonical("G7"), form.to_own("A1"), len(form.maps)
('A1', 'A1', 16)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.cells import PATTERN
from engine.game import Cell, GameError

if TYPE_CHECKING:
    from engine.game import CellMap, Position

_CELL = re.compile(PATTERN)


@dataclass(frozen=True, slots=True)
class CanonicalForm:
    """One of all images of a `position`, the same for each of them.

    `key` is its position line. `maps` are all ways that lead to it; there are several if the position is
    symmetric itself.
    """

    position: Position
    image: Position
    maps: tuple[CellMap, ...]

    @property
    def key(self) -> str:
        """The position line of the canonical form."""
        return str(self.image)

    def to_canonical(self, move: str) -> str:
        """Return the text of a legal move of the position as a move of the canonical form.

        Moves that only a symmetry of the position tells apart become the same.
        """
        return min(str(self.image.parse(move_text(move, cells))) for cells in self.maps)

    def to_own(self, move: str) -> str | None:
        """Return the text of a move of the canonical form as one of the position, or None if it is illegal.

        If a symmetry of the position makes several of it, the first of these in the order of texts.
        """
        text = min(move_text(move, _inverse(cells)) for cells in self.maps)
        try:
            return str(self.position.parse(text))
        except GameError:
            return None


def find_canonical(position: Position) -> CanonicalForm:
    """Return the canonical form of a position: of all its images the first in the order of their lines."""
    images: dict[str, tuple[Position, list[CellMap]]] = {str(position): (position, [{}])}
    for cells in position.symmetries:
        image = position.image(cells)
        images.setdefault(str(image), (image, []))[1].append(cells)
    image, maps = images[min(images)]
    return CanonicalForm(position, image, tuple(maps))


def move_text(move: str, cells: CellMap) -> str:
    """Return the text of a move with every cell replaced; the order of a list of cells stays as it was."""
    return _CELL.sub(lambda found: cells.get(Cell(found[0]), Cell(found[0])), move)


def _inverse(cells: CellMap) -> CellMap:
    return {image: cell for cell, image in cells.items()}
