"""The Morelli board: coloured bands around the Centre, stones, and a tower on an occupied Centre."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.game import Side
from render.board_scene import build_board_scene
from render.layout import CAPITAL_HEIGHT, BoardLayout, build_background
from render.scene import Box, Circle, PlacedSprite, Sprite, Text
from render.stones import tower_sprite
from render.themes import build_palette, get_theme, mix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.morelli import MorelliPosition
    from render.options import RenderOptions
    from render.scene import Background, Colour, Scene, Shape
    from render.themes import ThemeColours


def build_scene(position: MorelliPosition, options: RenderOptions) -> Scene:
    """Return the scene of a Morelli position."""
    layout = build_layout(position, options)
    theme, stones = get_theme(options.theme), position.stones
    owners = list(stones.values())
    centre = "*" if position.tower is None else position.tower[0].upper()
    return build_board_scene(
        position,
        options,
        layout,
        _build_background(layout, theme),
        stones,
        ((side, owners.count(side)) for side in (Side.BLACK, Side.WHITE)),
        symbols={position.centre: centre},
        above=_tower_sprites(position, layout, theme),
    )


def build_layout(position: MorelliPosition, options: RenderOptions) -> BoardLayout:
    """Return the layout of the board."""
    return BoardLayout(
        position.size,
        options.width,
        is_flipped=options.bottom_side is Side.WHITE,
        large_labels=options.large_labels,
    )


def _tower_sprites(
    position: MorelliPosition, layout: BoardLayout, theme: ThemeColours
) -> Iterator[PlacedSprite]:
    if position.tower is not None:
        centre = layout.centre(position.centre)
        yield PlacedSprite(_centre_highlight(layout.cell_width, theme), *centre)
        yield PlacedSprite(tower_sprite(theme.piece_colours(position.tower), layout.cell_width), *centre)


@lru_cache(maxsize=16)
def _centre_highlight(cell: int, theme: ThemeColours) -> Sprite:
    """Return the highlighted cell of an occupied Centre."""
    line = max(2, round(0.06 * cell))
    return Sprite(
        (Box(-cell / 2, -cell / 2, cell, cell, _centre_colour(theme), line=theme.gold, line_width=line),)
    )


@lru_cache(maxsize=32)
def _build_background(layout: BoardLayout, theme: ThemeColours) -> Background:
    cells = (
        shape
        for row in range(layout.size)
        for column in range(layout.size)
        for shape in _cell(layout, theme, column, row)
    )
    return build_background(layout, theme, (*cells, *_centre_rings(layout, theme)), _palette(theme))


def _cell(layout: BoardLayout, theme: ThemeColours, column: int, row: int) -> Iterator[Shape]:
    cell, middle = layout.cell_width, layout.size // 2
    across, down = abs(column - middle), abs(row - middle)
    band = max(across, down)
    x, y = layout.left + column * cell, layout.top + row * cell
    yield Box(x, y, cell, cell, _cell_colour(theme, band, dark=(row + column) % 2 == 0))
    if theme.has_band_numbers and band and (across == down or not min(across, down)):
        size = 0.42 * cell
        yield Text(
            x + cell / 2,
            y + cell / 2 + CAPITAL_HEIGHT * size / 2,
            str(band),
            size,
            _number_colour(theme, band),
        )


def _centre_rings(layout: BoardLayout, theme: ThemeColours) -> Iterator[Circle]:
    """Return the rings on the Centre."""
    middle = layout.left + layout.board_width / 2
    for radius in (0.32, 0.16):
        yield Circle(
            middle, middle, radius * layout.cell_width, None, _centre_colour(theme), 0.05 * layout.cell_width
        )


_BANDS = range(7)
_PALE_BANDS = (3, 4, 5)
"""Bands, counted from the Centre, on which dark numbers read better than light ones."""


def _cell_colour(theme: ThemeColours, band: int, *, dark: bool) -> Colour:
    return mix(theme.bands[band], theme.ink, 0.07) if dark else theme.bands[band]


def _number_colour(theme: ThemeColours, band: int) -> Colour:
    return mix(theme.bands[band], theme.ink if band in _PALE_BANDS else theme.light, 0.7)


def _centre_colour(theme: ThemeColours) -> Colour:
    return mix(theme.bands[0], theme.light, 0.5)


@lru_cache(maxsize=4)
def _palette(theme: ThemeColours) -> tuple[Colour, ...]:
    """Return the colours of the cells, of everything on them, and of their smoothed edges."""
    cell_colours = [_cell_colour(theme, band, dark=dark) for band in _BANDS for dark in (False, True)]
    adjacent = [(band, other) for band in theme.bands for other in (theme.ink, theme.light)]
    return build_palette(
        (*theme.common_colours(Side.BLACK, Side.WHITE), *cell_colours, _centre_colour(theme)), theme, adjacent
    )
