"""Deadlines in posts and lists, as Discord timestamps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.bot.clocks.timestamps import DAY, HOUR, seconds_ahead

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment


@pytest.mark.long
async def test_board_post_shows_the_deadline_of_the_player_to_move(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="3d")
    assert "⏳ Alice has until <t:" in board.text
    assert seconds_ahead(env, board) == [3 * DAY]
    assert re.search(r"until <t:(\d+):f> \(<t:\1:R>\)", board.text)


@pytest.mark.long
async def test_turn_post_shows_the_deadline_of_the_opponent(env: BotEnvironment) -> None:
    await env.start_match(time_control="10d + 1d")
    await env.advance_time(days=4)
    post = await env.move(env.alice, "C1-D2")
    assert "⏳ Bob has until" in post.text
    assert seconds_ahead(env, post) == [10 * DAY]
    await env.advance_time(hours=1)
    assert seconds_ahead(env, await env.move(env.bob, "A2-B3")) == [7 * DAY]


@pytest.mark.long
async def test_without_a_time_control_posts_show_no_deadline(env: BotEnvironment) -> None:
    assert "<t:" not in (await env.start_match()).text


@pytest.mark.long
async def test_private_board_shows_the_deadline(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    reply = await env.bob.command("board", {}, channel=env.channel)
    assert seconds_ahead(env, reply) == [3 * DAY]


@pytest.mark.long
async def test_match_list_shows_deadlines(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    await env.advance_time(hours=12)
    mine = await env.alice.command("games", {}, channel=env.channel)
    assert seconds_ahead(env, mine) == [-12 * HOUR, 3 * DAY - 12 * HOUR]
    assert "Alice to play, until <t:" in (await env.bob.command("games", {}, channel=env.channel)).text


@pytest.mark.long
async def test_both_players_have_a_deadline_for_the_simultaneous_choice(env: BotEnvironment) -> None:
    post = await env.start_match(start="fists", time_control="2d")
    assert "⏳ Alice has until" in post.text
    assert "⏳ Bob has until" in post.text
    assert seconds_ahead(env, post) == [2 * DAY, 2 * DAY]


@pytest.mark.long
async def test_turn_with_a_clock_takes_one_request(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    before = len(env.request_routes())
    await env.move(env.alice, "C1-D2")
    await env.wait_until_idle()
    assert len(env.request_routes()) == before + 1
