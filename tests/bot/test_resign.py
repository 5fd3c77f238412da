"""Resigning, and offers to end by agreement."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Reply


async def ask_to_resign(env: BotEnvironment) -> Reply:
    """Use /resign."""
    return await env.bob.command("resign", {}, channel=env.channel)


async def offer_end(env: BotEnvironment) -> Reply:
    """Offer to end the match by agreement."""
    return await env.alice.command("end", {}, channel=env.channel)


async def test_resigning_asks_for_confirmation(env: BotEnvironment) -> None:
    board = await env.start_match()
    reply = await ask_to_resign(env)
    assert "Resign Morelli vs Alice (#1)? Alice wins then." in reply.text
    assert reply.ephemeral
    assert [button.label for button in reply.buttons] == ["Resign", "Keep playing"]
    assert env.latest_message is board


async def test_resigning_ends_the_match(env: BotEnvironment) -> None:
    board = await env.start_match()
    closed = await env.bob.click(await ask_to_resign(env), "Resign")
    assert "You resigned Morelli vs Alice (#1)" in closed.text
    assert not closed.buttons
    post = await env.wait_for_board(after=board)
    assert "**Black (Alice) wins. Bob resigns.**" in post.text
    assert env.alice.pings[-1] is post
    (picture,) = post.attachments
    assert "to move" not in (picture.description or "")
    replayed = await env.bob.click(post, "Replay")
    assert "to move" not in (replayed.shown.attachments[0].description or "")
    private = await env.alice.click(post, "My view")
    assert "to move" not in (private.shown.attachments[0].description or "")
    assert "Morelli vs Bob (#1) is over" in (await env.move(env.alice, "C1-D2", match="1")).text


async def test_resigning_can_be_cancelled(env: BotEnvironment) -> None:
    board = await env.start_match()
    reply = await env.bob.click(await ask_to_resign(env), "Keep playing")
    assert "The match continues." in reply.text
    assert not reply.buttons
    assert env.latest_message is board


async def test_second_resignation_is_refused(env: BotEnvironment) -> None:
    board = await env.start_match()
    question = (await ask_to_resign(env)).shown
    components = question.components
    await env.bob.click(question, "Resign")
    await env.wait_for_board(after=board)
    question.components = components
    assert "Morelli vs Alice (#1) is over" in (await env.bob.click(question, "Resign")).text
    assert (
        "Morelli vs Alice (#1) is over"
        in (await env.bob.command("resign", {"match": "1"}, channel=env.channel)).text
    )


async def test_match_can_be_resigned_during_the_simultaneous_choice(env: BotEnvironment) -> None:
    fists = await env.start_match(start="fists")
    await env.bob.click(await ask_to_resign(env), "Resign")
    post = await env.wait_for_board(after=fists)
    assert "Black (Alice) wins. Bob resigns." in post.text
    assert not post.attachments
    assert "Morelli vs Bob (#1) is over" in (await env.alice.click(fists, "Close your fists")).text


async def test_resigning_is_refused_for_others(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.guild.member("Eve").command("resign", {"match": "1"}, channel=env.channel)
    assert "You are not playing in Morelli #1" in reply.text
    assert reply.ephemeral


async def test_offer_pings_the_opponent_and_states_the_result(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await offer_end(env)
    assert "Alice offers to end Morelli #1 here. It would be a draw." in reply.text
    assert env.bob.pings[-1] is reply.message
    assert [button.label for button in reply.buttons] == [
        "End the match",
        "Keep playing",
        "Withdraw",
        "My view",
    ]


async def test_accepted_offer_ends_the_match(env: BotEnvironment) -> None:
    await env.start_match()
    post = await env.bob.click(await offer_end(env), "End the match")
    assert "**It is a draw. The players agreed to end here, and the Centre is empty.**" in post.text
    assert env.alice.pings[-1] is post.message
    assert post.attachments


@pytest.mark.long
async def test_match_continues_after_a_declined_offer(env: BotEnvironment) -> None:
    await env.start_match()
    post = await env.bob.click(await offer_end(env), "Keep playing")
    assert "Bob declines. Morelli #1 continues" in post.text
    assert env.alice.pings[-1] is post.message
    assert "declined this on the current board" in (await offer_end(env)).text
    assert "Black C1-D2" in (await env.move(env.alice, "C1-D2")).text


async def test_second_offer_is_refused(env: BotEnvironment) -> None:
    await env.start_match()
    await offer_end(env)
    reply = await offer_end(env)
    assert "Your offer in Morelli vs Bob (#1) is still open" in reply.text
    assert reply.ephemeral


async def test_offering_the_same_accepts_the_pending_offer(env: BotEnvironment) -> None:
    await env.start_match()
    await offer_end(env)
    reply = await env.bob.command("end", {}, channel=env.channel)
    assert "It is a draw. The players agreed to end here" in reply.text


@pytest.mark.parametrize("button", ["End the match", "Keep playing"])
async def test_own_offer_cannot_be_answered(env: BotEnvironment, button: str) -> None:
    await env.start_match()
    reply = await env.alice.click(await offer_end(env), button)
    assert "This is your own offer" in reply.text
    assert reply.ephemeral


@pytest.mark.long
@pytest.mark.parametrize("button", ["End the match", "Keep playing"])
async def test_offer_ends_with_a_move(env: BotEnvironment, button: str) -> None:
    await env.start_match()
    post = await offer_end(env)
    await env.move(env.alice, "C1-D2")
    reply = await env.bob.click(post, button)
    assert "This offer is no longer open: a move was played since" in reply.text
    assert reply.ephemeral


async def test_second_click_on_an_offer_is_refused(env: BotEnvironment) -> None:
    await env.start_match()
    post = (await offer_end(env)).shown
    seen = copy(post)
    await env.bob.click(post, "Keep playing")
    reply = await env.bob.click(seen, "End the match")
    assert "This offer has already been answered" in reply.text
    assert reply.ephemeral


async def test_offer_needs_a_board(env: BotEnvironment) -> None:
    await env.start_match(start="fists")
    assert "has no board yet" in (await offer_end(env)).text


async def test_offer_is_refused_in_games_without_an_end_by_agreement(env: BotEnvironment) -> None:
    await env.start_match(game="morphos", board="5", start=None)
    assert "do not say who wins if you both agree to end" in (await offer_end(env)).text


@pytest.mark.long
async def test_offer_to_end_a_game_with_draws_only_is_a_draw_offer(env: BotEnvironment) -> None:
    await env.start_match(game="morabaraba", board=None, start=None, colour="white")
    assert "Alice offers a **draw** in Morabaraba #1." in (await offer_end(env)).text
