"""Where an analysis stands, written so that it fits a button's custom_id.

A line that is too long for that is put away, and its number stands in its place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from bot.replays.bookmark import FORM as BOOKMARK
from bot.replays.bookmark import Bookmark

if TYPE_CHECKING:
    from collections.abc import Mapping

WHAT_IF, SETTLING = "w", "c"
RESIGNING = "!"
FORCED = "="  # the answer where only one move can be made, and nothing is asked
PUT_AWAY = "#"
# mode, game : moves in view : line : answers to the open question / group of its options
FORM = (
    rf"(?P<mode>[wc]){BOOKMARK}:(?P<at>\d{{1,3}}):(?P<line>[\w~,+.!-]*|#\d{{1,12}})"
    r":(?P<answers>[\w,*.!=-]*)(?:/(?P<group>\w+))?"
)
LONGEST_ID = 100
LONGEST_LINE = 150  # moves


@dataclass(frozen=True, slots=True)
class Study:
    """A board of a game, the moves tried from there, and how many of them are in view.

    `settling` says that the line is to be settled beforehand, as conditional moves are; its last move may
    then be :data:`RESIGNING`. `answers` are those to the questions about the next move, `group` narrows the
    open one.
    """

    bookmark: Bookmark
    line: tuple[str, ...] = ()
    at: int = 0
    settling: bool = False
    answers: tuple[str, ...] = ()
    group: str = ""

    @classmethod
    def read(cls, values: Mapping[str, str], line: str) -> Self:
        """Make a study from the groups of :data:`FORM`, with the line taken out where it was put away."""
        moves = _parted(line)
        return cls(
            bookmark=Bookmark.read(values),
            line=moves,
            at=min(int(values["at"]), len(moves)),
            settling=values["mode"] == SETTLING,
            answers=_parted(values["answers"]),
            group=values["group"] or "",
        )

    @property
    def played(self) -> tuple[str, ...]:
        """The moves in view."""
        return self.line[: self.at]

    @property
    def resigns(self) -> bool:
        """Whether the moves in view end in resigning."""
        return self.played[-1:] == (RESIGNING,)

    def written(self, line: str) -> str:
        """Give the form that an id holds, with `line` in place of the moves."""
        mode, group = SETTLING if self.settling else WHAT_IF, f"/{self.group}" if self.group else ""
        return f"{mode}{self.bookmark}:{self.at}:{line}:{'.'.join(self.answers)}{group}"

    def asked(self, *answers: str) -> Study:
        """Give the study with further answers; the next question is asked whole."""
        return replace(self, answers=self.answers + answers, group="")

    def narrowed(self, group: str) -> Study:
        """Give the study with the open question narrowed to a group of its options."""
        return replace(self, group=group)

    def tried(self, *moves: str) -> Study:
        """Give the study with moves tried after those in view; what came after stays if it began so."""
        line, at = (*self.played, *moves), self.at + len(moves)
        return replace(self, line=self.line if self.line[:at] == line else line, at=at, answers=(), group="")

    def back(self, earlier: tuple[str, ...] | None) -> Study | None:
        """Give the study one step earlier, None at its beginning; `earlier` are the answers to go back to."""
        if self.group:
            return replace(self, group="")
        if self.answers:
            return replace(self, answers=earlier or ())
        return replace(self, at=self.at - 1) if self.at else None

    def forward(self) -> Study | None:
        """Give the study with one more move in view, None at its end."""
        if self.at == len(self.line):
            return None
        return replace(self, at=self.at + 1, answers=(), group="")

    def flipped(self) -> Study:
        """Give the study with the board seen from the other side."""
        return replace(self, bookmark=self.bookmark.flipped())


def joined(moves: tuple[str, ...]) -> str:
    """Write moves as an id holds them."""
    return ".".join(moves)


def _parted(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(".")))
