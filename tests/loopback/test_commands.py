"""Slash commands and autocompletes, as people use them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.discord_server import NotPossible

if TYPE_CHECKING:
    from tests.loopback.conftest import Stage


async def test_a_command_is_answered_for_all_to_see(stage: Stage) -> None:
    reply = await stage.alice.command("say", {"text": "hello"}, channel=stage.channel)
    assert reply.content == "hello"
    assert stage.bob.sees(stage.channel) == stage.channel.messages == stage.discord.posts == [reply.message]


async def test_options_of_every_kind_arrive(stage: Stage) -> None:
    options = {"text": "hey", "to": stage.bob, "loud": "yes", "times": 2}
    reply = await stage.alice.command("/say", options, channel=stage.channel)
    assert reply.content == f"{stage.bob.mention} HEY HEY"


async def test_a_file_can_be_handed_in(stage: Stage) -> None:
    reply = await stage.alice.command("read", {"record": ("game.txt", b"D1-I6")}, channel=stage.channel)
    assert reply.content == "game.txt: D1-I6"


async def test_a_subcommand_is_named_after_its_group(stage: Stage) -> None:
    reply = await stage.alice.command("match resign", {"number": 3}, channel=stage.channel)
    assert (reply.content, reply.ephemeral) == ("resigned 3", True)


async def test_options_that_are_none_are_left_out(stage: Stage) -> None:
    reply = await stage.alice.command("say", {"text": "a", "to": None}, channel=stage.channel)
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
    stage: Stage, path: str, options: dict[str, Any], reason: str
) -> None:
    with pytest.raises(NotPossible, match=reason):
        await stage.alice.command(path, options, channel=stage.channel)


async def test_bots_use_no_commands(stage: Stage) -> None:
    robot = stage.guild.member("Robot", bot=True)
    with pytest.raises(NotPossible, match="is a bot"):
        await robot.command("say", {"text": "beep"}, channel=stage.channel)


async def test_a_hidden_channel_takes_no_commands(stage: Stage) -> None:
    stage.channel.hide_from(stage.bob)
    with pytest.raises(NotPossible, match="cannot see games"):
        await stage.bob.command("say", {"text": "a"}, channel=stage.channel)


async def test_autocomplete_narrows(stage: Stage) -> None:
    choices = await stage.alice.autocomplete("move", {"move": "D1"}, focused="move", channel=stage.channel)
    assert [(one.name, one.value) for one in choices] == [("D1-I6", "D1-I6"), ("D1-E2", "D1-E2")]


async def test_autocomplete_without_a_word_typed_offers_all(stage: Stage) -> None:
    choices = await stage.alice.autocomplete("move", focused="move", channel=stage.channel)
    assert len(choices) == 3


async def test_an_option_without_autocomplete_suggests_nothing(stage: Stage) -> None:
    with pytest.raises(NotPossible, match="has no autocomplete"):
        await stage.alice.autocomplete("say", {"text": "a"}, focused="text", channel=stage.channel)


async def test_a_command_can_be_used_in_a_conversation_with_the_bot(stage: Stage) -> None:
    reply = await stage.alice.command("say", {"text": "psst"}, channel=stage.alice.dm)
    assert [one.content for one in stage.alice.dms] == ["psst"]
    assert stage.bob.dms == []
    assert reply.message not in stage.channel.messages


async def test_the_interaction_tells_where_it_comes_from(stage: Stage) -> None:
    handed = await stage.hand()
    interaction = handed.interaction
    assert interaction.guild_id == stage.guild.id
    assert interaction.channel_id == stage.channel.id
    assert interaction.user.id == stage.alice.id
    assert interaction.filesize_limit == stage.discord.settings.attachment_limit
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
    stage: Stage, place: str, names: set[str], *, installed: bool
) -> None:
    there = stage.discord.guild("Elsewhere", bot=False)
    room, alone = there.channel("room"), stage.alice.dm
    there.join(stage.alice)
    if installed:
        stage.alice.install()
    offered = set()
    for name in ("say", "mine", "both"):
        try:
            where = {"guild": stage.channel, "elsewhere": room}.get(place, alone)
            await stage.alice.command(name, {"text": "a"} if name == "say" else {}, channel=where)
        except NotPossible:
            continue
        offered.add(name)
    assert offered == names


async def test_an_interaction_says_by_whose_installation_it_came(stage: Stage) -> None:
    there = stage.discord.guild("Elsewhere", bot=False)
    room = there.channel("room")
    there.join(stage.alice)
    stage.alice.install()
    reply = await stage.alice.command("mine", channel=room)
    assert reply.content == f"user {stage.alice.id}"
    reply = await stage.bob.command("both", channel=stage.channel)
    assert reply.content == f"guild {stage.guild.id}"
