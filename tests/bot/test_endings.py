"""Resigning, and the offer to end by agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Reply


async def resign(stage: Stage) -> Reply:
    return await stage.bob.command("resign", {}, channel=stage.channel)


async def offer(stage: Stage) -> Reply:
    return await stage.alice.command("end", {}, channel=stage.channel)


async def test_resigning_asks_once(stage: Stage) -> None:
    board = await stage.start()
    reply = await resign(stage)
    assert "Give up match 1 against Alice? Alice then wins." in reply.text
    assert reply.ephemeral
    assert [button.label for button in reply.buttons] == ["Resign", "Play on"]
    assert stage.latest is board


async def test_resigning_ends_the_match(stage: Stage) -> None:
    board = await stage.start()
    closed = await stage.bob.click(await resign(stage), "Resign")
    assert "You have resigned match 1" in closed.text
    assert not closed.buttons
    post = await stage.board(after=board)
    assert "**Black (Alice) wins. Bob resigns.**" in post.text
    assert stage.alice.pings[-1] is post
    assert post.attachments
    assert "Match 1 is over" in (await stage.move(stage.alice, "C1-D2", match="1")).text


async def test_one_may_think_again(stage: Stage) -> None:
    board = await stage.start()
    reply = await stage.bob.click(await resign(stage), "Play on")
    assert "Match 1 goes on" in reply.text
    assert not reply.buttons
    assert stage.latest is board


async def test_one_resigns_once(stage: Stage) -> None:
    board = await stage.start()
    question = (await resign(stage)).shown
    components = question.components
    await stage.bob.click(question, "Resign")
    await stage.board(after=board)
    question.components = components
    assert "Match 1 is over" in (await stage.bob.click(question, "Resign")).text
    assert (
        "Match 1 is over" in (await stage.bob.command("resign", {"match": "1"}, channel=stage.channel)).text
    )


async def test_one_resigns_before_there_is_a_board(stage: Stage) -> None:
    fists = await stage.start(start="fists")
    await stage.bob.click(await resign(stage), "Resign")
    post = await stage.board(after=fists)
    assert "Black (Alice) wins. Bob resigns." in post.text
    assert not post.attachments
    assert "Match 1 is over" in (await stage.alice.click(fists, "Close your fists")).text


async def test_onlooker_resigns_nothing(stage: Stage) -> None:
    await stage.start()
    reply = await stage.guild.member("Eve").command("resign", {"match": "1"}, channel=stage.channel)
    assert "You do not play in match 1" in reply.text
    assert reply.ephemeral


async def test_offer_calls_the_other_and_tells_the_result(stage: Stage) -> None:
    await stage.start()
    reply = await offer(stage)
    assert "Alice offers to end match 1 here. It would be a draw." in reply.text
    assert stage.bob.pings[-1] is reply.message
    assert [button.label for button in reply.buttons] == ["Accept the end", "Play on", "My view"]


async def test_accepted_offer_ends_the_match(stage: Stage) -> None:
    await stage.start()
    post = await stage.bob.click(await offer(stage), "Accept the end")
    assert "**A draw. You agreed to end here, and the Centre is empty.**" in post.text
    assert stage.alice.pings[-1] is post.message
    assert post.attachments


async def test_declined_offer_lets_the_match_go_on(stage: Stage) -> None:
    await stage.start()
    post = await stage.bob.click(await offer(stage), "Play on")
    assert "Bob declines: match 1 goes on" in post.text
    assert stage.alice.pings[-1] is post.message
    assert "declined on this board" in (await offer(stage)).text
    assert "Black C1-D2" in (await stage.move(stage.alice, "C1-D2")).text


async def test_offer_stands_once(stage: Stage) -> None:
    await stage.start()
    await offer(stage)
    reply = await offer(stage)
    assert "Your offer in match 1 stands" in reply.text
    assert reply.ephemeral


async def test_counter_offer_accepts(stage: Stage) -> None:
    await stage.start()
    await offer(stage)
    reply = await stage.bob.command("end", {}, channel=stage.channel)
    assert "A draw. You agreed to end here" in reply.text


@pytest.mark.parametrize("button", ["Accept the end", "Play on"])
async def test_ones_own_offer_is_for_the_other(stage: Stage, button: str) -> None:
    await stage.start()
    reply = await stage.alice.click(await offer(stage), button)
    assert "This offer is your own" in reply.text
    assert reply.ephemeral


@pytest.mark.parametrize("button", ["Accept the end", "Play on"])
async def test_offer_dies_with_a_move(stage: Stage, button: str) -> None:
    await stage.start()
    post = await offer(stage)
    await stage.move(stage.alice, "C1-D2")
    reply = await stage.bob.click(post, button)
    assert "This offer stands no more: a move has been made since" in reply.text
    assert reply.ephemeral


async def test_second_click_on_an_offer_is_told(stage: Stage) -> None:
    await stage.start()
    post = await offer(stage)
    await stage.bob.click(post, "Play on")
    reply = await stage.bob.click(post, "Accept the end")
    assert "This offer was answered already" in reply.text
    assert reply.ephemeral


async def test_offer_needs_a_board(stage: Stage) -> None:
    await stage.start(start="fists")
    assert "There is no board yet" in (await offer(stage)).text


async def test_game_without_an_end_by_agreement_says_so(stage: Stage) -> None:
    await stage.start(game="morabaraba", board=None, start=None, colour="white")
    assert "do not say who wins if you agree to end" in (await offer(stage)).text
