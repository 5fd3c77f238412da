"""Where an analysis stands, written so that it fits a button's custom_id.

A line that is too long for that is put away, and its number stands in its place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from bot.ui.replay_state import REPLAY_ID_PATTERN as BOOKMARK
from bot.ui.replay_state import ReplayState

if TYPE_CHECKING:
    from collections.abc import Mapping

WHAT_IF_MODE, CONDITIONAL_MODE = "w", "c"
RESIGN_MARK = "!"
FORCED = "="  # the answer where only one move can be made, and nothing is asked
STORED_PREFIX = "#"
# mode, game : moves in view : line : answers to the open question / group of its options
ANALYSIS_ID_PATTERN = (
    rf"(?P<mode>[wc]){BOOKMARK}:(?P<at>\d{{1,3}}):(?P<line>[\w~,+.!-]*|#\d{{1,12}})"
    r":(?P<answers>[\w,*.!=-]*)(?:/(?P<group>\w+))?"
)
MAX_ID_LENGTH = 100
MAX_LINE_MOVES = 150  # moves


@dataclass(frozen=True, slots=True)
class AnalysisState:
    """A board of a game, the moves tried from there, and how many of them are in view.

    `is_conditional` says that the line is to be settled beforehand, as conditional moves are; its last move
    may then be :data:`RESIGN_TOKEN`. `answers` are those to the questions about the next move, `group`
    narrows the open one.
    """

    replay_state: ReplayState
    line: tuple[str, ...] = ()
    cursor: int = 0
    is_conditional: bool = False
    answers: tuple[str, ...] = ()
    group: str = ""

    @classmethod
    def from_values(cls, values: Mapping[str, str], line: str) -> Self:
        """Make a study from the groups of :data:`ANALYSIS_ID_PATTERN`.

        With the line taken out where it was put away.
        """
        moves = _split(line)
        return cls(
            replay_state=ReplayState.from_values(values),
            line=moves,
            cursor=min(int(values["at"]), len(moves)),
            is_conditional=values["mode"] == CONDITIONAL_MODE,
            answers=_split(values["answers"]),
            group=values["group"] or "",
        )

    @property
    def moves_in_view(self) -> tuple[str, ...]:
        """The moves in view."""
        return self.line[: self.cursor]

    @property
    def resigns(self) -> bool:
        """Whether the moves in view end in resigning."""
        return self.moves_in_view[-1:] == (RESIGN_MARK,)

    def encode(self, line: str) -> str:
        """Return the form that an id holds, with `line` in place of the moves."""
        mode, group = (
            CONDITIONAL_MODE if self.is_conditional else WHAT_IF_MODE,
            f"/{self.group}" if self.group else "",
        )
        return f"{mode}{self.replay_state}:{self.cursor}:{line}:{'.'.join(self.answers)}{group}"

    def with_answers(self, *answers: str) -> AnalysisState:
        """Return the study with further answers; the next question is asked whole."""
        return replace(self, answers=self.answers + answers, group="")

    def with_group(self, group: str) -> AnalysisState:
        """Return the study with the open question narrowed to a group of its options."""
        return replace(self, group=group)

    def with_moves(self, *moves: str) -> AnalysisState:
        """Return the study with moves tried after those in view; what came after stays if it began so."""
        line, cursor = (*self.moves_in_view, *moves), self.cursor + len(moves)
        return replace(
            self, line=self.line if self.line[:cursor] == line else line, cursor=cursor, answers=(), group=""
        )

    def back(self, previous_answers: tuple[str, ...] | None) -> AnalysisState | None:
        """Return the study one step earlier, None at its beginning.

        `previous_answers` are the answers to go back to.
        """
        if self.group:
            return replace(self, group="")
        if self.answers:
            return replace(self, answers=previous_answers or ())
        return replace(self, cursor=self.cursor - 1) if self.cursor else None

    def forward(self) -> AnalysisState | None:
        """Return the study with one more move in view, None at its end."""
        if self.cursor == len(self.line):
            return None
        return replace(self, cursor=self.cursor + 1, answers=(), group="")

    def flip(self) -> AnalysisState:
        """Return the study with the board seen from the other side."""
        return replace(self, replay_state=self.replay_state.flip())


def join_moves(moves: tuple[str, ...]) -> str:
    """Write moves as an id holds them."""
    return ".".join(moves)


def _split(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(".")))
