"""Which users a message pings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
import pytest

from tests.discord_server import DEFAULT, Permission
from tests.discord_server.mentions import find_mentions

if TYPE_CHECKING:
    from tests.loopback.conftest import LoopbackEnvironment


@pytest.mark.parametrize(
    ("text", "allowed", "pinged"),
    [
        ("<@1> and <@!2>", None, {1, 2}),
        ("<@1> and <@2>", {"parse": ["users"]}, {1, 2}),
        ("<@1> and <@2>", {"parse": []}, set()),
        ("<@1> and <@2>", {"parse": [], "users": ["2", "3"]}, {2}),
        ("<@1> and <@2>", {"users": [1]}, {1}),
        ("`<@1>` and ```\n<@2>\n```", None, set()),
        ("<@1", None, set()),
        ("nobody", {"users": [1]}, set()),
    ],
)
def test_user_mentions_ping_allowed_users(
    text: str, allowed: dict[str, Any] | None, pinged: set[int]
) -> None:
    assert find_mentions([text], allowed).allowed_users == pinged


@pytest.mark.parametrize(
    ("text", "allowed", "everyone"),
    [
        ("@everyone", None, True),
        ("@here", {"parse": ["users"]}, False),
        ("@everyone", {"parse": ["everyone"]}, True),
    ],
)
def test_everyone_mentions_ping_if_allowed(
    text: str, allowed: dict[str, Any] | None, *, everyone: bool
) -> None:
    assert find_mentions([text], allowed).everyone is everyone


def test_role_mentions_are_found() -> None:
    assert find_mentions(["<@&5> <@&6>"], {"roles": [5]}).roles == (5,)


async def test_only_allowed_users_are_pinged(env: LoopbackEnvironment) -> None:
    texts = f"{env.alice.mention} beat {env.bob.mention}"
    await env.bot_channel.send(
        texts, allowed_mentions=discord.AllowedMentions(users=[discord.Object(env.bob.id)])
    )
    (post,) = env.channel.messages
    assert (env.alice.pings, env.bob.pings) == ([], [post])


async def test_edit_pings_nobody(env: LoopbackEnvironment) -> None:
    sent = await env.bot_channel.send("quiet")
    await sent.edit(content=f"{env.bob.mention} loud?")
    assert env.bob.pings == []


async def test_embed_pings_nobody(env: LoopbackEnvironment) -> None:
    await env.bot_channel.send(embed=discord.Embed(description=env.bob.mention))
    assert env.bob.pings == []


async def test_users_who_cannot_view_the_channel_are_not_pinged(env: LoopbackEnvironment) -> None:
    env.channel.hide_from(env.bob)
    await env.bot_channel.send(env.bob.mention)
    assert env.bob.pings == []


async def test_ephemeral_message_pings_only_its_addressee(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    await handed.interaction.response.send_message(env.bob.mention, ephemeral=True)
    await handed.waiting
    assert env.bob.pings == []


async def test_silent_message_pings_nobody(env: LoopbackEnvironment) -> None:
    await env.bot_channel.send(env.bob.mention, silent=True)
    assert env.bob.pings == []
    assert env.channel.messages[0].mentioned == (env.bob.user,)


async def test_everyone_is_pinged_only_with_permission(env: LoopbackEnvironment) -> None:
    everyone = discord.AllowedMentions(everyone=True)
    await env.bot_channel.send("@everyone", allowed_mentions=everyone)
    assert env.bob.pings == []
    env.channel.permit(env.guild.bot_member, DEFAULT | Permission.MENTION_EVERYONE)
    await env.bot_channel.send("@everyone", allowed_mentions=everyone)
    assert env.bob.pings == [env.channel.messages[-1]]
