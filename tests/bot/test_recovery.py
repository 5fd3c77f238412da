"""Failures during a turn of Discord, the database or by concurrent actions: nothing is lost or doubled."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import AsyncExitStack, asynccontextmanager, closing
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, text

from bot.ui import ids
from matches import Matches, MatchId, Person
from tests.bot.environment import RESPONSE_TIMEOUT, BotEnvironment, running_bot
from tests.databases import open_database
from tests.discord_server import Permission

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from sqlalchemy.engine.interfaces import DBAPIConnection

    from tests.discord_server import Channel, DiscordServer, Message, Reply

EDIT_OF_OLD_BOARD = "PATCH /channels/{channel_id}/messages/{message_id}"
ANSWERS = "/interactions/**"
POSTS = "/channels/*/messages"
DELIVERY_DELAY = 25  # seconds after which the outbox sends a pending announcement


@pytest.fixture
async def env(discord: DiscordServer, database_file: Path) -> AsyncIterator[BotEnvironment]:
    """Run a bot with short timeouts."""
    guild = discord.guild("Salon")
    channel = guild.channel("games")
    alice, bob = guild.member("Alice"), guild.member("Bob")
    async with (
        open_database(f"sqlite+aiosqlite:///{database_file}") as database,
        running_bot(discord, database, response_timeout=1.0, send_timeout=3.0) as bot,
    ):
        yield BotEnvironment(discord, guild, channel, alice, bob, bot, database)


async def run_unanswered(env: BotEnvironment, action: asyncio.Task[Reply]) -> None:
    """Let the bot finish its attempts, then let Discord's response deadline pass."""
    await env.wait_until_idle()
    env.discord.advance(RESPONSE_TIMEOUT)
    assert (await action).failed == "The application did not respond"


async def advance_and_deliver(env: BotEnvironment, seconds: float = DELIVERY_DELAY) -> None:
    """Advance the clock and run the outbox once."""
    env.discord.advance(seconds)
    await env.bot.outbox.run_once()


def posts_containing(channel: Channel, what: str) -> list[Message]:
    """Return the posts in the channel that contain this text."""
    return [message for message in channel.messages if what in message.text]


async def stored_moves(env: BotEnvironment) -> int:
    """Return the number of moves stored for the match."""
    return (await env.bot.matches.view(MatchId(1), now=env.bot.now())).ply


async def assert_recovered(env: BotEnvironment) -> None:
    """Check what must hold after every failure: one move, one post, and a match that continues."""
    assert await stored_moves(env) == 1
    assert len(posts_containing(env.channel, "Black C1-D2")) == 1
    (post,) = posts_containing(env.channel, "Black C1-D2")
    assert env.bob.pings[-1] is post
    before = len(env.discord.requests)
    await advance_and_deliver(env, 3600)
    assert set(env.request_routes()[before:]) <= {EDIT_OF_OLD_BOARD}
    assert "White A2-B3" in (await env.submit_move(env.bob, post, "A2-B3")).text


@pytest.mark.long
async def test_post_is_sent_later_if_discord_answers_500(env: BotEnvironment) -> None:
    await env.start_match()
    with env.discord.faults.refuse("POST", ANSWERS, times=None) as fault:
        action = asyncio.create_task(env.move(env.alice, "C1-D2"))
        await fault.arrived.wait()
        await run_unanswered(env, action)
    assert posts_containing(env.channel, "C1-D2") == []
    await advance_and_deliver(env)
    await assert_recovered(env)


@pytest.mark.long
async def test_post_is_sent_once_after_a_long_outage(env: BotEnvironment) -> None:
    await env.start_match()
    with env.discord.faults.refuse("*", "**", status=503, times=None) as fault:
        action = asyncio.create_task(env.move(env.alice, "C1-D2"))
        await fault.arrived.wait()
        await run_unanswered(env, action)
        for _ in range(3):
            await advance_and_deliver(env, 60)
    assert posts_containing(env.channel, "C1-D2") == []
    await advance_and_deliver(env, 60)
    await assert_recovered(env)


@pytest.mark.long
async def test_rate_limit_is_respected(env: BotEnvironment) -> None:
    await env.start_match()
    env.discord.faults.rate_limit("POST", ANSWERS, retry_after=0.05)
    assert "Black C1-D2" in (await env.move(env.alice, "C1-D2")).text
    await env.wait_until_idle()
    await assert_recovered(env)


