"""The Morphos board: stones on the points of a grid, with edges in the colours of the sides."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.game import Side
from render.board_scene import build_board_scene
from render.layout import BoardLayout, build_background
from render.polylines import polyline_sprites
from render.scene import Box, Circle, PlacedSprite, Stroke
from render.themes import build_palette, get_theme, mix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.morphos import MorphosPosition
    from render.options import RenderOptions
    from render.scene import Background, Colour, Point, Scene, Shape
    from render.themes import ThemeColours

_SIDES = (Side.BLACK, Side.WHITE)


def build_scene(position: MorphosPosition, options: RenderOptions) -> Scene:
    """Return the scene of a Morphos position."""
    layout = build_layout(position, options)
    theme = get_theme(options.theme)
    return build_board_scene(
        position,
        options,
        layout,
        _build_background(layout, theme),
        position.stones,
        _stone_counts(position),
        stone_size=_STONE_SCALE * layout.cell_width,
        above=_winning_line(position, layout, theme),
    )


def build_layout(position: MorphosPosition, options: RenderOptions) -> BoardLayout:
    """Return the layout of the board; each point is the middle of a cell."""
    is_flipped, border = options.bottom_side is Side.WHITE, round(options.width / 36)
    return BoardLayout(position.size, options.width, is_flipped, border, large_labels=options.large_labels)


_STONE_SCALE = 1.19
"""Stones are drawn larger than a cell, so that neighbours nearly touch."""


def _stone_counts(position: MorphosPosition) -> tuple[tuple[Side, str], ...]:
    """Return the number of stones of each side, with ``+1`` for a stone that must still be returned."""
    owners = list(position.stones.values())
    owed = {position.mover: "+1"} if position.must_restore else {}
    return tuple((side, f"{owners.count(side)}{owed.get(side, '')}") for side in _SIDES)


def _winning_line(
    position: MorphosPosition, layout: BoardLayout, theme: ThemeColours
) -> Iterator[PlacedSprite]:
    """Return a line along the winning chain, from edge to edge; nothing before the end."""
    points = [layout.centre(cell) for cell in position.winning_chain]
    if points:
        reach = layout.cell_width / 2 + layout.border / 2
        ends = [_extend_to_edge(points[end], layout, reach, Side(position.outcome or "")) for end in (0, -1)]
        yield from polyline_sprites(
            (ends[0], *points, ends[1]),
            min(layout.cell_width, layout.width / 14),
            theme.gold,
            theme.ink,
            0.12,
        )


def _extend_to_edge(point: Point, layout: BoardLayout, distance: float, side: Side) -> Point:
    """Return the point of the edge of `side` next to `point`."""
    x, y = point
    if side is Side.BLACK:
        return x, y + (distance if y > layout.top + layout.board_width / 2 else -distance)
    return x + (distance if x > layout.left + layout.board_width / 2 else -distance), y


@lru_cache(maxsize=32)
def _build_background(layout: BoardLayout, theme: ThemeColours) -> Background:
    shapes = (*_board_shapes(layout, theme), *_grid_lines(layout, theme), *_star_point_shapes(layout, theme))
    return build_background(layout, theme, shapes, _palette(theme))


def _board_shapes(layout: BoardLayout, theme: ThemeColours) -> Iterator[Shape]:
    """Return the surface and the four edges in the colours of their sides."""
    border, left, top, board = layout.border, layout.left, layout.top, layout.board_width
    yield Box(left - border, top - border, board + 2 * border, board + 2 * border, theme.board, border / 2)
    thickness, slack = 0.62 * border, 0.2 * border
    for across, side in ((True, Side.BLACK), (False, Side.WHITE)):
        colours = theme.piece_colours(side)
        for near in (-border + slack, board + slack):
            x, y = (left, top + near) if across else (left + near, top)
            width, height = (board, thickness) if across else (thickness, board)
            yield Box(x, y, width, height, colours.face, thickness / 2, colours.outline, max(1, 0.1 * border))


def _grid_lines(layout: BoardLayout, theme: ThemeColours) -> Iterator[Shape]:
    half, width = layout.cell_width / 2, max(1, layout.width / 500)
    near, far = half, layout.board_width - half
    for index in range(layout.size):
        offset = (index + 0.5) * layout.cell_width
        for ends in (((near, offset), (far, offset)), ((offset, near), (offset, far))):
            yield Stroke(tuple((layout.left + x, layout.top + y) for x, y in ends), theme.board_lines, width)


def _star_point_shapes(layout: BoardLayout, theme: ThemeColours) -> Iterator[Shape]:
    """Return the star points as dots."""
    for column, row in star_points(layout.size):
        x, y = layout.left + (column + 0.5) * layout.cell_width, layout.top + (row + 0.5) * layout.cell_width
        yield Circle(x, y, max(2, 0.1 * layout.cell_width), theme.board_lines)


def star_points(size: int) -> tuple[tuple[int, int], ...]:
    """Return (column, row), from 0, of the star points, as on a Go board."""
    inset, middle = (3 if size >= 12 else 2), size // 2
    ends = (inset, size - 1 - inset) if size >= 8 else ()
    centre = (middle,) if size % 2 else ()
    lines = sorted({*ends, *centre}) if size >= 15 else ends
    found = {(column, row) for column in lines for row in lines}
    return tuple(sorted(found | {(middle, middle) for _ in centre}))


@lru_cache(maxsize=4)
def _palette(theme: ThemeColours) -> tuple[Colour, ...]:
    adjacent = [(theme.board, other) for other in (theme.ink, theme.light, theme.board_lines, theme.gold)]
    shade = mix(theme.board, theme.ink, 0.3)
    return build_palette(
        (*theme.common_colours(*_SIDES), theme.board, theme.board_lines, shade), theme, adjacent
    )
