"""Match threads: opened on acceptance, older boards edited, archived at the end."""

# ruff: noqa: RUF001 - the texts contain typographic characters

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runtime.role import Role
from tests.bot.environment import BotEnvironment, labels, running_bot
from tests.databases import open_database
from tests.discord_server import Channel, Member, Message, Permission

if TYPE_CHECKING:
    from pathlib import Path

    from matches import Database
    from tests.discord_server import DiscordServer

DELIVERY_DELAY = 21  # seconds after which the outbox sends a pending announcement
CLEANUP_INTERVAL = 61  # seconds between two passes over old boards and threads


@pytest.fixture
async def thread_env(env: BotEnvironment, eve: Member) -> BotEnvironment:
    """Return an environment whose guild plays each match in a thread."""
    reply = await eve.command("settings", {}, channel=env.channel)
    await eve.select(reply, "Where matches are played", ["thread"])
    return env


async def start_match_in_thread(env: BotEnvironment, **options: str) -> tuple[Channel, Message]:
    """Start a match; return its thread and the first post in it."""
    reply = await env.make_challenge(**{"board": "9", "start": "facing", **options})
    await env.bob.click(reply, "Accept")
    await env.wait_until_idle()
    (thread,) = env.channel.threads
    return thread, thread.messages[-1]


async def advance_and_clean(env: BotEnvironment, seconds: float = CLEANUP_INTERVAL) -> None:
    """Advance the clock and run the outbox once, which edits old boards and archives threads."""
    env.discord.advance(seconds)
    await env.bot.outbox.run_once()


def is_archived(thread: Channel) -> bool:
    """Return whether Discord has archived the thread."""
    return thread.state.archived


async def test_challenge_post_is_edited_once(thread_env: BotEnvironment) -> None:
    reply = await thread_env.make_challenge(board="9", start="facing")
    count = len(thread_env.request_routes())
    closed = await thread_env.bob.click(reply, "Accept")
    await thread_env.wait_until_idle()
    assert closed.updated
    assert not [request for request in thread_env.request_routes()[count:] if request.startswith("PATCH")]
    assert "**Accepted** by Bob." in reply.text


async def test_thread_is_opened_on_the_challenge_post(thread_env: BotEnvironment) -> None:
    challenge = await thread_env.make_challenge(board="9", start="facing")
    accepted = await thread_env.bob.click(challenge, "Accept")
    await thread_env.wait_until_idle()
    (thread,) = thread_env.channel.threads
    assert challenge.shown.thread is thread.state
    assert thread.name == "Morelli: Alice – Bob (#1)"
    assert "Accepted** by Bob" in accepted.text
    assert len(thread_env.channel.messages) == 1
    (board,) = thread.messages
    assert "Alice (Black) against Bob (White)" in board.text
    assert thread_env.alice.pings[-1] is board


async def test_turn_in_a_thread_takes_one_request(thread_env: BotEnvironment) -> None:
    thread, board = await start_match_in_thread(thread_env)
    before = len(thread_env.discord.requests)
    reply = await thread_env.submit_move(thread_env.alice, board, "C1-D2")
    assert len(thread_env.discord.requests) - before == 2  # the modal, and the response with the turn
    assert reply.shown.channel is thread.state
    reply = await thread_env.bob.command("move", {"move": "A2-C4"}, channel=thread)
    assert "White A2-C4" in reply.text


@pytest.mark.long
async def test_simultaneous_choice_takes_place_in_the_thread(thread_env: BotEnvironment) -> None:
    thread, post = await start_match_in_thread(thread_env, start="fists")
    assert labels(post) == ["Close your fists", "Rules", "Learn"]
    for person in (thread_env.alice, thread_env.bob):
        reply = await person.click(post, "Close your fists")
        await person.click(reply, reply.buttons[0].label or "")
    await thread_env.wait_until_idle()
    assert "The fists open" in thread.messages[-1].text
    assert len(thread_env.channel.messages) == 1


async def test_move_from_the_channel_is_posted_in_the_thread(thread_env: BotEnvironment) -> None:
    thread, _ = await start_match_in_thread(thread_env)
    reply = await thread_env.move(thread_env.alice, "C1-D2", match="1")
    assert reply.ephemeral
    await thread_env.wait_until_idle()
    assert "Black C1-D2" in thread.messages[-1].text


