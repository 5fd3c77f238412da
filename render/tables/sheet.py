"""What all pictures of tables have in common: measures, colours, title, places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from render.canvas import to_rgba
from render.options import MAX_WIDTH, MIN_WIDTH
from render.scene import Box, Circle, Colour, Drawing
from render.tables.lettering import fit_in_width, place_centred, place_left, write_in_font
from render.themes import ThemeColours, ThemeName, build_palette, get_theme, mix

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from render.scene import Shape

_LINE = 1.75  # the height of a line, in sizes of the text
_TITLE = 1.3
_SHADE = 0.42  # how much of a result's colour a cell has
_SIMILAR = 5  # of 255
_ENLARGEMENT = 2  # the letters are smooth without it, and few edges are round


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture of lines of equal height. `size` is that of the text; line 0 begins at `top`; in pixels."""

    theme: ThemeColours
    width: int
    height: int
    size: float
    top: float
    title: str

    @classmethod
    def create(cls, theme: ThemeName, width: int, title: str, lines: float, *, wide_as: float) -> Self:
        """Return the sheet of a table that is `wide_as` times as wide as its text is high.

        Raises ValueError for a width outside 200 to 2000 or an unknown theme.
        """
        if not MIN_WIDTH <= width <= MAX_WIDTH:
            raise ValueError(f"A picture is {MIN_WIDTH} to {MAX_WIDTH} pixels wide, not {width}.")
        size = width / wide_as
        written = write_in_font(title)
        top = (_LINE * _TITLE + 0.2 if written else 0) * size + 0.4 * size
        height = round(top + (lines * _LINE + 0.5) * size)
        return cls(get_theme(ThemeName(theme)), width, height, size, top, written)

    @property
    def margin(self) -> float:
        """The free space at the left and right."""
        return 0.5 * self.size

    @property
    def name_left(self) -> float:
        """Where names begin."""
        return self.margin + 2.1 * self.size

    @property
    def strong(self) -> Colour:
        """The colour of names and results."""
        return self.theme.light if self._is_dark else self.theme.ink

    @property
    def quiet(self) -> Colour:
        """The colour of what is out of the running."""
        return mix(self.theme.background, self.theme.label, 0.65)

    @property
    def _is_dark(self) -> bool:
        return self.theme.background < self.theme.label

    def middle(self, line: float) -> float:
        """Return the height of the middle of a line, from 0."""
        return self.top + (line + 0.5) * _LINE * self.size

    def cell(self, left: float, line: float, width: float, fill: Colour) -> Box:
        """Return the box of a cell."""
        gap, height = 0.07 * self.size, _LINE * self.size
        top = self.middle(line) - height / 2
        return Box(left + gap, top + gap, width - 2 * gap, height - 2 * gap, fill, 0.25 * self.size)

    def result_colour(self, halves: int, games: int) -> Colour:
        """Return the colour of a cell with half points from so many games: green, neutral or red."""
        if halves == games:
            return self.theme.panel
        return self._shade(3 if halves > games else 6)

    def _shade(self, band: int) -> Colour:
        return mix(self.theme.background, self.theme.bands[band], _SHADE)

    @property
    def stripe(self) -> Colour:
        """The colour of every second line."""
        return mix(self.theme.background, self.theme.panel, 0.4)

    def draw_stripe(self, line: int) -> Iterator[Shape]:
        """Return the shade behind a line, for every second one."""
        if line % 2:
            height = _LINE * self.size
            top = self.middle(line) - height / 2
            yield Box(self.margin / 2, top, self.width - self.margin, height, self.stripe, 0.3 * self.size)

    def draw_place(self, line: int, place: int) -> Iterator[Shape]:
        """Return a place, with a disc of gold behind the first one."""
        centre, middle, colour = self.margin + 0.95 * self.size, self.middle(line), self.theme.label
        if place == 1:
            yield Circle(centre, middle, 0.75 * self.size, self.theme.gold)
            colour = self.theme.ink
        size = 0.9 * self.size if place < 100 else 0.75 * self.size
        yield place_centred(str(place), centre, middle, size, colour)

    def finish(self, shapes: Iterable[Shape]) -> Drawing:
        """Return the drawing of a title and shapes."""
        size = _TITLE * self.size
        title = fit_in_width(self.title, size, self.width - 2 * self.margin)
        heading = [place_left(title, self.margin, 0.5 * _LINE * size + 0.2 * self.size, size, self.strong)]
        drawn = (*(heading if title else []), *shapes)
        return Drawing(self.width, self.height, self.theme.background, drawn, self._palette(), _ENLARGEMENT)

    def _palette(self) -> tuple[Colour, ...]:
        theme = self.theme
        surfaces = (theme.background, self.stripe, theme.panel, self._shade(3), self._shade(6))
        texts = (self.strong, theme.label, self.quiet)
        adjacent = (
            *((surface, text) for surface in surfaces for text in texts),
            *((theme.background, other) for other in (*surfaces[1:], theme.border, theme.gold)),
            *((self.stripe, other) for other in (*surfaces[2:], theme.border, theme.gold)),
            (theme.gold, theme.ink),
        )
        greys = tuple(
            mix(surface, text, share) for surface in surfaces for text in texts[:1] for share in (0.25, 0.75)
        )
        base = (*surfaces, *texts, theme.border, theme.gold, theme.ink, theme.light, *greys)
        return _drop_similar(build_palette(base, theme, adjacent))


def _drop_similar(palette: Iterable[Colour]) -> tuple[Colour, ...]:
    """Return a palette without colours that Pillow takes for an earlier one when it looks for the nearest."""
    kept: list[Colour] = []
    for colour in palette:
        if all(_differ(colour, other) for other in kept):
            kept.append(colour)
    return tuple(kept)


def _differ(one: Colour, other: Colour) -> bool:
    return any(abs(a - b) > _SIMILAR for a, b in zip(to_rgba(one), to_rgba(other), strict=True))
