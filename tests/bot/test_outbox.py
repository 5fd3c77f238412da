"""The outbox sends side by side: what hangs at Discord delays nothing else, and one pass sends many posts."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from bot import client as bot_client
from bot.outbox.pace import DISCORDS_LIMIT, JOIN_SECONDS, RATE, Priority, RequestPace, SharedPace
from bot.outbox.sender import Outbox, PeriodicTask
from bot.ui import ids
from matches import Matches, Person, StorageUnavailable, Terms, TimeControl
from matches.posting.announcements import LEASE
from runtime.role import Role
from storage.tables import LEASES
from tests.bot.environment import BotEnvironment, running_bot
from tests.databases import open_database
from tests.discord_server.global_limit import GlobalLimit
from tests.discord_server.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from bot.context import BotClient
    from matches import Database, MatchView
    from tests.discord_server import Channel, DiscordServer, Member
    from tests.discord_server.faults import Fault

ANSWERS = "/interactions/**"
POSTS = "/channels/*/messages"
DELIVERY_DELAY = 25  # seconds after which the outbox sends a pending announcement


@pytest.fixture
async def database(database_file: Path) -> AsyncIterator[Database]:
    """Return a database that several processes open."""
    async with open_database(f"sqlite:///{database_file}") as opened:
        yield opened


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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.parametrize("processes", [1, 2, 5])
def test_processes_together_stay_below_discords_limit_and_use_most_of_it(processes: int) -> None:
    now, sent = 0.0, list[float]()
    paces = [RequestPace(clock=lambda: now) for _ in range(processes)]
    for pace in paces:
        pace.set_share(1 / processes)
    while now < 10:
        delays = [pace.delay(Priority(0.25 * (len(sent) % 3))) for pace in paces]
        sent += [now] * delays.count(0)
        now += min(delays)
    busiest = max(sum(start <= one < start + 1 for one in sent) for start in sent)
    assert busiest <= DISCORDS_LIMIT
    assert sum(one < 9 for one in sent) >= 9 * RATE * DISCORDS_LIMIT


def test_more_urgent_requests_need_not_wait_for_others() -> None:
    now = 0.0
    pace = RequestPace(clock=lambda: now)
    pace.set_share(1)
    now = 100.0
    sent = dict.fromkeys(Priority, 0)
    for priority in (Priority.BACKGROUND, Priority.POST, Priority.ANSWER):
        while not pace.delay(priority):
            sent[priority] += 1
    assert min(sent.values()) >= 1
    assert sum(sent.values()) <= DISCORDS_LIMIT * (1 - RATE)


def test_process_sends_little_before_it_has_a_share() -> None:
    pace = RequestPace(clock=lambda: 0.0)
    sent = 0
    while not pace.delay(Priority.ANSWER):
        sent += 1
    assert 3 <= sent <= DISCORDS_LIMIT // 10


class VirtualTime:
    """Time that passes only while somebody sleeps, and only until the first of them wakes."""

    def __init__(self) -> None:
        self.now = 0.0
        self._ends: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        end = self.now + seconds
        self._ends.append(end)
        while self.now < end:
            await asyncio.sleep(0)
            if end == min(self._ends):
                self.now = max(self.now, end)
        self._ends.remove(end)


@pytest.mark.long
async def test_workers_together_stay_below_discords_limit(discord: DiscordServer, database: Database) -> None:
    guild, time = discord.guild("Salon"), VirtualTime()
    channels = [guild.channel(f"game-{number}") for number in range(100)]
    discord.settings.limit = GlobalLimit(clock=time)
    async with AsyncExitStack() as stack:
        workers = []
        for _ in range(2):
            running = running_bot(
                discord, database, role=Role.WORKER, pace=RequestPace(clock=time, sleep=time.sleep)
            )
            workers.append(await stack.enter_async_context(running))
        for _ in range(2):
            time.now += JOIN_SECONDS
            for worker in workers:
                await worker.outbox.share_limit()
        began_at = time.now
        await asyncio.gather(*(one.fetch_channel(channel.id) for channel in channels for one in workers))
    assert [one.path for one in discord.requests if one.status == 429] == []
    assert time.now - began_at < 2 * len(channels) / (0.9 * RATE * DISCORDS_LIMIT)  # nor is the limit wasted


async def test_shares_follow_the_processes_that_live(database: Database) -> None:
    leases, time = Matches(database).work.leases, VirtualTime()
    paces = [RequestPace(clock=time) for _ in range(3)]
    first, second, bot = (
        SharedPace(leases, pace, weight) for pace, weight in zip(paces, (4, 4, 1), strict=True)
    )

    def rates() -> list[float]:
        """Return how many requests each process may send in a second."""
        found = []
        for pace in paces:
            while not (delay := pace.delay(Priority.ANSWER)):
                pass
            time.now += delay
            assert not pace.delay(Priority.ANSWER)
            found.append(round(1 / pace.delay(Priority.ANSWER), 3))
        return found

    full = RATE * DISCORDS_LIMIT
    await first.negotiate()
    assert rates()[0] == full  # alone, at once
    await second.negotiate()
    await first.negotiate()
    assert rates()[:2] == [full / 2, 1]  # the other one has not noticed it for sure
    time.now += JOIN_SECONDS
    for one in (second, bot):
        await one.negotiate()
    time.now += JOIN_SECONDS
    for one in (first, second, bot):
        await one.negotiate()
    assert rates() == [round(full * weight / 9, 3) for weight in (4, 4, 1)]
    await second.leave()
    async with database.transaction() as connection:  # the bot was killed some time ago
        await connection.execute(update(LEASES).where(LEASES.c.name.like("%:1:%")).values(ends_at=1))
    await first.negotiate()
    assert rates()[0] == full


@pytest.mark.long
async def test_process_takes_no_more_posts_than_it_can_send_in_time(env: BotEnvironment) -> None:
    for number in range(20):
        await start_match(env, env.guild.channel(f"game-{number}"))
    env.discord.advance(DELIVERY_DELAY)
    env.bot.pace = RequestPace()  # as it is before the process has a share
    with env.discord.faults.hold("POST", POSTS, times=None) as held:
        await env.bot.outbox.send_due()
        room = env.bot.pace.room()
        await arrived(held, room)
        async with env.database.read() as connection:
            taken = await connection.exec_driver_sql("SELECT count(*) FROM outbox WHERE attempts > 0")
            assert 0 < taken.scalar_one() == room < 20
        held.release()


async def test_requests_that_wait_leave_less_room() -> None:
    go_on = asyncio.Event()

    async def sleep(_seconds: float) -> None:
        await go_on.wait()

    pace = RequestPace(clock=lambda: 0.0, sleep=sleep)
    pace.set_share(0)
    while not pace.delay(Priority.ANSWER):
        pass
    room = pace.room()
    waiting = [asyncio.create_task(pace.wait()) for _ in range(2)]
    await asyncio.sleep(0)
    assert pace.room() == room - 2
    for task in waiting:
        task.cancel()
    await asyncio.wait(waiting)
    assert pace.room() == room


@pytest.mark.long
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
