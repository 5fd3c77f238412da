"""Processes with one role each: bot and worker on one database, and the website besides them."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import aiohttp
import pytest
from sqlalchemy import text
from sqlalchemy.engine import URL, make_url

from bot.monitoring import watch_bot
from bot.ui import ids
from matches import OUTAGE_THRESHOLD, Matches, MatchId, Person
from matches.clocks.uptime import HEARTBEAT_INTERVAL
from matches.posting.announcements import GRACE
from metrics.address import Address
from metrics.monitor import Monitor, serve_monitor
from runtime.role import Role
from storage import Database
from tests.bot.environment import NO_OUTAGE, BotEnvironment, running_bot
from tests.bot.test_several_processes import START_SECONDS, UPLOAD, running_process
from tests.databases import execute_statements, open_database
from tests.discord_server import Permission
from tests.metrics.figures import read_status
from tests.processes import free_port, running_web_process
from tests.web.raw import send_raw

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from bot.client import Rayuela
    from matches import MatchView
    from tests.discord_server import DiscordServer

LATEST_POST = 2.0  # seconds; without a hint a worker looks every five
SECRET = "made-up secret of several processes"  # noqa: S105 - it opens nothing


@dataclass(frozen=True, slots=True)
class BotAndWorker:
    """A bot with two members in a channel, and a worker on the same database."""

    env: BotEnvironment
    worker: Rayuela

    async def start_match(self, **options: str) -> MatchView:
        await self.env.start_match(**options)
        return await self.view()

    async def view(self) -> MatchView:
        return await self.worker.matches.view(MatchId(1), now=self.worker.now())

    async def play_elsewhere(self) -> None:
        """Play C1-D2 as another process would, which does not answer an interaction; it is due then."""
        alice = Person(ids.stored_id(self.env.alice.id), "Alice")
        await self.worker.matches.play(MatchId(1), alice, ["C1-D2"], now=self.worker.now())
        self.env.discord.advance(GRACE.total_seconds() + 1)


@asynccontextmanager
async def bot_and_worker(
    discord: DiscordServer, file: Path, outage: timedelta = NO_OUTAGE
) -> AsyncIterator[BotAndWorker]:
    guild = discord.guild("Salon")
    async with (
        open_database(f"sqlite:///{file}") as database,
        running_bot(discord, database, outage=outage, role=Role.BOT) as bot,
        running_bot(discord, database, outage=outage, role=Role.WORKER) as worker,
    ):
        await bot.wait_until_ready()
        alice, bob = guild.member("Alice"), guild.member("Bob")
        env = BotEnvironment(discord, guild, guild.channel("games"), alice, bob, bot, database)
        yield BotAndWorker(env, worker)


@pytest.fixture
async def both(discord: DiscordServer, database_file: Path) -> AsyncIterator[BotAndWorker]:
    async with bot_and_worker(discord, database_file) as running:
        yield running


@pytest.mark.long
async def test_bot_answers_and_a_worker_posts_the_rest_without_a_session(both: BotAndWorker) -> None:
    env, channel = both.env, both.env.channel
    await both.start_match()
    await both.play_elsewhere()
    await env.bot.outbox.run_once()
    assert not any("C1-D2" in one.text for one in channel.messages)
    await both.worker.outbox.run_once()
    assert ["C1-D2" in one.text for one in channel.messages].count(True) == 1
    assert "A2-B3" in (await env.move(env.bob, "A2-B3")).text
    assert env.discord.gateway.identified == 1
    assert env.request_routes().count(UPLOAD) == 1


@pytest.mark.long
async def test_worker_asks_discord_who_may_see_a_watched_match(both: BotAndWorker) -> None:
    env = both.env
    await both.start_match()
    watchers = [env.guild.member(name) for name in ("Eve", "Zoe")]
    for one in watchers:
        await one.command("watch", {}, channel=env.channel)
    env.channel.deny(watchers[1], Permission.VIEW_CHANNEL)
    await env.move(env.alice, "C1-D2")
    await env.bot.outbox.run_once()
    assert not any("C1-D2" in message.text for one in watchers for message in one.dms)
    await both.worker.outbox.run_once()
    assert [any("C1-D2" in message.text for message in one.dms) for one in watchers] == [True, False]


@pytest.mark.long
async def test_worker_decides_what_is_out_of_time(both: BotAndWorker) -> None:
    await both.start_match(time_control="3d", time_out="lost")
    both.env.discord.advance(timedelta(days=4).total_seconds())
    await both.env.bot.outbox.run_once()
    assert (await both.view()).result is None
    await both.worker.outbox.run_once()
    assert (await both.view()).result is not None
    assert any("ran out of time" in one.text for one in both.env.channel.messages)


@pytest.mark.long
async def test_no_time_passes_for_a_worker_whose_bots_are_away(
    discord: DiscordServer, database_file: Path
) -> None:
    async with bot_and_worker(discord, database_file, OUTAGE_THRESHOLD) as both:
        view = await both.start_match(time_control="3d", time_out="lost")
        assert view.time is not None
        discord.advance(HEARTBEAT_INTERVAL.total_seconds() + 1)
        await both.env.bot.outbox.run_once()
        discord.advance(timedelta(days=9).total_seconds())
        await both.worker.outbox.run_once()
        assert (await both.view()).result is None
        await both.env.bot.outbox.run_once()
        await both.worker.outbox.run_once()
        after = (await both.view()).time
        assert after is not None
        assert after.deadline is not None
        assert view.time.deadline is not None
        assert timedelta(days=9) - OUTAGE_THRESHOLD <= after.deadline - view.time.deadline


@pytest.mark.long
async def test_only_a_bot_says_which_servers_removed_it(both: BotAndWorker) -> None:
    await both.start_match()
    both.env.discord.advance(timedelta(days=40).total_seconds())
    await both.worker.outbox.run_once()
    async with both.env.database.read() as connection:
        assert (await connection.execute(text("SELECT left_at FROM servers"))).scalars().all() == [None]


@pytest.mark.parametrize(
    ("role", "ready"),
    [
        (Role.BOT, {"database": True, "gateway": True}),
        (Role.WORKER, {"database": True, "outbox": True}),
    ],
)
async def test_readiness_is_that_of_the_role(both: BotAndWorker, role: Role, ready: dict[str, bool]) -> None:
    async with serve_monitor(Address("127.0.0.1", 0)) as monitor:
        watch_bot(monitor, both.env.bot if role is Role.BOT else both.worker)
        assert await read_status(monitor, "/readyz") == (200, ready)


@pytest.mark.long
async def test_worker_posts_turns_of_another_process_when_it_hears_of_them(
    discord: DiscordServer, empty_postgres_url: str
) -> None:
    guild, stop = discord.guild("Salon"), asyncio.Event()
    channel = guild.channel("games")
    players = [Person(ids.stored_id(guild.member(name).id), name) for name in ("Alice", "Bob")]
    async with (
        await Database.open(empty_postgres_url) as database,
        await Database.open(empty_postgres_url) as other_database,
        running_bot(discord, other_database, role=Role.WORKER) as worker,
    ):
        running = asyncio.create_task(worker.outbox.run(stop, lambda: None))
        matches, now = Matches(database), worker.now
        made = await matches.challenges.create(
            players[0],
            to=players[1],
            server=ids.stored_id(guild.id),
            channel=ids.stored_id(channel.id),
            game="morelli",
            options={"size": 9},
            now=now(),
        )
        update = await matches.challenges.accept(made.challenge.id, players[1], now=now())
        for announcement in (made.announcement, update.announcement):
            assert announcement is not None
            await matches.announcements.make_due(announcement.id, now=now())
        await channel.wait_for(lambda one: bool(one.attachments))
        for number in range(4):
            view = await matches.view(update.match.id, now=now())
            assert view.to_move is not None
            assert view.position is not None
            move = str(view.position.legal_moves()[0])
            played = await matches.play(view.id, view.to_move.person, [move], now=now())
            assert played.announcement is not None
            await matches.announcements.make_due(played.announcement.id, now=now())
            started = time.monotonic()
            posts = number + 2
            await discord.wait_until(
                lambda: sum(bool(one.attachments) for one in channel.messages) >= posts  # noqa: B023 - at once
            )
            assert time.monotonic() - started < LATEST_POST
        stop.set()
        await running


@pytest.mark.long
async def test_computer_answers_a_turn_through_processes_of_all_roles(
    discord: DiscordServer, empty_postgres_url: str, tmp_path: Path
) -> None:
    guild, url = discord.guild("Salon"), empty_postgres_url
    channel, alice = guild.channel("games"), guild.member("Alice")
    folders = {role: tmp_path / role for role in ("bot", "web", "worker")}
    for folder in folders.values():
        folder.mkdir()
    await (await Database.open(url)).close()
    async with AsyncExitStack() as stack:
        for role in ("bot", "worker"):
            await stack.enter_async_context(
                running_process(
                    *(discord, url, folders[role]),
                    ROLE=role,
                    PUBLIC_URL="https://rayuela.example",
                    WEB_SECRET=SECRET,
                )
            )
        address = await stack.enter_async_context(
            running_web_process(folders["web"], url, ROLE="web", WEB_SECRET=SECRET)
        )
        await discord.wait_until(
            lambda: discord.gateway.is_connected and discord.commands, seconds=START_SECONDS
        )
        options = {"level": "beginner", "game": "Morabaraba", "colour": "red"}
        board = await alice.command("challenge", options, channel=channel)
        answer = await channel.wait_for(
            lambda one: alice.mention in one.content and bool(one.attachments), seconds=START_SECONDS
        )
        assert answer.id > board.shown.id
        assert (await send_raw(address, "GET", "/"))[0] == 200
        assert (await send_raw(address, "GET", "/new"))[0] == 200  # against the computer, for guests
        assert all((folder / "health").exists() for folder in folders.values())
    assert discord.gateway.identified == 1


async def wait_for_readiness(ports: dict[str, Monitor], expected: dict[str, dict[str, bool]]) -> None:
    """Wait until each process answers ``/readyz`` as expected; each must be alive meanwhile."""
    found: dict[str, tuple[int, dict[str, bool]]] = {}
    wanted = {name: (200 if all(one.values()) else 503, one) for name, one in expected.items()}
    try:
        async with asyncio.timeout(START_SECONDS):
            while found != wanted:
                await asyncio.sleep(0.1)
                for name, monitor in ports.items():
                    with suppress(aiohttp.ClientConnectionError):  # it is still starting
                        found[name] = await read_status(monitor, "/readyz")
    except TimeoutError:
        assert found == wanted
    for monitor in ports.values():
        assert await read_status(monitor, "/healthz") == (200, {"alive": True})


@pytest.mark.long
async def test_each_role_is_ready_again_after_what_it_needs_was_lost(
    discord: DiscordServer, empty_postgres_url: str, postgres_server: URL, tmp_path: Path
) -> None:
    url, name = empty_postgres_url, make_url(empty_postgres_url).database
    ports = {role: Monitor(address=Address("127.0.0.1", free_port())) for role in ("bot", "worker", "web")}
    settings = {
        role: {"ROLE": role, "METRICS": str(monitor.address), "COMPUTER": "off"}
        for role, monitor in ports.items()
    }
    ready = {
        "bot": {"database": True, "gateway": True},
        "worker": {"database": True, "outbox": True},
        "web": {"database": True},
    }
    async with (
        await Database.open(url),  # migrates it
        running_process(discord, url, tmp_path / "bot", spaced=False, **settings["bot"]),
        running_process(discord, url, tmp_path / "worker", spaced=False, **settings["worker"]),
        running_web_process(tmp_path, url, WEB_SECRET=SECRET, **settings["web"]),
    ):
        await wait_for_readiness(ports, ready)
        discord.settings.session_starts, discord.settings.session_reset_seconds = 0, 0.1
        await discord.gateway.invalidate()
        await wait_for_readiness(ports, {**ready, "bot": {"database": True, "gateway": False}})
        discord.settings.session_starts = 1000
        await wait_for_readiness(ports, ready)
        end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"  # noqa: S608
        await execute_statements(postgres_server, f"ALTER DATABASE {name} ALLOW_CONNECTIONS false", end)
        try:
            lost = {role: {**one, "database": False} for role, one in ready.items()}
            await wait_for_readiness(ports, {**lost, "worker": {"database": False, "outbox": False}})
        finally:
            await execute_statements(postgres_server, f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
        await wait_for_readiness(ports, ready)
