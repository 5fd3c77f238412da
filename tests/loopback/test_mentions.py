"""Who is pinged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
import pytest

from tests.discord_server import DEFAULT, Permission
from tests.discord_server.mentions import find

if TYPE_CHECKING:
    from tests.loopback.conftest import Stage


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
def test_users(text: str, allowed: dict[str, Any] | None, pinged: set[int]) -> None:
    assert find([text], allowed).allowed_users == pinged


@pytest.mark.parametrize(
    ("text", "allowed", "everyone"),
    [
        ("@everyone", None, True),
        ("@here", {"parse": ["users"]}, False),
        ("@everyone", {"parse": ["everyone"]}, True),
    ],
)
def test_everyone(text: str, allowed: dict[str, Any] | None, *, everyone: bool) -> None:
    assert find([text], allowed).everyone is everyone


def test_roles() -> None:
    assert find(["<@&5> <@&6>"], {"roles": [5]}).roles == (5,)


async def test_only_who_is_allowed_is_pinged(stage: Stage) -> None:
    words = f"{stage.alice.mention} beat {stage.bob.mention}"
    await stage.place.send(
        words, allowed_mentions=discord.AllowedMentions(users=[discord.Object(stage.bob.id)])
    )
    (post,) = stage.channel.messages
    assert (stage.alice.pings, stage.bob.pings) == ([], [post])


async def test_an_edit_pings_nobody(stage: Stage) -> None:
    sent = await stage.place.send("quiet")
    await sent.edit(content=f"{stage.bob.mention} loud?")
    assert stage.bob.pings == []


async def test_an_embed_pings_nobody(stage: Stage) -> None:
    await stage.place.send(embed=discord.Embed(description=stage.bob.mention))
    assert stage.bob.pings == []


async def test_who_cannot_see_is_not_pinged(stage: Stage) -> None:
    stage.channel.hide_from(stage.bob)
    await stage.place.send(stage.bob.mention)
    assert stage.bob.pings == []


async def test_an_ephemeral_message_pings_no_other(stage: Stage) -> None:
    handed = await stage.hand()
    await handed.interaction.response.send_message(stage.bob.mention, ephemeral=True)
    await handed.waiting
    assert stage.bob.pings == []


async def test_a_silent_message_mentions_without_pinging(stage: Stage) -> None:
    await stage.place.send(stage.bob.mention, silent=True)
    assert stage.bob.pings == []
    assert stage.channel.messages[0].mentioned == (stage.bob.user,)


async def test_everyone_is_pinged_only_with_permission(stage: Stage) -> None:
    everyone = discord.AllowedMentions(everyone=True)
    await stage.place.send("@everyone", allowed_mentions=everyone)
    assert stage.bob.pings == []
    stage.channel.permit(stage.guild.bot_member, DEFAULT | Permission.MENTION_EVERYONE)
    await stage.place.send("@everyone", allowed_mentions=everyone)
    assert stage.bob.pings == [stage.channel.messages[-1]]
