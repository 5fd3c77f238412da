"""How a viewer wants to see a position: orientation, theme, size, and what to highlight."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from render.themes import ThemeName

if TYPE_CHECKING:
    from engine.game import Cell, Event, Side

MIN_WIDTH, MAX_WIDTH = 200, 2000


class MarkKind(StrEnum):
    """What a mark on a cell means."""

    SELECTED = "chosen"  # the stone that has been selected
    SELECTABLE = "open"  # a cell that can be selected; `text` is shown on it
    TO_CAPTURE = "ringed"  # a stone that can be captured
    DECLINED = "spared"  # a stone that could be captured, but will not be


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on a cell, with up to three characters of `text` if the kind shows text."""

    kind: MarkKind
    cell: Cell
    text: str = ""


class Words(Protocol):
    """The words of pictures in one language, by key: a catalogue such as `i18n.Texts`."""

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return the text of a key with its placeholders filled."""

    def for_game(self, vocabulary: str, key: str, /, **values: Any) -> str:
        """Return the text of a key in the words of a game, named by its vocabulary."""


class _NoWords:
    def __call__(self, *_keys: str, **_values: Any) -> str:
        return ""

    for_game = __call__


NO_WORDS: Words = _NoWords()
"""For pictures that nobody reads, or that contain only numbers."""


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """Options of a picture; `width` is in pixels.

    `words` are for what is said in the picture and about it. `bottom_side` is the side at the bottom (None:
    the side that moves first). The events of `last_turn` and the `marks` are highlighted. With `large_labels`
    the text around the board is larger. If `is_over`, the match has ended, and no side is shown to be to
    move. Raises ValueError for a width outside 200 to 2000 or an unknown theme.
    """

    words: Words
    bottom_side: Side | None = None
    theme: ThemeName = ThemeName.RAINBOW
    width: int = 700
    last_turn: tuple[Event, ...] = ()
    marks: tuple[Mark, ...] = ()
    large_labels: bool = False
    is_over: bool = False

    def __post_init__(self) -> None:
        if not MIN_WIDTH <= self.width <= MAX_WIDTH:
            raise ValueError(f"A picture is {MIN_WIDTH} to {MAX_WIDTH} pixels wide, not {self.width}.")
        object.__setattr__(self, "theme", ThemeName(self.theme))
