"""Aborting a match before both players have moved."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Reply


async def ask_to_abort(env: BotEnvironment) -> Reply:
    """Use /abort as Bob."""
    return await env.bob.command("abort", {}, channel=env.channel)


async def test_aborting_asks_for_confirmation(env: BotEnvironment) -> None:
    board = await env.start_match()
    reply = await ask_to_abort(env)
    assert "Give match 1 against Alice up?" in reply.text
    assert reply.ephemeral
    assert [button.label for button in reply.buttons] == ["Give it up", "Play on"]
    assert env.latest_message is board


async def test_aborted_match_has_no_result(env: BotEnvironment) -> None:
    board = await env.start_match()
    closed = await env.bob.click(await ask_to_abort(env), "Give it up")
    assert "You have given match 1 up" in closed.text
    post = await env.wait_for_board(after=board)
    assert "**Bob has given match 1 up** before both had moved." in post.text
    assert env.alice.pings[-1] is post
    assert post.attachments
    look = await env.alice.command("board", {"match": "1"}, channel=env.channel)
    assert "No result. The match was given up before it counted." in look.text


async def test_aborting_can_be_cancelled(env: BotEnvironment) -> None:
    board = await env.start_match()
    reply = await env.bob.click(await ask_to_abort(env), "Play on")
    assert "Match 1 goes on" in reply.text
    assert env.latest_message is board


async def test_match_can_be_aborted_during_the_simultaneous_choice(env: BotEnvironment) -> None:
    fists = await env.start_match(start="fists")
    await env.bob.click(await ask_to_abort(env), "Give it up")
    post = await env.wait_for_board(after=fists)
    assert "Bob has given match 1 up" in post.text
    assert not post.attachments
    assert [button.label for button in post.buttons] == ["Rematch", "My view"]
    assert "Match 1 is over" in (await env.alice.click(fists, "Close your fists")).text


async def test_aborting_is_refused_after_both_have_moved(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    asked = await ask_to_abort(env)
    await env.move(env.bob, "A2-B3")
    for reply in (await env.bob.click(asked, "Give it up"), await ask_to_abort(env)):
        assert "Both of you have moved in match 1, so it counts" in reply.text
        assert reply.ephemeral


async def test_aborting_is_refused_for_others(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.guild.member("Eve").command("abort", {"match": "1"}, channel=env.channel)
    assert "You do not play in match 1" in reply.text
