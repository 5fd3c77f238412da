"""How somebody wants to see a position."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from render.themes import ThemeName

if TYPE_CHECKING:
    from engine.game import Cell, Event, Side

MIN_WIDTH, MAX_WIDTH = 200, 2000


class MarkKind(StrEnum):
    """What a mark on a cell says."""

    SELECTED = "chosen"  # the stone picked up
    SELECTABLE = "open"  # a cell on offer; `text` numbers it
    TO_CAPTURE = "ringed"  # a stone that will be, or was, captured
    DECLINED = "spared"  # a stone that could be captured and is let off


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark on one cell, with up to three characters of `text` where the kind shows any."""

    kind: MarkKind
    cell: Cell
    text: str = ""


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """A way to look: who sits at the bottom (None: whoever moves first), the theme, the width in pixels.

    `last_turn` is what the last turn did, `marks` what else to point out; with `large_labels` all that is
    written beside the board is larger. Raises ValueError for a width outside 200 to 2000 or an unknown theme.
    """

    bottom_side: Side | None = None
    theme: ThemeName = ThemeName.RAINBOW
    width: int = 700
    last_turn: tuple[Event, ...] = ()
    marks: tuple[Mark, ...] = ()
    large_labels: bool = False

    def __post_init__(self) -> None:
        if not MIN_WIDTH <= self.width <= MAX_WIDTH:
            raise ValueError(f"A picture is {MIN_WIDTH} to {MAX_WIDTH} pixels wide, not {self.width}.")
        object.__setattr__(self, "theme", ThemeName(self.theme))
