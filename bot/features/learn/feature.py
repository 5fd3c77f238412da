"""``/learn``: the message of a lesson, its buttons and its selects.

The custom ids hold the whole state (:mod:`bot.features.learn.state`), so a lesson continues after a restart.
Nothing is stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from bot.feature import Feature
from bot.features.learn.state import GAME_PATTERN, STATE_PATTERN, LessonState, find_task, first_state
from bot.features.rules import RulesButton
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.posts.replies import replace_message, send_private
from bot.ui import game_argument
from bot.ui.answer_state import add_selected
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.commands import define_command
from bot.ui.move_menu import PickMenuBuilder
from bot.ui.selects import PersistentSelect, select_option
from i18n import formatting
from lessons.content import default_lessons
from lessons.goals import play_turn
from matches import Refusal
from move_builder import apply_answers, preview

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import discord

    from bot.context import Interaction
    from bot.ui.move_menu import PickMenu
    from engine.game import Game, OptionValue
    from i18n import Texts
    from lessons.content import Lesson, Task, Verdict
    from move_builder import MoveBuilderState


class LearnButton(PersistentButton, template=rf"learn1:{GAME_PATTERN}"):
    """Opens the lesson of a game for the user who clicks it."""

    @classmethod
    def of(cls, texts: Texts, game: Game, _options: Mapping[str, OptionValue]) -> Self | None:
        """Create the button for a game; None if it has no lesson."""
        if default_lessons().find(game.name) is None:
            return None
        return cls.create(texts("button.learn"), f"learn1:{game.name}")

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the first task (ephemeral)."""
        await _open_lesson(interaction, self.values["game"])


class TaskButton(PersistentButton, template=rf"task(?:step)?1:{STATE_PATTERN}"):
    """Shows the state in its custom id. The two forms keep the ids in a message different."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        await _show(interaction, LessonState.from_values(self.values))


class TaskCellSelect(PersistentSelect, template=rf"taskcell1:{STATE_PATTERN}"):
    """Lists the cells that can be chosen, or groups of them."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Add the selected answer, or narrow the question to the selected group."""
        state = LessonState.from_values(self.values)
        _, task = find_task(state)
        start = interaction.client.games[state.game].load(task.position)
        await _show(interaction, add_selected(state, start, selected))


class TaskSelect(PersistentSelect, template=rf"tasks1:{GAME_PATTERN}"):
    """Lists the tasks of a lesson."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Show the selected task."""
        await _show(interaction, LessonState(self.values["game"], selected[0]))


class LessonSelect(PersistentSelect, template=r"lessons1"):
    """Lists the lessons."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Show the first task of the selected lesson."""
        await _show(interaction, first_state(selected[0]))


async def _learn(interaction: Interaction, game: str | None) -> None:
    """Open the lesson of a game, by default of the server's; of the first game if that has none."""
    name = await game_argument.resolve_game_key_or_default(interaction, game)
    if game is None and default_lessons().find(name) is None:
        name = next(iter(default_lessons())).game
    await _open_lesson(interaction, name)


async def _open_lesson(interaction: Interaction, game: str) -> None:
    """Respond with the first task of a game's lesson (ephemeral). Raises Refusal if it has none."""
    post = await _build_post(interaction, first_state(game))
    await send_private(interaction, post)


async def _show(interaction: Interaction, state: LessonState) -> None:
    """Show a state in the message of the interaction."""
    post = await _build_post(interaction, state)
    await replace_message(interaction, post)


