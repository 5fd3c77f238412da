"""How far a solver is, encoded in the custom ids of the components of a puzzle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from bot.ui.answer_state import ANSWERS_PATTERN, AnswerState, read_answers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KEY_PATTERN = r"(?P<key>[0-9a-f]{16})"
HINT, SOLUTION = "h", "s"
# The key and the day of a daily puzzle, in the button of its post.
DAILY_PATTERN = rf"{KEY_PATTERN}:(?P<day>\d{{4}}-\d\d-\d\d)"
# Key : turns found : what else is shown : answers separated by dots / group of the open question.
STATE_PATTERN = (
    rf"{KEY_PATTERN}:(?P<found>\d):(?P<shown>[{HINT}{SOLUTION}]?)"
    rf":{ANSWERS_PATTERN}"
)


@dataclass(frozen=True, slots=True)
class PuzzleState(AnswerState):
    """A puzzle, how many of its turns the solver has found, and the answers given for the next one.

    `answers` are interpreted by :mod:`move_builder.state`; `group` narrows the open question. `shown` is what
    the solver asked to see besides: the HINT, the SOLUTION, or nothing.
    """

    key: str
    found: int = 0
    shown: str = ""

    @classmethod
    def from_values(cls, values: Mapping[str, str | None]) -> Self:
        """Create a state from the groups of :data:`STATE_PATTERN`."""
        return cls(
            key=values["key"] or "",
            found=int(values["found"] or 0),
            answers=read_answers(values),
            group=values["group"] or "",
            shown=values["shown"] or "",
        )

    def __str__(self) -> str:
        return f"{self.key}:{self.found}:{self.shown}:{self.answers_text}"

    def found_turns(self, line: Sequence[str]) -> tuple[str, ...]:
        """Return the turns of a line that the solver has found; other right ones lead to the same boards."""
        return tuple(line[: 2 * self.found : 2])

    def after(self, found: int) -> PuzzleState:
        """Return the state at the start of the turn after so many found ones."""
        return PuzzleState(self.key, found)

    def showing(self, shown: str) -> PuzzleState:
        """Return the state with the hint or the solution shown."""
        return replace(self, shown=shown, group="")
