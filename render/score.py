"""The foot of a picture: who is to move, a figure for each side, and the last turn in short."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from math import ceil, cos, pi, sin
from typing import TYPE_CHECKING

from engine.game import EventKind
from render.frame import CAP
from render.scene import Box, Figure, Patch, Stamp, Text
from render.stones import stone

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.game import Cell, Event, Outcome, Side
    from render.frame import Frame
    from render.scene import Colour, Panel, Shape
    from render.themes import Theme


@dataclass(frozen=True, slots=True)
class Score:
    """What the foot tells: a number for each side, the side to move, the result once there is one."""

    numbers: tuple[tuple[Side, str], ...]
    to_move: Side | None
    outcome: Outcome | None
    last: tuple[Event, ...]

    def figures(self, frame: Frame, look: Theme) -> Iterator[Figure]:
        """Give the foot: the first side at the left, the second at the right, the turn between them."""
        left, middle, right = panels(frame)
        for (side, number), (x, y, wide, high) in zip(self.numbers, (left, right), strict=True):
            unit, centre, line = high / _PILL, x + wide / 2, y + high / 2
            yield Figure(_pill(unit, wide, look, number, self._state(side)), centre, line)
            yield Figure(stone(look.coat(side), 0.9 * unit), centre - 0.32 * unit, line - 0.02 * unit)
        words = brief(self.last)
        if words:
            x, y, wide, high = middle
            size = high / _LINE
            caption = Stamp((Text(0, 0, words, size, look.label),))
            yield Figure(caption, x + wide / 2, y + high / 2 + CAP * size / 2)

    def notes(self) -> tuple[str, ...]:
        """Tell the same in lines of text."""
        counts = ", ".join(f"{side} {number}" for side, number in self.numbers)
        turn = f"to move: {self.to_move}" if self.outcome is None else f"result: {self.outcome}"
        words = brief(self.last)
        return (counts, turn, *((f"last turn: {words}",) if words else ()))

    def _state(self, side: Side) -> _State:
        if self.outcome is not None:
            return _State.WON if self.outcome.winner is side else _State.REST
        return _State.TURN if self.to_move is side else _State.REST


def panels(frame: Frame) -> tuple[Panel, Panel, Panel]:
    """Give where the foot has its parts: the first side's, the turn's and the second side's."""
    unit = round(frame.width / (13 if frame.large else 17))
    wide, high = round(2.7 * unit), ceil(_PILL * unit)
    y = frame.foot + (frame.height - frame.foot) // 2 - round(unit / 10)
    size = 0.5 * unit
    line = ceil(_LINE * size)
    inner = frame.board - 2 * wide - unit
    return (
        (frame.left, y - high // 2, wide, high),
        (frame.left + wide + unit // 2, y - line // 2, inner, line),
        (frame.left + frame.board - wide, y - high // 2, wide, high),
    )


_PILL = 1.06
_LINE = 1.3
"""Heights of the panels around a pill, and around a line of text, of height 1."""


class _State(Enum):
    REST = auto()
    TURN = auto()
    WON = auto()


@lru_cache(maxsize=512)
def _pill(high: float, wide: float, look: Theme, number: str, state: _State) -> Stamp:
    """Give a side's number; the side to move, with an arrow, and the winner, with a star, on a lit ground."""
    fill = {_State.REST: look.panel, _State.TURN: look.light, _State.WON: look.gold}[state]
    ink = look.label if state is _State.REST else look.ink
    line = look.rule if state is _State.REST else look.ink
    size = 0.56 * high
    shapes: list[Shape] = [
        Box(-wide / 2, -high / 2, wide, high, fill, high / 2, line, 0.045 * high),
        Text(0.48 * high, CAP * size / 2, number, size, ink),
    ]
    x = -1.03 * high
    if state is _State.TURN:
        shapes.append(Patch(((x, -0.15 * high), (x + 0.23 * high, 0), (x, 0.15 * high)), ink))
    if state is _State.WON:
        shapes.append(_star(x + 0.1 * high, 0.19 * high, ink))
    return Stamp(tuple(shapes))


def _star(x: float, radius: float, colour: Colour) -> Patch:
    """Give a star of five points around (x, 0)."""
    turns = [(step * pi / 5, radius if step % 2 == 0 else 0.45 * radius) for step in range(10)]
    return Patch(tuple((x + reach * sin(turn), -reach * cos(turn)) for turn, reach in turns), colour)


_NAMED = 4
_LISTED = 2
"""So many placements and captures of one turn are named; of more, the ends or the count are told."""


def brief(events: Sequence[Event]) -> str:
    """Tell a turn in signs alone: cells placed, from and to, what was taken. Empty where nothing happened."""
    placed = tuple(cell for event in events if event.kind in _SET for cell in event.cells)
    told = (_told(event) for event in events if event.kind not in _SET)
    return "  ".join(part for part in (_listed(placed), *told) if part)


def _listed(cells: tuple[Cell, ...]) -> str:
    return " ".join(cells) if len(cells) <= _NAMED else f"{cells[0]} \u2026 {cells[-1]}"


def _told(event: Event) -> str:
    match event.kind:
        case EventKind.MOVE:
            return "\u2013".join(event.cells)
        case EventKind.CAPTURE | EventKind.FLIP | EventKind.REMOVE:
            many = len(event.cells) > _LISTED
            return "\u00d7" + (str(len(event.cells)) if many else " ".join(event.cells))
        case EventKind.SWAP | EventKind.PASS:
            return str(event.kind)
    return ""


_SET = (EventKind.PLACE, EventKind.RESTORE)
