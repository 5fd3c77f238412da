"""The part of a message's state that the features share in which a turn is entered step by step."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Self, TypeVar

from bot.ui.move_menu import GROUP_PREFIX
from move_builder import apply_answers, encode_answer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Position

# In custom ids: answers separated by dots / group of the open question.
ANSWERS_PATTERN = r"(?P<answers>[\w,*.-]*)(?:/(?P<group>\w+))?"


@dataclass(frozen=True, slots=True)
class AnswerState:
    """The answers given so far, which :mod:`move_builder.state` reads; `group` narrows the open question."""

    _: KW_ONLY
    answers: tuple[str, ...] = ()
    group: str = ""

    @property
    def answers_text(self) -> str:
        """What :data:`ANSWERS_PATTERN` reads."""
        return ".".join(self.answers) + (f"/{self.group}" if self.group else "")

    def with_answer(self, answer: str) -> Self:
        """Return the state after one more answer."""
        return replace(self, answers=(*self.answers, answer), group="")

    def with_group(self, group: str) -> Self:
        """Return the state with the open question narrowed to a group."""
        return replace(self, group=group)

    def back(self) -> Self | None:
        """Return the previous state of the turn, None at its start."""
        if self.group:
            return replace(self, group="")
        return replace(self, answers=self.answers[:-1]) if self.answers else None


State = TypeVar("State", bound=AnswerState)


def read_answers(values: Mapping[str, str | None]) -> tuple[str, ...]:
    """Return the answers in the groups of :data:`ANSWERS_PATTERN`."""
    return tuple(filter(None, (values["answers"] or "").split(".")))


def add_selected(state: State, position: Position, selected: Sequence[str]) -> State:
    """Return the state after what was selected in the menu of a question that `position` asks."""
    choice = apply_answers(position, state.answers).choice
    if choice is not None and choice.multiple:
        return state.with_answer(encode_answer(choice, selected))
    if selected[0].startswith(GROUP_PREFIX):
        return state.with_group(selected[0].removeprefix(GROUP_PREFIX))
    return state.with_answer(selected[0])