async def test_without_the_setting_matches_stay_in_the_channel(env: BotEnvironment) -> None:
    board = await env.start_match()
    assert board.channel is env.channel.state
    assert env.channel.threads == []


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (Permission.CREATE_PUBLIC_THREADS, "the permission Create Public Threads here"),
        (Permission.SEND_MESSAGES_IN_THREADS, "the permission Send Messages in Threads here"),
    ],
)
async def test_missing_permission_is_reported_once_and_the_match_stays_in_the_channel(
    thread_env: BotEnvironment, missing: Permission, expected: str
) -> None:
    thread_env.channel.deny(thread_env.guild.bot_member, missing)
    challenge = await thread_env.make_challenge(board="9", start="facing")
    reply = await thread_env.bob.click(challenge, "Accept")
    board = await thread_env.wait_for_board(after=challenge)
    await thread_env.wait_until_idle()
    assert board.channel is thread_env.channel.state
    (note,) = [one for one in reply.followups if one.ephemeral]
    assert expected in note.text
    assert thread_env.channel.threads == []
    await thread_env.submit_move(thread_env.alice, board, "C1-D2")
    assert "Black C1-D2" in thread_env.latest_message.text


async def test_panel_shows_missing_permissions(thread_env: BotEnvironment, eve: Member) -> None:
    thread_env.channel.deny(thread_env.guild.bot_member, Permission.CREATE_PUBLIC_THREADS)
    reply = await eve.command("settings", {}, channel=thread_env.channel)
    assert "I do not have the permission Create Public Threads" in reply.text


async def test_challenge_from_a_thread_is_played_there(thread_env: BotEnvironment) -> None:
    thread = thread_env.channel.thread("duel", thread_env.alice)
    options = {"opponent": thread_env.bob, "board": "9", "start": "facing"}
    challenge = await thread_env.alice.command("challenge", options, channel=thread)
    await thread_env.bob.click(challenge, "Accept")
    await thread_env.wait_until_idle()
    assert len(thread.messages) == 2
    assert len(thread_env.channel.threads) == 1


@pytest.mark.long
async def test_outdated_board_loses_its_mention_and_buttons(thread_env: BotEnvironment) -> None:
    _thread, board = await start_match_in_thread(thread_env)
    await thread_env.submit_move(thread_env.alice, board, "C1-D2")
    assert "Move" in labels(board)
    await advance_and_clean(thread_env)
    assert labels(board) == ["My view", "Rules", "Learn"]
    assert thread_env.alice.mention not in board.text
    assert "Alice (Black) against Bob (White)" in board.text
    assert board.attachments[0].data.startswith(b"\x89PNG")


@pytest.mark.long
async def test_thread_is_archived_at_the_end(thread_env: BotEnvironment) -> None:
    thread, board = await start_match_in_thread(thread_env)
    await advance_and_clean(thread_env)
    assert not is_archived(thread)
    reply = await thread_env.alice.command("resign", {}, channel=thread)
    await thread_env.alice.click(reply, "Resign")
    await thread_env.wait_until_idle()
    await advance_and_clean(thread_env)
    assert is_archived(thread)
    assert not thread.state.locked
    assert labels(board) == ["My view", "Rules", "Learn"]
    assert "Bob" in thread.messages[-1].text
    before = len(thread_env.discord.requests)
    await advance_and_clean(thread_env)
    assert len(thread_env.discord.requests) == before


@pytest.mark.long
async def test_correction_unarchives_the_thread_temporarily(thread_env: BotEnvironment, eve: Member) -> None:
    thread, _board = await start_match_in_thread(thread_env)
    reply = await thread_env.alice.command("resign", {}, channel=thread)
    await thread_env.alice.click(reply, "Resign")
    await thread_env.wait_until_idle()
    await advance_and_clean(thread_env)
    options = {"match": "1", "result": "draw", "reason": "A slip."}
    await eve.command("correct", options, channel=thread_env.channel)
    await thread_env.wait_until_idle()
    assert "A slip." in thread.messages[-1].text
    assert not is_archived(thread)
    await advance_and_clean(thread_env)
    assert is_archived(thread)


