"""Offers in the channel: a draw, and moves taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import Store
from tests.bot.stage import Stage, bot_over

if TYPE_CHECKING:
    from pathlib import Path

    from tests.discord_server import DiscordServer, Message, Reply


async def offer(stage: Stage, kind: str) -> Reply:
    return await stage.alice.command(kind, {}, channel=stage.channel)


async def morabaraba(stage: Stage) -> Message:
    """Alice has White and moves first."""
    return await stage.start(game="morabaraba", board=None, start=None, colour="white")


async def test_draw_calls_the_other(stage: Stage) -> None:
    await morabaraba(stage)
    reply = await offer(stage, "draw")
    assert "Alice offers a **draw** in match 1." in reply.text
    assert stage.bob.pings[-1] is reply.message
    assert [button.label for button in reply.buttons] == ["Accept the draw", "Decline the draw", "My view"]


async def test_accepted_draw_ends_the_match(stage: Stage) -> None:
    await morabaraba(stage)
    post = await stage.bob.click(await offer(stage, "draw"), "Accept the draw")
    assert "**A draw. You agreed to end here.**" in post.text
    assert stage.alice.pings[-1] is post.message
    assert [button.label for button in post.buttons] == ["Rematch", "My view", "Replay"]


async def test_declined_draw_lets_the_match_go_on(stage: Stage) -> None:
    await morabaraba(stage)
    post = await stage.bob.click(await offer(stage, "draw"), "Decline the draw")
    assert f"{stage.alice.mention}, Bob declines the draw: match 1 goes on." in post.text
    assert "declined on this board" in (await offer(stage, "draw")).text


async def test_game_without_draws_says_so(stage: Stage) -> None:
    await stage.start(game="morphos", board="5", start=None)
    reply = await offer(stage, "draw")
    assert "This game knows no draw" in reply.text
    assert reply.ephemeral


async def taken_back(stage: Stage) -> Reply:
    """Both move, and Bob lets Alice take back."""
    await stage.start()
    await stage.move(stage.alice, "C1-D2")
    await stage.move(stage.bob, "A2-B3")
    return await stage.bob.click(await offer(stage, "takeback"), "Allow the takeback")


async def test_takeback_calls_the_other(stage: Stage) -> None:
    await stage.start()
    await stage.move(stage.alice, "C1-D2")
    reply = await offer(stage, "takeback")
    assert "match 1 would go on from before Alice's last turn" in reply.text
    assert stage.bob.pings[-1] is reply.message
    assert [button.label for button in reply.buttons] == ["Allow the takeback", "Decline it", "My view"]


async def test_allowed_takeback_shows_the_board_of_before(stage: Stage) -> None:
    post = await taken_back(stage)
    assert "Bob allows Alice to take back.** Match 1 goes on from here." in post.text
    assert f"{stage.alice.mention}, you have **Black** and are to move." in post.text
    assert stage.alice.pings[-1] is post.message
    assert [button.label for button in post.buttons] == ["Pick", "Move", "My view"]
    assert post.attachments


async def test_match_goes_on_from_there(stage: Stage) -> None:
    post = await taken_back(stage)
    reply = await stage.type(stage.alice, post, "E1-F2")
    assert "Alice: **Black E1-F2**" in reply.text
    assert "after move 1" in reply.text
    assert "White A2-B3" in (await stage.move(stage.bob, "A2-B3")).text


async def test_one_request_answers_a_takeback(stage: Stage) -> None:
    await stage.start()
    await stage.move(stage.alice, "C1-D2")
    asked = await offer(stage, "takeback")
    before = len(stage.requests())
    await stage.bob.click(asked, "Allow the takeback")
    await stage.quiet()
    assert len(stage.requests()) == before + 1


@pytest.mark.parametrize("button", ["Move", "Pick"])
async def test_board_that_was_taken_back_is_not_played_on(stage: Stage, button: str) -> None:
    await stage.start()
    gone = (await stage.move(stage.alice, "C1-D2")).shown
    asked = await offer(stage, "takeback")
    await stage.bob.click(asked, "Allow the takeback")
    await stage.move(stage.alice, "E1-F2")
    reply = await stage.bob.click(gone, button)
    assert "Match 1 has moved on since this board" in reply.text
    assert reply.ephemeral


async def test_preview_of_a_board_that_was_taken_back_is_not_played(stage: Stage) -> None:
    await stage.start()
    gone = await stage.move(stage.alice, "C1-D2")
    form = await stage.bob.click(gone, "Move")
    await stage.bob.click(await offer(stage, "takeback"), "Allow the takeback")
    await stage.move(stage.alice, "E1-F2")
    reply = await stage.bob.submit(form, {"Your move": "A2-B3"})
    assert "so nothing was played" in reply.text


async def test_board_that_was_taken_back_can_still_be_looked_at(stage: Stage) -> None:
    await stage.start()
    gone = (await stage.move(stage.alice, "C1-D2")).shown
    await stage.bob.click(await offer(stage, "takeback"), "Allow the takeback")
    await stage.move(stage.alice, "E1-F2")
    assert "Black C1-D2" in (await stage.bob.click(gone, "My view")).text
    assert "Black E1-F2" in (await stage.bob.command("board", {}, channel=stage.channel)).text


async def test_declined_takeback_leaves_the_board(stage: Stage) -> None:
    await stage.start()
    await stage.move(stage.alice, "C1-D2")
    post = await stage.bob.click(await offer(stage, "takeback"), "Decline it")
    assert "Bob does not allow it: match 1 goes on as it stands." in post.text
    assert "White A2-B3" in (await stage.move(stage.bob, "A2-B3")).text


async def test_takeback_against_the_terms_is_refused(stage: Stage) -> None:
    await stage.start(takeback=False)
    await stage.move(stage.alice, "C1-D2")
    reply = await offer(stage, "takeback")
    assert "You agreed that no move is taken back in match 1" in reply.text
    assert reply.ephemeral


async def test_there_is_nothing_to_take_back_before_a_move(stage: Stage) -> None:
    await stage.start()
    assert "there is nothing to take back" in (await offer(stage, "takeback")).text


@pytest.mark.parametrize("button", ["Allow the takeback", "Decline it"])
async def test_offer_dies_with_a_move(stage: Stage, button: str) -> None:
    await stage.start()
    await stage.move(stage.alice, "C1-D2")
    asked = await offer(stage, "takeback")
    await stage.move(stage.bob, "A2-B3")
    reply = await stage.bob.click(asked, button)
    assert "This offer stands no more: a move has been made since" in reply.text
    assert reply.ephemeral


async def test_offer_is_for_the_other_alone(stage: Stage) -> None:
    await morabaraba(stage)
    asked = await offer(stage, "draw")
    assert "This offer is your own" in (await stage.alice.click(asked, "Accept the draw")).text
    eve = stage.guild.member("Eve")
    assert "You do not play in match 1" in (await eve.click(asked, "Accept the draw")).text


async def test_others_offer_comes_first(stage: Stage) -> None:
    await morabaraba(stage)
    await stage.move(stage.alice, "A1")
    await stage.move(stage.bob, "G7")
    await offer(stage, "draw")
    reply = await stage.bob.command("takeback", {}, channel=stage.channel)
    assert "Alice has made you an offer in match 1: answer that first" in reply.text


async def test_other_offer_of_ones_own_takes_the_place_of_the_first(stage: Stage) -> None:
    await morabaraba(stage)
    await stage.move(stage.alice, "A1")
    draw = await offer(stage, "draw")
    await offer(stage, "takeback")
    assert "or something else was offered" in (await stage.bob.click(draw, "Accept the draw")).text


@pytest.mark.parametrize(
    ("number", "button", "told"),
    [
        ("agree1:1:0", "Accept the draw", "A draw. You agreed to end here"),
        ("disagree1:1:0", "Decline the draw", "declines"),
    ],
)
async def test_answers_posted_before_offers_had_numbers_still_work(
    stage: Stage, number: str, button: str, told: str
) -> None:
    await stage.start()
    asked = (await offer(stage, "end")).shown
    (row,) = asked.components
    buttons = {one["label"]: one for one in row["components"]}
    old = buttons["Accept the end" if "Accept" in button else "Play on"]
    old["custom_id"] = number
    assert told in (await stage.bob.click(asked, old["label"])).text


async def test_offer_stands_through_a_restart(discord: DiscordServer, database: Path) -> None:
    guild = discord.guild("Salon")
    channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    async with await Store.open(f"sqlite+aiosqlite:///{database}") as store:
        async with bot_over(discord, store) as first:
            stage = Stage(discord, guild, channel, alice, bob, first, store)
            await morabaraba(stage)
            asked = await offer(stage, "draw")
        async with bot_over(discord, store):
            assert "**A draw." in (await bob.click(asked, "Accept the draw")).text


@pytest.mark.parametrize("arrives", [False, True])
async def test_offer_whose_answer_is_cut_short_is_posted_once(stage: Stage, *, arrives: bool) -> None:
    await morabaraba(stage)
    stage.discord.faults.drop("POST", "/interactions/**", when_done=arrives)
    await offer(stage, "draw")
    await stage.quiet()
    for _ in range(2):
        await stage.pass_time(minutes=2)
    (post,) = (one for one in stage.channel.messages if "offers a **draw**" in one.content)
    assert stage.bob.pings[-1] is post
    assert "**A draw." in (await stage.bob.click(post, "Accept the draw")).text


async def test_takeback_whose_answer_is_cut_short_is_posted_once(stage: Stage) -> None:
    await stage.start()
    await stage.move(stage.alice, "C1-D2")
    asked = await offer(stage, "takeback")
    stage.discord.faults.drop("POST", "/interactions/**")
    await stage.bob.click(asked, "Allow the takeback")
    await stage.quiet()
    for _ in range(2):
        await stage.pass_time(minutes=2)
    (post,) = (one for one in stage.channel.messages if "to take back.**" in one.content)
    assert "Alice: **Black E1-F2**" in (await stage.type(stage.alice, post, "E1-F2")).text
