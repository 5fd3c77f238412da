"""The bot as a process: killed at every stage of a turn, stopped, restarted, and its health check."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from signal import SIGKILL, SIGTERM
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from bot import health
from metrics.address import parse_address
from metrics.monitor import Monitor
from tests.bot.environment import RESPONSE_TIMEOUT
from tests.discord_server import Permission
from tests.discord_server.waiting import PATIENCE
from tests.metrics.figures import read_figures, read_status
from tests.processes import ROOT, start_bot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.discord_server import Channel, DiscordServer, Member, Message, Reply

ANSWERS = "/interactions/**"
FOLLOWUPS = "/webhooks/**"
CLOCK_LEAD = 30  # seconds that the second process's clock is ahead, so that pending announcements are due


@dataclass(slots=True)
class BotProcess:
    """A running bot process."""

    running: asyncio.subprocess.Process

    async def wait_for_log(self, event: str) -> dict[str, Any]:
        """Wait until the process has logged an event, and return it."""
        assert self.running.stderr is not None
        output = b""
        async with asyncio.timeout(PATIENCE):
            while (line := await self.running.stderr.readline()).startswith(b"{"):
                found: dict[str, Any] = json.loads(line)
                if found["event"] == event:
                    return found
            output = line + await self.running.stderr.read()
        raise AssertionError(f"it ended without logging {event}: {output.decode()}")

    async def kill(self) -> None:
        """Kill the process and wait for its end."""
        self.running.send_signal(SIGKILL)
        await self.running.wait()


@dataclass(slots=True)
class ProcessEnvironment:
    """A loopback Discord with two members, and a database that consecutive bot processes share."""

    discord: DiscordServer
    folder: Path
    channel: Channel
    alice: Member
    bob: Member

    @property
    def database_file(self) -> Path:
        return self.folder / "rayuela.db"

    @property
    def heartbeat_file(self) -> Path:
        return self.folder / "health"

    async def start_process(self, ahead: float = 0, **given: str) -> asyncio.subprocess.Process:
        """Start the bot as a process that logs JSON lines to standard error."""
        settings = {"HEALTH_FILE": str(self.heartbeat_file)} | given
        return await start_bot(
            self.discord, f"sqlite+aiosqlite:///{self.database_file}", ahead=ahead, settings=settings
        )

    @asynccontextmanager
    async def running_bot(
        self, ahead: float = 0, first: str = "ready", **given: str
    ) -> AsyncIterator[BotProcess]:
        """Run the bot inside this context, starting once it has logged `first`."""
        running = await self.start_process(ahead, **given)
        process = BotProcess(running)
        try:
            await process.wait_for_log(first)
            yield process
        finally:
            if running.returncode is None:
                running.kill()
            await running.communicate()

    async def start_match(self) -> Message:
        """Start a match of Alice, Black, and Bob on 9 x 9, facing; return the board post."""
        options = {"opponent": self.bob, "colour": "black", "board": "9", "start": "facing"}
        challenge = await self.alice.command("challenge", options, channel=self.channel)
        await self.bob.click(challenge, "Accept")
        return await self.channel.wait_for(lambda message: bool(message.attachments))

    async def move(self) -> Reply:
        """Play C1-D2 as Alice."""
        return await self.alice.command("move", {"move": "C1-D2"}, channel=self.channel)

    async def give_up_waiting(self, action: asyncio.Task[Reply]) -> None:
        """Let Discord's response deadline pass after the bot died."""
        await self.discord.wait_until(lambda: not self.discord.gateway.is_connected)
        self.discord.advance(RESPONSE_TIMEOUT)
        assert (await action).failed == "The application did not respond"

    def posts_containing(self, what: str) -> list[Message]:
        """Return the posts in the channel that contain this text."""
        return [message for message in self.channel.messages if what in message.text]

    def rows(self, query: str) -> list[Any]:
        """Return the rows of a database query."""
        with closing(sqlite3.connect(self.database_file)) as connection:
            return connection.execute(query).fetchall()

    async def assert_match_continues(self) -> None:
        """Check that Alice's move and its post exist exactly once and that Bob can reply."""
        (post,) = self.posts_containing("Black C1-D2")
        assert self.rows("SELECT ply, text FROM moves") == [(1, "C1-D2")]
        assert self.bob.pings[-1] is post
        form = await self.bob.click(post, "Move")
        assert "White A2-B3" in (await self.bob.submit(form, {"Your move": "A2-B3"})).text


