"""Slash commands and autocompletes, as people use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.discord_server import ActionNotPossible

if TYPE_CHECKING:
    from tests.loopback.conftest import LoopbackEnvironment


async def test_a_command_is_answered_for_all_to_see(env: LoopbackEnvironment) -> None:
    reply = await env.alice.command("say", {"text": "hello"}, channel=env.channel)
    assert reply.content == "hello"
    assert (
        env.bob.visible_messages(env.channel) == env.channel.messages == env.discord.posts == [reply.message]
    )


async def test_options_of_every_kind_arrive(env: LoopbackEnvironment) -> None:
    options = {"text": "hey", "to": env.bob, "loud": "yes", "times": 2}
    reply = await env.alice.command("/say", options, channel=env.channel)
    assert reply.content == f"{env.bob.mention} HEY HEY"


async def test_a_file_can_be_handed_in(env: LoopbackEnvironment) -> None:
    reply = await env.alice.command("read", {"record": ("game.txt", b"D1-I6")}, channel=env.channel)
    assert reply.content == "game.txt: D1-I6"


async def test_a_subcommand_is_named_after_its_group(env: LoopbackEnvironment) -> None:
    reply = await env.alice.command("match resign", {"number": 3}, channel=env.channel)
    assert (reply.content, reply.ephemeral) == ("resigned 3", True)


async def test_options_that_are_none_are_left_out(env: LoopbackEnvironment) -> None:
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
async def test_the_app_does_not_send_it(
    env: LoopbackEnvironment, path: str, options: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ActionNotPossible, match=reason):
        await env.alice.command(path, options, channel=env.channel)


async def test_bots_use_no_commands(env: LoopbackEnvironment) -> None:
    robot = env.guild.member("Robot", bot=True)
    with pytest.raises(ActionNotPossible, match="is a bot"):
        await robot.command("say", {"text": "beep"}, channel=env.channel)


async def test_a_hidden_channel_takes_no_commands(env: LoopbackEnvironment) -> None:
    env.channel.hide_from(env.bob)
    with pytest.raises(ActionNotPossible, match="cannot see games"):
        await env.bob.command("say", {"text": "a"}, channel=env.channel)


async def test_autocomplete_narrows(env: LoopbackEnvironment) -> None:
    choices = await env.alice.autocomplete("move", {"move": "D1"}, focused="move", channel=env.channel)
    assert [(one.name, one.value) for one in choices] == [("D1-I6", "D1-I6"), ("D1-E2", "D1-E2")]


async def test_autocomplete_without_a_word_typed_offers_all(env: LoopbackEnvironment) -> None:
    choices = await env.alice.autocomplete("move", focused="move", channel=env.channel)
    assert len(choices) == 3


async def test_an_option_without_autocomplete_suggests_nothing(env: LoopbackEnvironment) -> None:
    with pytest.raises(ActionNotPossible, match="has no autocomplete"):
        await env.alice.autocomplete("say", {"text": "a"}, focused="text", channel=env.channel)


async def test_a_command_can_be_used_in_a_conversation_with_the_bot(env: LoopbackEnvironment) -> None:
    reply = await env.alice.command("say", {"text": "psst"}, channel=env.alice.dm)
    assert [one.content for one in env.alice.dms] == ["psst"]
    assert env.bob.dms == []
    assert reply.message not in env.channel.messages


async def test_the_interaction_tells_where_it_comes_from(env: LoopbackEnvironment) -> None:
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
async def test_a_person_may_have_the_bot_with_them(
    env: LoopbackEnvironment, place: str, names: set[str], *, installed: bool
) -> None:
    there = env.discord.guild("Elsewhere", bot=False)
    room, alone = there.channel("room"), env.alice.dm
    there.join(env.alice)
    if installed:
        env.alice.install()
    offered = set()
    for name in ("say", "mine", "both"):
        try:
            where = {"guild": env.channel, "elsewhere": room}.get(place, alone)
            await env.alice.command(name, {"text": "a"} if name == "say" else {}, channel=where)
        except ActionNotPossible:
            continue
        offered.add(name)
    assert offered == names


async def test_an_interaction_says_by_whose_installation_it_came(env: LoopbackEnvironment) -> None:
    there = env.discord.guild("Elsewhere", bot=False)
    room = there.channel("room")
    there.join(env.alice)
    env.alice.install()
    reply = await env.alice.command("mine", channel=room)
    assert reply.content == f"user {env.alice.id}"
    reply = await env.bob.command("both", channel=env.channel)
    assert reply.content == f"guild {env.guild.id}"
