"""Which game lies open, at which turn and from which side, written so that it fits a button's custom_id."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matches import Replay

TURNED = "t"
END = 99_999  # beyond the last turn of any game, and so its last page
# match or record : turn : view
FORM = r"(?P<kind>[mr])(?P<number>\d{1,12}):(?P<turn>\d{1,5}):(?P<view>t?)"


class Kind(StrEnum):
    """Where a game comes from."""

    MATCH = "m"
    RECORD = "r"


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A match or imported record, and the turn after which its board is shown, `turned` or not."""

    kind: Kind
    number: int
    turn: int = 0
    turned: bool = False

    @classmethod
    def of(cls, game: Replay, turn: int = 0) -> Self:
        """Give the bookmark of a game."""
        if game.match is not None:
            return cls(Kind.MATCH, game.match, turn)
        return cls(Kind.RECORD, game.record or 0, turn)

    @classmethod
    def read(cls, values: Mapping[str, str]) -> Self:
        """Make a bookmark from the groups of :data:`FORM`."""
        return cls(Kind(values["kind"]), int(values["number"]), int(values["turn"]), values["view"] == TURNED)

    def __str__(self) -> str:
        return f"{self.kind}{self.number}:{self.turn}:{TURNED if self.turned else ''}"

    def at(self, turn: int) -> Bookmark:
        """Give the bookmark at another turn."""
        return replace(self, turn=turn)

    def flipped(self) -> Bookmark:
        """Give the bookmark with the board seen from the other side."""
        return replace(self, turned=not self.turned)
