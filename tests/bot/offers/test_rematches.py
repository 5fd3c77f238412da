"""Rematches, with sides swapped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Message


async def play_finished_match(env: BotEnvironment, **options: Any) -> Message:
    """Play a match in which Alice has Black and Bob resigns; return the last post."""
    board = await env.start_match(**options)
    await env.bob.click(await env.bob.command("resign", {}, channel=env.channel), "Resign")
    return await env.wait_for_board(after=board)


@pytest.mark.long
async def test_rematch_button_challenges_the_opponent(env: BotEnvironment) -> None:
    reply = await env.bob.click(await play_finished_match(env), "Rematch")
    assert (
        f"**Bob offers {env.alice.mention} a rematch** of Morelli #1: another game of **Morelli**"
        in reply.text
    )
    assert "Bob plays Black." in reply.text
    assert env.alice.pings[-1] is reply.message
    assert [button.label for button in reply.buttons] == [
        *["Accept", "Decline", "Withdraw"],
        "Options explained",
        "Rules",
        "Learn",
    ]


async def test_rematch_command_uses_the_latest_match_in_the_channel(env: BotEnvironment) -> None:
    await play_finished_match(env)
    reply = await env.alice.command("rematch", {}, channel=env.channel)
    assert "Alice offers" in reply.text
    assert "Alice plays White." in reply.text


@pytest.mark.long
async def test_accepted_rematch_swaps_the_sides(env: BotEnvironment) -> None:
    asked = await env.bob.click(await play_finished_match(env, rated=False), "Rematch")
    assert "not rated" in asked.text
    reply = await env.alice.click(asked, "Accept")
    board = await env.wait_for_board(after=reply)
    assert "Morelli #2 · Bob (Black) \N{EN DASH} Alice (White)" in board.text
    assert env.bob.pings[-1] is board


@pytest.mark.long
async def test_rematch_repeats_the_simultaneous_choice(env: BotEnvironment) -> None:
    fists = await env.start_match(start="fists")
    await env.bob.click(await env.bob.command("resign", {}, channel=env.channel), "Resign")
    asked = await env.alice.click(await env.wait_for_board(after=fists), "Rematch")
    board = await env.wait_for_board(after=await env.bob.click(asked, "Accept"))
    assert "**Closed fists.**" in board.text


@pytest.mark.long
async def test_rematch_starts_when_both_players_click(env: BotEnvironment) -> None:
    end = await play_finished_match(env)
    asked = await env.alice.click(end, "Rematch")
    reply = await env.bob.click(end, "Rematch")
    assert "Alice has already offered the rematch, so it begins now in <#" in reply.text
    assert reply.ephemeral
    board = await env.wait_for_board(after=asked)
    assert "Morelli #2 ·" in board.text
    assert "**Accepted** by Bob." in asked.shown.content
    assert "was faster" not in (await env.alice.click(end, "Rematch")).text


@pytest.mark.long
async def test_second_rematch_is_refused_naming_the_first(env: BotEnvironment) -> None:
    end = await play_finished_match(env)
    await env.alice.click(await env.bob.click(end, "Rematch"), "Accept")
    reply = await env.alice.click(end, "Rematch")
    assert "is under way: #2." in reply.text
    assert reply.ephemeral


@pytest.mark.long
async def test_declined_rematch_cannot_be_offered_again(env: BotEnvironment) -> None:
    end = await play_finished_match(env)
    closed = await env.alice.click(await env.bob.click(end, "Rematch"), "Decline")
    assert "**declined**" in closed.text
    assert "declined the rematch" in (await env.bob.click(end, "Rematch")).text


@pytest.mark.long
async def test_rematch_is_refused_for_others(env: BotEnvironment) -> None:
    reply = await env.guild.member("Eve").click(await play_finished_match(env), "Rematch")
    assert "You are not playing in Morelli #1" in reply.text
    assert reply.ephemeral


@pytest.mark.long
async def test_rematch_is_refused_during_the_match(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.alice.command("rematch", {"match": "1"}, channel=env.channel)
    assert "(#1) is not over" in reply.text


@pytest.mark.long
async def test_rematch_command_needs_a_finished_match_in_the_channel(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.alice.command("rematch", {}, channel=env.channel)
    assert "None of your matches in this channel is over" in reply.text


@pytest.mark.long
@pytest.mark.parametrize(("typed", "proposed"), [("", ["1"]), ("bob", ["1"]), ("carol", [])])
async def test_finished_matches_are_suggested(env: BotEnvironment, typed: str, proposed: list[str]) -> None:
    await play_finished_match(env)
    await env.start_match()
    found = await env.alice.autocomplete("rematch", {"match": typed}, focused="match", channel=env.channel)
    assert [one.value for one in found] == proposed


@pytest.mark.long
async def test_rematch_is_refused_if_the_opponent_has_left_the_server(env: BotEnvironment) -> None:
    end = await play_finished_match(env)
    membership = env.guild.state.members.pop(env.alice.id)
    for reply in (
        await env.bob.click(end, "Rematch"),
        await env.bob.command("rematch", {}, channel=env.channel),
    ):
        assert "Alice is not on this server and could not accept." in reply.text
        assert reply.ephemeral
    env.guild.state.members[env.alice.id] = membership
    assert "Bob offers" in (await env.bob.click(end, "Rematch")).text


@pytest.mark.long
async def test_rematch_is_refused_where_the_opponent_cannot_see_it(env: BotEnvironment) -> None:
    end = await play_finished_match(env)
    env.channel.hide_from(env.alice)
    assert "Alice cannot see this channel" in (await env.bob.click(end, "Rematch")).text
