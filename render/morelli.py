"""Morelli: a target of coloured bands, stones on its cells, a tower at its heart."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from engine.cells import cell as cell_name
from engine.game import Side
from render import stones, traces
from render.frame import FILES, Frame
from render.scene import Box, Colour, Diagram, Figure, Ground, Scene, Shape, Text
from render.themes import Theme, mix, theme

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Cell
    from render.view import View


_PALE = (3, 4, 5)


class Board(Protocol):
    """What is seen of a Morelli position."""

    @property
    def size(self) -> int:
        """Cells along an edge: 13, 11 or 9."""

    @property
    def stones(self) -> Mapping[Cell, Side]:
        """Where stones stand, the tower left out."""

    @property
    def tower(self) -> Side | None:
        """Whose tower holds the Centre."""

    @property
    def centre(self) -> Cell:
        """The Centre."""


def scene(position: Board, view: View) -> Scene:
    """Give the picture of a Morelli position."""
    frame = Frame(position.size, view.width, turned=view.side is Side.WHITE)
    look = theme(view.theme)
    figures = [
        *_pieces(position, frame, look),
        *traces.above(frame, look, view),
    ]
    title = f"Morelli {position.size} \u00d7 {position.size}"
    return Scene(_ground(frame, look), tuple(figures), title, _diagram(position, frame))


def _pieces(position: Board, frame: Frame, look: Theme) -> Iterator[Figure]:
    for cell, side in position.stones.items():
        yield Figure(stones.stone(look.coat(side), frame.cell), *frame.centre(cell))
    if position.tower is not None:
        yield Figure(stones.tower(look.coat(position.tower), frame.cell), *frame.centre(position.centre))


@lru_cache(maxsize=32)
def _ground(frame: Frame, look: Theme) -> Ground:
    return Ground(
        width=frame.width,
        height=frame.height,
        lattice=frame.lattice,
        backdrop=look.backdrop,
        shapes=(*frame.labels(look), *_cells(frame, look)),
        palette=_palette(look),
    )


def _cells(frame: Frame, look: Theme) -> Iterator[Shape]:
    cell, middle = frame.cell, frame.size // 2
    line = max(1, round(cell / 50))
    for row in range(frame.size):
        for column in range(frame.size):
            band = max(abs(row - middle), abs(column - middle))
            colour = look.bands[band]
            x, y = frame.left + column * cell, frame.left + row * cell
            yield Box(x, y, cell, cell, mix(colour, look.ink, 0.28))
            yield Box(x, y, cell - line, cell - line, colour)
            if look.lettered:
                faint = mix(colour, look.ink if band in _PALE else look.light, 0.6)
                sign = look.band_names[band][0].upper()
                yield Text(x + 0.13 * cell, y + 0.26 * cell, sign, 0.2 * cell, faint)


def _palette(look: Theme) -> tuple[Colour, ...]:
    found: dict[Colour, None] = {}
    coats = (look.black, look.white)
    plain = [look.backdrop, look.label, look.ink, look.light, look.gold, look.panel, look.rule]
    for coat in coats:
        plain += [coat.face, coat.shine, coat.flank, coat.outline]
    found.update(dict.fromkeys(plain))
    for share in (0.33, 0.66):
        found[mix(look.backdrop, look.label, share)] = None
        for coat in coats:
            found[mix(coat.face, coat.outline, share)] = None
            found[mix(coat.face, coat.flank, share)] = None
    for band in look.bands:
        grid = mix(band, look.ink, 0.28)
        found.update(dict.fromkeys((band, grid)))
        for other in (look.ink, look.light, look.gold):
            for share in (0.25, 0.5, 0.75):
                found[mix(band, other, share)] = None
    return tuple(found)


def _diagram(position: Board, frame: Frame) -> Diagram:
    order = range(frame.size)
    ranks = [rank if frame.turned else frame.size - 1 - rank for rank in order]
    files = [frame.size - 1 - file if frame.turned else file for file in order]
    return Diagram(
        tuple(FILES[file] for file in files),
        tuple(str(rank + 1) for rank in ranks),
        tuple(tuple(_sign(position, cell_name(file, rank)) for file in files) for rank in ranks),
    )


def _sign(position: Board, cell: Cell) -> str:
    if cell == position.centre:
        return "*" if position.tower is None else position.tower[0].upper()
    side = position.stones.get(cell)
    return "." if side is None else side[0]
