"""A thread for each match: opened at acceptance, tidied behind the latest board, archived at the end."""

# ruff: noqa: RUF001 - the texts carry the signs of good print

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import Store
from tests.bot.stage import Stage, bot_over
from tests.discord_server import Channel, Member, Message, Permission

if TYPE_CHECKING:
    from pathlib import Path

    from tests.discord_server import DiscordServer

DUE = 21  # seconds after which the outbox takes a post up
LOOK = 61  # seconds after which the threads are looked at again


@pytest.fixture
async def threads(stage: Stage, eve: Member) -> Stage:
    """Give the stage of a server that wants a thread for each match."""
    reply = await eve.command("settings", {}, channel=stage.channel)
    await eve.select(reply, "Where matches are played", ["thread"])
    return stage


async def accept(stage: Stage, **options: str) -> tuple[Channel, Message]:
    """Have a challenge accepted; give the thread and the first post in it."""
    reply = await stage.challenge(**{"board": "9", "start": "facing", **options})
    await stage.bob.click(reply, "Accept")
    await stage.quiet()
    (thread,) = stage.channel.threads
    return thread, thread.messages[-1]


async def look(stage: Stage, seconds: float = LOOK) -> None:
    stage.discord.advance(seconds)
    await stage.bot.outbox.tick()


def archived(thread: Channel) -> bool:
    return thread.state.archived


def labels(message: Message) -> list[str | None]:
    return [button.label for button in message.buttons]


async def test_challenge_s_post_is_edited_once(threads: Stage) -> None:
    reply = await threads.challenge(board="9", start="facing")
    count = len(threads.requests())
    closed = await threads.bob.click(reply, "Accept")
    await threads.quiet()
    assert closed.updated
    assert not [request for request in threads.requests()[count:] if request.startswith("PATCH")]
    assert "**Accepted** by Bob." in reply.text


async def test_thread_is_opened_from_the_challenge_s_post(threads: Stage) -> None:
    challenge = await threads.challenge(board="9", start="facing")
    accepted = await threads.bob.click(challenge, "Accept")
    await threads.quiet()
    (thread,) = threads.channel.threads
    assert challenge.shown.thread is thread.state
    assert thread.name == "Alice – Bob, Morelli"
    assert "Accepted** by Bob" in accepted.text
    assert len(threads.channel.messages) == 1
    (board,) = thread.messages
    assert "Alice (Black) against Bob (White)" in board.text
    assert threads.alice.pings[-1] is board


async def test_match_is_played_in_its_thread_with_one_request_a_turn(threads: Stage) -> None:
    thread, board = await accept(threads)
    before = len(threads.discord.requests)
    reply = await threads.type(threads.alice, board, "C1-D2")
    assert len(threads.discord.requests) - before == 2  # the form, and the turn's one answer
    assert reply.shown.channel is thread.state
    reply = await threads.bob.command("move", {"move": "A2-C4"}, channel=thread)
    assert "White A2-C4" in reply.text


async def test_fists_are_closed_in_the_thread(threads: Stage) -> None:
    thread, post = await accept(threads, start="fists")
    assert labels(post) == ["Close your fists"]
    for person in (threads.alice, threads.bob):
        reply = await person.click(post, "Close your fists")
        await person.click(reply, reply.buttons[0].label or "")
    await threads.quiet()
    assert "The fists open" in thread.messages[-1].text
    assert len(threads.channel.messages) == 1


async def test_move_made_in_the_channel_is_posted_in_the_thread(threads: Stage) -> None:
    thread, _ = await accept(threads)
    reply = await threads.move(threads.alice, "C1-D2", match="1")
    assert reply.ephemeral
    await threads.quiet()
    assert "Black C1-D2" in thread.messages[-1].text


async def test_without_the_setting_matches_stay_in_the_channel(stage: Stage) -> None:
    board = await stage.start()
    assert board.channel is stage.channel.state
    assert stage.channel.threads == []


