"""The foot of a picture: who is to move, a figure for each side, and the last turn in short."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.game import EventKind
from render.frame import CAP
from render.scene import Box, Figure, Patch, Stamp, Text
from render.stones import stone

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.game import Cell, Event, Outcome, Side
    from render.frame import Frame
    from render.scene import Shape
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
        high = round(frame.width / 17)
        wide, y = round(2.7 * high), frame.foot + (frame.height - frame.foot) // 2 - round(high / 10)
        edges = (frame.left + wide / 2, frame.left + frame.board - wide / 2)
        for (side, number), x in zip(self.numbers, edges, strict=True):
            yield Figure(_pill(high, wide, look, number, self._state(side)), x, y)
            yield Figure(stone(look.coat(side), 0.9 * high), x - 0.32 * high, y - 0.02 * high)
        words = brief(self.last)
        if words:
            size = 0.5 * high
            yield Figure(Stamp((Text(0, 0, words, size, look.label),)), frame.width / 2, y + CAP * size / 2)

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


class _State(Enum):
    REST = auto()
    TURN = auto()
    WON = auto()


@lru_cache(maxsize=512)
def _pill(high: float, wide: float, look: Theme, number: str, state: _State) -> Stamp:
    """Give a side's number; the side to move, and the winner, on a lit ground."""
    fill = {_State.REST: look.panel, _State.TURN: look.light, _State.WON: look.gold}[state]
    ink = look.label if state is _State.REST else look.ink
    line = look.rule if state is _State.REST else look.ink
    size = 0.56 * high
    shapes: list[Shape] = [
        Box(-wide / 2, -high / 2, wide, high, fill, high / 2, line, 0.045 * high),
        Text(0.48 * high, CAP * size / 2, number, size, ink),
    ]
    if state is _State.TURN:
        x = -1.03 * high
        shapes.append(Patch(((x, -0.15 * high), (x + 0.23 * high, 0), (x, 0.15 * high)), ink))
    return Stamp(tuple(shapes))


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
