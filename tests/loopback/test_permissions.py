"""What the bot may do in a channel, and what it is told about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
import pytest

from tests.discord_server import DEFAULT, Permission
from tests.discord_server.permissions import implied
from tests.loopback.bot import picture

if TYPE_CHECKING:
    from tests.loopback.conftest import LoopbackEnvironment

FORBIDDEN = [
    (Permission.VIEW_CHANNEL, "text", 50001),
    (Permission.SEND_MESSAGES, "text", 50013),
    (Permission.ATTACH_FILES, "file", 50013),
    (Permission.EMBED_LINKS, "embed", 50013),
    (Permission.SEND_MESSAGES, "file", 50013),
]


async def post(place: discord.abc.Messageable, what: str) -> None:
    if what == "file":
        await place.send(file=picture())
    elif what == "embed":
        await place.send(embed=discord.Embed(title="t"))
    else:
        await place.send("t")


@pytest.mark.parametrize(("lacking", "what", "code"), FORBIDDEN)
async def test_posting_without_permission(
    env: LoopbackEnvironment, lacking: Permission, what: str, code: int
) -> None:
    await post(env.bot_channel, what)
    env.channel.deny(env.guild.bot_member, lacking)
    with pytest.raises(discord.Forbidden) as refused:
        await post(env.bot_channel, what)
    assert refused.value.code == code
    env.channel.allow(env.guild.bot_member, lacking)
    await post(env.bot_channel, what)
    assert len(env.channel.messages) == 2


async def test_a_channel_can_begin_with_its_own_permissions(env: LoopbackEnvironment) -> None:
    quiet = env.guild.channel("quiet", permissions=DEFAULT & ~Permission.ATTACH_FILES)
    handed = await env.hand(channel=quiet)
    assert not handed.interaction.app_permissions.attach_files
    assert handed.interaction.app_permissions.send_messages
    await handed.interaction.response.send_message("seen")


async def test_the_client_computes_the_same_permissions(env: LoopbackEnvironment) -> None:
    env.channel.deny(env.guild.bot_member, Permission.EMBED_LINKS)

    def known() -> bool:
        guild = env.bot.get_guild(env.guild.id)
        assert guild is not None
        channel = guild.get_channel(env.channel.id)
        assert channel is not None
        granted = channel.permissions_for(guild.me)
        return granted.send_messages and granted.attach_files and not granted.embed_links

    await env.hand()
    assert known()


async def test_without_history_the_past_is_closed(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send("past")
    env.channel.deny(env.guild.bot_member, Permission.READ_MESSAGE_HISTORY)
    assert [one async for one in env.bot_channel.history()] == []
    with pytest.raises(discord.Forbidden):
        await env.bot_channel.fetch_message(sent.id)
    with pytest.raises(discord.HTTPException, match="read message history"):
        await sent.reply("now")


async def test_who_may_not_use_commands_cannot(env: LoopbackEnvironment) -> None:
    env.channel.deny(env.bob, Permission.USE_APPLICATION_COMMANDS)
    with pytest.raises(Exception, match="Bob may not use commands"):
        await env.bob.command("say", {"text": "a"}, channel=env.channel)


@pytest.mark.parametrize(
    ("granted", "left"),
    [
        (DEFAULT & ~Permission.VIEW_CHANNEL, Permission(0)),
        (DEFAULT & ~Permission.SEND_MESSAGES, None),
        (DEFAULT, DEFAULT),
    ],
)
def test_permissions_that_fall_with_others(granted: Permission, left: Permission | None) -> None:
    expected = granted & ~(Permission.EMBED_LINKS | Permission.ATTACH_FILES) if left is None else left
    assert implied(granted) == expected
