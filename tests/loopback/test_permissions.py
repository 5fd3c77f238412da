"""What the bot may do in a channel, and what it is told about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
import pytest

from tests.discord_server import DEFAULT, Permission
from tests.discord_server.permissions import implied
from tests.loopback.bot import picture

if TYPE_CHECKING:
    from tests.loopback.conftest import Stage

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
async def test_posting_without_permission(stage: Stage, lacking: Permission, what: str, code: int) -> None:
    await post(stage.place, what)
    stage.channel.deny(stage.guild.bot_member, lacking)
    with pytest.raises(discord.Forbidden) as refused:
        await post(stage.place, what)
    assert refused.value.code == code
    stage.channel.allow(stage.guild.bot_member, lacking)
    await post(stage.place, what)
    assert len(stage.channel.messages) == 2


async def test_a_channel_can_begin_with_its_own_permissions(stage: Stage) -> None:
    quiet = stage.guild.channel("quiet", permissions=DEFAULT & ~Permission.ATTACH_FILES)
    handed = await stage.hand(channel=quiet)
    assert not handed.interaction.app_permissions.attach_files
    assert handed.interaction.app_permissions.send_messages
    await handed.interaction.response.send_message("seen")


async def test_the_client_computes_the_same_permissions(stage: Stage) -> None:
    stage.channel.deny(stage.guild.bot_member, Permission.EMBED_LINKS)

    def known() -> bool:
        guild = stage.bot.get_guild(stage.guild.id)
        assert guild is not None
        channel = guild.get_channel(stage.channel.id)
        assert channel is not None
        granted = channel.permissions_for(guild.me)
        return granted.send_messages and granted.attach_files and not granted.embed_links

    await stage.hand()
    assert known()


async def test_without_history_the_past_is_closed(stage: Stage) -> None:
    sent = await stage.place.send("past")
    stage.channel.deny(stage.guild.bot_member, Permission.READ_MESSAGE_HISTORY)
    assert [one async for one in stage.place.history()] == []
    with pytest.raises(discord.Forbidden):
        await stage.place.fetch_message(sent.id)
    with pytest.raises(discord.HTTPException, match="read message history"):
        await sent.reply("now")


async def test_who_may_not_use_commands_cannot(stage: Stage) -> None:
    stage.channel.deny(stage.bob, Permission.USE_APPLICATION_COMMANDS)
    with pytest.raises(Exception, match="Bob may not use commands"):
        await stage.bob.command("say", {"text": "a"}, channel=stage.channel)


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
