"""The ground of a board of any game: its labels, what the game draws, and where the score goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from render.scene import Ground
from render.score import panels

if TYPE_CHECKING:
    from collections.abc import Iterable

    from render.frame import Frame
    from render.scene import Colour, Shape
    from render.themes import Theme


def ground(frame: Frame, look: Theme, shapes: Iterable[Shape], palette: tuple[Colour, ...]) -> Ground:
    """Give the ground on which `shapes` lie over the labels of `frame`."""
    return Ground(
        width=frame.width,
        height=frame.height,
        lattice=frame.lattice,
        backdrop=look.backdrop,
        shapes=(*frame.labels(look), *shapes),
        palette=palette,
        panels=panels(frame),
    )
