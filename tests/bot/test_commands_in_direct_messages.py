"""Commands that need no server also work in direct messages with the bot, and name matches of all servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import NO_PLACE, MatchId
from tests.bot.environment import labels

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment


async def finish_match(env: BotEnvironment) -> None:
    """Play a turn, and have Bob resign."""
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    reply = await env.bob.command("resign", {}, channel=env.channel)
    await env.bob.click(reply, "Resign")
    await env.wait_until_idle()


@pytest.mark.long
async def test_vacation_begins_in_direct_messages(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    reply = await env.alice.command("vacation", {}, channel=env.alice.dm)
    begun = await env.alice.click(reply, "Begin vacation")
    assert "Your clock is stopped in one match" in begun.text
    await env.advance_time(seconds=1)
    assert "Alice is on vacation" in env.latest_message.text


@pytest.mark.long
async def test_replay_and_note_are_of_the_newest_own_match(env: BotEnvironment) -> None:
    await finish_match(env)
    replay = await env.bob.command("replay", {"turn": 1}, channel=env.bob.dm)
    assert "C1-D2" in replay.text
    form = await env.bob.command("note", {}, channel=env.bob.dm)
    saved = await env.bob.submit(form, {"Only you see it. Empty it to delete it.": "Too early."})
    assert "Too early." in saved.text
    choices = await env.bob.autocomplete("replay", {"match": ""}, focused="match", channel=env.bob.dm)
    assert len(choices) == 1
    eve = env.guild.member("Eve")
    assert "match" in (await eve.command("replay", {}, channel=eve.dm)).text
    assert await eve.autocomplete("replay", {"match": ""}, focused="match", channel=eve.dm) == []


async def test_conditional_moves_are_prepared_in_direct_messages(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.bob.command("conditional", {}, channel=env.bob.dm)
    assert "**Conditional moves** in Morelli #1 against Alice" in reply.text


@pytest.mark.long
async def test_rematch_from_direct_messages_is_offered_where_the_match_was_played(
    env: BotEnvironment,
) -> None:
    await finish_match(env)
    reply = await env.alice.command("rematch", {}, channel=env.alice.dm)
    await env.wait_until_idle()
    assert f"<#{env.channel.id}>" in reply.text
    assert env.bob.pings[-1] is env.latest_message
    assert "Accept" in labels(env.latest_message)


async def test_who_has_left_the_server_offers_no_rematch_there(env: BotEnvironment) -> None:
    await finish_match(env)
    before = env.latest_message
    env.discord.guild("Elsewhere").join(env.alice)
    del env.guild.state.members[env.alice.id]
    reply = await env.alice.command("rematch", {"match": "1"}, channel=env.alice.dm)
    await env.wait_until_idle()
    assert "You can no longer see the channel where this match was played." in reply.text
    assert env.latest_message is before


@pytest.mark.long
async def test_rematch_from_direct_messages_needs_a_channel_that_both_see(env: BotEnvironment) -> None:
    await finish_match(env)
    before = env.latest_message
    env.channel.hide_from(env.bob)
    for player, who in ((env.alice, "Bob"), (env.bob, "You")):
        reply = await player.command("rematch", {"match": "1"}, channel=player.dm)
        await env.wait_until_idle()
        assert f"{who} can no longer see the channel" in reply.text
    assert env.latest_message is before
    env.channel.delete()
    reply = await env.alice.command("rematch", {"match": "1"}, channel=env.alice.dm)
    assert "You can no longer see the channel" in reply.text


async def test_computer_is_played_in_direct_messages(env: BotEnvironment) -> None:
    options = {"level": "casual", "board": "9", "start": "facing", "colour": "black"}
    board = await env.alice.command("challenge", options, channel=env.alice.dm)
    assert not board.ephemeral
    assert {"Move", "Pick"} <= set(labels(board))
    view = await env.bot.matches.view(MatchId(1), now=env.bot.now())
    assert (view.server, view.channel, view.is_direct) == (NO_PLACE, NO_PLACE, True)
    reply = await env.submit_move(env.alice, board, "C1-D2")
    assert "Black C1-D2" in reply.text
    assert env.channel.messages == []


async def test_nobody_else_is_challenged_in_direct_messages(env: BotEnvironment) -> None:
    for options in ({}, {"opponent": env.bob}):
        reply = await env.alice.command("challenge", options, channel=env.alice.dm)
        assert "In direct messages you can play the computer" in reply.text
