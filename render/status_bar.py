"""The status bar below the board: the side to move, a number for each side, the last turn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from math import cos, pi, sin
from typing import TYPE_CHECKING

from engine.game import EventKind
from render.layout import BADGE_HEIGHT, CAPITAL_HEIGHT, LINE_HEIGHT
from render.scene import Box, PlacedSprite, Polygon, Sprite, Text
from render.stones import stone_sprite

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.game import Cell, Event, Outcome, Position, Side
    from render.layout import BoardLayout
    from render.options import RenderOptions, Words
    from render.scene import Colour, Shape
    from render.themes import ThemeColours


@dataclass(frozen=True, slots=True)
class StatusBar:
    """A number for each side, the side to move or the outcome, and the last turn in notation."""

    counts: tuple[tuple[Side, str], ...]
    to_move: Side | None
    outcome: Outcome | None
    last_turn: str

    @classmethod
    def create(
        cls, position: Position, options: RenderOptions, counts: Iterable[tuple[Side, int | str]]
    ) -> StatusBar:
        """Return the status bar of a picture with these numbers; after the end nobody is to move."""
        return cls(
            tuple((side, str(count)) for side, count in counts),
            None if options.is_over else position.to_move,
            position.outcome,
            format_notation(options.last_turn),
        )

    def sprites(self, layout: BoardLayout, theme: ThemeColours) -> Iterator[PlacedSprite]:
        """Return the sprites: the first side at the left, the last turn, the second side at the right."""
        left, middle, right = layout.status_panels
        for (side, count), (x, y, width, height) in zip(self.counts, (left, right), strict=True):
            badge_height, centre, middle_y = height / BADGE_HEIGHT, x + width / 2, y + height / 2
            yield PlacedSprite(_badge(badge_height, width, theme, count, self._state(side)), centre, middle_y)
            yield PlacedSprite(
                stone_sprite(theme.piece_colours(side), 0.9 * badge_height),
                centre - 0.32 * badge_height,
                middle_y - 0.02 * badge_height,
            )
        if self.last_turn:
            x, y, width, height = middle
            size = height / LINE_HEIGHT
            caption = Sprite((Text(0, 0, self.last_turn, size, theme.label),))
            yield PlacedSprite(caption, x + width / 2, y + height / 2 + CAPITAL_HEIGHT * size / 2)

    def text_lines(self, words: Words) -> Iterator[str]:
        """Return the same as lines of text.

        There is neither an outcome nor a side to move if the match has ended without an outcome here.
        """
        yield format_counts(words, self.counts)
        if self.outcome is not None:
            yield words("picture.result", result=words(f"picture.name.{self.outcome}"))
        elif self.to_move is not None:
            yield words("picture.to_move", side=words(f"picture.name.{self.to_move}"))
        if self.last_turn:
            yield words("picture.last_turn", turn=self.last_turn)

    def _state(self, side: Side) -> _BadgeState:
        if self.outcome is not None:
            return _BadgeState.WON if self.outcome.winner is side else _BadgeState.IDLE
        return _BadgeState.TO_MOVE if self.to_move is side else _BadgeState.IDLE


class _BadgeState(Enum):
    IDLE = auto()
    TO_MOVE = auto()
    WON = auto()


@lru_cache(maxsize=512)
def _badge(height: float, width: float, theme: ThemeColours, count: str, state: _BadgeState) -> Sprite:
    """Return the badge of a side: bright with an arrow if it is to move, with a star if it has won."""
    fill = {_BadgeState.IDLE: theme.panel, _BadgeState.TO_MOVE: theme.light, _BadgeState.WON: theme.gold}[
        state
    ]
    text_colour = theme.label if state is _BadgeState.IDLE else theme.ink
    line = theme.border if state is _BadgeState.IDLE else theme.ink
    # Three digits are smaller and further right, so that they do not touch the stone.
    size, text_x = (0.56, 0.48) if len(count) <= _SHORT_COUNT else (0.5, 0.68)
    size *= height
    shapes: list[Shape] = [
        Box(-width / 2, -height / 2, width, height, fill, height / 2, line, 0.045 * height),
        Text(text_x * height, CAPITAL_HEIGHT * size / 2, count, size, text_colour),
    ]
    x = -1.03 * height
    if state is _BadgeState.TO_MOVE:
        shapes.append(Polygon(((x, -0.15 * height), (x + 0.23 * height, 0), (x, 0.15 * height)), text_colour))
    if state is _BadgeState.WON:
        shapes.append(_star(x + 0.1 * height, 0.19 * height, text_colour))
    return Sprite(tuple(shapes))


def _star(x: float, radius: float, colour: Colour) -> Polygon:
    """Return a star with five points around (x, 0)."""
    angles = [(step * pi / 5, radius if step % 2 == 0 else 0.45 * radius) for step in range(10)]
    return Polygon(tuple((x + reach * sin(angle), -reach * cos(angle)) for angle, reach in angles), colour)


_SHORT_COUNT = 2  # digits
_MAX_NAMED_PLACEMENTS = 4
_MAX_NAMED_CAPTURES = 2
"""Of more placements only the first and the last are named, of more captures only the number."""


def format_counts(words: Words, counts: Iterable[tuple[Side, int | str]]) -> str:
    """Return the numbers of both sides as text: ``black 7, white 5``."""
    (first_side, first), (second_side, second) = counts
    sides = {
        "first_side": words(f"picture.name.{first_side}"),
        "second_side": words(f"picture.name.{second_side}"),
    }
    return words("picture.counts", first=first, second=second, **sides)


def format_notation(events: Sequence[Event]) -> str:
    """Return a turn in notation: cells placed, moves, captures. Empty without events."""
    placed = tuple(cell for event in events if event.kind in _PLACEMENTS for cell in event.cells)
    others = (_format_event(event) for event in events if event.kind not in _PLACEMENTS)
    return "  ".join(part for part in (_format_cells(placed), *others) if part)


def _format_cells(cells: tuple[Cell, ...]) -> str:
    return " ".join(cells) if len(cells) <= _MAX_NAMED_PLACEMENTS else f"{cells[0]} \u2026 {cells[-1]}"


def _format_event(event: Event) -> str:
    match event.kind:
        case EventKind.MOVE:
            return "\u2013".join(event.cells)
        case EventKind.CONVERT | EventKind.FLIP | EventKind.CAPTURE:
            many = len(event.cells) > _MAX_NAMED_CAPTURES
            return "\u00d7" + (str(len(event.cells)) if many else " ".join(event.cells))
        case EventKind.SWAP | EventKind.PASS:
            return str(event.kind)  # as moves are written in every language
    return ""


_PLACEMENTS = (EventKind.PLACE, EventKind.RESTORE)