@pytest.mark.long
async def test_dropped_connection_before_the_response_is_reported_to_the_player(env: BotEnvironment) -> None:
    await env.start_match()
    env.discord.faults.drop("POST", ANSWERS)
    reply = await env.move(env.alice, "C1-D2")
    assert "**was** saved" in reply.text
    assert reply.ephemeral
    await advance_and_deliver(env)
    await assert_recovered(env)


async def test_nothing_is_posted_twice_if_the_connection_drops_after_the_response(
    env: BotEnvironment,
) -> None:
    await env.start_match()
    env.discord.faults.drop("POST", ANSWERS, after_processing=True)
    assert "Black C1-D2" in (await env.move(env.alice, "C1-D2")).text
    await env.wait_until_idle()
    await advance_and_deliver(env)
    await assert_recovered(env)


@pytest.mark.long
@pytest.mark.parametrize("button", ["Accept", "Decline", "Withdraw"])
async def test_challenge_with_a_lost_response_that_is_closed_immediately_is_posted_once(
    env: BotEnvironment, button: str
) -> None:
    env.discord.faults.drop("POST", ANSWERS, after_processing=True)
    posted = await env.make_challenge()
    await env.wait_until_idle()
    person = env.alice if button == "Withdraw" else env.bob
    await person.click(posted, button)
    await env.wait_until_idle()
    before = len(env.request_routes())
    for _ in range(2):
        await advance_and_deliver(env, 3600)
    assert env.request_routes()[before:] == []
    assert len(posts_containing(env.channel, "challenges")) == 1


@pytest.mark.long
async def test_post_is_sent_later_if_discord_does_not_answer(env: BotEnvironment) -> None:
    await env.start_match()
    with env.discord.faults.silence("POST", ANSWERS) as fault:
        action = asyncio.create_task(env.move(env.alice, "C1-D2"))
        await fault.arrived.wait()
        await run_unanswered(env, action)
    await advance_and_deliver(env)
    await assert_recovered(env)


async def test_late_post_with_a_lost_response_is_found_again(env: BotEnvironment) -> None:
    await env.start_match()
    env.discord.faults.drop("POST", ANSWERS)
    await env.move(env.alice, "C1-D2")
    env.discord.faults.drop("POST", POSTS, after_processing=True)
    await advance_and_deliver(env)
    assert len(posts_containing(env.channel, "Black C1-D2")) == 1
    await advance_and_deliver(env, 60)
    await assert_recovered(env)


@pytest.mark.long
async def test_late_post_of_a_turn_from_the_website_is_found_again(env: BotEnvironment) -> None:
    await env.start_match()
    alice = Person(ids.stored_id(env.alice.id), env.alice.name)
    with env.bot.matches.work.requests.handle(-1, now=env.bot.now(), is_shared=False):
        await env.bot.matches.play(MatchId(1), alice, ["C1-D2"], now=env.bot.now())
    env.discord.faults.drop("POST", POSTS, after_processing=True)
    await advance_and_deliver(env)
    assert len(posts_containing(env.channel, "Black C1-D2")) == 1
    await advance_and_deliver(env, 7200)  # Discord has forgotten the nonce
    await assert_recovered(env)


@pytest.mark.long
async def test_post_is_found_among_newer_messages(env: BotEnvironment) -> None:
    await env.start_match()
    env.discord.faults.drop("POST", ANSWERS, after_processing=True)
    await env.move(env.alice, "C1-D2")
    await env.wait_until_idle()
    for number in range(150):
        await env.bob.say(f"Well played, for the {number}th time", channel=env.channel)
    await advance_and_deliver(env)
    await assert_recovered(env)


@pytest.mark.long
async def test_late_post_is_sent_without_access_to_the_history(env: BotEnvironment) -> None:
    await env.start_match()
    env.discord.faults.drop("POST", ANSWERS)
    await env.move(env.alice, "C1-D2")
    env.channel.deny(env.guild.bot_member, Permission.READ_MESSAGE_HISTORY)
    await advance_and_deliver(env)
    env.channel.allow(env.guild.bot_member, Permission.READ_MESSAGE_HISTORY)
    await assert_recovered(env)


@pytest.mark.long
async def test_late_post_goes_to_the_players_if_the_bot_may_not_post(env: BotEnvironment) -> None:
    await env.start_match()
    env.discord.faults.drop("POST", ANSWERS)
    await env.move(env.alice, "C1-D2")
    env.channel.deny(env.guild.bot_member, Permission.SEND_MESSAGES)
    await advance_and_deliver(env)
    await advance_and_deliver(env, 60)
    await advance_and_deliver(env, 60)
    env.channel.allow(env.guild.bot_member, Permission.SEND_MESSAGES)
    await advance_and_deliver(env, 3600)
    assert posts_containing(env.channel, "C1-D2") == []
    for person in (env.alice, env.bob):
        assert ["Black C1-D2" in post.text for post in person.dms] == [False, True]


