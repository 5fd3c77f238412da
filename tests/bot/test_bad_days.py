"""What bad days do to a turn: Discord fails, storage fails, two act at once; nothing is lost or doubled."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import AsyncExitStack, closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from matches import Matches, MatchId, Store
from tests.bot.stage import WAITS, Stage, bot_over
from tests.discord_server import Permission

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.discord_server import Channel, DiscordServer, Message, Reply

ANSWERS = "/interactions/**"
POSTS = "/channels/*/messages"
CONNECTIONS = 5  # kept open by a store
DUE = 25  # seconds after which the outbox sees to what was not announced


@pytest.fixture
async def stage(discord: DiscordServer, database: Path) -> AsyncIterator[Stage]:
    """Set the stage with a bot of little patience."""
    guild = discord.guild("Salon")
    channel = guild.channel("games")
    alice, bob = guild.member("Alice"), guild.member("Bob")
    async with (
        await Store.open(f"sqlite+aiosqlite:///{database}") as store,
        bot_over(discord, store, patience=1.0, sending=3.0) as bot,
    ):
        yield Stage(discord, guild, channel, alice, bob, bot, store)


async def unanswered(stage: Stage, doing: asyncio.Task[Reply]) -> None:
    """Let the bot do what it can, then let Discord give up waiting."""
    await stage.quiet()
    stage.discord.advance(WAITS)
    assert (await doing).failed == "The application did not respond"


async def sweep(stage: Stage, seconds: float = DUE) -> None:
    """Let time pass, and let the outbox look."""
    stage.discord.advance(seconds)
    await stage.bot.outbox.tick()


def told(channel: Channel, what: str) -> list[Message]:
    return [message for message in channel.messages if what in message.text]


async def moves(stage: Stage) -> int:
    return (await stage.bot.matches.view(MatchId(1), now=stage.bot.now())).ply


async def settled(stage: Stage) -> None:
    """Hold the match to what every bad day must leave behind: one move, one post, and a game that goes on."""
    assert await moves(stage) == 1
    assert len(told(stage.channel, "Black C1-D2")) == 1
    (post,) = told(stage.channel, "Black C1-D2")
    assert stage.bob.pings[-1] is post
    before = len(stage.discord.requests)
    await sweep(stage, 3600)
    assert stage.requests()[before:] == []
    assert "White A2-B3" in (await stage.type(stage.bob, post, "A2-B3")).text


async def test_discord_answers_500_and_the_post_comes_later(stage: Stage) -> None:
    await stage.start()
    with stage.discord.faults.refuse("POST", ANSWERS, times=None) as fault:
        doing = asyncio.create_task(stage.move(stage.alice, "C1-D2"))
        await fault.arrived.wait()
        await unanswered(stage, doing)
    assert told(stage.channel, "C1-D2") == []
    await sweep(stage)
    await settled(stage)


async def test_discord_is_out_for_long_and_the_post_comes_once(stage: Stage) -> None:
    await stage.start()
    with stage.discord.faults.refuse("*", "**", status=503, times=None) as fault:
        doing = asyncio.create_task(stage.move(stage.alice, "C1-D2"))
        await fault.arrived.wait()
        await unanswered(stage, doing)
        for _ in range(3):
            await sweep(stage, 60)
    assert told(stage.channel, "C1-D2") == []
    await sweep(stage, 60)
    await settled(stage)


async def test_rate_limit_is_waited_for(stage: Stage) -> None:
    await stage.start()
    stage.discord.faults.rate_limit("POST", ANSWERS, retry_after=0.05)
    assert "Black C1-D2" in (await stage.move(stage.alice, "C1-D2")).text
    await stage.quiet()
    await settled(stage)


async def test_connection_drops_before_the_answer_and_the_person_is_told(stage: Stage) -> None:
    await stage.start()
    stage.discord.faults.drop("POST", ANSWERS)
    reply = await stage.move(stage.alice, "C1-D2")
    assert "**was** taken" in reply.text
    assert reply.ephemeral
    await sweep(stage)
    await settled(stage)


async def test_connection_drops_behind_the_answer_and_nothing_is_posted_twice(stage: Stage) -> None:
    await stage.start()
    stage.discord.faults.drop("POST", ANSWERS, when_done=True)
    assert "Black C1-D2" in (await stage.move(stage.alice, "C1-D2")).text
    await stage.quiet()
    await sweep(stage)
    await settled(stage)


@pytest.mark.parametrize("button", ["Accept", "Decline", "Withdraw"])
async def test_challenge_whose_answer_is_lost_and_that_is_closed_at_once_is_posted_once(
    stage: Stage, button: str
) -> None:
    stage.discord.faults.drop("POST", ANSWERS, when_done=True)
    posted = await stage.challenge()
    await stage.quiet()
    person = stage.alice if button == "Withdraw" else stage.bob
    await person.click(posted, button)
    await stage.quiet()
    before = len(stage.requests())
    for _ in range(2):
        await sweep(stage, 3600)
    assert stage.requests()[before:] == []
    assert len(told(stage.channel, "challenges")) == 1


async def test_discord_falls_silent_and_the_post_comes_later(stage: Stage) -> None:
    await stage.start()
    with stage.discord.faults.silence("POST", ANSWERS) as fault:
        doing = asyncio.create_task(stage.move(stage.alice, "C1-D2"))
        await fault.arrived.wait()
        await unanswered(stage, doing)
    await sweep(stage)
    await settled(stage)


async def test_later_post_whose_answer_is_lost_is_found_again(stage: Stage) -> None:
    await stage.start()
    stage.discord.faults.drop("POST", ANSWERS)
    await stage.move(stage.alice, "C1-D2")
    stage.discord.faults.drop("POST", POSTS, when_done=True)
    await sweep(stage)
    assert len(told(stage.channel, "Black C1-D2")) == 1
    await sweep(stage, 60)
    await settled(stage)


async def test_post_is_found_among_what_people_have_said_since(stage: Stage) -> None:
    await stage.start()
    stage.discord.faults.drop("POST", ANSWERS, when_done=True)
    await stage.move(stage.alice, "C1-D2")
    await stage.quiet()
    for number in range(150):
        await stage.bob.say(f"Well played, for the {number}th time", channel=stage.channel)
    await sweep(stage)
    await settled(stage)


async def test_without_the_history_a_late_post_is_still_sent(stage: Stage) -> None:
    await stage.start()
    stage.discord.faults.drop("POST", ANSWERS)
    await stage.move(stage.alice, "C1-D2")
    stage.channel.deny(stage.guild.bot_member, Permission.READ_MESSAGE_HISTORY)
    await sweep(stage)
    stage.channel.allow(stage.guild.bot_member, Permission.READ_MESSAGE_HISTORY)
    await settled(stage)


async def test_late_post_waits_for_the_permission_to_post(stage: Stage) -> None:
    await stage.start()
    stage.discord.faults.drop("POST", ANSWERS)
    await stage.move(stage.alice, "C1-D2")
    stage.channel.deny(stage.guild.bot_member, Permission.SEND_MESSAGES)
    await sweep(stage)
    await sweep(stage, 60)
    assert told(stage.channel, "C1-D2") == []
    stage.channel.allow(stage.guild.bot_member, Permission.SEND_MESSAGES)
    await sweep(stage, 3600)
    await settled(stage)


async def test_late_post_of_a_match_that_moved_on_calls_nobody(stage: Stage) -> None:
    await stage.start()
    stage.discord.faults.drop("POST", ANSWERS)
    await stage.move(stage.alice, "C1-D2")
    await stage.move(stage.bob, "A2-B3")
    calls = len(stage.bob.pings)
    await sweep(stage)
    (post,) = told(stage.channel, "Black C1-D2")
    assert len(stage.bob.pings) == calls
    assert stage.bob.mention not in post.text
    assert [button.label for button in post.buttons] == ["My view"]


async def test_accepted_challenge_whose_board_was_lost_is_posted_later(stage: Stage) -> None:
    challenge = await stage.challenge(board="9", start="facing")
    stage.discord.faults.drop("POST", "/webhooks/**")
    await stage.bob.click(challenge, "Accept")
    await stage.quiet()
    await sweep(stage)
    (board,) = told(stage.channel, "Alice (Black) against Bob (White)")
    assert stage.alice.pings == [board]
    assert "Accepted** by Bob" in challenge.text
    assert "Black C1-D2" in (await stage.type(stage.alice, board, "C1-D2")).text


async def test_accepted_challenge_that_could_not_be_closed_is_closed_later(stage: Stage) -> None:
    challenge = (await stage.challenge(board="9", start="facing")).shown
    with stage.discord.faults.silence("POST", ANSWERS) as fault:
        doing = asyncio.create_task(stage.bob.click(challenge, "Accept"))
        await fault.arrived.wait()
        await unanswered(stage, doing)
    assert challenge.buttons
    await sweep(stage)
    assert "Accepted** by Bob" in challenge.text
    assert not challenge.buttons
    assert len(told(stage.channel, "Alice (Black) against Bob (White)")) == 1


async def test_challenge_that_could_not_be_posted_is_posted_later(stage: Stage) -> None:
    stage.discord.faults.drop("POST", ANSWERS)
    reply = await stage.challenge()
    assert "**was** taken" in reply.text
    await sweep(stage)
    (challenge,) = stage.channel.messages
    assert stage.bob.pings == [challenge]
    await stage.bob.click(challenge, "Accept")
    await stage.board(after=challenge)


@pytest.mark.parametrize("button", ["Decline", "Withdraw"])
async def test_closed_challenge_that_could_not_be_changed_is_changed_later(stage: Stage, button: str) -> None:
    challenge = (await stage.challenge()).shown
    stage.discord.faults.drop("POST", ANSWERS)
    await (stage.bob if button == "Decline" else stage.alice).click(challenge, button)
    assert challenge.buttons
    await sweep(stage)
    assert not challenge.buttons


async def test_reveal_that_was_lost_is_posted_later(stage: Stage) -> None:
    fists = await stage.start(start="fists")
    for person in (stage.alice, stage.bob):
        choice = await person.click(fists, "Close your fists")
        stage.discord.faults.clear()
        stage.discord.faults.drop("POST", "/webhooks/**")
        await person.click(choice, str(choice.buttons[0].label))
        await stage.quiet()
    assert told(stage.channel, "The fists open") == []
    await sweep(stage)
    (board,) = told(stage.channel, "The fists open")
    assert board.attachments


async def test_gateway_closed_in_the_middle_of_a_turn(stage: Stage) -> None:
    await stage.start()
    with stage.discord.faults.hold("POST", ANSWERS) as fault:
        doing = asyncio.create_task(stage.move(stage.alice, "C1-D2"))
        await fault.arrived.wait()
        stage.discord.gateway.lose()
    assert "Black C1-D2" in (await doing).text
    await stage.discord.wait_until(lambda: stage.discord.gateway.resumed > 0, what="the gateway to resume")
    await stage.quiet()
    await settled(stage)


async def test_without_the_gateway_the_bot_is_not_well(stage: Stage) -> None:
    await stage.alice.command("help", {}, channel=stage.channel)
    seen = [stage.bot.connected]
    gone = asyncio.create_task(stage.bot.wait_for("disconnect", check=lambda: True))
    await asyncio.wait({gone}, timeout=0)
    stage.discord.gateway.lose()
    await gone
    seen.append(stage.bot.connected)
    await stage.alice.command("help", {}, channel=stage.channel)
    assert [*seen, stage.bot.connected] == [True, False, True]


@pytest.mark.parametrize("how", ["reconnect", "close"])
async def test_move_made_while_the_gateway_is_away_arrives(stage: Stage, how: str) -> None:
    await stage.start()
    await getattr(stage.discord.gateway, how)()
    reply = await stage.move(stage.alice, "C1-D2")
    assert "Black C1-D2" in reply.text
    await stage.quiet()
    await settled(stage)


async def test_of_two_clicks_at_once_one_is_played(stage: Stage) -> None:
    board = await stage.start()
    forms = [await stage.alice.click(board, "Move") for _ in range(2)]
    replies = await asyncio.gather(
        *(
            stage.alice.submit(form, {"Your move": text})
            for form, text in zip(forms, ["C1-D2", "D1-E2"], strict=True)
        )
    )
    played = [reply for reply in replies if not reply.ephemeral]
    refused = [reply for reply in replies if reply.ephemeral]
    assert len(played) == len(refused) == 1
    assert "has moved on since this board" in refused[0].text
    assert await moves(stage) == 1


async def test_of_two_bots_one_plays_and_the_post_comes_once(stage: Stage, database: Path) -> None:
    await stage.start()
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(await Store.open(f"sqlite+aiosqlite:///{database}"))
        other = await stack.enter_async_context(bot_over(stage.discord, store, patience=1.0, sending=3.0))
        await stage.move(stage.alice, "C1-D2")
        await stage.quiet()
        await other.hands.idle()
        stage.discord.advance(DUE)
        await asyncio.gather(stage.bot.outbox.tick(), other.outbox.tick())
    await settled(stage)


async def test_locked_database_takes_nothing_and_says_so(stage: Stage, database: Path) -> None:
    board = await stage.start()
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        reply = await stage.move(stage.alice, "C1-D2")
        other.execute("ROLLBACK")
    assert "was **not** taken" in reply.text
    assert reply.ephemeral
    assert await moves(stage) == 0
    assert "Black C1-D2" in (await stage.type(stage.alice, board, "C1-D2")).text


async def test_full_disk_takes_nothing_and_says_so(stage: Stage) -> None:
    await stage.start()
    await limit(stage.store, "page_count")
    for ply in range(100):
        view = await stage.bot.matches.view(MatchId(1), now=stage.bot.now())
        assert view.position is not None
        move = str(view.position.legal_moves()[0])
        person = stage.alice if ply % 2 == 0 else stage.bob
        reply = await stage.move(person, move)
        if reply.ephemeral:
            break
        await stage.quiet()
    assert "was **not** taken" in reply.text
    assert await moves(stage) == view.ply
    await limit(stage.store, "1000000")
    assert not (await stage.move(person, move)).ephemeral
    assert (await Matches(stage.store).audit(MatchId(1))).difference is None


async def limit(store: Store, pages: str) -> None:
    """Let the database file grow to so many pages and no further, over whichever connection."""
    async with AsyncExitStack() as stack:
        for _ in range(CONNECTIONS):
            connection = await stack.enter_async_context(store.reading())
            if pages == "page_count":
                await connection.execute(text("VACUUM"))  # what migrations freed would be filled first
                pages = str((await connection.execute(text("PRAGMA page_count"))).scalar_one())
            await connection.execute(text(f"PRAGMA max_page_count = {pages}"))
