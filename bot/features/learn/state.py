"""The state of a lesson, encoded in the custom ids of its components."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from bot.ui.answer_state import ANSWERS_PATTERN, AnswerState, read_answers
from lessons.content import default_lessons
from matches import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lessons.content import Lesson, Task

GAME_PATTERN = r"(?P<game>[a-z0-9]{1,20})"
HINT = "h"
# Game : task : whether the hint is shown : answers separated by dots / group of the open question.
STATE_PATTERN = (
    rf"{GAME_PATTERN}:(?P<task>[a-z-]{{1,20}}):(?P<hint>{HINT}?)"
    rf":{ANSWERS_PATTERN}"
)


@dataclass(frozen=True, slots=True)
class LessonState(AnswerState):
    """A task, the answers given so far, and whether its hint is shown.

    `answers` are interpreted by :mod:`move_builder.state`; `group` narrows the open question.
    """

    game: str
    task: str
    shows_hint: bool = False

    @classmethod
    def from_values(cls, values: Mapping[str, str | None]) -> Self:
        """Create a state from the groups of :data:`STATE_PATTERN`."""
        return cls(
            game=values["game"] or "",
            task=values["task"] or "",
            answers=read_answers(values),
            group=values["group"] or "",
            shows_hint=values["hint"] == HINT,
        )

    def __str__(self) -> str:
        hint = HINT if self.shows_hint else ""
        return f"{self.game}:{self.task}:{hint}:{self.answers_text}"

    def with_hint(self) -> LessonState:
        """Return the state with the hint shown."""
        return replace(self, shows_hint=True)

    def restart(self) -> LessonState:
        """Return the state without any answers."""
        return replace(self, answers=(), group="")


def first_state(game: str) -> LessonState:
    """Return the first task of a game's lesson. Raises Refusal if it has none."""
    lesson = default_lessons().find(game)
    if lesson is None:
        raise Refusal("lesson_unknown", games=tuple(one.game for one in default_lessons()))
    return LessonState(game, lesson.tasks[0].key)


def find_task(state: LessonState) -> tuple[Lesson, Task]:
    """Return the lesson and the task of a state. Raises Refusal if a later version has removed it."""
    lesson = default_lessons().find(state.game)
    index = None if lesson is None else lesson.find_index(state.task)
    if lesson is None or index is None:
        raise Refusal("task_unknown")
    return lesson, lesson.tasks[index]
