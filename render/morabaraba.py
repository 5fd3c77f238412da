"""The Morabaraba board: men on the points of three nested squares, men in hand at both sides."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.game import Side
from render.board_scene import build_board_scene
from render.layout import CAPITAL_HEIGHT, BoardLayout, build_background
from render.polylines import polyline_sprites
from render.scene import Box, Circle, PlacedSprite, Sprite, Stroke, Text
from render.status_bar import format_counts
from render.stones import stone_sprite
from render.themes import build_palette, get_theme, mix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Cell
    from engine.morabaraba import MorabarabaPosition
    from render.options import RenderOptions
    from render.scene import Background, Colour, Scene, Shape
    from render.themes import ThemeColours

Lines = tuple[tuple["Cell", ...], ...]

_SIDES = (Side.WHITE, Side.RED)
_RANKS = 7


def build_scene(position: MorabarabaPosition, options: RenderOptions) -> Scene:
    """Return the scene of a Morabaraba position."""
    layout = build_layout(options)
    theme, men, words = get_theme(options.theme), position.stones, options.words
    points = frozenset(cell for line in position.lines for cell in line)
    hands = format_counts(words, ((side, position.hands[side]) for side in _SIDES))
    return build_board_scene(
        position,
        options,
        layout,
        _build_background(layout, theme, position.lines),
        men,
        _men_counts(position),
        symbols=dict.fromkeys(points - men.keys(), "."),
        empty=" ",
        stone_size=_STONE_SCALE * layout.cell_width,
        lowest=_mill_lines(position, layout, theme),
        above=_hand_sprites(position, layout, theme),
        notes=[words.for_game(position.vocabulary, "picture.hands", counts=hands)],
    )


def build_layout(options: RenderOptions) -> BoardLayout:
    """Return the layout of the board; each point is the middle of a cell."""
    border, side_margin = round(options.width / 60), round(options.width / 14)
    return BoardLayout(
        _RANKS, options.width, options.bottom_side is Side.RED, border, side_margin, options.large_labels
    )


_STONE_SCALE = 0.94
"""Men are drawn smaller than a cell, so that the lines between them stay visible."""


def _men_counts(position: MorabarabaPosition) -> Iterator[tuple[Side, int]]:
    """Return the number of men of each side, on the board and in hand."""
    owners = list(position.stones.values())
    return ((side, owners.count(side) + position.hands[side]) for side in _SIDES)


def _mill_lines(
    position: MorabarabaPosition, layout: BoardLayout, theme: ThemeColours
) -> Iterator[PlacedSprite]:
    for points in position.mills:
        ends = (layout.centre(points[0]), layout.centre(points[-1]))
        yield from polyline_sprites(ends, layout.cell_width, theme.gold, theme.ink, 0.1)


def _hand_sprites(
    position: MorabarabaPosition, layout: BoardLayout, theme: ThemeColours
) -> Iterator[PlacedSprite]:
    """Return the men in hand as two piles with their numbers, the first side's at the left."""
    size = 0.68 * layout.cell_width
    step, bottom = (
        (layout.board_width - layout.cell_width) / position.men_per_side,
        layout.top + layout.board_width - 0.3 * layout.cell_width,
    )
    inset, text_size = 0.6 * layout.side_margin, min(layout.label_size, layout.width / 22)
    for side, x in zip(_SIDES, (inset, layout.width - inset), strict=True):
        hand = position.hands[side]
        for index in range(hand):
            yield PlacedSprite(stone_sprite(theme.piece_colours(side), size), x, bottom - index * step)
        if hand:
            yield PlacedSprite(_count_sprite(str(hand), theme, text_size), x, bottom - (hand + 0.1) * step)


@lru_cache(maxsize=64)
def _count_sprite(text: str, theme: ThemeColours, size: float) -> Sprite:
    return Sprite((Text(0, CAPITAL_HEIGHT * size / 2, text, size, theme.label),))


@lru_cache(maxsize=32)
def _build_background(layout: BoardLayout, theme: ThemeColours, lines: Lines) -> Background:
    return build_background(layout, theme, _board_shapes(layout, theme, lines), _palette(theme))


def _board_shapes(layout: BoardLayout, theme: ThemeColours, lines: Lines) -> Iterator[Shape]:
    """Return the surface, the twenty lines and the points."""
    border, cell = layout.border, layout.cell_width
    side = layout.board_width + 2 * border
    yield Box(layout.left - border, layout.top - border, side, side, theme.board, border)
    for line in lines:
        yield Stroke(tuple(map(layout.centre, line)), theme.board_lines, max(1, 0.04 * cell))
    for point in sorted({point for line in lines for point in line}):
        yield Circle(*layout.centre(point), 0.1 * cell, theme.board_lines)


@lru_cache(maxsize=4)
def _palette(theme: ThemeColours) -> tuple[Colour, ...]:
    colours = (theme.ink, theme.light, theme.board_lines, theme.gold, theme.red.outline, theme.white.outline)
    adjacent = [(theme.board, colour) for colour in colours]
    adjacent += [(theme.background, piece.outline) for piece in (theme.white, theme.red)]
    shadow = mix(theme.board, theme.ink, 0.3)
    return build_palette(
        (*theme.common_colours(*_SIDES), theme.board, theme.board_lines, shadow), theme, adjacent
    )
