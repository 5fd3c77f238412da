"""A match without a clock whose opponent has stopped playing can be claimed after two calls and 30 days."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.environment import labels

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Reply


async def claim(env: BotEnvironment) -> Reply:
    """Use /claim as Alice."""
    return await env.alice.command("claim", {"match": "1"}, channel=env.channel)


@pytest.mark.long
@pytest.mark.parametrize("start", ["facing", "fists"])
async def test_abandoned_match_is_won_after_two_calls_and_thirty_days(
    env: BotEnvironment, start: str
) -> None:
    if start == "fists":
        await env.bob.click(await env.make_challenge(board="9", start="fists"), "Accept")
        await env.wait_until_idle()
        fists = await env.alice.click(env.latest_message, "Close your fists")
        await env.alice.click(fists, fists.buttons[0].label or "")
    else:
        await env.start_match()
        await env.move(env.alice, "C1-D2")
        await env.move(env.bob, "A2-B3")
        await env.move(env.alice, "E1-F2")
    await env.advance_time(days=6)
    early = await claim(env)
    assert early.ephemeral
    assert "You have called them 0 of 2 times." in early.text
    assert labels(early) == []
    for number in range(2):
        await env.advance_time(days=7)
        asked, again = await claim(env), await claim(env)
        assert f"You have called them {number} of 2 times. Call them now?" in asked.text
        assert (
            await env.alice.click(asked, "Call them")
        ).text == "You called your opponent in Morelli vs Bob (#1)."
        await env.wait_until_idle()
        assert f"{env.bob.mention}, **Alice is waiting for you** in Morelli #1" in env.latest_message.text
        assert env.bob.pings[-1] is env.latest_message
        assert (
            "does not wait for Bob alone, or Bob still has time"
            in (await env.alice.click(again, "Call them")).text
        )
    await env.advance_time(days=9)
    assert labels(await claim(env)) == []
    await env.advance_time(days=2)
    asked = await claim(env)
    assert labels(asked) == ["Claim", "Wait"]
    await env.alice.click(asked, "Claim")
    await env.wait_until_idle()
    assert "**Black (Alice) wins. Bob stopped playing, so the win is not rated.**" in env.latest_message.text
    assert "Rating" not in env.latest_message.text


@pytest.mark.long
async def test_answering_starts_the_calls_anew(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    await env.advance_time(days=8)
    await env.alice.click(await claim(env), "Call them")
    await env.move(env.bob, "A2-B3")
    assert "does not wait for Bob alone" in (await claim(env)).text
    await env.move(env.alice, "E1-F2")
    await env.advance_time(days=40)
    assert "You have called them 0 of 2 times. Call them now?" in (await claim(env)).text


@pytest.mark.long
async def test_win_is_not_claimed_during_a_vacation(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    await env.bob.click(await env.bob.command("vacation", {}, channel=env.channel), "Begin vacation")
    await env.advance_time(days=8)
    reply = await claim(env)
    assert "Bob is on vacation, so you cannot claim the win in Morelli vs Bob (#1) now." in reply.text
    assert labels(reply) == []
