"""Colours: two themes, and the arithmetic of mixing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from engine.game import Side
from render.scene import Colour


class ThemeName(StrEnum):
    """The themes on offer; the value is what a person types."""

    RAINBOW = "rainbow"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Coat:
    """How a side's stones look: face, side, lit edge, outline, what is drawn on the face.

    A `shadow` falls where there is one; a `groove` around the face tells the coat apart without colours.
    """

    face: Colour
    flank: Colour
    shine: Colour
    outline: Colour
    sign: Colour
    shadow: tuple[Colour, ...] = ()
    groove: tuple[Colour, ...] = ()


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of a look.

    `bands` run from the Centre outwards; `numbered` gives them a second sign beside their hue. `table` is
    the surface of the boards that are drawn with lines, `grid` the colour of these.
    """

    backdrop: Colour
    label: Colour
    rule: Colour
    panel: Colour
    ink: Colour
    light: Colour
    gold: Colour
    pick: Colour
    table: Colour
    grid: Colour
    bands: tuple[Colour, ...]
    black: Coat
    white: Coat
    red: Coat
    numbered: bool = False

    def coat(self, side: Side) -> Coat:
        """Give the look of `side`'s stones."""
        return {Side.BLACK: self.black, Side.WHITE: self.white, Side.RED: self.red}[side]

    def colours(self, *sides: Side) -> tuple[Colour, ...]:
        """Give all colours but the bands', with the coats of `sides`."""
        plain = (self.backdrop, self.label, self.rule, self.panel, self.ink, self.light, self.gold, self.pick)
        coats = (self.coat(side) for side in sides)
        dyes = (c for coat in coats for c in (coat.face, coat.shine, coat.flank, coat.outline, coat.sign))
        return (*plain, *dyes)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Give `one` with `share` (0 to 1) of it replaced by `other`."""
    parts = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return Colour("#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts))


def _hexes(*colours: str) -> tuple[Colour, ...]:
    return tuple(map(Colour, colours))


def _coat(dyes: str, shadow: str = "", groove: str = "") -> Coat:
    """Read the five colours of a coat in the order of its fields, parted by spaces."""
    face, flank, shine, outline, sign = _hexes(*dyes.split())
    return Coat(face, flank, shine, outline, sign, _hexes(*shadow.split()), _hexes(*groove.split()))


_SHADOW = "#00000050"


@cache
def theme(name: ThemeName) -> Theme:
    """Give the theme called `name`."""
    return _rainbow() if name is ThemeName.RAINBOW else _clear()


def _rainbow() -> Theme:
    return Theme(
        backdrop=Colour("#1d1e24"),
        label=Colour("#b9b6ad"),
        rule=Colour("#3a3b45"),
        panel=Colour("#464955"),
        ink=Colour("#15161b"),
        light=Colour("#f8f4ea"),
        gold=Colour("#ffcf4a"),
        pick=Colour("#9ff2e4"),
        table=Colour("#dcbb87"),
        grid=Colour("#7d5f3c"),
        bands=_hexes("#7f4f9b", "#4a5aa2", "#438fbf", "#66ab6c", "#efc757", "#e68a45", "#cd4a4b"),
        black=_coat("#2b2d35 #0d0e11 #767b8a #0d0e11 #f8f4ea", _SHADOW),
        white=_coat("#f8f4ea #b3aa99 #ffffff #6b6459 #15161b", _SHADOW),
        red=_coat("#c93a3f #7c1d22 #e8787a #4d0f13 #f8f4ea", _SHADOW),
    )


def _clear() -> Theme:
    return Theme(
        backdrop=Colour("#ffffff"),
        label=Colour("#26272c"),
        rule=Colour("#c9c9cf"),
        panel=Colour("#eeeef1"),
        ink=Colour("#000000"),
        light=Colour("#ffffff"),
        gold=Colour("#ffd84d"),
        pick=Colour("#ffd84d"),
        table=Colour("#dadce3"),
        grid=Colour("#3c3e48"),
        bands=_hexes("#3d1a55", "#3b4a94", "#4b90c8", "#86c29b", "#fbeaa0", "#ea9a4e", "#a83a3c"),
        black=_coat("#1b1c21 #000000 #8a8d98 #ffffff #ffffff"),
        white=_coat("#ffffff #a5a5ad #ffffff #000000 #000000", groove="#a5a5ad"),
        red=_coat("#b3262c #5a0c10 #e07b7e #ffffff #ffffff"),
        numbered=True,
    )
