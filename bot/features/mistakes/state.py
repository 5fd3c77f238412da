"""The state of a mistake that is tried again, encoded in the custom ids of its components."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from bot.ui.answer_state import ANSWERS_PATTERN, AnswerState, read_answers
from bot.ui.replay_state import ReplaySource, ReplayState

if TYPE_CHECKING:
    from collections.abc import Mapping

GAME_PATTERN = r"(?P<kind>[mr])(?P<number>\d{1,12})"
SHOWN = "s"
# Game : turn : whether the answer is shown : answers separated by dots / group of the open question.
STATE_PATTERN = (
    rf"{GAME_PATTERN}:(?P<turn>\d{{1,5}}):(?P<shown>{SHOWN}?)"
    rf":{ANSWERS_PATTERN}"
)


@dataclass(frozen=True, slots=True)
class MistakeState(AnswerState):
    """A mistake in a `turn` of a game, the answers given so far, and whether the answer is shown.

    `answers` are interpreted by :mod:`move_builder.state`; `group` narrows the open question.
    """

    game: ReplayState
    turn: int
    is_shown: bool = False

    @classmethod
    def from_values(cls, values: Mapping[str, str | None]) -> Self:
        """Create a state from the groups of :data:`STATE_PATTERN`."""
        return cls(
            game=game_state(values),
            turn=int(values["turn"] or 0),
            answers=read_answers(values),
            group=values["group"] or "",
            is_shown=values["shown"] == SHOWN,
        )

    def __str__(self) -> str:
        shown = SHOWN if self.is_shown else ""
        game = f"{self.game.source}{self.game.number}"
        return f"{game}:{self.turn}:{shown}:{self.answers_text}"

    def at(self, turn: int) -> MistakeState:
        """Return the state of a mistake of the game without any answers."""
        return MistakeState(self.game, turn)

    def show(self) -> MistakeState:
        """Return the state with the answer shown."""
        return replace(self.at(self.turn), is_shown=True)


def game_state(values: Mapping[str, str | None]) -> ReplayState:
    """Return the game in the groups of :data:`GAME_PATTERN`."""
    return ReplayState(ReplaySource(values["kind"] or ""), int(values["number"] or 0))
