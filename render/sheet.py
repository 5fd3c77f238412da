"""A picture without a board, drawn once and thrown away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from render.scene import Colour, Shape


@dataclass(frozen=True, slots=True)
class Sheet:
    """Shapes on a ground of one colour, in the order of painting.

    `palette` lists the colours that the picture may use, at most 256. Measures as in :mod:`render.scene`.
    """

    width: int
    height: int
    backdrop: Colour
    shapes: tuple[Shape, ...]
    palette: tuple[Colour, ...]
