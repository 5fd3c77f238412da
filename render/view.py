"""How somebody wants to see a position."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from render.themes import ThemeName

if TYPE_CHECKING:
    from engine.game import Cell, Event, Side

NARROWEST, WIDEST = 200, 2000


class MarkKind(StrEnum):
    """What a mark on a cell says."""

    CHOSEN = "chosen"  # the stone picked up
    OPEN = "open"  # a cell on offer; `text` numbers it
    RINGED = "ringed"  # a stone that will be, or was, captured
    SPARED = "spared"  # a stone that could be captured and is let off


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark on one cell, with up to three characters of `text` where the kind shows any."""

    kind: MarkKind
    cell: Cell
    text: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A way to look: who sits at the bottom (None: whoever moves first), the theme, the width in pixels.

    `last` is what the last turn did, `marks` what else to point out; with `large` all that is written
    beside the board is larger.
    Raises ValueError for a width outside 200 to 2000 or an unknown theme.
    """

    side: Side | None = None
    theme: ThemeName = ThemeName.RAINBOW
    width: int = 700
    last: tuple[Event, ...] = ()
    marks: tuple[Mark, ...] = ()
    large: bool = False

    def __post_init__(self) -> None:
        if not NARROWEST <= self.width <= WIDEST:
            raise ValueError(f"A picture is {NARROWEST} to {WIDEST} pixels wide, not {self.width}.")
        object.__setattr__(self, "theme", ThemeName(self.theme))