@pytest.mark.long
async def test_late_post_of_an_outdated_board_pings_nobody(env: BotEnvironment) -> None:
    await env.start_match()
    env.discord.faults.drop("POST", ANSWERS)
    await env.move(env.alice, "C1-D2")
    await env.move(env.bob, "A2-B3")
    calls = len(env.bob.pings)
    await advance_and_deliver(env)
    (post,) = posts_containing(env.channel, "Black C1-D2")
    assert len(env.bob.pings) == calls
    assert env.bob.mention not in post.text
    assert [button.label for button in post.buttons] == ["My view"]


@pytest.mark.long
async def test_lost_board_of_an_accepted_challenge_is_posted_later(env: BotEnvironment) -> None:
    challenge = await env.make_challenge(board="9", start="facing")
    env.discord.faults.drop("POST", "/webhooks/**")
    await env.bob.click(challenge, "Accept")
    await env.wait_until_idle()
    await advance_and_deliver(env)
    (board,) = posts_containing(env.channel, "Alice (Black) against Bob (White)")
    assert env.alice.pings == [board]
    assert "Accepted** by Bob" in challenge.text
    assert "Black C1-D2" in (await env.submit_move(env.alice, board, "C1-D2")).text


@pytest.mark.long
async def test_post_of_an_accepted_challenge_is_closed_later(env: BotEnvironment) -> None:
    challenge = (await env.make_challenge(board="9", start="facing")).shown
    with env.discord.faults.silence("POST", ANSWERS) as fault:
        action = asyncio.create_task(env.bob.click(challenge, "Accept"))
        await fault.arrived.wait()
        await run_unanswered(env, action)
    assert challenge.buttons
    await advance_and_deliver(env)
    assert "Accepted** by Bob" in challenge.text
    assert not challenge.buttons
    assert len(posts_containing(env.channel, "Alice (Black) against Bob (White)")) == 1


async def test_lost_challenge_is_posted_later(env: BotEnvironment) -> None:
    env.discord.faults.drop("POST", ANSWERS)
    reply = await env.make_challenge()
    assert "**was** saved" in reply.text
    await advance_and_deliver(env)
    (challenge,) = env.channel.messages
    assert env.bob.pings == [challenge]
    await env.bob.click(challenge, "Accept")
    await env.wait_for_board(after=challenge)


@pytest.mark.parametrize("button", ["Decline", "Withdraw"])
async def test_post_of_a_closed_challenge_is_edited_later(env: BotEnvironment, button: str) -> None:
    challenge = (await env.make_challenge()).shown
    env.discord.faults.drop("POST", ANSWERS)
    await (env.bob if button == "Decline" else env.alice).click(challenge, button)
    assert challenge.buttons
    await advance_and_deliver(env)
    assert not challenge.buttons


@pytest.mark.long
async def test_lost_reveal_is_posted_later(env: BotEnvironment) -> None:
    fists = await env.start_match(start="fists")
    for person in (env.alice, env.bob):
        choice = await person.click(fists, "Close your fists")
        env.discord.faults.clear()
        env.discord.faults.drop("POST", "/webhooks/**")
        await person.click(choice, str(choice.buttons[0].label))
        await env.wait_until_idle()
    assert posts_containing(env.channel, "The fists open") == []
    await advance_and_deliver(env)
    (board,) = posts_containing(env.channel, "The fists open")
    assert board.attachments


@pytest.mark.long
async def test_turn_completes_when_the_gateway_closes(env: BotEnvironment) -> None:
    await env.start_match()
    with env.discord.faults.hold("POST", ANSWERS) as fault:
        action = asyncio.create_task(env.move(env.alice, "C1-D2"))
        await fault.arrived.wait()
        env.discord.gateway.drop_connections()
    assert "Black C1-D2" in (await action).text
    await env.discord.wait_until(lambda: env.discord.gateway.resumed > 0, what="the gateway to resume")
    await env.wait_until_idle()
    await assert_recovered(env)