@pytest.mark.parametrize(
    ("lacking", "told"),
    [
        (Permission.CREATE_PUBLIC_THREADS, "the permission Create Public Threads here"),
        (Permission.SEND_MESSAGES_IN_THREADS, "the permission Send Messages in Threads here"),
    ],
)
async def test_lacking_permission_is_told_once_and_the_match_stays_in_the_channel(
    threads: Stage, lacking: Permission, told: str
) -> None:
    threads.channel.deny(threads.guild.bot_member, lacking)
    challenge = await threads.challenge(board="9", start="facing")
    reply = await threads.bob.click(challenge, "Accept")
    board = await threads.board(after=challenge)
    await threads.quiet()
    assert board.channel is threads.channel.state
    (note,) = [one for one in reply.followups if one.ephemeral]
    assert told in note.text
    assert threads.channel.threads == []
    await threads.type(threads.alice, board, "C1-D2")
    assert "Black C1-D2" in threads.latest.text


async def test_panel_tells_what_is_lacking(threads: Stage, eve: Member) -> None:
    threads.channel.deny(threads.guild.bot_member, Permission.CREATE_PUBLIC_THREADS)
    reply = await eve.command("settings", {}, channel=threads.channel)
    assert "I lack the permission Create Public Threads" in reply.text


async def test_challenge_made_in_a_thread_is_played_there(threads: Stage) -> None:
    thread = threads.channel.thread("duel", threads.alice)
    options = {"opponent": threads.bob, "board": "9", "start": "facing"}
    challenge = await threads.alice.command("challenge", options, channel=thread)
    await threads.bob.click(challenge, "Accept")
    await threads.quiet()
    assert len(thread.messages) == 2
    assert len(threads.channel.threads) == 1


async def test_superseded_board_loses_its_call_and_its_buttons(threads: Stage) -> None:
    _thread, board = await accept(threads)
    await threads.type(threads.alice, board, "C1-D2")
    assert "Move" in labels(board)
    await look(threads)
    assert labels(board) == ["My view"]
    assert threads.alice.mention not in board.text
    assert "Alice (Black) against Bob (White)" in board.text
    assert board.attachments[0].data.startswith(b"\x89PNG")


async def test_superseded_board_is_edited_once_and_the_latest_never(threads: Stage) -> None:
    thread, board = await accept(threads)
    await threads.type(threads.alice, board, "C1-D2")
    latest = thread.messages[-1]
    await look(threads)
    before = len(threads.discord.requests)
    await look(threads)
    assert len(threads.discord.requests) == before
    assert "Move" in labels(latest)
    assert threads.bob.mention in latest.text


async def test_boards_in_channels_are_left_as_they_are(stage: Stage) -> None:
    board = await stage.start()
    await stage.type(stage.alice, board, "C1-D2")
    before = len(stage.discord.requests)
    await look(stage)
    assert len(stage.discord.requests) == before


async def test_deleted_board_is_no_trouble(threads: Stage) -> None:
    _thread, board = await accept(threads)
    await threads.type(threads.alice, board, "C1-D2")
    board.deleted = True
    await look(threads)
    before = len(threads.discord.requests)
    await look(threads)
    assert len(threads.discord.requests) == before


async def test_thread_is_archived_at_the_end(threads: Stage) -> None:
    thread, board = await accept(threads)
    await look(threads)
    assert not archived(thread)
    reply = await threads.alice.command("resign", {}, channel=thread)
    await threads.alice.click(reply, "Resign")
    await threads.quiet()
    await look(threads)
    assert archived(thread)
    assert not thread.state.locked
    assert labels(board) == ["My view"]
    assert "Bob" in thread.messages[-1].text
    before = len(threads.discord.requests)
    await look(threads)
    assert len(threads.discord.requests) == before