async def test_discord_errors_delay_the_clean_up(thread_env: BotEnvironment) -> None:
    thread, board = await start_match_in_thread(thread_env)
    reply = await thread_env.alice.command("resign", {}, channel=thread)
    await thread_env.alice.click(reply, "Resign")
    await thread_env.wait_until_idle()
    with thread_env.discord.faults.refuse("*", "/channels/**", status=503, times=None):
        await advance_and_clean(thread_env)
    assert not is_archived(thread)
    await advance_and_clean(thread_env)
    assert is_archived(thread)
    assert labels(board) == ["My view", "Rules", "Learn"]


@pytest.mark.long
async def test_match_returns_to_the_channel_if_its_thread_is_deleted(
    thread_env: BotEnvironment,
) -> None:
    thread, _board = await start_match_in_thread(thread_env)
    gone = f"/channels/{thread.id}/**"
    with thread_env.discord.faults.refuse("*", gone, status=404, code=10003, times=None):
        reply = await thread_env.move(thread_env.alice, "C1-D2", match="1")
        assert reply.ephemeral
        await thread_env.wait_until_idle()
        await advance_and_clean(thread_env, 1)
    notice, board = thread_env.channel.messages[-2:]
    assert "the thread of Morelli #1 was deleted" in notice.text
    assert "Black C1-D2" in board.text
    assert "White A2-C4" in (await thread_env.submit_move(thread_env.bob, board, "A2-C4")).text


async def test_match_stays_in_the_channel_if_the_challenge_post_is_deleted(
    thread_env: BotEnvironment,
) -> None:
    challenge = await thread_env.make_challenge(board="9", start="facing")
    thread_env.discord.faults.refuse("POST", "**/threads", status=404, code=10008)
    await thread_env.bob.click(challenge, "Accept")
    await thread_env.wait_until_idle()
    assert "Alice (Black) against Bob (White)" in thread_env.latest_message.text
    assert thread_env.channel.threads == []


async def accept_without_thread(discord: DiscordServer, database: Database) -> tuple[Channel, Member]:
    """Accept a challenge with a bot that stops before it can open the thread; return channel and player."""
    guild = discord.guild("Salon")
    channel = guild.channel("games")
    alice, bob = guild.member("Alice"), guild.member("Bob")
    channel.allow(alice, Permission.MANAGE_GUILD)
    async with running_bot(discord, database) as bot:
        panel = await alice.command("settings", {}, channel=channel)
        await alice.select(panel, "Where matches are played", ["thread"])
        options = {"opponent": bob, "board": "9", "start": "facing", "colour": "black"}
        challenge = await alice.command("challenge", options, channel=channel)
        with discord.faults.refuse("POST", "**/threads", status=503, times=None):
            await bob.click(challenge, "Accept")
            await bot.in_flight.wait_until_idle()
    return channel, alice


@pytest.mark.long
@pytest.mark.parametrize("role", [Role.ALL, Role.WORKER])
async def test_thread_is_opened_by_another_process(
    discord: DiscordServer, database_file: Path, role: Role
) -> None:
    async with open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database:
        channel, alice = await accept_without_thread(discord, database)
        assert channel.threads == []
        async with running_bot(discord, database, role=role) as bot:
            discord.advance(DELIVERY_DELAY)
            await bot.outbox.run_once()
            (thread,) = channel.threads
            (board,) = thread.messages
            assert alice.pings[-1] is board
            assert "Alice (Black) against Bob (White)" in board.text


@pytest.mark.long
async def test_existing_thread_is_used(discord: DiscordServer, database_file: Path) -> None:
    async with open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database:
        channel, _alice = await accept_without_thread(discord, database)
        async with running_bot(discord, database) as bot:
            discord.faults.drop("POST", "**/threads", after_processing=True)
            discord.advance(DELIVERY_DELAY)
            await bot.outbox.run_once()
            discord.advance(DELIVERY_DELAY)
            await bot.outbox.run_once()
            (thread,) = channel.threads
            assert len(thread.messages) == 1