async def test_bot_reports_disconnection_from_the_gateway(env: BotEnvironment) -> None:
    await env.alice.command("help", {}, channel=env.channel)
    seen = [env.bot.gateway.is_connected]
    disconnected = asyncio.create_task(env.bot.wait_for("disconnect", check=lambda: True))
    await asyncio.wait({disconnected}, timeout=0)
    env.discord.gateway.drop_connections()
    await disconnected
    seen.append(env.bot.gateway.is_connected)
    await env.alice.command("help", {}, channel=env.channel)
    assert [*seen, env.bot.gateway.is_connected] == [True, False, True]


@pytest.mark.long
@pytest.mark.parametrize("how", ["reconnect", "close"])
async def test_move_made_during_a_gateway_break_arrives(env: BotEnvironment, how: str) -> None:
    await env.start_match()
    await getattr(env.discord.gateway, how)()
    reply = await env.move(env.alice, "C1-D2")
    assert "Black C1-D2" in reply.text
    await env.wait_until_idle()
    await assert_recovered(env)


@pytest.mark.long
async def test_one_of_two_simultaneous_moves_is_played(env: BotEnvironment) -> None:
    board = await env.start_match()
    forms = [await env.alice.click(board, "Move") for _ in range(2)]
    replies = await asyncio.gather(
        *(
            env.alice.submit(form, {"Your move": text})
            for form, text in zip(forms, ["C1-D2", "D1-E2"], strict=True)
        )
    )
    played = [reply for reply in replies if not reply.ephemeral]
    refused = [reply for reply in replies if reply.ephemeral]
    assert len(played) == len(refused) == 1
    assert "This is not the latest board" in refused[0].text
    assert await stored_moves(env) == 1


@pytest.mark.long
async def test_two_bots_post_a_turn_once(env: BotEnvironment, database_file: Path) -> None:
    await env.start_match()
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(open_database(f"sqlite+aiosqlite:///{database_file}", 2))
        other = await stack.enter_async_context(
            running_bot(env.discord, database, response_timeout=1.0, send_timeout=3.0)
        )
        await env.move(env.alice, "C1-D2")
        await env.wait_until_idle()
        await other.in_flight.wait_until_idle()
        env.discord.advance(DELIVERY_DELAY)
        await asyncio.gather(env.bot.outbox.run_once(), other.outbox.run_once())
    await assert_recovered(env)


