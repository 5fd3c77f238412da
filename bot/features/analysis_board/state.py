"""The state of an analysis, encoded in the custom ids of its components.

A line too long for a custom id is stored in the database and referenced by its id.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from bot.ui.replay_state import REPLAY_ID_PATTERN, ReplayState

if TYPE_CHECKING:
    from collections.abc import Mapping

WHAT_IF_MODE, CONDITIONAL_MODE = "w", "c"
RESIGN_MARK = "!"
FORCED = "="  # the answer if there is only one legal move
STORED_PREFIX = "#"
# Mode and game : number of moves in view : line : answers to the open question / group of its options.
ANALYSIS_ID_PATTERN = (
    rf"(?P<mode>[wc]){REPLAY_ID_PATTERN}:(?P<at>\d{{1,3}}):(?P<line>[\w~,+.!-]*|#\d{{1,12}})"
    r":(?P<answers>[\w,*.!=-]*)(?:/(?P<group>\w+))?"
)
MAX_ID_LENGTH = 100
MAX_LINE_MOVES = 150  # moves


@dataclass(frozen=True, slots=True)
class AnalysisState:
    """A position of a game, the moves tried from it, and how many of them are in view.

    `is_conditional`: the line is for conditional moves; its last move may then be :data:`RESIGN_MARK`.
    `answers` are the answers to the questions about the next move; `group` narrows the open question.
    """

    replay_state: ReplayState
    line: tuple[str, ...] = ()
    cursor: int = 0
    is_conditional: bool = False
    answers: tuple[str, ...] = ()
    group: str = ""

    @classmethod
    def from_values(cls, values: Mapping[str, str], line: str) -> Self:
        """Create a state from the groups of :data:`ANALYSIS_ID_PATTERN` and the (loaded) line."""
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
        """Whether the last move in view is a resignation."""
        return self.moves_in_view[-1:] == (RESIGN_MARK,)

    def encode(self, line: str) -> str:
        """Return the text for a custom id, with `line` in place of the moves."""
        mode, group = (
            CONDITIONAL_MODE if self.is_conditional else WHAT_IF_MODE,
            f"/{self.group}" if self.group else "",
        )
        return f"{mode}{self.replay_state}:{self.cursor}:{line}:{'.'.join(self.answers)}{group}"

    def with_answers(self, *answers: str) -> AnalysisState:
        """Return the state with further answers and without a group."""
        return replace(self, answers=self.answers + answers, group="")

    def with_group(self, group: str) -> AnalysisState:
        """Return the state with the open question narrowed to a group."""
        return replace(self, group=group)

    def with_moves(self, *moves: str) -> AnalysisState:
        """Return the state with `moves` after those in view.

        Later moves of the line are kept if the line already continued with `moves`.
        """
        line, cursor = (*self.moves_in_view, *moves), self.cursor + len(moves)
        return replace(
            self, line=self.line if self.line[:cursor] == line else line, cursor=cursor, answers=(), group=""
        )

    def back(self, previous_answers: tuple[str, ...] | None) -> AnalysisState | None:
        """Return the previous state, None at the start.

        `previous_answers` are the answers to return to.
        """
        if self.group:
            return replace(self, group="")
        if self.answers:
            return replace(self, answers=previous_answers or ())
        return replace(self, cursor=self.cursor - 1) if self.cursor else None

    def forward(self) -> AnalysisState | None:
        """Return the state with one more move in view, None at the end."""
        if self.cursor == len(self.line):
            return None
        return replace(self, cursor=self.cursor + 1, answers=(), group="")

    def flip(self) -> AnalysisState:
        """Return the state with the board flipped."""
        return replace(self, replay_state=self.replay_state.flip())


def join_moves(moves: tuple[str, ...]) -> str:
    """Return moves in the form used in custom ids."""
    return ".".join(moves)


def _split(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(".")))
