"""The colour themes, and palettes with the colours between."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from engine.game import Side
from render.scene import Colour

if TYPE_CHECKING:
    from collections.abc import Iterable


class ThemeName(StrEnum):
    """The themes; the value is what a player types."""

    RAINBOW = "rainbow"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class PieceColours:
    """The colours of a side's pieces; `symbol` is for markers drawn on the face.

    Without `shadow` no shadow is drawn; a `groove` on the face tells the side apart without colours.
    """

    face: Colour
    edge: Colour
    highlight: Colour
    outline: Colour
    symbol: Colour
    shadow: tuple[Colour, ...] = ()
    groove: tuple[Colour, ...] = ()


@dataclass(frozen=True, slots=True)
class ThemeColours:
    """All colours of a theme.

    `bands` run from the Centre outwards; with `has_band_numbers` they can be told apart without colours.
    `board` is the surface of boards that are drawn with lines, `board_lines` the colour of the lines.
    """

    background: Colour
    label: Colour
    border: Colour
    panel: Colour
    ink: Colour
    light: Colour
    gold: Colour
    selection: Colour
    board: Colour
    board_lines: Colour
    bands: tuple[Colour, ...]
    black: PieceColours
    white: PieceColours
    red: PieceColours
    has_band_numbers: bool = False

    def piece_colours(self, side: Side) -> PieceColours:
        """Return the colours of a side's pieces."""
        return {Side.BLACK: self.black, Side.WHITE: self.white, Side.RED: self.red}[side]

    @property
    def grid_line(self) -> Colour:
        """The colour of the grid of a chart."""
        return mix(self.border, self.label, 0.25)

    def common_colours(self, *sides: Side) -> tuple[Colour, ...]:
        """Return all colours except the bands, with the pieces of `sides`."""
        base = (
            self.background,
            self.label,
            self.border,
            self.panel,
            self.ink,
            self.light,
            self.gold,
            self.selection,
        )
        pieces = (self.piece_colours(side) for side in sides)
        piece_values = (
            c
            for colours in pieces
            for c in (colours.face, colours.highlight, colours.edge, colours.outline, colours.symbol)
        )
        return (*base, *piece_values)


def mix(base: Colour, other: Colour, share: float) -> Colour:
    """Return `base` with `share` (0 to 1) of it replaced by `other`."""
    parts = ((int(base[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return Colour("#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts))


def _parse_colours(*values: str) -> tuple[Colour, ...]:
    return tuple(map(Colour, values))


def _parse_piece_colours(colours: str, shadow: str = "", groove: str = "") -> PieceColours:
    """Parse the five colours of a piece, separated by spaces, in the order of the fields."""
    face, edge, highlight, outline, symbol = _parse_colours(*colours.split())
    return PieceColours(
        face,
        edge,
        highlight,
        outline,
        symbol,
        _parse_colours(*shadow.split()),
        _parse_colours(*groove.split()),
    )


_SHADOW = "#00000050"


@cache
def get_theme(name: ThemeName) -> ThemeColours:
    """Return the colours of a theme."""
    return _rainbow_theme() if name is ThemeName.RAINBOW else _clear_theme()


def _rainbow_theme() -> ThemeColours:
    return ThemeColours(
        background=Colour("#1d1e24"),
        label=Colour("#b9b6ad"),
        border=Colour("#3a3b45"),
        panel=Colour("#464955"),
        ink=Colour("#15161b"),
        light=Colour("#f8f4ea"),
        gold=Colour("#ffcf4a"),
        selection=Colour("#9ff2e4"),
        board=Colour("#dcbb87"),
        board_lines=Colour("#7d5f3c"),
        bands=_parse_colours("#7f4f9b", "#4a5aa2", "#438fbf", "#66ab6c", "#efc757", "#e68a45", "#cd4a4b"),
        black=_parse_piece_colours("#2b2d35 #0d0e11 #767b8a #0d0e11 #f8f4ea", _SHADOW),
        white=_parse_piece_colours("#f8f4ea #b3aa99 #ffffff #6b6459 #15161b", _SHADOW),
        red=_parse_piece_colours("#c93a3f #7c1d22 #e8787a #4d0f13 #f8f4ea", _SHADOW),
    )


def _clear_theme() -> ThemeColours:
    return ThemeColours(
        background=Colour("#ffffff"),
        label=Colour("#26272c"),
        border=Colour("#c9c9cf"),
        panel=Colour("#eeeef1"),
        ink=Colour("#000000"),
        light=Colour("#ffffff"),
        gold=Colour("#ffd84d"),
        selection=Colour("#ffd84d"),
        board=Colour("#dadce3"),
        board_lines=Colour("#3c3e48"),
        bands=_parse_colours("#3d1a55", "#3b4a94", "#4b90c8", "#86c29b", "#fbeaa0", "#ea9a4e", "#a83a3c"),
        black=_parse_piece_colours("#1b1c21 #000000 #8a8d98 #ffffff #ffffff"),
        white=_parse_piece_colours("#ffffff #a5a5ad #ffffff #000000 #000000", groove="#a5a5ad"),
        red=_parse_piece_colours("#b3262c #5a0c10 #e07b7e #ffffff #ffffff"),
        has_band_numbers=True,
    )


_EDGE_SHARES = (0.45,)
_TEXT_SHARES = (0.3, 0.6)
_GREY_SHARES = (0.2, 0.4, 0.6, 0.8)
"""Steps between two adjacent colours: one for an edge, two for text, four from black to white."""


def build_palette(
    base_colours: Iterable[Colour], theme: ThemeColours, adjacent: Iterable[tuple[Colour, Colour]]
) -> tuple[Colour, ...]:
    """Return `base_colours` and colours for the smooth edges between `adjacent` ones, and of text."""
    text_pairs = ((theme.background, theme.label), (theme.panel, theme.label))
    intermediate = (
        *(mix(theme.light, theme.ink, share) for share in _GREY_SHARES),
        *(mix(one, other, share) for one, other in text_pairs for share in _TEXT_SHARES),
        *(mix(one, other, share) for one, other in adjacent for share in _EDGE_SHARES),
    )
    return tuple(dict.fromkeys((*base_colours, *intermediate)))
