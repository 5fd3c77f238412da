"""Slash commands and autocomplete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.discord_server import ActionNotPossible

if TYPE_CHECKING:
    from tests.loopback.conftest import LoopbackEnvironment


async def test_command_response_is_public(env: LoopbackEnvironment) -> None:
    reply = await env.alice.command("say", {"text": "hello"}, channel=env.channel)
    assert reply.content == "hello"
    assert (
        env.bob.visible_messages(env.channel) == env.channel.messages == env.discord.posts == [reply.message]
    )


async def test_options_of_every_kind_arrive(env: LoopbackEnvironment) -> None:
    options = {"text": "hey", "to": env.bob, "loud": "yes", "times": 2}
    reply = await env.alice.command("/say", options, channel=env.channel)
    assert reply.content == f"{env.bob.mention} HEY HEY"


async def test_attachment_option_arrives(env: LoopbackEnvironment) -> None:
    reply = await env.alice.command("read", {"record": ("game.txt", b"D1-I6")}, channel=env.channel)
    assert reply.content == "game.txt: D1-I6"


async def test_subcommand_is_named_after_its_group(env: LoopbackEnvironment) -> None:
    reply = await env.alice.command("match resign", {"number": 3}, channel=env.channel)
    assert (reply.content, reply.ephemeral) == ("resigned 3", True)


async def test_options_that_are_none_are_omitted(env: LoopbackEnvironment) -> None:
    reply = await env.alice.command("say", {"text": "a", "to": None}, channel=env.channel)
    assert reply.content == "a"


@pytest.mark.parametrize(
    ("path", "options", "reason"),
    [
        ("dance", {}, "no command /dance"),
        ("say", {}, "option text is required"),
        ("say", {"text": "a", "volume": 3}, "no option volume"),
        ("say", {"text": ""}, "takes a text"),
        ("say", {"text": "a", "times": 4}, "takes 1 to 3"),
        ("say", {"text": "a", "times": "2"}, "takes a number"),
        ("say", {"text": "a", "loud": "maybe"}, "no choice of loud"),
        ("say", {"text": "a", "to": "Bob"}, "takes a person"),
        ("match", {}, "needs one of its subcommands: resign"),
        ("match dance", {}, "no subcommand dance"),
    ],
)
async def test_invalid_commands_and_options_are_not_sent(
    env: LoopbackEnvironment, path: str, options: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ActionNotPossible, match=reason):
        await env.alice.command(path, options, channel=env.channel)


async def test_bots_cannot_use_commands(env: LoopbackEnvironment) -> None:
    robot = env.guild.member("Robot", bot=True)
    with pytest.raises(ActionNotPossible, match="is a bot"):
        await robot.command("say", {"text": "beep"}, channel=env.channel)


async def test_commands_in_a_hidden_channel_are_refused(env: LoopbackEnvironment) -> None:
    env.channel.hide_from(env.bob)
    with pytest.raises(ActionNotPossible, match="cannot see games"):
        await env.bob.command("say", {"text": "a"}, channel=env.channel)


async def test_autocomplete_narrows(env: LoopbackEnvironment) -> None:
    choices = await env.alice.autocomplete("move", {"move": "D1"}, focused="move", channel=env.channel)
    assert [(one.name, one.value) for one in choices] == [("D1-I6", "D1-I6"), ("D1-E2", "D1-E2")]


async def test_autocomplete_without_text_suggests_everything(env: LoopbackEnvironment) -> None:
    choices = await env.alice.autocomplete("move", focused="move", channel=env.channel)
    assert len(choices) == 3


async def test_option_without_autocomplete_suggests_nothing(env: LoopbackEnvironment) -> None:
    with pytest.raises(ActionNotPossible, match="has no autocomplete"):
        await env.alice.autocomplete("say", {"text": "a"}, focused="text", channel=env.channel)


async def test_command_can_be_used_in_direct_messages(env: LoopbackEnvironment) -> None:
    reply = await env.alice.command("say", {"text": "psst"}, channel=env.alice.dm)
    assert [one.content for one in env.alice.dms] == ["psst"]
    assert env.bob.dms == []
    assert reply.message not in env.channel.messages


async def test_interaction_has_its_guild_channel_user_and_file_size_limit(env: LoopbackEnvironment) -> None:
    handed = await env.hand()
    interaction = handed.interaction
    assert interaction.guild_id == env.guild.id
    assert interaction.channel_id == env.channel.id
    assert interaction.user.id == env.alice.id
    assert interaction.filesize_limit == env.discord.settings.attachment_limit
    await interaction.response.send_message("seen")
    assert (await handed.waiting).content == "seen"


@pytest.mark.parametrize(
    ("place", "installed", "names"),
    [
        ("guild", False, {"say", "both"}),
        ("guild", True, {"say", "mine", "both"}),
        ("elsewhere", False, set()),
        ("elsewhere", True, {"mine", "both"}),
        ("private", False, {"say", "both"}),
        ("private", True, {"say", "mine", "both"}),
    ],
)
async def test_user_installed_commands_are_available_by_context(
    env: LoopbackEnvironment, place: str, names: set[str], *, installed: bool
) -> None:
    other_guild = env.discord.guild("Elsewhere", bot=False)
    other_channel, dm_channel = other_guild.channel("room"), env.alice.dm
    other_guild.join(env.alice)
    if installed:
        env.alice.install()
    available = set()
    for name in ("say", "mine", "both"):
        try:
            where = {"guild": env.channel, "elsewhere": other_channel}.get(place, dm_channel)
            await env.alice.command(name, {"text": "a"} if name == "say" else {}, channel=where)
        except ActionNotPossible:
            continue
        available.add(name)
    assert available == names


async def test_interaction_has_its_installation_owners(env: LoopbackEnvironment) -> None:
    other_guild = env.discord.guild("Elsewhere", bot=False)
    other_channel = other_guild.channel("room")
    other_guild.join(env.alice)
    env.alice.install()
    reply = await env.alice.command("mine", channel=other_channel)
    assert reply.content == f"user {env.alice.id}"
    reply = await env.bob.command("both", channel=env.channel)
    assert reply.content == f"guild {env.guild.id}"
