"""Threads, direct messages and guilds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
import pytest

from tests.discord_server import ActionNotPossible, Permission

if TYPE_CHECKING:
    from tests.loopback.conftest import LoopbackEnvironment


def text_channel(env: LoopbackEnvironment) -> discord.TextChannel:
    """Return the channel as the bot sees it."""
    channel = env.bot.get_channel(env.channel.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_bot_can_open_a_thread_in_which_commands_work(env: LoopbackEnvironment) -> None:
    thread = await text_channel(env).create_thread(name="match 1", type=discord.ChannelType.public_thread)
    await thread.send("board")
    (seen,) = env.channel.threads
    assert (seen.name, [one.content for one in env.bob.visible_messages(seen)]) == ("match 1", ["board"])
    reply = await env.bob.command("say", {"text": "here"}, channel=seen)
    assert reply.message in seen.messages
    assert env.channel.messages == []


async def test_thread_can_be_started_from_a_message(env: LoopbackEnvironment) -> None:
    sent = await text_channel(env).send("match 2")
    thread = await sent.create_thread(name="match 2")
    assert thread.id == sent.id
    assert env.channel.messages[0].thread is env.channel.threads[0].state


async def test_private_thread_is_for_its_members(env: LoopbackEnvironment) -> None:
    thread = await text_channel(env).create_thread(name="secret")
    await thread.send("psst")
    (seen,) = env.channel.threads
    assert env.alice.visible_messages(seen) == []
    await thread.add_user(discord.Object(env.alice.id))
    assert len(env.alice.visible_messages(seen)) == 1
    with pytest.raises(ActionNotPossible):
        await env.bob.command("say", {"text": "a"}, channel=seen)


async def test_thread_can_be_archived(env: LoopbackEnvironment) -> None:
    thread = await text_channel(env).create_thread(name="old", type=discord.ChannelType.public_thread)
    await thread.edit(name="older", archived=True, locked=True)
    assert env.channel.threads[0].name == "older"
    with pytest.raises(discord.HTTPException, match="archived"):
        await thread.send("late")


async def test_threads_need_their_own_permission(env: LoopbackEnvironment) -> None:
    env.channel.deny(env.guild.bot_member, Permission.SEND_MESSAGES_IN_THREADS)
    thread = env.channel.thread("talk", env.alice)
    with pytest.raises(discord.Forbidden):
        await env.bot.get_partial_messageable(thread.id).send("a")
    await env.bot_channel.send("but here")
    env.channel.deny(env.guild.bot_member, Permission.CREATE_PUBLIC_THREADS)
    with pytest.raises(discord.Forbidden):
        await text_channel(env).create_thread(name="x", type=discord.ChannelType.public_thread)


async def test_thread_needs_a_name(env: LoopbackEnvironment) -> None:
    with pytest.raises(discord.HTTPException, match="100 or fewer"):
        await text_channel(env).create_thread(name="x" * 101)
    env.discord.violations.clear()


async def test_bot_can_send_a_direct_message(env: LoopbackEnvironment) -> None:
    user = await env.bot.fetch_user(env.bob.id)
    await user.send("your turn")
    assert [one.content for one in env.bob.dms] == ["your turn"]
    assert env.alice.dms == []


async def test_closed_dms_refuse_direct_messages(env: LoopbackEnvironment) -> None:
    env.bob.close_dms()
    user = await env.bot.fetch_user(env.bob.id)
    with pytest.raises(discord.Forbidden) as refused:
        await user.send("your turn")
    assert refused.value.code == 50007


async def test_members_of_another_guild_see_nothing(env: LoopbackEnvironment) -> None:
    other = env.discord.guild("Elsewhere")
    carol = other.member("Carol")
    await env.bot_channel.send("hello")
    assert carol.visible_messages(env.channel) == []
    env.guild.join(carol)
    assert len(carol.visible_messages(env.channel)) == 1


async def test_client_receives_new_guilds_and_members(env: LoopbackEnvironment) -> None:
    other = env.discord.guild("Elsewhere")
    channel = other.channel("hall")
    reply = await other.member("Carol").command("say", {"text": "hi"}, channel=channel)
    assert reply.content == "hi"
    guild = env.bot.get_guild(other.id)
    assert guild is not None
    (member,) = await guild.query_members(user_ids=[env.guild.bot_member.id])
    assert member.id == env.guild.bot_member.id
    assert (await guild.fetch_member(member.id)).id == member.id
    assert (await env.bot.fetch_guild(other.id)).name == "Elsewhere"
    assert (await env.bot.fetch_channel(channel.id)).id == channel.id


@pytest.mark.parametrize("what", ["channel", "guild", "user"])
async def test_missing_objects_are_unknown(env: LoopbackEnvironment, what: str) -> None:
    with pytest.raises(discord.NotFound):
        await getattr(env.bot, f"fetch_{what}")(12345)
