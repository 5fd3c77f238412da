"""Deadlines in posts and lists, in each reader's own time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.bot.clocks.reading import DAY, HOUR, ahead

if TYPE_CHECKING:
    from tests.bot.stage import Stage


async def test_post_tells_until_when_the_mover_has_time(stage: Stage) -> None:
    board = await stage.start(pace="3d")
    assert "⏳ Alice has until <t:" in board.text
    assert ahead(stage, board) == [3 * DAY]
    assert re.search(r"until <t:(\d+):f> \(<t:\1:R>\)", board.text)


async def test_turn_tells_the_time_of_the_other(stage: Stage) -> None:
    await stage.start(pace="10d + 1d")
    await stage.pass_time(days=4)
    post = await stage.move(stage.alice, "C1-D2")
    assert "⏳ Bob has until" in post.text
    assert ahead(stage, post) == [10 * DAY]
    await stage.pass_time(hours=1)
    assert ahead(stage, await stage.move(stage.bob, "A2-B3")) == [7 * DAY]


async def test_without_a_pace_posts_tell_no_time(stage: Stage) -> None:
    assert "<t:" not in (await stage.start()).text


async def test_own_look_tells_it_too(stage: Stage) -> None:
    await stage.start(pace="3d")
    reply = await stage.bob.command("board", {}, channel=stage.channel)
    assert ahead(stage, reply) == [3 * DAY]


async def test_list_tells_deadlines(stage: Stage) -> None:
    await stage.start(pace="3d")
    await stage.pass_time(hours=12)
    mine = await stage.alice.command("games", {}, channel=stage.channel)
    assert ahead(stage, mine) == [-12 * HOUR, 3 * DAY - 12 * HOUR]
    assert "Alice is to play, until <t:" in (await stage.bob.command("games", {}, channel=stage.channel)).text


async def test_both_have_time_to_pick(stage: Stage) -> None:
    post = await stage.start(start="fists", pace="2d")
    assert "⏳ Alice has until" in post.text
    assert "⏳ Bob has until" in post.text
    assert ahead(stage, post) == [2 * DAY, 2 * DAY]


async def test_turn_costs_one_request(stage: Stage) -> None:
    await stage.start(pace="3d")
    before = len(stage.requests())
    await stage.move(stage.alice, "C1-D2")
    await stage.quiet()
    assert len(stage.requests()) == before + 1
