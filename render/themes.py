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
    """How a side's stones look: the face, its lit rim, the flank below it, the outline, a sign on top."""

    face: Colour
    shine: Colour
    flank: Colour
    outline: Colour
    sign: Colour | None = None


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of a look. `bands` run from the Centre outwards; `lettered` adds signs beside hue."""

    backdrop: Colour
    label: Colour
    rule: Colour
    panel: Colour
    ink: Colour
    light: Colour
    gold: Colour
    bands: tuple[Colour, ...]
    band_names: tuple[str, ...]
    black: Coat
    white: Coat
    red: Coat
    lettered: bool = False

    def coat(self, side: Side) -> Coat:
        """Give the look of `side`'s stones."""
        return {Side.BLACK: self.black, Side.WHITE: self.white, Side.RED: self.red}[side]


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Give `one` with `share` (0 to 1) of it replaced by `other`."""
    parts = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return Colour("#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts))


def _hexes(*colours: str) -> tuple[Colour, ...]:
    return tuple(map(Colour, colours))


_NAMES = ("violet", "indigo", "blue", "green", "yellow", "orange", "red")


@cache
def theme(name: ThemeName) -> Theme:
    """Give the theme called `name`."""
    return _rainbow() if name is ThemeName.RAINBOW else _clear()


def _rainbow() -> Theme:
    return Theme(
        backdrop=Colour("#1d1e24"),
        label=Colour("#b9b6ad"),
        rule=Colour("#3a3b45"),
        panel=Colour("#2a2c34"),
        ink=Colour("#15161b"),
        light=Colour("#fbf7ee"),
        gold=Colour("#ffcf4a"),
        bands=_hexes("#8a4fa3", "#4b59a6", "#3f8fc4", "#5fae6b", "#f2c94c", "#ec8b3e", "#d6494a"),
        band_names=_NAMES,
        black=Coat(*_hexes("#2b2d35", "#5a5e6b", "#0d0e11", "#0d0e11")),
        white=Coat(*_hexes("#f8f4ea", "#ffffff", "#b3aa99", "#6b6459")),
        red=Coat(*_hexes("#c93a3f", "#e8787a", "#7c1d22", "#4d0f13")),
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
        bands=_hexes("#3d1a55", "#3b4a94", "#4b90c8", "#86c29b", "#fbeaa0", "#ea9a4e", "#a83a3c"),
        band_names=_NAMES,
        black=Coat(*_hexes("#17181c", "#ffffff", "#000000", "#ffffff", "#ffffff")),
        white=Coat(*_hexes("#ffffff", "#ffffff", "#9a9aa2", "#000000", "#000000")),
        red=Coat(*_hexes("#b3262c", "#ffffff", "#5a0c10", "#ffffff", "#ffffff")),
        lettered=True,
    )