@pytest.mark.long
async def test_locked_database_refuses_the_move(env: BotEnvironment, database_file: Path) -> None:
    board = await env.start_match()
    with closing(sqlite3.connect(database_file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        reply = await env.move(env.alice, "C1-D2")
        other.execute("ROLLBACK")
    assert "was **not** saved" in reply.text
    assert reply.ephemeral
    assert await stored_moves(env) == 0
    assert "Black C1-D2" in (await env.submit_move(env.alice, board, "C1-D2")).text


@pytest.mark.long
async def test_full_disk_refuses_the_move(env: BotEnvironment) -> None:
    await env.start_match()
    async with full_disk(env):
        for ply in range(100):
            view = await env.bot.matches.view(MatchId(1), now=env.bot.now())
            assert view.position is not None
            move = str(view.position.legal_moves()[0])
            person = env.alice if ply % 2 == 0 else env.bob
            reply = await env.move(person, move)
            if reply.ephemeral:
                break
            await env.wait_until_idle()
        assert "was **not** saved" in reply.text
        assert await stored_moves(env) == view.ply
    assert not (await env.move(person, move)).ephemeral
    assert (await Matches(env.database).audit(MatchId(1))).difference is None


@asynccontextmanager
async def full_disk(env: BotEnvironment) -> AsyncIterator[None]:
    """Keep the database file at its present size, on every connection that is used inside the context."""
    await env.wait_until_idle()  # what is deleted later would leave free pages
    async with env.database.read() as connection:
        await connection.execute(text("VACUUM"))  # pages that migrations freed would be filled first
        pages = (await connection.execute(text("PRAGMA page_count"))).scalar_one()
        pool = connection.sync_engine.pool

    def limit(connection: DBAPIConnection, _entry: object, _proxy: object) -> None:
        connection.cursor().execute(f"PRAGMA max_page_count = {pages}")

    event.listen(pool, "checkout", limit)
    try:
        yield
    finally:
        pages = 1_000_000  # the next checkouts lift the limit


async def test_lost_response_is_found_by_a_bot_whose_clock_is_hours_ahead(env: BotEnvironment) -> None:
    await env.start_match()
    env.bot.now = lambda: env.discord.world.clock.now() + timedelta(hours=3)
    env.discord.faults.drop("POST", ANSWERS, after_processing=True)
    await env.move(env.alice, "C1-D2")
    await env.wait_until_idle()
    await advance_and_deliver(env)
    env.bot.now = env.discord.world.clock.now
    await assert_recovered(env)


@pytest.mark.long
async def test_late_post_of_a_website_move_is_found_by_a_bot_whose_clock_is_hours_ahead(
    env: BotEnvironment,
) -> None:
    await env.start_match()
    env.bot.now = lambda: env.discord.world.clock.now() + timedelta(hours=3)
    alice = Person(ids.stored_id(env.alice.id), "Alice")
    update = await env.bot.matches.play(MatchId(1), alice, ["C1-D2"], now=env.bot.now())
    assert update.announcement is not None
    env.discord.faults.drop("POST", POSTS, after_processing=True)
    env.bot.outbox.send_soon(update.announcement)
    await env.wait_until_idle()
    env.discord.advance(300)
    await advance_and_deliver(env)
    env.bot.now = env.discord.world.clock.now
    await assert_recovered(env)


async def test_move_delivered_to_two_bots_is_answered_once_with_the_board(
    env: BotEnvironment, database_file: Path
) -> None:
    async with (
        open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database,
        running_bot(env.discord, database, response_timeout=3.0) as other,
    ):
        board = await env.start_match()
        await env.wait_until_idle()
        await other.in_flight.wait_until_idle()
        for person, move in ((env.alice, "C1-D2"), (env.bob, "A2-B3")):
            reply = await env.move(person, move)
            assert (move in reply.text, reply.ephemeral, reply.followups) == (True, False, [])
            await env.wait_until_idle()
            await other.in_flight.wait_until_idle()
        assert await stored_moves(env) == 2
        assert len([one for one in env.channel.messages if one.id >= board.id]) == 3
        assert "It is Alice's turn" in (await env.move(env.bob, "B2-C3", match="1")).text


@pytest.mark.long
async def test_private_change_delivered_to_two_bots_is_made_once(
    env: BotEnvironment, database_file: Path
) -> None:
    board = await env.start_match(start="fists")
    async with (
        open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database,
        running_bot(env.discord, database, response_timeout=3.0) as other,
    ):
        picks = await env.alice.click(board, "Close your fists")
        reply = await env.alice.click(picks, next(one.label for one in picks.buttons if one.label))
        await env.wait_until_idle()
        await other.in_flight.wait_until_idle()
        assert "already" not in reply.text
        env.discord.advance(2 * 3600)
        await other.outbox.run_once()
    with closing(sqlite3.connect(database_file)) as stored:
        assert stored.execute("SELECT count(*) FROM requests").fetchone() == (0,)


@pytest.mark.long
async def test_every_kind_of_interaction_delivered_to_two_bots_is_answered_once(
    env: BotEnvironment, database_file: Path
) -> None:
    async with (
        open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database,
        running_bot(env.discord, database, response_timeout=3.0) as other,
    ):
        board = await env.start_match()
        forms = await env.alice.click(board, "Move")
        note = await env.alice.command("note", {}, channel=env.channel)
        assert note.modal is not None
        note_field = note.modal.fields[0].label
        panel = await env.alice.command("preferences", {}, channel=env.channel)
        actions: dict[str, Callable[[], Awaitable[Reply]]] = {
            "command that changes nothing": lambda: env.alice.command("turns", {}, channel=env.channel),
            "picture for one person": lambda: env.bob.command("board", {}, channel=env.channel),
            "refusal": lambda: env.move(env.bob, "B2-C3"),
            "button that opens a form": lambda: env.alice.click(board, "Move"),
            "form": lambda: env.alice.submit(forms, {"Your move": "C1-D2"}),
            "form without an announcement": lambda: env.alice.submit(note, {note_field: "Watch the corner."}),
            "menu": lambda: env.alice.select(panel, panel.selects[0].custom_id, ["Clear"]),
            "offer": lambda: env.bob.command("takeback", {}, channel=env.channel),
        }
        for name, act in actions.items():
            await env.wait_until_idle()
            await other.in_flight.wait_until_idle()
            before = len(env.discord.requests)
            reply = await act()
            await env.wait_until_idle()
            await other.in_flight.wait_until_idle()
            answers = [one.status for one in env.discord.requests[before:] if "callback" in one.route]
            assert sum(status == HTTPStatus.OK for status in answers) == 1, (name, answers)
            assert (reply.failed, reply.followups) == (None, []), name
            assert reply.message is None or "went wrong" not in reply.text, name
        assert await stored_moves(env) == 1
    with closing(sqlite3.connect(database_file)) as stored:
        assert stored.execute("SELECT count(*) FROM notes").fetchone() == (1,)
