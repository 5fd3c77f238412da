"""The outbox sends side by side: what hangs at Discord delays nothing else, and one pass sends many posts."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from bot import client as bot_client
from bot.outbox.pace import BURST, PUBLIC_RESERVE, REQUESTS_PER_SECOND, RequestPace
from bot.outbox.sender import Outbox, PeriodicTask
from bot.ui import ids
from matches import Person, StorageUnavailable, Terms, TimeControl
from matches.posting.announcements import LEASE
from tests.bot.environment import running_bot
from tests.discord_server.waiting import PATIENCE

if TYPE_CHECKING:
    from bot.context import BotClient
    from matches import MatchView
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Channel, Member
    from tests.discord_server.faults import Fault

ANSWERS = "/interactions/**"
POSTS = "/channels/*/messages"
DELIVERY_DELAY = 25  # seconds after which the outbox sends a pending announcement
GLOBAL_LIMIT = 50  # Discord's requests per second


async def start_match(
    env: BotEnvironment, channel: Channel, *players: Member, time: timedelta | None = None
) -> MatchView:
    """Start a match of two players that nobody has posted yet."""
    first, second = (Person(ids.stored_id(one.id), one.name) for one in players or (env.alice, env.bob))
    update = await env.bot.matches.challenges.create(
        first,
        to=second,
        server=ids.stored_id(env.guild.id),
        channel=ids.stored_id(channel.id),
        game="morelli",
        options={"size": 9, "setup": "facing"},
        colour=env.bot.games["morelli"].sides[0],
        terms=Terms(time_control=None if time is None else TimeControl.per_move(time)),
        now=env.bot.now(),
    )
    return (await env.bot.matches.challenges.accept(update.challenge.id, second, now=env.bot.now())).match


def texts(channel: Channel) -> list[str]:
    return [message.text for message in channel.messages]


async def arrived(fault: Fault, count: int) -> None:
    """Wait until a fault holds this many requests at once."""
    async with asyncio.timeout(PATIENCE):
        while fault.hits < count:  # noqa: ASYNC110 - a fault announces only its first request
            await asyncio.sleep(0.02)


async def test_hanging_channels_delay_nothing_elsewhere(env: BotEnvironment) -> None:
    hanging = [env.guild.channel(f"hangs-{number}") for number in range(10)]
    for channel in hanging:
        await start_match(env, channel)
        env.discord.faults.silence("*", f"/channels/{channel.id}/**")
    match = await start_match(env, env.channel, time=timedelta(days=1))
    env.discord.advance(DELIVERY_DELAY)
    stop, alive = asyncio.Event(), asyncio.Event()
    outbox = Outbox(env.bot, follower_messages=None, periodic_tasks=(), send_timeout=300, interval=0.05)
    running = asyncio.create_task(outbox.run(stop, alive.set))
    async with asyncio.timeout(PATIENCE):  # the player's time runs once the post is recorded
        while (await env.bot.matches.views.summary(match.id)).post is None:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    env.discord.advance(2 * 24 * 3600)
    await env.channel.wait_for(lambda message: "ran out of time" in message.text)
    alive.clear()
    await asyncio.wait_for(alive.wait(), PATIENCE)
    assert [texts(channel) for channel in hanging] == [[]] * 10
    stop.set()
    await running
    await outbox.cancel()


async def test_many_reminders_are_sent_side_by_side_in_one_pass(env: BotEnvironment) -> None:
    people = [env.guild.member(f"Player {number}") for number in range(25)]
    for person in people:
        await start_match(env, env.channel, person, env.bob, time=timedelta(days=4))
    announcements = env.bot.matches.announcements
    env.discord.advance(DELIVERY_DELAY)
    while posted := await announcements.claim_due("discord", now=env.bot.now()):
        for announcement in posted:
            await announcements.mark_sent(announcement.id, "1/2", now=env.bot.now())
    env.discord.advance(3 * 24 * 3600)
    with env.discord.faults.hold("POST", POSTS, times=None) as held:
        sending = asyncio.create_task(env.bot.outbox.run_once())
        await arrived(held, len(people))
    await sending
    assert [len(person.dms) for person in people] == [1] * len(people)


async def test_slow_post_is_sent_by_the_bot_that_claimed_it_for_as_long_as_it_takes(
    env: BotEnvironment,
) -> None:
    board = await env.start_match()
    match = (await env.bot.matches.views.list_recent(ids.stored_id(env.guild.id), limit=1))[0].id
    alice = Person(ids.stored_id(env.alice.id), "Alice")
    async with running_bot(env.discord, env.database) as other:
        with env.discord.faults.hold("POST", POSTS) as held:
            update = await env.bot.matches.play(match, alice, ["C1-D2"], now=env.bot.now())
            assert update.announcement is not None
            env.bot.outbox.send_soon(update.announcement)
            await held.arrived.wait()
            before = env.request_routes()
            for _ in range(3):
                env.discord.advance(0.8 * LEASE.total_seconds())
                await env.bot.outbox.renew_claims()
                await other.outbox.run_once()
            assert env.request_routes() == before
        await env.wait_until_idle()
        await other.outbox.run_once()
    assert [message.text.count("C1-D2") for message in env.channel.messages if message.id > board.id] == [1]


async def test_shutdown_gives_up_hanging_posts_and_another_bot_sends_them_after_seconds(
    env: BotEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_client, "SHUTDOWN_TIMEOUT", 0.1)
    channels = [env.guild.channel(f"game-{number}") for number in range(20)]
    for channel in channels:
        await start_match(env, channel)
    env.discord.advance(DELIVERY_DELAY)
    async with running_bot(env.discord, env.database) as other:
        with env.discord.faults.silence("POST", POSTS) as fault:
            sending = asyncio.create_task(env.bot.outbox.run_once())
            await arrived(fault, 20)
            await env.bot.close()
            await sending
        await other.outbox.run_once()
        assert [len(texts(channel)) for channel in channels] == [0] * 20
        env.discord.advance(LEASE.total_seconds())
        await other.outbox.run_once()
    assert [len(texts(channel)) for channel in channels] == [1] * 20


async def test_task_that_the_database_stopped_runs_in_the_next_pass(env: BotEnvironment) -> None:
    results = [StorageUnavailable("busy"), None, None]
    ran = list[int]()

    async def work(_client: BotClient) -> None:
        ran.append(1)
        if (result := results.pop(0)) is not None:
            raise result

    daily = PeriodicTask(work, timedelta(days=1))
    outbox = Outbox(env.bot, follower_messages=None, periodic_tasks=(daily,), send_timeout=1)
    with pytest.raises(StorageUnavailable):
        await outbox.run_once()
    for _ in range(3):
        await outbox.run_once()
    assert len(ran) == 2
    env.discord.advance(24 * 3600)
    await outbox.run_once()
    assert len(ran) == 3


async def test_posts_go_on_after_a_limit_for_the_whole_bot(env: BotEnvironment) -> None:
    await start_match(env, env.channel)
    env.discord.advance(DELIVERY_DELAY)
    env.discord.faults.rate_limit("POST", POSTS, retry_after=3600, everywhere=True)
    outbox = Outbox(env.bot, follower_messages=None, periodic_tasks=(), send_timeout=1)
    await outbox.run_once()
    assert texts(env.channel) == []
    for _ in range(3):
        env.discord.advance(60)
        await outbox.run_once()
    assert "Alice challenges" in texts(env.channel)[0]


def test_pace_stays_below_discords_limit() -> None:
    now, sent = 0.0, list[float]()
    pace = RequestPace(lambda: now)
    while now < 10:
        if delay := pace.delay(private=len(sent) % 2 == 0):
            now += delay
        else:
            sent.append(now)
    busiest = max(sum(start <= one < start + 1 for one in sent) for start in sent if start >= 1)
    assert REQUESTS_PER_SECOND - 1 <= busiest <= GLOBAL_LIMIT
    assert sum(one < 1 for one in sent) <= GLOBAL_LIMIT + BURST


def test_public_post_need_not_wait_for_direct_messages() -> None:
    pace = RequestPace(lambda: 0.0)
    sent = 0
    while pace.delay(private=True) == 0:
        sent += 1
    assert sent == BURST - PUBLIC_RESERVE
    assert [pace.delay(private=False) for _ in range(PUBLIC_RESERVE)] == [0] * PUBLIC_RESERVE


async def test_players_move_while_many_posts_are_sent(env: BotEnvironment) -> None:
    await env.start_match()
    for number in range(30):
        await start_match(env, env.guild.channel(f"game-{number}"))
    env.discord.advance(DELIVERY_DELAY)
    with env.discord.faults.hold("POST", POSTS, times=None) as held:
        sending = asyncio.create_task(env.bot.outbox.run_once())
        await arrived(held, 30)
        held.release()
        reply = await env.move(env.alice, "C1-D2")
    await sending
    assert "Black C1-D2" in reply.text
    async with env.database.read() as connection:
        unsent = await connection.exec_driver_sql("SELECT count(*) FROM outbox WHERE sent_at IS NULL")
        assert unsent.scalar_one() == 0
