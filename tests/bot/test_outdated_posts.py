"""Old boards: edited in the background once a newer board of their match was posted."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.outbox.outdated_posts import is_request_finished
from bot.outbox.sender import TIDY_INTERVAL, Outbox
from bot.ui import ids
from matches import Person
from runtime.role import Role
from tests.bot.environment import BotEnvironment, labels, running_bot
from tests.discord_server import Permission

EDIT = "PATCH"
MESSAGES = "/channels/*/messages/*"
OLD_FIRST_BOARD = ["My view", "Rules", "Learn"]


async def edit_old_boards(env: BotEnvironment) -> None:
    await env.wait_until_idle()
    await env.advance_time(seconds=TIDY_INTERVAL.total_seconds() + 1)


def count_edits(env: BotEnvironment) -> int:
    return sum(route.startswith(EDIT) for route in env.request_routes())


@pytest.mark.long
async def test_old_board_loses_its_mention_and_its_play_buttons(env: BotEnvironment) -> None:
    board = await env.start_match(colour="white")
    assert board.text.count("<@") == 2  # Bob is to move, and Alice reads that he accepted
    reply = await env.submit_move(env.bob, board, "C1-D2")
    assert count_edits(env) == 0
    await edit_old_boards(env)
    assert labels(board) == OLD_FIRST_BOARD
    assert "<@" not in board.text
    assert "Morelli: Bob (Black) against Alice (White)" in board.text
    assert board.attachments[0].data.startswith(b"\x89PNG")
    assert "Move" in labels(reply.shown)
    assert env.alice.mention in reply.text


@pytest.mark.long
async def test_each_board_of_a_quick_exchange_is_edited_once(env: BotEnvironment) -> None:
    boards = [await env.start_match()]
    for person, text in ((env.alice, "C1-D2"), (env.bob, "A2-C4"), (env.alice, "D2-D3")):
        boards.append((await env.submit_move(person, boards[-1], text)).shown)
    for _ in range(2):
        await edit_old_boards(env)
        assert count_edits(env) == 3
    assert [labels(board) for board in boards[:3]] == [OLD_FIRST_BOARD, ["My view"], ["My view"]]
    assert "Move" in labels(boards[3])


@pytest.mark.long
async def test_board_is_edited_after_a_restart(env: BotEnvironment) -> None:
    board = await env.start_match()
    await env.submit_move(env.alice, board, "C1-D2")
    await env.wait_until_idle()
    await env.bot.close()
    async with running_bot(env.discord, env.database) as restarted:
        await restarted.outbox.run_once()
        assert labels(board) == OLD_FIRST_BOARD
        await restarted.outbox.run_once()
    async with running_bot(env.discord, env.database) as another:
        await another.outbox.run_once()
    assert count_edits(env) == 1


async def test_two_workers_edit_a_board_once(env: BotEnvironment) -> None:
    board = await env.start_match()
    await env.submit_move(env.alice, board, "C1-D2")
    await env.wait_until_idle()
    async with running_bot(env.discord, env.database, role=Role.WORKER) as worker:
        with env.discord.faults.hold(EDIT, MESSAGES) as fault:
            editing = asyncio.create_task(edit_old_boards(env))
            await fault.arrived.wait()
            await worker.outbox.run_once()
        await editing
    assert labels(board) == OLD_FIRST_BOARD
    assert count_edits(env) == 1


@pytest.mark.long
async def test_post_of_a_choice_loses_its_button_once_the_board_is_posted(env: BotEnvironment) -> None:
    accepted = await env.bob.click(await env.make_challenge(board="9"), "Accept")
    post = await env.wait_for_board(after=accepted)
    for person in (env.alice, env.bob):
        choice = await person.click(post, "Close your fists")
        await person.click(choice, choice.buttons[0].label or "")
    await edit_old_boards(env)
    assert labels(post) == ["Rules", "Learn"]
    assert "Alice and Bob: each player" in post.text


@pytest.mark.long
async def test_board_in_the_old_channel_is_edited_after_the_match_moved(env: BotEnvironment) -> None:
    board = await env.start_match()
    elsewhere = env.guild.channel("elsewhere")
    manager = env.guild.member("Eve")
    elsewhere.allow(manager, Permission.MANAGE_GUILD)
    await manager.command("relocate", {"match": "1"}, channel=elsewhere)
    await edit_old_boards(env)
    assert labels(board) == OLD_FIRST_BOARD
    assert "Move" in labels(elsewhere.messages[-1])


@pytest.mark.long
async def test_questions_about_an_old_board_lose_their_buttons(env: BotEnvironment) -> None:
    await env.submit_move(env.alice, await env.start_match(time_control="3d per move"), "C1-D2")
    takeback = await env.alice.command("takeback", {}, channel=env.channel)
    pause = await env.alice.command("pause", {}, channel=env.channel)
    await edit_old_boards(env)
    assert labels(takeback.shown) == ["Allow the takeback", "Decline the takeback", "Withdraw", "My view"]
    await env.advance_time(days=3, minutes=1)
    flagged = env.latest_message
    assert labels(flagged) == ["Claim the win", "Give time", "My view"]
    await env.move(env.bob, "A2-C4")
    await edit_old_boards(env)
    for question in (takeback.shown, pause.shown, flagged):
        assert labels(question) == ["My view"]
    assert "It would undo Alice's **Black C1-D2**." in takeback.text


@pytest.mark.long
@pytest.mark.parametrize(
    ("status", "code"), [(404, 10008), (404, 10003), (403, 50001), (403, 50013), (400, 50083)]
)
async def test_post_that_cannot_be_edited_any_more_is_left_alone(
    env: BotEnvironment, status: int, code: int
) -> None:
    await env.submit_move(env.alice, await env.start_match(), "C1-D2")
    with env.discord.faults.refuse(EDIT, MESSAGES, status=status, code=code, times=None) as fault:
        await edit_old_boards(env)
        await edit_old_boards(env)
    assert fault.hits == 1
    await env.move(env.bob, "A2-C4")  # the match is still played in its channel
    assert "White A2-C4" in env.latest_message.text


@pytest.mark.long
async def test_failed_edit_is_tried_again_and_keeps_the_order_of_its_match(env: BotEnvironment) -> None:
    board = await env.start_match()
    second = (await env.submit_move(env.alice, board, "C1-D2")).shown
    await env.submit_move(env.bob, second, "A2-C4")
    with env.discord.faults.refuse(EDIT, f"/channels/*/messages/{board.id}", status=503, times=None):
        await edit_old_boards(env)
    assert "Move" in labels(board)
    assert "Move" in labels(second)
    await edit_old_boards(env)
    assert labels(board) == OLD_FIRST_BOARD
    assert labels(second) == ["My view"]


async def test_too_many_edits_of_old_messages_are_tried_again() -> None:
    async def edit() -> None:
        response: Any = SimpleNamespace(status=429, reason="Too Many Requests")
        raise discord.HTTPException(response, {"code": 30046})

    assert not await is_request_finished(edit(), 1)


async def test_edit_that_a_stop_prevents_is_tried_again() -> None:
    session = aiohttp.ClientSession()
    await session.close()

    async def edit() -> None:
        await session.patch("http://127.0.0.1/")

    assert not await is_request_finished(edit(), 1.0)


@pytest.mark.long
async def test_hanging_edits_delay_no_board(env: BotEnvironment) -> None:
    board = await env.start_match()
    second = (await env.submit_move(env.alice, board, "C1-D2")).shown
    await env.wait_until_idle()
    outbox = Outbox(env.bot, follower_messages=None, periodic_tasks=(), send_timeout=300, interval=0.02)
    stop = asyncio.Event()
    with env.discord.faults.silence(EDIT, MESSAGES) as fault:
        running = asyncio.create_task(outbox.run(stop, lambda: None))
        await fault.arrived.wait()
        (match,) = await env.bot.matches.views.list_recent(ids.stored_id(env.guild.id))
        bob = Person(ids.stored_id(env.bob.id), "Bob")  # plays on the website
        await env.bot.matches.play(match.id, bob, ["A2-C4"], now=env.bot.now())
        env.discord.advance(25)
        third = await env.channel.wait_for(lambda one: one.id > second.id and "A2-C4" in one.text)
        assert env.alice.mention in third.text
        running.cancel()
        await asyncio.wait({running})
    await outbox.cancel()
