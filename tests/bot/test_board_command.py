"""/board, the button My view, /games and /help."""

# ruff: noqa: RUF001 - the texts contain typographic characters

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.games import GAMES

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply


async def show_board(env: BotEnvironment, person: Member, **options: Any) -> Reply:
    """Use /board."""
    return await person.command("board", options, channel=env.channel)


def bottom_files(reply: Reply) -> str:
    """Return the file letters from left to right, as in the alt text."""
    lines = (reply.attachments[0].description or "").splitlines()
    return next(line for line in lines if line.split()[:1] in (["A"], ["I"])).replace(" ", "")


@pytest.mark.long
async def test_board_is_shown_in_private(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    reply = await show_board(env, env.alice)
    assert "**Morelli #1**: Alice (Black) – Bob (White), later rules" in reply.text
    assert "Black C1-D2. Bob (White) to play." in reply.text
    assert reply.ephemeral
    assert reply.attachments


@pytest.mark.parametrize(
    ("who", "options", "files"),
    [
        ("alice", {}, "ABCDEFGHI"),
        ("bob", {}, "IHGFEDCBA"),
        ("bob", {"from": "black"}, "ABCDEFGHI"),
        ("alice", {"from": "White"}, "IHGFEDCBA"),
    ],
)
async def test_board_is_oriented_to_the_own_side_or_as_requested(
    env: BotEnvironment, who: str, options: dict[str, str], files: str
) -> None:
    await env.start_match()
    assert bottom_files(await show_board(env, getattr(env, who), **options)) == files


async def test_public_board_is_oriented_to_black(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    reply = await env.move(env.bob, "A2-B3")
    assert bottom_files(reply) == "ABCDEFGHI"


async def test_unknown_side_is_refused(env: BotEnvironment) -> None:
    await env.start_match()
    assert (
        "green is not a side in this match. Choose Black or White"
        in (await show_board(env, env.alice, **{"from": "green"})).text
    )


async def test_sides_are_suggested(env: BotEnvironment) -> None:
    choices = await env.alice.autocomplete("board", {"from": "w"}, focused="from", channel=env.channel)
    assert [choice.value for choice in choices] == ["white"]


async def test_private_board_can_be_played_on(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.submit_move(env.alice, await show_board(env, env.alice), "C1-D2")
    assert "Black C1-D2" in reply.text
    assert not reply.ephemeral


async def test_onlooker_sees_the_match_in_the_channel(env: BotEnvironment) -> None:
    await env.start_match()
    eve = env.guild.member("Eve")
    reply = await show_board(env, eve)
    assert "**Morelli #1**: Alice (Black)" in reply.text
    assert [button.label for button in reply.buttons] == ["My view", "What if", "My note"]


@pytest.mark.long
async def test_onlooker_must_name_one_of_several_matches(env: BotEnvironment) -> None:
    eve = env.guild.member("Eve")
    assert "You have no match under way in this channel." in (await show_board(env, eve)).text
    await env.start_match()
    await env.start_match()
    reply = await show_board(env, eve)
    assert "You have several matches here" in reply.text
    chosen = await eve.select(reply, "Choose a match", ["Morelli: Alice – Bob (#2)"])
    assert "#2" in chosen.text
    assert "#2" in (await show_board(env, eve, match="2")).text
    assert "You have no match under way. Start" in (await eve.command("board", {}, channel=eve.dm)).text


async def test_private_board_has_move_buttons_for_the_player_to_move(env: BotEnvironment) -> None:
    await env.start_match()
    for person, first in ((env.alice, ["Pick", "Move", "My view"]), (env.bob, ["My view"])):
        labels = [button.label for button in (await show_board(env, person)).buttons]
        assert labels[: len(first)] == first
    reply = await show_board(env, env.bob, text=True)
    assert "Move" not in [button.label for button in reply.buttons]


async def test_names_are_unescaped_in_alt_texts(env: BotEnvironment) -> None:
    await env.start_match(opponent=env.guild.member("Eve_the *bold*"))
    alt = (await show_board(env, env.alice, match="1")).attachments[0].description or ""
    await env.move(env.alice, "C1-D2")
    alt += (await show_board(env, env.alice, match="1")).attachments[0].description or ""
    assert "Eve_the *bold* (White) to play." in alt
    assert "\\" not in alt


async def test_match_of_another_server_is_not_shown(env: BotEnvironment) -> None:
    await env.start_match()
    there = env.discord.guild("Elsewhere")
    room = there.channel("room")
    eve = there.member("Eve")
    reply = await eve.command("board", {"match": "1"}, channel=room)
    assert "There is no match #1 on this server" in reply.text


@pytest.mark.long
async def test_my_view_shows_the_board_of_its_post_from_the_own_side(env: BotEnvironment) -> None:
    first = await env.start_match()
    second = await env.move(env.alice, "C1-D2")
    now = await env.bob.click(second, "My view")
    assert "Black C1-D2. Bob (White) to play." in now.text
    assert bottom_files(now) == "IHGFEDCBA"
    assert now.ephemeral
    assert [button.label for button in now.buttons] == ["Pick", "Move", "My view", "What if", "My note"]
    then = await env.bob.click(first, "My view")
    assert "C1-D2" not in then.text
    assert [button.label for button in then.buttons] == ["My view", "What if", "My note"]
    latest = f"[Latest board](https://discord.com/channels/{env.guild.id}/{env.channel.id}/{second.shown.id})"
    assert then.text.startswith(
        f"**Not the latest board:** this is the first one, and the match is at move 1. {latest}\n"
    )
    assert "Alice (Black) was to play." in then.text
    assert "Alice (Black) was to play." in (then.shown.attachments[0].description or "")
    assert "Not the latest board" not in now.text
    await env.move(env.bob, "A2-C2")
    third = await env.bob.click(second, "My view")
    assert "this is after move 1, and the match is at move 2" in third.text
    assert "Bob (White) was to play." in third.text


@pytest.mark.long
async def test_my_view_of_a_board_that_was_taken_back_says_so(env: BotEnvironment) -> None:
    await env.start_match()
    board = await env.move(env.alice, "C1-D2")
    offer = await env.alice.command("takeback", {}, channel=env.channel)
    await env.bob.click(offer, "Allow the takeback")
    then = await env.bob.click(board, "My view")
    assert then.text.startswith("**Not the latest board:** moves were taken back since. [Latest board](")
    assert "Black C1-D2. Bob (White) was to play." in then.text
    assert [button.label for button in then.buttons] == ["My view", "My note"]


@pytest.mark.long
async def test_match_list_starts_with_those_waiting_for_the_user(env: BotEnvironment) -> None:
    await env.start_match()
    await env.start_match()
    await env.move(env.alice, "C1-D2", match="1")
    reply = await env.alice.command("games", {}, channel=env.channel)
    lines = reply.text.splitlines()
    assert lines[0] == "**Your matches on this server**"
    assert lines[1].startswith("▶ **Morelli vs Bob (#2)**")
    assert "your turn since <t:" in lines[1]
    assert lines[2].startswith("Morelli vs Bob (#1)")
    assert "Bob to play" in lines[2]
    assert reply.ephemeral


async def test_match_list_is_limited_to_the_server(env: BotEnvironment) -> None:
    await env.start_match()
    there = env.discord.guild("Elsewhere")
    room = there.channel("room")
    there.join(env.alice)
    reply = await env.alice.command("games", {}, channel=room)
    assert "You have no matches under way on this server" in reply.text


@pytest.mark.long
async def test_long_match_list_has_pages(env: BotEnvironment) -> None:
    for _ in range(8):
        await env.start_match()
    await env.wait_until_idle()
    page = await env.alice.command("games", {}, channel=env.channel)
    assert page.ephemeral
    assert page.text.endswith("Page 1 of 2")
    listed = re.findall(r"Morelli vs Bob \(#(\d)\)", page.text)
    second = await env.alice.click(page, "Next")
    assert [button.label for button in second.buttons] == ["Back"]
    listed += re.findall(r"Morelli vs Bob \(#(\d)\)", second.text)
    assert sorted(listed) == list("12345678")
    assert (await env.alice.click(second, "Back")).text == page.text


async def test_help_is_ephemeral(env: BotEnvironment) -> None:
    reply = await env.alice.command("help", {}, channel=env.channel)
    examples = re.findall(r"`([^`]+)` in ", reply.text)
    assert len(set(examples)) == len(GAMES)
    assert "/challenge someone" in reply.text
    assert reply.ephemeral


@pytest.mark.plain("all commands in one message have no room for texts twice as long")
async def test_help_begins_with_three_steps_and_leads_to_all_commands(env: BotEnvironment) -> None:
    reply = await env.alice.command("help", {}, channel=env.channel)
    assert re.findall(r"\*\*\d\. (\w+)", reply.text) == ["Challenge", "Play", "Learn"]
    assert len(reply.text) < 900
    assert (await env.alice.click(reply, "Learn")).content.startswith("## Inwards\n")
    text = (await env.alice.click(reply, "All commands")).text
    named = set(re.findall(r"/([a-z-]+)", text))
    assert {one["name"] for one in env.discord.commands if one["type"] == 1} - named == {"help"}
    assert len(text) < 2000
    assert not re.findall("Opening explorer", text)
    again = await env.alice.click(reply, "First steps")
    assert again.updated
    assert again.text.startswith("**1. Challenge.**")
