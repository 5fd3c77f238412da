"""Playing again, with sides changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Message


async def play_finished_match(env: BotEnvironment, **options: Any) -> Message:
    """Play a match in which Alice has Black and Bob resigns; give the last post."""
    board = await env.start_match(**options)
    await env.bob.click(await env.bob.command("resign", {}, channel=env.channel), "Resign")
    return await env.wait_for_board(after=board)


async def test_button_offers_it_to_the_other(env: BotEnvironment) -> None:
    reply = await env.bob.click(await play_finished_match(env), "Rematch")
    assert (
        f"**Bob offers {env.alice.mention} a rematch** of match 1: another game of **Morelli**" in reply.text
    )
    assert "Bob plays Black." in reply.text
    assert env.alice.pings[-1] is reply.message
    assert [button.label for button in reply.buttons] == ["Accept", "Decline", "Withdraw"]


async def test_command_means_the_last_match_here(env: BotEnvironment) -> None:
    await play_finished_match(env)
    reply = await env.alice.command("rematch", {}, channel=env.channel)
    assert "Alice offers" in reply.text
    assert "Alice plays White." in reply.text


async def test_accepted_rematch_begins_with_sides_changed(env: BotEnvironment) -> None:
    asked = await env.bob.click(await play_finished_match(env, rated=False), "Rematch")
    assert "not rated" in asked.text
    reply = await env.alice.click(asked, "Accept")
    board = await env.wait_for_board(after=reply)
    assert "Match 2 · Bob (Black) \N{EN DASH} Alice (White)" in board.text
    assert env.bob.pings[-1] is board


async def test_picks_are_made_again(env: BotEnvironment) -> None:
    fists = await env.start_match(start="fists")
    await env.bob.click(await env.bob.command("resign", {}, channel=env.channel), "Resign")
    asked = await env.alice.click(await env.wait_for_board(after=fists), "Rematch")
    board = await env.wait_for_board(after=await env.bob.click(asked, "Accept"))
    assert "**Closed fists.**" in board.text


async def test_both_buttons_begin_it(env: BotEnvironment) -> None:
    end = await play_finished_match(env)
    asked = await env.alice.click(end, "Rematch")
    reply = await env.bob.click(end, "Rematch")
    assert "Alice has already offered the rematch, so it begins now in <#" in reply.text
    assert reply.ephemeral
    board = await env.wait_for_board(after=asked)
    assert "Match 2 ·" in board.text
    assert "**Accepted** by Bob." in asked.shown.content
    assert "was faster" not in (await env.alice.click(end, "Rematch")).text


async def test_rematch_that_has_begun_is_named(env: BotEnvironment) -> None:
    end = await play_finished_match(env)
    await env.alice.click(await env.bob.click(end, "Rematch"), "Accept")
    reply = await env.alice.click(end, "Rematch")
    assert "it is match 2" in reply.text
    assert reply.ephemeral


async def test_declined_rematch_is_not_asked_for_again(env: BotEnvironment) -> None:
    end = await play_finished_match(env)
    closed = await env.alice.click(await env.bob.click(end, "Rematch"), "Decline")
    assert "**declined**" in closed.text
    assert "declined the rematch" in (await env.bob.click(end, "Rematch")).text


async def test_onlooker_has_no_rematch(env: BotEnvironment) -> None:
    reply = await env.guild.member("Eve").click(await play_finished_match(env), "Rematch")
    assert "You are not playing in match 1" in reply.text
    assert reply.ephemeral


async def test_there_is_none_of_a_match_that_goes_on(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.alice.command("rematch", {"match": "1"}, channel=env.channel)
    assert "Match 1 is not over" in reply.text


async def test_command_needs_a_finished_match_here(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.alice.command("rematch", {}, channel=env.channel)
    assert "None of your matches in this channel is over" in reply.text


@pytest.mark.parametrize(("typed", "proposed"), [("", ["1"]), ("bob", ["1"]), ("carol", [])])
async def test_finished_matches_are_proposed(env: BotEnvironment, typed: str, proposed: list[str]) -> None:
    await play_finished_match(env)
    await env.start_match()
    found = await env.alice.autocomplete("rematch", {"match": typed}, focused="match", channel=env.channel)
    assert [one.value for one in found] == proposed
