"""The bot's permissions in a channel, and the errors without them."""

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


async def post(place: discord.abc.Messageable, content_kind: str) -> None:
    """Send a file, an embed or a text."""
    if content_kind == "file":
        await place.send(file=picture())
    elif content_kind == "embed":
        await place.send(embed=discord.Embed(title="t"))
    else:
        await place.send("t")


@pytest.mark.parametrize(("missing", "content_kind", "code"), FORBIDDEN)
async def test_posting_without_permission_is_refused(
    env: LoopbackEnvironment, missing: Permission, content_kind: str, code: int
) -> None:
    await post(env.bot_channel, content_kind)
    env.channel.deny(env.guild.bot_member, missing)
    with pytest.raises(discord.Forbidden) as refused:
        await post(env.bot_channel, content_kind)
    assert refused.value.code == code
    env.channel.allow(env.guild.bot_member, missing)
    await post(env.bot_channel, content_kind)
    assert len(env.channel.messages) == 2


async def test_channel_can_be_created_with_permissions(env: LoopbackEnvironment) -> None:
    quiet = env.guild.channel("quiet", permissions=DEFAULT & ~Permission.ATTACH_FILES)
    handed = await env.hand(channel=quiet)
    assert not handed.interaction.app_permissions.attach_files
    assert handed.interaction.app_permissions.send_messages
    await handed.interaction.response.send_message("seen")


async def test_client_computes_the_same_permissions(env: LoopbackEnvironment) -> None:
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


async def test_history_requires_its_permission(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send("past")
    env.channel.deny(env.guild.bot_member, Permission.READ_MESSAGE_HISTORY)
    assert [one async for one in env.bot_channel.history()] == []
    with pytest.raises(discord.Forbidden):
        await env.bot_channel.fetch_message(sent.id)
    with pytest.raises(discord.HTTPException, match="read message history"):
        await sent.reply("now")


async def test_commands_require_their_permission(env: LoopbackEnvironment) -> None:
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
def test_dependent_permissions_are_removed(granted: Permission, left: Permission | None) -> None:
    expected = granted & ~(Permission.EMBED_LINKS | Permission.ATTACH_FILES) if left is None else left
    assert implied(granted) == expected
