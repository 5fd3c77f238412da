"""The state of a replay (game, turn, orientation), encoded in custom ids."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

FLIPPED = "t"
LAST_TURN = 99_999  # greater than the number of turns of any game
# Match or record : turn : view.
REPLAY_ID_PATTERN = r"(?P<kind>[mr])(?P<number>\d{1,12}):(?P<turn>\d{1,5}):(?P<view>t?)"


class ReplaySource(StrEnum):
    """The source of a game."""

    MATCH = "m"
    RECORD = "r"


@dataclass(frozen=True, slots=True)
class ReplayState:
    """A match or imported record and the turn after which its board is shown, `is_flipped` or not."""

    source: ReplaySource
    number: int
    turn_number: int = 0
    is_flipped: bool = False

    @classmethod
    def from_values(cls, values: Mapping[str, str]) -> Self:
        """Create a state from the groups of :data:`REPLAY_ID_PATTERN`. Old ids have no kind and view."""
        return cls(
            ReplaySource(values.get("kind", ReplaySource.MATCH)),
            int(values["number"]),
            int(values["turn"]),
            values.get("view") == FLIPPED,
        )

    def __str__(self) -> str:
        return f"{self.source}{self.number}:{self.turn_number}:{FLIPPED if self.is_flipped else ''}"

    def at_turn(self, number: int) -> ReplayState:
        """Return the state at another turn."""
        return replace(self, turn_number=number)

    def flip(self) -> ReplayState:
        """Return the state with the board flipped."""
        return replace(self, is_flipped=not self.is_flipped)
