"""Threads, conversations and guilds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
import pytest

from tests.discord_server import NotPossible, Permission

if TYPE_CHECKING:
    from tests.loopback.conftest import Stage


def text_channel(stage: Stage) -> discord.TextChannel:
    channel = stage.bot.get_channel(stage.channel.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_the_bot_opens_a_thread_and_people_play_in_it(stage: Stage) -> None:
    thread = await text_channel(stage).create_thread(name="match 1", type=discord.ChannelType.public_thread)
    await thread.send("board")
    (seen,) = stage.channel.threads
    assert (seen.name, [one.content for one in stage.bob.sees(seen)]) == ("match 1", ["board"])
    reply = await stage.bob.command("say", {"text": "here"}, channel=seen)
    assert reply.message in seen.messages
    assert stage.channel.messages == []


async def test_a_thread_hangs_on_a_message(stage: Stage) -> None:
    sent = await text_channel(stage).send("match 2")
    thread = await sent.create_thread(name="match 2")
    assert thread.id == sent.id
    assert stage.channel.messages[0].thread is stage.channel.threads[0].state


async def test_a_private_thread_is_for_its_members(stage: Stage) -> None:
    thread = await text_channel(stage).create_thread(name="secret")
    await thread.send("psst")
    (seen,) = stage.channel.threads
    assert stage.alice.sees(seen) == []
    await thread.add_user(discord.Object(stage.alice.id))
    assert len(stage.alice.sees(seen)) == 1
    with pytest.raises(NotPossible):
        await stage.bob.command("say", {"text": "a"}, channel=seen)


async def test_a_thread_can_be_archived(stage: Stage) -> None:
    thread = await text_channel(stage).create_thread(name="old", type=discord.ChannelType.public_thread)
    await thread.edit(name="older", archived=True, locked=True)
    assert stage.channel.threads[0].name == "older"
    with pytest.raises(discord.HTTPException, match="archived"):
        await thread.send("late")


async def test_threads_need_their_own_permission(stage: Stage) -> None:
    stage.channel.deny(stage.guild.bot_member, Permission.SEND_MESSAGES_IN_THREADS)
    thread = stage.channel.thread("talk", stage.alice)
    with pytest.raises(discord.Forbidden):
        await stage.bot.get_partial_messageable(thread.id).send("a")
    await stage.place.send("but here")
    stage.channel.deny(stage.guild.bot_member, Permission.CREATE_PUBLIC_THREADS)
    with pytest.raises(discord.Forbidden):
        await text_channel(stage).create_thread(name="x", type=discord.ChannelType.public_thread)


async def test_a_thread_needs_a_name(stage: Stage) -> None:
    with pytest.raises(discord.HTTPException, match="100 or fewer"):
        await text_channel(stage).create_thread(name="x" * 101)
    stage.discord.violations.clear()


async def test_the_bot_writes_to_a_person(stage: Stage) -> None:
    user = await stage.bot.fetch_user(stage.bob.id)
    await user.send("your turn")
    assert [one.content for one in stage.bob.dms] == ["your turn"]
    assert stage.alice.dms == []


async def test_a_person_can_close_their_door(stage: Stage) -> None:
    stage.bob.close_dms()
    user = await stage.bot.fetch_user(stage.bob.id)
    with pytest.raises(discord.Forbidden) as refused:
        await user.send("your turn")
    assert refused.value.code == 50007


async def test_people_of_another_guild_see_nothing(stage: Stage) -> None:
    other = stage.discord.guild("Elsewhere")
    carol = other.member("Carol")
    await stage.place.send("hello")
    assert carol.sees(stage.channel) == []
    stage.guild.join(carol)
    assert len(carol.sees(stage.channel)) == 1


async def test_the_client_learns_of_new_guilds_and_members(stage: Stage) -> None:
    other = stage.discord.guild("Elsewhere")
    channel = other.channel("hall")
    reply = await other.member("Carol").command("say", {"text": "hi"}, channel=channel)
    assert reply.content == "hi"
    guild = stage.bot.get_guild(other.id)
    assert guild is not None
    (member,) = await guild.query_members(user_ids=[stage.guild.bot_member.id])
    assert member.id == stage.guild.bot_member.id
    assert (await guild.fetch_member(member.id)).id == member.id
    assert (await stage.bot.fetch_guild(other.id)).name == "Elsewhere"
    assert (await stage.bot.fetch_channel(channel.id)).id == channel.id


@pytest.mark.parametrize("what", ["channel", "guild", "user"])
async def test_what_does_not_exist_is_unknown(stage: Stage, what: str) -> None:
    with pytest.raises(discord.NotFound):
        await getattr(stage.bot, f"fetch_{what}")(12345)
