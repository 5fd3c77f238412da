"""The state of the move picker, encoded in the custom ids of its components."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from matches import MatchId

if TYPE_CHECKING:
    from collections.abc import Mapping

FLIPPED = "t"
# Match : revision : view : answers separated by dots / group of the open question.
PICK_ID_PATTERN = (
    r"(?P<match>\d{1,12}):(?P<stamp>\d{1,10}):(?P<view>t?):(?P<answers>[\w,*.-]*)(?:/(?P<group>\w+))?"
)


@dataclass(frozen=True, slots=True)
class PickState:
    """A match, the revision of the board in view, and all answers so far.

    `answers` are interpreted by :mod:`move_builder.state`. `group` narrows the open question; `is_flipped`
    shows the board from the second side.
    """

    match: MatchId
    revision: int
    answers: tuple[str, ...] = ()
    group: str = ""
    is_flipped: bool = False

    @classmethod
    def from_values(cls, values: Mapping[str, str | None]) -> Self:
        """Create a state from the groups of :data:`PICK_ID_PATTERN`."""
        return cls(
            match=MatchId(int(values["match"] or 0)),
            revision=int(values["stamp"] or 0),
            answers=tuple(filter(None, (values["answers"] or "").split("."))),
            group=values["group"] or "",
            is_flipped=values["view"] == FLIPPED,
        )

    def __str__(self) -> str:
        group = f"/{self.group}" if self.group else ""
        view = FLIPPED if self.is_flipped else ""
        return f"{self.match}:{self.revision}:{view}:{'.'.join(self.answers)}{group}"

    def with_answers(self, *answers: str) -> PickState:
        """Return the state with further answers and without a group."""
        return replace(self, answers=self.answers + answers, group="")

    def with_group(self, group: str) -> PickState:
        """Return the state with the open question narrowed to a group."""
        return replace(self, group=group)

    def flip(self) -> PickState:
        """Return the state with the board flipped."""
        return replace(self, is_flipped=not self.is_flipped)

    def back(self) -> PickState | None:
        """Return the previous state, None at the start."""
        if self.group:
            return replace(self, group="")
        return replace(self, answers=self.answers[:-1]) if self.answers else None
