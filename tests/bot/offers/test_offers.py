"""Offers in the channel: draws and takebacks."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import pytest

from tests.bot.environment import BotEnvironment, running_bot
from tests.databases import open_database

if TYPE_CHECKING:
    from pathlib import Path

    from tests.discord_server import DiscordServer, Message, Reply


async def make_offer(env: BotEnvironment, kind: str) -> Reply:
    """Use the command of an offer as Alice."""
    return await env.alice.command(kind, {}, channel=env.channel)


async def start_morabaraba(env: BotEnvironment) -> Message:
    """Start a match of Morabaraba in which Alice has White and moves first."""
    return await env.start_match(game="morabaraba", board=None, start=None, colour="white")


@pytest.mark.long
async def test_draw_offer_pings_the_opponent(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    reply = await make_offer(env, "draw")
    assert "Alice offers a **draw** in Morabaraba #1." in reply.text
    assert env.bob.pings[-1] is reply.message
    assert [button.label for button in reply.buttons] == [
        "Accept the draw",
        "Decline the draw",
        "Withdraw",
        "My view",
    ]


@pytest.mark.long
async def test_accepted_draw_ends_the_match(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    post = await env.bob.click(await make_offer(env, "draw"), "Accept the draw")
    assert "**It is a draw. The players agreed to end here.**" in post.text
    assert env.alice.pings[-1] is post.message
    assert [button.label for button in post.buttons] == ["Rematch", "My view", "Replay"]


@pytest.mark.long
async def test_match_continues_after_a_declined_draw(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    post = await env.bob.click(await make_offer(env, "draw"), "Decline the draw")
    assert f"{env.alice.mention}, Bob declines the draw. Morabaraba #1 continues." in post.text
    assert "declined this on the current board" in (await make_offer(env, "draw")).text


@pytest.mark.long
async def test_draw_offer_is_refused_in_games_without_draws(env: BotEnvironment) -> None:
    await env.start_match(game="morphos", board="5", start=None)
    reply = await make_offer(env, "draw")
    assert "This game has no draws" in reply.text
    assert reply.ephemeral


async def take_back(env: BotEnvironment) -> Reply:
    """Let both players move, and Bob accept Alice's takeback."""
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    await env.move(env.bob, "A2-B3")
    return await env.bob.click(await make_offer(env, "takeback"), "Allow the takeback")


