"""Where a picking dialogue stands, written so that it fits a button's custom_id."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from matches import MatchId

if TYPE_CHECKING:
    from collections.abc import Mapping

TURNED = "t"
# match : stamp : view : answers parted by dots / group of the open question
FORM = r"(?P<match>\d{1,12}):(?P<stamp>\d{1,10}):(?P<view>t?):(?P<answers>[\w,*.-]*)(?:/(?P<group>\w+))?"


@dataclass(frozen=True, slots=True)
class Trail:
    """A match, the stamp of the board in view, and all answers so far.

    `answers` are those that :mod:`picking.steps` follows. `group` narrows the open question;
    `turned` shows the board from the second side.
    """

    match: MatchId
    stamp: int
    answers: tuple[str, ...] = ()
    group: str = ""
    turned: bool = False

    @classmethod
    def read(cls, values: Mapping[str, str | None]) -> Self:
        """Make a trail from the groups of :data:`FORM`."""
        return cls(
            match=MatchId(int(values["match"] or 0)),
            stamp=int(values["stamp"] or 0),
            answers=tuple(filter(None, (values["answers"] or "").split("."))),
            group=values["group"] or "",
            turned=values["view"] == TURNED,
        )

    def __str__(self) -> str:
        narrowed = f"/{self.group}" if self.group else ""
        view = TURNED if self.turned else ""
        return f"{self.match}:{self.stamp}:{view}:{'.'.join(self.answers)}{narrowed}"

    def answered(self, *answers: str) -> Trail:
        """Give the trail with further answers; the next question is asked whole."""
        return replace(self, answers=self.answers + answers, group="")

    def narrowed(self, group: str) -> Trail:
        """Give the trail with the open question narrowed to a group of its options."""
        return replace(self, group=group)

    def flipped(self) -> Trail:
        """Give the trail seen from the other side."""
        return replace(self, turned=not self.turned)

    def back(self) -> Trail | None:
        """Give the trail one step earlier, None at the beginning."""
        if self.group:
            return replace(self, group="")
        return replace(self, answers=self.answers[:-1]) if self.answers else None
