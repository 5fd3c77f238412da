"""Puzzles in Discord: solved with menus in a private message, counted once; all survives a restart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from engine.puzzle import Puzzle
from matches.puzzles.solving import follow_turns
from tests.bot.environment import running_bot
from tests.games import GAMES
from tests.lessons.solving import answers_for
from tests.matches.puzzles.puzzles import OTHER_RULES, puzzle_of, store_puzzles, wrong_turn

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Reply

GAME = "morphos"


async def answer(env: BotEnvironment, reply: Reply, value: str) -> Reply:
    """Give one answer with the menu of the open question or one of its buttons."""
    for menu in reply.selects:
        values = {option.value for option in menu.options}
        if set(value.split(",")) <= values:
            return await env.alice.select(reply, str(menu.placeholder), value.split(","))
        if f"/{value[0]}" in values:  # the files of a large board
            inside = await env.alice.select(reply, str(menu.placeholder), [f"/{value[0]}"])
            return await answer(env, inside, value)
    endings = (f":{value}", f".{value}")
    named = next(
        str(one.custom_id)
        for one in reply.buttons
        if str(one.custom_id).startswith("puzzle1:") and str(one.custom_id).endswith(endings)
    )
    return await env.alice.click(reply, named)


async def play(env: BotEnvironment, reply: Reply, puzzle: Puzzle, found: int, text: str) -> Reply:
    """Play a turn after so many that were found."""
    position = follow_turns(puzzle, puzzle.line[: 2 * found : 2]).position
    for value in answers_for(position, position.parse(text)):
        reply = await answer(env, reply, value)
    return reply


async def start(env: BotEnvironment, game: str, turns: int = 1) -> tuple[Puzzle, Reply]:
    puzzle = puzzle_of(game, turns=turns)
    await store_puzzles(env.database, [puzzle])
    return puzzle, await env.alice.command("puzzle", {"game": game}, channel=env.channel)


def labels(reply: Reply) -> list[str | None]:
    return [one.label for one in reply.buttons]


async def list_solved(env: BotEnvironment) -> list[bool]:
    history = await env.bot.matches.puzzles.list_history(f"discord:{env.alice.id}")
    return [one.attempt.is_solved for one in history]


@pytest.mark.parametrize(
    "game", [GAME, *(pytest.param(one, marks=pytest.mark.long) for one in GAMES if one != GAME)]
)
async def test_puzzle_is_solved_turn_by_turn(env: BotEnvironment, game: str) -> None:
    puzzle, reply = await start(env, game, turns=3)
    assert reply.ephemeral
    assert "One turn is clearly better than all others." in reply.content
    assert "counts as not solved" in reply.content
    reply = await play(env, reply, puzzle, 0, puzzle.line[0])
    assert "**Right!** The reply:" in reply.content
    assert await list_solved(env) == []
    reply = await play(env, reply, puzzle, 1, puzzle.line[2])
    assert "**Solved!**" in reply.content
    assert re.search(r"Your puzzle rating: \d+\?.*Rating of the puzzle: \d+\?", reply.content)
    assert await list_solved(env) == [True]
    assert labels(reply) == ["Next puzzle"]


async def test_post_says_which_rules_hold(env: BotEnvironment) -> None:
    await store_puzzles(env.database, [Puzzle.parse(OTHER_RULES, GAMES)])
    reply = await env.alice.command("puzzle", channel=env.channel)
    assert " · mutator d: stones come back" in reply.content
    # The alternative text begins with the same lines, without the marks.
    lines = [one.removeprefix("## ").removeprefix("-# ").strip("*") for one in reply.content.splitlines()]
    [board] = reply.attachments
    assert str(board.description).splitlines()[:4] == lines[:4]


async def test_wrong_turn_counts_and_can_be_tried_again_and_reported(env: BotEnvironment) -> None:
    puzzle, reply = await start(env, GAME)
    wrong = await play(env, reply, puzzle, 0, wrong_turn(puzzle))
    assert "**Not yet.**" in wrong.content
    assert labels(wrong) == ["Try again", "Report a second solution", "Show the solution", "Next puzzle"]
    report = await env.alice.click(wrong, "Report a second solution")
    assert (report.ephemeral, "Your report has arrived." in report.content) == (True, True)
    again = await env.alice.click(wrong, "Try again")
    assert "▶" in again.content
    solved = await play(env, again, puzzle, 0, puzzle.line[0])
    assert "**Solved!**" in solved.content
    assert "Only your first attempt counts" in solved.content
    assert await list_solved(env) == [False]


@pytest.mark.parametrize(("label", "shown"), [("Hint", "💡"), ("Show the solution", "**The solution**")])
async def test_help_counts_as_not_solved(env: BotEnvironment, label: str, shown: str) -> None:
    puzzle, reply = await start(env, GAME)
    helped = await env.alice.click(reply, label)
    assert shown in helped.content
    assert await list_solved(env) == [False]
    if label == "Hint":
        assert "**Solved!**" in (await play(env, helped, puzzle, 0, puzzle.line[0])).content
        assert await list_solved(env) == [False]


async def test_puzzle_goes_on_after_a_restart_until_it_is_withdrawn(env: BotEnvironment) -> None:
    puzzle, reply = await start(env, GAME, turns=3)
    reply = await play(env, reply, puzzle, 0, puzzle.line[0])
    await env.bot.close()
    async with running_bot(env.discord, env.database):
        reply = await play(env, reply, puzzle, 1, puzzle.line[2])
        assert "**Solved!**" in reply.content
        left = await env.alice.click(reply, "Next puzzle")
        assert "There is no puzzle here that you have not tried." in left.content
        assert (left.ephemeral, left.updated) == (True, False)


async def test_other_game_has_none(env: BotEnvironment) -> None:
    await start(env, GAME)
    reply = await env.alice.command("puzzle", {"game": "morabaraba"}, channel=env.channel)
    assert "There is no puzzle here that you have not tried." in reply.content
    anything = await env.alice.command("puzzle", channel=env.channel)
    assert "Morphos: a puzzle" in anything.content
