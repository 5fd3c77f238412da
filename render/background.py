"""The ground of a board of any game: its labels, what the game draws, and where the score goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from render.scene import Background
from render.status_bar import status_panels

if TYPE_CHECKING:
    from collections.abc import Iterable

    from render.layout import BoardLayout
    from render.scene import Colour, Shape
    from render.themes import ThemeColours


def build_background(
    layout: BoardLayout, theme: ThemeColours, shapes: Iterable[Shape], palette: tuple[Colour, ...]
) -> Background:
    """Return the ground on which `shapes` lie over the labels of `layout`."""
    return Background(
        width=layout.width,
        height=layout.height,
        grid=layout.grid,
        fill=theme.background,
        shapes=(*layout.labels(theme), *shapes),
        palette=palette,
        panels=status_panels(layout),
    )
