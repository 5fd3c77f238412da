"""Lessons in Discord: tasks are solved with the menus, mistakes explained, and all survives a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import engine
from bot.ui.markdown import DISCORD
from i18n import Texts
from lessons.content import default_lessons
from tests.bot.environment import running_bot
from tests.lessons.solving import answers_for

if TYPE_CHECKING:
    from lessons.content import Lesson, Task
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Reply

TASK_MENUS = {"Go to a task", "Other games"}


async def answer(env: BotEnvironment, reply: Reply, value: str) -> Reply:
    """Give one answer with the menu of the open question or one of its buttons."""
    for menu in reply.selects:
        if menu.placeholder not in TASK_MENUS:
            values = {option.value for option in menu.options}
            if set(value.split(",")) <= values:
                return await env.alice.select(reply, str(menu.placeholder), value.split(","))
            if f"/{value[0]}" in values:  # the files of a large board
                inside = await env.alice.select(reply, str(menu.placeholder), [f"/{value[0]}"])
                return await answer(env, inside, value)
    endings = (f":{value}", f".{value}", "*")
    buttons = [str(one.custom_id) for one in reply.buttons]
    named = next(one for one in buttons if one.startswith("task1:") and one.endswith(endings))
    return await env.alice.click(reply, named)


async def solve(env: BotEnvironment, reply: Reply, lesson: Lesson, task: Task, text: str) -> Reply:
    """Play a move in the message of a task."""
    start = engine.GAMES[lesson.game].load(task.position)
    for value in answers_for(start, start.parse(text)):
        reply = await answer(env, reply, value)
    return reply


@pytest.mark.long
@pytest.mark.parametrize("lesson", default_lessons().lessons, ids=lambda lesson: lesson.game)
async def test_whole_lesson_is_played_with_menus(env: BotEnvironment, lesson: Lesson) -> None:
    reply = await env.alice.command("learn", {"game": lesson.game}, channel=env.channel)
    assert reply.ephemeral
    for number, task in enumerate(lesson.tasks, 1):
        assert f"task {number} of {len(lesson.tasks)}" in reply.content
        assert Texts.load().with_writer(DISCORD).write_markup(task.text) in reply.content
        reply = await solve(env, reply, lesson, task, task.solution)
        assert f"**Right!** {task.success}" in reply.content
        if number < len(lesson.tasks):
            reply = await env.alice.click(reply, "Next task")
    assert lesson.end in reply.content


async def test_wrong_turn_is_explained_with_the_reply_and_can_be_tried_again(env: BotEnvironment) -> None:
    reply = await env.alice.command("learn", {"game": "Morabaraba"}, channel=env.channel)
    reply = await env.alice.select(reply, "Go to a task", ["2. Block"])
    reply = await answer(env, await env.alice.click(reply, "Hint"), "A4")
    assert "Not yet." in reply.content
    assert "For example, Red places G7, closes the mill A7, D7 and G7" in reply.content
    reply = await env.alice.click(reply, "Try again")
    assert "💡" in reply.content
    assert "Right!" in (await answer(env, reply, "G7")).content


@pytest.mark.long
async def test_lesson_continues_after_a_restart(env: BotEnvironment) -> None:
    reply = await env.alice.command("learn", {"game": "morelli"}, channel=env.channel)
    reply = await env.alice.select(reply, "Go to a task", ["3. Your first capture"])
    reply = await answer(env, reply, "A6")
    await env.bot.close()
    async with running_bot(env.discord, env.database):
        reply = await answer(env, reply, "C6")
        assert "capture" in reply.content
        rule = await env.alice.click(reply, "The rule")
    assert rule.ephemeral
    assert not rule.updated
    assert rule.content.startswith("## Capturing\n")


async def test_game_without_a_lesson_is_refused(env: BotEnvironment) -> None:
    reply = await env.alice.command("learn", {"game": "breakthrough"}, channel=env.channel)
    assert reply.content == "There is no lesson for this game. You can learn Morelli, Morphos or Morabaraba."


@pytest.mark.long
async def test_newcomers_find_rules_and_lesson_under_challenge_choice_and_first_board(
    env: BotEnvironment,
) -> None:
    challenge = await env.make_challenge(board="9", start="closed fists")
    lesson = await env.bob.click(challenge, "Learn")
    assert (lesson.ephemeral, "Learn Morelli" in lesson.content) == (True, True)
    choice = await env.wait_for_board(after=await env.bob.click(challenge, "Accept"))
    labels = [button.label for button in choice.buttons]
    assert labels == ["Close your fists", "Rules", "Learn"]
    board = await env.start_match()
    rules = await env.bob.click(board, "Rules")
    assert (rules.ephemeral, rules.content.startswith("## In short\n")) == (True, True)
    await env.move(env.alice, "D1-D4")
    assert not {"Rules", "Learn"} & {button.label for button in env.latest_message.buttons}


@pytest.mark.plain("a menu has no room for longer texts")
async def test_values_of_options_are_explained_where_they_are_chosen(env: BotEnvironment) -> None:
    async def labels(game: str, option: str) -> dict[str, str]:
        typed = {"game": game, option: ""}
        found = await env.alice.autocomplete("challenge", typed, focused=option, channel=env.channel)
        return {str(one.value): one.name for one in found}

    starts = await labels("morelli", "start")
    assert starts["adjacent"] == "Adjacent: each colour on two edges that meet"
    editions = await labels("morelli", "edition")
    assert editions["nestor"] == "later rules (usual): stones and towers, captures may be declined"
    assert editions["2015"] == "rules of 2015: pieces and kings, captures are compulsory"
    mutators = await labels("morphos", "mutators")
    assert mutators["ac"] == "mutators ac: no corner stones, two stones"
    assert max(map(len, mutators.values())) < 100
    challenge = await env.make_challenge(board="9", start=starts["adjacent"])
    assert "Adjacent" in challenge.content


@pytest.mark.long
async def test_options_of_a_challenge_are_explained_with_pictures(env: BotEnvironment) -> None:
    challenge = await env.make_challenge(game="morphos", board="9", mutators="ae", start=None)
    reply = await env.bob.click(challenge, "Options explained")
    assert reply.ephemeral
    assert reply.text.startswith("Connect your two edges.")
    assert [line.partition(".** ")[0] for line in reply.text.splitlines()[2:]] == [
        "- **mutator a: no corner stones",
        "- **mutator e: full board",
    ]
    assert [str(file.description).splitlines()[0] for file in reply.attachments] == [
        "mutator a: no corner stones",
        "mutator e: full board",
    ]
    plain = await env.make_challenge(game="morabaraba")
    assert "Options explained" not in {one.label for one in plain.buttons}


async def test_usual_options_are_explained_too(env: BotEnvironment) -> None:
    reply = await env.bob.click(await env.make_challenge(), "Options explained")
    about, _, *lines = reply.text.splitlines()
    assert about == "Slide towards the Centre, capture from both sides, and place your tower."
    assert lines == [
        "- **later rules: stones and towers, captures may be declined.**",
        "- **closed fists: each of you picks in secret.**",
    ]


async def test_rules_under_a_challenge_are_those_of_its_edition_and_stay_after_it_is_accepted(
    env: BotEnvironment,
) -> None:
    challenge = await env.make_challenge(edition="rules of 2015", start="random start")
    rules = await env.bob.click(challenge, "Rules")
    assert rules.content.splitlines()[-1].startswith("-# Morelli with kings, page 1")
