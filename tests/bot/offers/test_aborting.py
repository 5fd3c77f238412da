"""Aborting a match before both players have moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Reply


async def ask_to_abort(env: BotEnvironment) -> Reply:
    """Use /abort as Bob."""
    return await env.bob.command("abort", {}, channel=env.channel)


async def test_aborting_asks_for_confirmation(env: BotEnvironment) -> None:
    board = await env.start_match()
    reply = await ask_to_abort(env)
    assert "Abort Morelli vs Alice (#1)?" in reply.text
    assert reply.ephemeral
    assert [button.label for button in reply.buttons] == ["Abort", "Keep playing"]
    assert env.latest_message is board


async def test_aborted_match_has_no_result(env: BotEnvironment) -> None:
    board = await env.start_match()
    closed = await env.bob.click(await ask_to_abort(env), "Abort")
    assert "You aborted Morelli vs Alice (#1)" in closed.text
    post = await env.wait_for_board(after=board)
    assert "**Bob aborted Morelli #1** before both players had moved." in post.text
    assert env.alice.pings[-1] is post
    assert post.attachments
    look = await env.alice.command("board", {"match": "1"}, channel=env.channel)
    assert "No result. The match was aborted." in look.text


async def test_aborting_can_be_cancelled(env: BotEnvironment) -> None:
    board = await env.start_match()
    reply = await env.bob.click(await ask_to_abort(env), "Keep playing")
    assert "The match continues." in reply.text
    assert env.latest_message is board


@pytest.mark.long
async def test_match_can_be_aborted_during_the_simultaneous_choice(env: BotEnvironment) -> None:
    fists = await env.start_match(start="fists")
    await env.bob.click(await ask_to_abort(env), "Abort")
    post = await env.wait_for_board(after=fists)
    assert "Bob aborted Morelli #1" in post.text
    assert not post.attachments
    assert [button.label for button in post.buttons] == ["Rematch", "My view"]
    assert "Morelli vs Bob (#1) is over" in (await env.alice.click(fists, "Close your fists")).text


@pytest.mark.long
async def test_aborting_is_refused_after_both_have_moved(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    asked = await ask_to_abort(env)
    await env.move(env.bob, "A2-B3")
    for reply in (await env.bob.click(asked, "Abort"), await ask_to_abort(env)):
        assert "(#1), so it counts" in reply.text
        assert reply.ephemeral


@pytest.mark.long
async def test_aborting_is_refused_for_others(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.guild.member("Eve").command("abort", {"match": "1"}, channel=env.channel)
    assert "You are not playing in Morelli #1" in reply.text