async def _build_post(interaction: Interaction, state: LessonState) -> Post:
    """Return the message of a state: the task, the open question or the verdict, picture and components."""
    texts = interaction.client.texts
    lesson, task = find_task(state)
    start = interaction.client.games[state.game].load(task.position)
    if start.to_move is None:
        raise Refusal("task_unknown")
    move_state = apply_answers(start, state.answers)
    builder = PickMenuBuilder(texts, move_state, start.to_move, group=state.group)
    menu = builder.build_menu()
    verdict = None if move_state.choice else task.judge(start, move_state.moves)
    position, render_options = preview(
        move_state,
        await pictures.load_render_options(interaction),
        menu.cells,
        show_names=not menu.is_multiple and not menu.group_kind,
    )
    metrics = interaction.client.matches.metrics
    png, diagram = await pictures.render_board(position, render_options, metrics)
    if verdict is None:
        items = [*_answer_items(texts, state, menu, builder.format_hint(menu))]
    else:
        items = [*_result_buttons(texts, lesson, task, state, verdict)]

    def format_body(texts: Texts) -> str:
        if verdict is None:
            return texts("learn.question", question=builder.format_question(texts))
        return _format_verdict(texts, lesson, task, verdict, move_state)

    hint = (
        texts("learn.hint", hint=texts.write_markup(task.hint))
        if state.shows_hint and verdict is None
        else ""
    )
    lines = [line for line in (_format_task(texts, lesson, task), hint, format_body(texts)) if line]
    items += _navigation_items(texts, lesson, task)
    alt = texts.plain("picking.alt_bare", question=format_body(texts.plain), diagram=diagram)
    return Post(texts.join(lines, "list.lines"), Picture(png, alt), lambda: view_of(*items))


def _answer_items(
    texts: Texts, state: LessonState, menu: PickMenu, placeholder: str
) -> Iterator[discord.ui.Item[Any]]:
    """Yield the possible answers to the open question, and the buttons *Back* and *Hint*.

    The answers are listed without their effects: finding these is the task.
    """
    if menu.options:
        options = [select_option(one.label, one.value, is_selected=one.is_selected) for one in menu.options]
        yield TaskCellSelect.create(placeholder, f"taskcell1:{state}", options, many=menu.is_multiple)
    for one in menu.buttons:
        yield TaskButton.create(one.label, f"task1:{state.with_answer(one.value)}", Style.primary)
    back = state.back()
    if back is not None:
        yield TaskButton.create(texts("button.back"), f"taskstep1:{back}")
    if not state.shows_hint:
        yield TaskButton.create(texts("button.hint"), f"taskstep1:{state.with_hint()}")


def _result_buttons(
    texts: Texts, lesson: Lesson, task: Task, state: LessonState, verdict: Verdict
) -> Iterator[discord.ui.Item[Any]]:
    """Yield the button that leads on after a complete turn."""
    following = lesson.tasks[lesson.tasks.index(task) + 1 :]
    if not verdict.is_solved:
        yield TaskButton.create(texts("button.try_again"), f"task1:{state.restart()}", Style.primary)
    elif following:
        next_state = LessonState(lesson.game, following[0].key)
        yield TaskButton.create(texts("button.next_task"), f"task1:{next_state}", Style.success)


def _navigation_items(texts: Texts, lesson: Lesson, task: Task) -> Iterator[discord.ui.Item[Any]]:
    """Yield the button that opens the rule of a task, and the menus of the tasks and the lessons."""
    yield RulesButton.create(texts("button.rule"), f"rules1:{lesson.game}:{task.rule}")
    tasks = [
        select_option(
            texts.plain("learn.option", number=at, title=one.title), one.key, is_selected=one is task
        )
        for at, one in enumerate(lesson.tasks, 1)
    ]
    yield TaskSelect.create(texts("learn.tasks"), f"tasks1:{lesson.game}", tasks)
    lessons = [
        select_option(texts(f"game.{one.game}.name"), one.game, one.about, is_selected=one is lesson)
        for one in default_lessons()
    ]
    yield LessonSelect.create(texts("learn.lessons"), "lessons1", lessons)


def _format_task(texts: Texts, lesson: Lesson, task: Task) -> str:
    """Return the heading of a task and what to do."""
    return texts(
        "learn.task",
        game=texts(f"game.{lesson.game}.name"),
        title=task.title,
        text=texts.write_markup(task.text),
        number=lesson.tasks.index(task) + 1,
        count=len(lesson.tasks),
    )


def _format_verdict(
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


FEATURE = Feature(
    commands=(define_command("learn", _learn, game_argument.field("learn"), anywhere=True),),
    items=(LearnButton, TaskButton, TaskCellSelect, TaskSelect, LessonSelect),
    guide_buttons=(LearnButton.of,),
)
