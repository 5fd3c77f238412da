"""Texts that people type: every option and every field has a length limit, and refusals quote little."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from bot.posts.post import Post
from tests.discord_server.options import OptionType

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member

LONGEST_OPTION = 400  # characters; enough for any turn
LONGEST_REFUSAL = 600
HOSTILE_TEXT = "# **@everyone** <@1> <t:0:R> https://a.example `x`\n> a\u202e "
UNESCAPED = re.compile(r"(?<!\\)<[@#t]|://|\u202e|^#|(?<!\\)\*\*@", re.MULTILINE)


def text_options(env: BotEnvironment) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return every command with every one of its text options, as the bot has registered them."""
    found = []
    for command in env.discord.commands:
        options = list(command.get("options", ()))
        while options:
            option = options.pop()
            options += option.get("options", ())
            if option["type"] == OptionType.STRING:
                found.append((command, option))
    return found


def required_values(command: dict[str, Any]) -> dict[str, str]:
    """Return a value for each required option of a command; all of them are texts."""
    return {option["name"]: "1" for option in command["options"] if option.get("required")}


async def test_every_text_option_has_a_length_limit(env: BotEnvironment) -> None:
    options = text_options(env)
    assert {option["name"] for _, option in options} >= {
        "move",
        "time_control",
        "zone",
        "quiet",
        "time",
        "match",
    }
    unlimited = [
        f"/{command['name']} {option['name']}"
        for command, option in options
        if not 0 < option.get("max_length", 6000) <= LONGEST_OPTION
    ]
    assert unlimited == []


@pytest.mark.long
async def test_every_field_of_a_modal_has_a_length_limit(env: BotEnvironment, eve: Member) -> None:
    board = await env.start_match(time_control="3d per move")
    preferences = await env.alice.command("preferences", {}, channel=env.channel)
    settings = await eve.command("settings", {}, channel=env.channel)
    opened = [
        await env.alice.click(board, "Move"),
        await env.alice.click(await env.alice.command("whatif", {}, channel=env.channel), "Type"),
        await env.alice.command("note", {}, channel=env.channel),
        await env.alice.click(await env.alice.click(preferences, "Notices"), "Quiet hours and time zone"),
        await eve.click(settings, "Other time control"),
    ]
    await env.advance_time(days=4)
    timed_out = await env.channel.wait_for(lambda one: "ran out of time" in one.text)
    opened.append(await env.bob.click(timed_out, "Give time"))
    fields = [field for reply in opened for field in reply.modal.fields]  # type: ignore[union-attr]
    assert len(fields) == 7
    assert [field.label for field in fields if not 0 < field.max_length <= 2000] == []


@pytest.mark.long
async def test_long_text_is_refused_unread_by_every_option(env: BotEnvironment, eve: Member) -> None:
    text = (HOSTILE_TEXT * 200)[:6000]
    options = text_options(env)
    for _, option in options:
        option.pop("max_length", None)  # as from an app that does not respect it
    for command, option in options:
        values = {**required_values(command), option["name"]: text}
        reply = await eve.command(command["name"], values, channel=env.channel)
        assert "Shorten it" in reply.text, (command["name"], option["name"])
        assert reply.ephemeral
        assert len(reply.text) < LONGEST_REFUSAL
        if option.get("autocomplete"):
            name = option["name"]
            assert (
                await eve.autocomplete(command["name"], {name: text}, focused=name, channel=env.channel) == []
            )


@pytest.mark.long
async def test_refusals_quote_what_was_typed_in_one_short_escaped_line(
    env: BotEnvironment, eve: Member
) -> None:
    await env.start_match(opponent=eve, time_control="3d per move")
    pings = len(eve.pings)
    for command, option in text_options(env):
        if option["name"] == "reason":
            continue  # it is not read before the match is over
        values = {**required_values(command), option["name"]: (HOSTILE_TEXT * 10)[: option["max_length"]]}
        reply = await eve.command(command["name"], values, channel=env.channel)
        assert reply.ephemeral, (command["name"], option["name"])
        assert len(reply.text) < LONGEST_REFUSAL, reply.text
        assert len(reply.text.splitlines()) <= 2, reply.text
        assert not UNESCAPED.search(reply.text), reply.text
    assert len(eve.pings) == pings


@pytest.mark.parametrize("start", range(30))
def test_long_post_ends_after_a_word_and_never_inside_a_mention(start: int) -> None:
    mention = f"<@{10**18}>,"
    whole = "x" * start + f" {mention}" * 200
    text = str(Post(whole).send_arguments()["content"])
    assert 1950 < len(text) <= 2000
    assert text.endswith(f"{mention}…")
    assert whole.startswith(text[:-1])
