"""The texts of a task: what to do, and what the learner is told about a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n import formatting
from lessons.goals import play_turn

if TYPE_CHECKING:
    from i18n import Texts
    from lessons.content import Lesson, Task, Verdict
    from move_builder import MoveBuilderState


def format_task(texts: Texts, lesson: Lesson, task: Task) -> str:
    """Return the heading of a task and what to do."""
    return texts(
        "learn.task",
        game=texts(f"game.{lesson.game}.name"),
        title=task.title,
        text=texts.write_markup(task.text),
        number=lesson.tasks.index(task) + 1,
        count=len(lesson.tasks),
    )


def format_verdict(
    texts: Texts, lesson: Lesson, task: Task, verdict: Verdict, move_state: MoveBuilderState
) -> str:
    """Return what the learner is told about a complete turn, and after the last task what comes next."""
    lines = [
        texts("learn.right" if verdict.is_solved else "learn.wrong", text=texts.write_markup(verdict.text))
    ]
    position = play_turn(move_state.start, move_state.moves)[0]
    if verdict.refutation is not None and position.to_move is not None:
        events = position.events(verdict.refutation)
        turn = formatting.format_turn(texts, position.vocabulary, position.to_move, events)
        lines.append(texts("learn.refutation", turn=turn))
    if verdict.is_solved and task is lesson.tasks[-1]:
        lines.append(texts("learn.finished", end=texts.write_markup(lesson.end)))
    return texts.join(lines, "list.lines")
