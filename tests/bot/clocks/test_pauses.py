"""Pauses, offered and accepted in the channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.clocks.timestamps import DAY, seconds_ahead

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Reply


async def offer_pause(env: BotEnvironment) -> Reply:
    """Offer a pause as Bob."""
    return await env.bob.command("pause", {}, channel=env.channel)


async def pause_match(env: BotEnvironment) -> Reply:
    """Pause a match after two days and 23 hours, with Alice to move."""
    await env.start_match(time_control="3d", time_out="lost")
    await env.advance_time(days=2, hours=23)
    return await env.alice.click(await offer_pause(env), "Pause")


@pytest.mark.long
async def test_pause_offer_pings_the_opponent(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    reply = await offer_pause(env)
    assert "Bob offers to pause Morelli #1" in reply.text
    assert env.alice.pings[-1] is reply.message
    assert [button.label for button in reply.buttons] == ["Pause", "Do not pause", "Withdraw", "My view"]


@pytest.mark.long
async def test_pause_offer_is_withdrawn_by_its_button_or_by_offering_again(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    offered = await offer_pause(env)
    assert "no longer open" in (await env.alice.click(offered, "Withdraw")).text
    again = await offer_pause(env)
    assert again.text == "Your offer in Morelli vs Alice (#1) is still open. Do you withdraw it?"
    await env.bob.click(again, "Withdraw")
    await env.wait_until_idle()
    assert env.channel.messages[-1].text.startswith("Bob no longer offers to pause Morelli #1.")
    assert "no longer open" in (await env.alice.click(offered, "Pause")).text


@pytest.mark.long
async def test_accepted_pause_stops_the_clock(env: BotEnvironment) -> None:
    post = await pause_match(env)
    assert "⏸️ **Morelli #1 is paused.**" in post.text
    assert post.text.count("paused") == 1
    assert env.bob.pings[-1] is post.message
    count = len(env.channel.messages)
    await env.advance_time(days=60)
    assert len(env.channel.messages) == count
    assert "The clock is paused" in (await env.alice.command("board", {}, channel=env.channel)).text


@pytest.mark.long
async def test_resume_button_restarts_the_clock(env: BotEnvironment) -> None:
    post = await pause_match(env)
    await env.advance_time(days=60)
    reply = await env.bob.click(post, "Resume")
    assert "▶️ **Morelli #1 continues.**" in reply.text
    assert env.alice.pings[-1] is reply.message
    assert seconds_ahead(env, reply) == [DAY]
    assert "Morelli vs Bob (#1) is not paused" in (await env.alice.click(post, "Resume")).text


@pytest.mark.long
async def test_resume_command_restarts_the_clock(env: BotEnvironment) -> None:
    await pause_match(env)
    reply = await env.alice.command("resume", {}, channel=env.channel)
    assert f"{env.bob.mention}, Alice has ended the pause." in reply.text


async def test_declined_pause_leaves_the_clock_running(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    reply = await env.alice.click(await offer_pause(env), "Do not pause")
    assert f"{env.bob.mention}, Alice does not want to pause Morelli #1." in reply.text
    assert "was declined, or you withdrew it" in (await offer_pause(env)).text


async def test_pause_offer_ends_with_a_move(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    post = await offer_pause(env)
    await env.move(env.alice, "C1-D2")
    assert (
        "The offer to pause Morelli vs Bob (#1) is no longer open"
        in (await env.alice.click(post, "Pause")).text
    )


async def test_players_cannot_answer_their_own_pause_offer(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    assert "This is your own offer" in (await env.bob.click(await offer_pause(env), "Pause")).text


@pytest.mark.long
async def test_pause_is_refused_without_a_running_clock(env: BotEnvironment) -> None:
    await env.start_match()
    assert "Morelli vs Alice (#1) has no clock" in (await offer_pause(env)).text
    await env.start_match(time_control="1d")
    await env.advance_time(days=1, minutes=1)
    reply = await env.bob.command("pause", {"match": "2"}, channel=env.channel)
    assert "A player has run out of time in Morelli vs Alice (#2)" in reply.text


@pytest.mark.long
async def test_lists_show_that_a_match_is_paused(env: BotEnvironment) -> None:
    await pause_match(env)
    for command, expected in (("games", ", paused ("), ("turns", ": paused, your turn since <t:")):
        lists = [
            (await person.command(command, {}, channel=env.channel)).text for person in (env.alice, env.bob)
        ]
        assert expected in "".join(lists)


async def test_resume_is_refused_without_a_pause(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    reply = await env.bob.command("resume", {}, channel=env.channel)
    assert "Morelli vs Alice (#1) is not paused" in reply.text
    assert reply.ephemeral