async def test_correction_opens_the_thread_again_for_as_long_as_it_takes(threads: Stage, eve: Member) -> None:
    thread, _board = await accept(threads)
    reply = await threads.alice.command("resign", {}, channel=thread)
    await threads.alice.click(reply, "Resign")
    await threads.quiet()
    await look(threads)
    options = {"match": "1", "result": "draw", "reason": "A slip."}
    await eve.command("correct", options, channel=threads.channel)
    await threads.quiet()
    assert "A slip." in thread.messages[-1].text
    assert not archived(thread)
    await look(threads)
    assert archived(thread)


async def test_trouble_of_discord_s_own_is_waited_out(threads: Stage) -> None:
    thread, board = await accept(threads)
    reply = await threads.alice.command("resign", {}, channel=thread)
    await threads.alice.click(reply, "Resign")
    await threads.quiet()
    with threads.discord.faults.refuse("*", "/channels/**", status=503, times=None):
        await look(threads)
    assert not archived(thread)
    await look(threads)
    assert archived(thread)
    assert labels(board) == ["My view"]


async def test_thread_that_was_deleted_sends_the_match_back_to_the_channel(threads: Stage) -> None:
    thread, _board = await accept(threads)
    thread.delete()
    reply = await threads.move(threads.alice, "C1-D2", match="1")
    assert reply.ephemeral
    await threads.quiet()
    await look(threads, 1)
    board = threads.latest
    assert "Black C1-D2" in board.text
    assert "White A2-C4" in (await threads.type(threads.bob, board, "A2-C4")).text


async def test_challenge_s_post_that_is_gone_leaves_the_match_in_the_channel(threads: Stage) -> None:
    challenge = await threads.challenge(board="9", start="facing")
    threads.discord.faults.refuse("POST", "**/threads", status=404, code=10008)
    await threads.bob.click(challenge, "Accept")
    await threads.quiet()
    assert "Alice (Black) against Bob (White)" in threads.latest.text
    assert threads.channel.threads == []


async def accepted_in_vain(discord: DiscordServer, store: Store) -> tuple[Channel, Member]:
    """Have a challenge accepted by a bot that is gone before it can open the thread."""
    guild = discord.guild("Salon")
    channel = guild.channel("games")
    alice, bob = guild.member("Alice"), guild.member("Bob")
    channel.allow(alice, Permission.MANAGE_GUILD)
    async with bot_over(discord, store) as bot:
        panel = await alice.command("settings", {}, channel=channel)
        await alice.select(panel, "Where matches are played", ["thread"])
        options = {"opponent": bob, "board": "9", "start": "facing", "colour": "black"}
        challenge = await alice.command("challenge", options, channel=channel)
        with discord.faults.refuse("POST", "**/threads", status=503, times=None):
            await bob.click(challenge, "Accept")
            await bot.hands.idle()
    return channel, alice


async def test_thread_is_opened_after_a_restart(discord: DiscordServer, database: Path) -> None:
    async with await Store.open(f"sqlite+aiosqlite:///{database}") as store:
        channel, alice = await accepted_in_vain(discord, store)
        assert channel.threads == []
        async with bot_over(discord, store) as bot:
            discord.advance(DUE)
            await bot.outbox.tick()
            (thread,) = channel.threads
            (board,) = thread.messages
            assert alice.pings[-1] is board
            assert "Alice (Black) against Bob (White)" in board.text


async def test_thread_that_stands_already_is_taken(discord: DiscordServer, database: Path) -> None:
    async with await Store.open(f"sqlite+aiosqlite:///{database}") as store:
        channel, _alice = await accepted_in_vain(discord, store)
        async with bot_over(discord, store) as bot:
            discord.faults.drop("POST", "**/threads", when_done=True)
            discord.advance(DUE)
            await bot.outbox.tick()
            discord.advance(DUE)
            await bot.outbox.tick()
            (thread,) = channel.threads
            assert len(thread.messages) == 1