@pytest.fixture
async def env(discord: DiscordServer, tmp_path: Path) -> ProcessEnvironment:
    guild = discord.guild("Salon")
    return ProcessEnvironment(
        discord, tmp_path, guild.channel("games"), guild.member("Alice"), guild.member("Bob")
    )


@pytest.mark.long
async def test_move_is_not_saved_if_killed_before_the_commit(env: ProcessEnvironment) -> None:
    async with env.running_bot() as bot:
        await env.start_match()
        with closing(sqlite3.connect(env.database_file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            action = asyncio.create_task(env.move())
            for _ in ("challenge", "acceptance", "move"):
                await bot.wait_for_log("interaction")
            await bot.kill()
            other.execute("ROLLBACK")
    await env.give_up_waiting(action)
    async with env.running_bot(CLOCK_LEAD):
        assert env.rows("SELECT ply FROM moves") == []
        assert "Black C1-D2" in (await env.move()).text
        await env.assert_match_continues()


@pytest.mark.long
async def test_board_is_posted_once_if_killed_between_commit_and_response(env: ProcessEnvironment) -> None:
    async with env.running_bot() as bot:
        await env.start_match()
        with env.discord.faults.silence("POST", ANSWERS) as fault:
            action = asyncio.create_task(env.move())
            await fault.arrived.wait()
            await bot.kill()
    await env.give_up_waiting(action)
    assert env.rows("SELECT ply FROM moves") == [(1,)]
    assert env.posts_containing("C1-D2") == []
    async with env.running_bot(CLOCK_LEAD) as bot:
        await bot.wait_for_log("announcement.sent")
        await env.assert_match_continues()


@pytest.mark.long
async def test_nothing_is_posted_twice_if_killed_before_recording_the_post(env: ProcessEnvironment) -> None:
    async with env.running_bot() as bot:
        await env.start_match()
        with env.discord.faults.hold("POST", ANSWERS, after_processing=True):
            action = asyncio.create_task(env.move())
            await env.channel.wait_for(lambda message: "Black C1-D2" in message.text)
            await bot.kill()
    await action
    async with env.running_bot(CLOCK_LEAD) as bot:
        found = await bot.wait_for_log("announcement.found")
        assert found["message"] == env.posts_containing("Black C1-D2")[0].id
        await env.assert_match_continues()


@pytest.mark.long
async def test_board_is_posted_once_if_killed_between_the_responses_to_an_acceptance(
    env: ProcessEnvironment,
) -> None:
    options = {"opponent": env.bob, "colour": "black", "board": "9", "start": "facing"}
    async with env.running_bot() as bot:
        challenge = await env.alice.command("challenge", options, channel=env.channel)
        with env.discord.faults.silence("POST", FOLLOWUPS) as fault:
            await env.bob.click(challenge, "Accept")
            await fault.arrived.wait()
            await bot.kill()
    async with env.running_bot(CLOCK_LEAD) as bot:
        await bot.wait_for_log("announcement.sent")
        (board,) = env.posts_containing("Alice (Black) against Bob (White)")
        assert env.alice.pings == [board]
        assert "Black C1-D2" in (await env.move()).text
        await env.assert_match_continues()


@pytest.mark.long
async def test_match_against_the_computer_stays_in_the_channel_if_killed_before_its_thread(
    env: ProcessEnvironment,
) -> None:
    env.channel.allow(env.alice, Permission.MANAGE_GUILD)
    async with env.running_bot() as bot:
        panel = await env.alice.command("settings", {}, channel=env.channel)
        await env.alice.select(panel, "Where matches are played", ["thread"])
        with env.discord.faults.hold("POST", ANSWERS, after_processing=True):
            options = {"level": "beginner", "colour": "black", "board": "9", "start": "facing"}
            action = asyncio.create_task(env.alice.command("challenge", options, channel=env.channel))
            await env.channel.wait_for(lambda message: "Alice (Black)" in message.text)
            await bot.kill()
    board = await action
    async with env.running_bot(CLOCK_LEAD) as bot:
        found = await bot.wait_for_log("announcement.found")
        assert [post.id for post in env.posts_containing("Alice (Black)")] == [found["message"]]
        assert found["message"] == board.shown.id
        assert "Black C1-D2" in (await env.move()).text
    assert env.rows("SELECT text FROM moves WHERE ply = 1") == [("C1-D2",)]


@pytest.mark.long
async def test_shutdown_finishes_the_turn_in_flight(env: ProcessEnvironment) -> None:
    async with env.running_bot() as bot:
        await env.start_match()
        with env.discord.faults.hold("POST", ANSWERS) as fault:
            action = asyncio.create_task(env.move())
            await fault.arrived.wait()
            bot.running.send_signal(SIGTERM)
            await bot.wait_for_log("stopping")
            await env.discord.wait_until(lambda: not env.discord.gateway.is_connected)
        assert "Black C1-D2" in (await action).text
        assert await bot.running.wait() == 0
    assert env.rows("SELECT count(*) FROM outbox WHERE sent_at IS NULL") == [(0,)]
    async with env.running_bot():
        await env.assert_match_continues()


@pytest.mark.long
async def test_buttons_and_open_modals_work_after_a_restart(env: ProcessEnvironment) -> None:
    async with env.running_bot():
        board = await env.start_match()
        form = await env.alice.click(board, "Move")
    async with env.running_bot():
        assert "Black C1-D2" in (await env.alice.submit(form, {"Your move": "C1-D2"})).text
        await env.assert_match_continues()


def is_healthy(env: ProcessEnvironment) -> subprocess.CompletedProcess[str]:
    """Run the health check in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "bot.health"],
        cwd=ROOT,
        env=os.environ | {"HEALTH_FILE": str(env.heartbeat_file), "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


@pytest.mark.long
async def test_health_check_follows_the_heartbeat_until_the_idle_bot_stops(env: ProcessEnvironment) -> None:
    assert is_healthy(env).returncode == 1
    async with env.running_bot() as bot:
        await bot.wait_for_log("alive")
        assert is_healthy(env).returncode == 0
        bot.running.send_signal(SIGTERM)
        assert await bot.running.wait() == 0
    ago = time.time() - health.STALE_SECONDS - 5
    os.utime(env.heartbeat_file, (ago, ago))
    ended = is_healthy(env)
    assert ended.returncode == 1
    assert re.fullmatch(r"The process last answered (6[5-9]|[78]\d) s ago\.\n", ended.stderr)


@pytest.mark.long
async def test_bot_makes_backups_while_people_play(env: ProcessEnvironment) -> None:
    folder = env.folder / "backups"
    async with env.running_bot(BACKUP_EVERY="1d", BACKUP_DIR=str(folder)) as bot:
        await env.start_match()
        made = await bot.wait_for_log("backup.made")
        assert "Black C1-D2" in (await env.move()).text
        await env.assert_match_continues()
    (backup,) = folder.glob("rayuela-*.db")
    assert backup.name in made["result"]


@pytest.mark.long
async def test_website_is_served_until_discord_can_be_reached(env: ProcessEnvironment) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    fault = env.discord.faults.refuse("GET", "/users/@me", status=503, times=None)
    async with env.running_bot(first="login.failed", WEB_PORT=str(port)) as bot:
        async with aiohttp.ClientSession() as browser, browser.get(f"http://127.0.0.1:{port}/") as page:
            assert page.status == 200
        fault.remove()
        await bot.wait_for_log("ready")
        await env.start_match()


@pytest.mark.long
async def test_refused_token_is_reported_in_one_sentence(env: ProcessEnvironment) -> None:
    env.discord.settings.token = "another.token.altogether"  # noqa: S105 - it opens nothing
    running = await env.start_process(DISCORD_TOKEN="a.b.c")  # noqa: S106 - nor does this
    _, error_output = await running.communicate()
    assert running.returncode == 2
    assert error_output.decode().splitlines()[-1].startswith("Discord rejected DISCORD_TOKEN. ")
    assert "Traceback" not in error_output.decode()


@pytest.mark.long
async def test_bot_in_too_many_servers_ends_with_one_sentence(env: ProcessEnvironment) -> None:
    env.discord.settings.shards = 2
    running = await env.start_process(SHARDS="0/1")
    _, error_output = await running.communicate()
    assert running.returncode == 1
    assert (
        error_output.decode()
        .splitlines()[-1]
        .startswith("This bot is in too many servers (over 2,500 for each shard)")
    )
    assert "Traceback" not in error_output.decode()


@pytest.mark.long
async def test_bot_opens_no_session_when_those_of_the_day_are_used_up(env: ProcessEnvironment) -> None:
    env.discord.settings.session_starts = 0
    async with env.running_bot(first="identify.exhausted") as bot:
        bot.running.send_signal(SIGTERM)
        assert await bot.running.wait() == 0
    assert env.discord.gateway.identified == 0


@pytest.mark.long
async def test_website_is_served_in_the_bot_process(env: ProcessEnvironment) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address, oauth = f"http://127.0.0.1:{port}", env.discord.world.oauth
    oauth.redirect_uris.add(f"{address}/signin/callback")
    secret = oauth.client_secret
    async with env.running_bot(WEB_PORT=str(port), PUBLIC_URL=address, DISCORD_CLIENT_SECRET=secret):
        board = await env.start_match()
        reply = await env.alice.click(board, "Open the board")
        (link,) = [str(button.url) for button in reply.buttons if button.url]
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
            async with browser.get(link) as seat:
                assert str(seat.url) == f"{address}/m/1/seat/1"
            data, own = {"board": "0", "text": "C1-D2"}, {"Origin": address}
            async with browser.post(f"{seat.url}/play", data=data, headers=own) as answer:
                assert answer.status == 200
            # People sign in with the bot's own application.
            async with browser.get(f"{address}/signin?next=/m/1", allow_redirects=False) as question:
                url = env.bob.authorize(question.headers["Location"])
            async with browser.get(url) as page:
                assert (str(page.url), "/m/1/seat/2" in await page.text()) == (f"{address}/m/1", True)
        await env.channel.wait_for(lambda message: "Black C1-D2" in message.text)
        await env.assert_match_continues()


@pytest.mark.long
async def test_bot_runs_without_the_website_if_its_port_is_taken(env: ProcessEnvironment) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        async with env.running_bot(first="web.unavailable", WEB_PORT=str(taken.getsockname()[1])) as bot:
            await bot.wait_for_log("ready")
            board = await env.start_match()
    assert "Open the board" not in [button.label for button in board.buttons]


@pytest.mark.long
async def test_bot_stops_if_the_public_website_cannot_listen(env: ProcessEnvironment) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        running = await env.start_process(
            WEB_PORT=str(taken.getsockname()[1]), PUBLIC_URL="https://play.example"
        )
        _, error_output = await running.communicate()
    assert running.returncode == 1
    assert error_output.decode().splitlines()[-1].startswith("Cannot listen on that address: ")
    assert "Traceback" not in error_output.decode()


@pytest.mark.long
async def test_figures_of_a_process(env: ProcessEnvironment) -> None:
    process = await env.start_process(METRICS="127.0.0.1:0", COMPUTER="off")
    bot = BotProcess(process)
    try:
        address = (await bot.wait_for_log("metrics.ready"))["address"]
        await bot.wait_for_log("ready")
        await env.start_match()
        assert "Black C1-D2" in (await env.move()).text
        monitor = Monitor(address=parse_address(address))
        figures = await read_figures(monitor)
        ready = await read_status(monitor, "/readyz")
    finally:
        await bot.kill()
        await process.communicate()
    assert ready == (200, {"database": True, "gateway": True, "outbox": True})
    assert figures.value("turns_total", game="morelli") == 1
    assert figures.value("stage_seconds_count", stage="answer") >= 3
    assert figures.value("streams") == 0