@pytest.mark.long
async def test_takeback_offer_pings_the_opponent(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    reply = await make_offer(env, "takeback")
    assert "a takeback in Morelli #1. It would undo Alice's **Black C1-D2**.\n" in reply.text
    assert env.bob.pings[-1] is reply.message
    assert [button.label for button in reply.buttons] == [
        "Allow the takeback",
        "Decline the takeback",
        "Withdraw",
        "My view",
    ]


@pytest.mark.long
@pytest.mark.parametrize("fails", [False, True], ids=["response", "outbox"])
async def test_takeback_offer_names_every_turn_it_undoes(env: BotEnvironment, fails: bool) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    await env.move(env.bob, "A2-B3")
    if fails:
        env.discord.faults.refuse("POST", "/interactions/**")
    await make_offer(env, "takeback")
    await env.advance_time(minutes=2)
    text = next(one.text for one in env.channel.messages if "takeback" in one.text)
    assert "It would undo Alice's **Black C1-D2** and Bob's **White A2-B3**." in text


@pytest.mark.long
async def test_offer_is_withdrawn_by_whoever_made_it(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    offered = await make_offer(env, "takeback")
    refused = await env.bob.click(offered, "Withdraw")
    assert refused.ephemeral
    assert refused.text == "Only Alice can withdraw this offer; you can answer it."
    pings = list(env.bob.pings)
    seen = copy(offered.shown)
    withdrawn = await env.alice.click(offered, "Withdraw")
    assert withdrawn.text == "Alice no longer asks for a takeback in Morelli #1."
    assert env.bob.pings == pings
    await env.wait_until_idle()
    assert [button.label for button in offered.shown.buttons] == ["My view"]
    late = await env.bob.click(seen, "Allow the takeback")
    assert late.text.startswith("This offer is no longer open")
    assert "already offered that" in (await make_offer(env, "takeback")).text


@pytest.mark.long
async def test_offering_again_asks_whether_to_withdraw(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    offered = await make_offer(env, "takeback")
    again = await make_offer(env, "takeback")
    assert again.ephemeral
    assert again.text == "Your offer in Morelli vs Bob (#1) is still open. Do you withdraw it?"
    closed = await env.alice.click(again, "Withdraw")
    assert closed.text == "You withdrew your offer."
    await env.wait_until_idle()
    assert env.channel.messages[-1].text == "Alice no longer asks for a takeback in Morelli #1."
    assert [button.label for button in offered.shown.buttons] == ["My view"]


@pytest.mark.long
async def test_accepted_takeback_shows_the_previous_board(env: BotEnvironment) -> None:
    post = await take_back(env)
    assert "Bob allows Alice's takeback.** Morelli #1 continues from this board." in post.text
    assert f"{env.alice.mention}, it is your turn. You play **Black**." in post.text
    assert env.alice.pings[-1] is post.message
    assert [button.label for button in post.buttons] == ["Pick", "Move", "My view"]
    assert post.attachments


@pytest.mark.long
async def test_match_continues_after_a_takeback(env: BotEnvironment) -> None:
    post = await take_back(env)
    reply = await env.submit_move(env.alice, post, "E1-F2")
    assert "Alice: **Black E1-F2**" in reply.text
    assert "after move 1" in reply.text
    assert "White A2-B3" in (await env.move(env.bob, "A2-B3")).text


@pytest.mark.long
async def test_takeback_is_answered_with_one_request(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    asked = await make_offer(env, "takeback")
    before = len(env.request_routes())
    await env.bob.click(asked, "Allow the takeback")
    await env.wait_until_idle()
    assert len(env.request_routes()) == before + 1


@pytest.mark.long
@pytest.mark.parametrize("button", ["Move", "Pick"])
async def test_taken_back_board_opens_the_picker_of_the_latest(env: BotEnvironment, button: str) -> None:
    await env.start_match()
    taken_back = (await env.move(env.alice, "C1-D2")).shown
    asked = await make_offer(env, "takeback")
    await env.bob.click(asked, "Allow the takeback")
    await env.move(env.alice, "E1-F2")
    reply = await env.bob.click(taken_back, button)
    assert "This is a newer board" in reply.text
    assert reply.ephemeral
    assert reply.selects


async def test_preview_of_a_taken_back_board_is_refused(env: BotEnvironment) -> None:
    await env.start_match()
    taken_back = await env.move(env.alice, "C1-D2")
    form = await env.bob.click(taken_back, "Move")
    await env.bob.click(await make_offer(env, "takeback"), "Allow the takeback")
    await env.move(env.alice, "E1-F2")
    reply = await env.bob.submit(form, {"Your move": "A2-B3"})
    assert "so nothing was played" in reply.text


@pytest.mark.long
async def test_taken_back_board_can_still_be_viewed(env: BotEnvironment) -> None:
    await env.start_match()
    taken_back = (await env.move(env.alice, "C1-D2")).shown
    await env.bob.click(await make_offer(env, "takeback"), "Allow the takeback")
    await env.move(env.alice, "E1-F2")
    assert "Black C1-D2" in (await env.bob.click(taken_back, "My view")).text
    assert "Black E1-F2" in (await env.bob.command("board", {}, channel=env.channel)).text


@pytest.mark.long
async def test_declined_takeback_keeps_the_board(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    post = await env.bob.click(await make_offer(env, "takeback"), "Decline the takeback")
    assert "Bob declines the takeback. Morelli #1 continues from the current board." in post.text
    assert "White A2-B3" in (await env.move(env.bob, "A2-B3")).text


@pytest.mark.long
async def test_takeback_is_refused_by_the_terms(env: BotEnvironment) -> None:
    await env.start_match(takeback=False)
    await env.move(env.alice, "C1-D2")
    reply = await make_offer(env, "takeback")
    assert "(#1) is played without takebacks" in reply.text
    assert reply.ephemeral


async def test_takeback_is_refused_before_the_first_move(env: BotEnvironment) -> None:
    await env.start_match()
    assert "nothing can be taken back" in (await make_offer(env, "takeback")).text


@pytest.mark.long
@pytest.mark.parametrize("button", ["Allow the takeback", "Decline the takeback"])
async def test_offer_ends_with_a_move(env: BotEnvironment, button: str) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    asked = await make_offer(env, "takeback")
    await env.move(env.bob, "A2-B3")
    reply = await env.bob.click(asked, button)
    assert "This offer is no longer open: a move was played since" in reply.text
    assert reply.ephemeral


@pytest.mark.long
async def test_only_the_opponent_can_answer_an_offer(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    asked = await make_offer(env, "draw")
    assert "This is your own offer" in (await env.alice.click(asked, "Accept the draw")).text
    eve = env.guild.member("Eve")
    assert "You are not playing in Morabaraba #1" in (await eve.click(asked, "Accept the draw")).text


@pytest.mark.long
async def test_offer_is_refused_while_the_opponents_is_pending(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await env.move(env.alice, "A1")
    await env.move(env.bob, "G7")
    await make_offer(env, "draw")
    reply = await env.bob.command("takeback", {}, channel=env.channel)
    assert "Alice has made you an offer in Morabaraba vs Alice (#1). Answer that first" in reply.text


@pytest.mark.long
async def test_new_offer_replaces_the_players_previous_one(env: BotEnvironment) -> None:
    await start_morabaraba(env)
    await env.move(env.alice, "A1")
    draw = await make_offer(env, "draw")
    await make_offer(env, "takeback")
    assert "This offer is no longer open" in (await env.bob.click(draw, "Accept the draw")).text


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "button", "expected"),
    [
        ("agree1:1:0", "Accept the draw", "It is a draw. The players agreed to end here"),
        ("disagree1:1:0", "Decline the draw", "declines"),
    ],
)
async def test_answer_buttons_without_offer_ids_still_work(
    env: BotEnvironment, number: str, button: str, expected: str
) -> None:
    await env.start_match()
    asked = (await make_offer(env, "end")).shown
    (row,) = asked.components
    buttons = {one["label"]: one for one in row["components"]}
    old = buttons["End the match" if "Accept" in button else "Keep playing"]
    old["custom_id"] = number
    assert expected in (await env.bob.click(asked, old["label"])).text


@pytest.mark.long
async def test_offer_survives_a_restart(discord: DiscordServer, database_file: Path) -> None:
    guild = discord.guild("Salon")
    channel, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    async with open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database:
        async with running_bot(discord, database) as first:
            env = BotEnvironment(discord, guild, channel, alice, bob, first, database)
            await start_morabaraba(env)
            asked = await make_offer(env, "draw")
        async with running_bot(discord, database):
            assert "**It is a draw." in (await bob.click(asked, "Accept the draw")).text


@pytest.mark.long
@pytest.mark.parametrize("arrives", [False, True])
async def test_offer_is_posted_once_after_an_interrupted_response(
    env: BotEnvironment, *, arrives: bool
) -> None:
    await start_morabaraba(env)
    env.discord.faults.drop("POST", "/interactions/**", after_processing=arrives)
    await make_offer(env, "draw")
    await env.wait_until_idle()
    for _ in range(2):
        await env.advance_time(minutes=2)
    (post,) = (one for one in env.channel.messages if "offers a **draw**" in one.content)
    assert env.bob.pings[-1] is post
    assert "**It is a draw." in (await env.bob.click(post, "Accept the draw")).text


@pytest.mark.long
async def test_takeback_is_posted_once_after_an_interrupted_response(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    asked = await make_offer(env, "takeback")
    env.discord.faults.drop("POST", "/interactions/**")
    await env.bob.click(asked, "Allow the takeback")
    await env.wait_until_idle()
    for _ in range(2):
        await env.advance_time(minutes=2)
    (post,) = (one for one in env.channel.messages if "'s takeback.**" in one.content)
    assert "Alice: **Black E1-F2**" in (await env.submit_move(env.alice, post, "E1-F2")).text
