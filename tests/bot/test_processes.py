"""The bot as a process: killed at every stage of a turn, stopped, restarted, and whether it is well."""

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
from tests.bot.stage import WAITS
from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.discord_server import Channel, DiscordServer, Member, Message, Reply

ANSWERS = "/interactions/**"
FOLLOWUPS = "/webhooks/**"
DUE = 30  # seconds by which the second process is ahead: what the first left is due then


@dataclass(slots=True)
class Process:
    """A running bot, told apart by what it logs."""

    running: asyncio.subprocess.Process

    async def logs(self, event: str) -> dict[str, Any]:
        """Wait until it has logged an event."""
        assert self.running.stderr is not None
        said = b""
        async with asyncio.timeout(30):
            while (line := await self.running.stderr.readline()).startswith(b"{"):
                found: dict[str, Any] = json.loads(line)
                if found["event"] == event:
                    return found
            said = line + await self.running.stderr.read()
        raise AssertionError(f"it ended without logging {event}: {said.decode()}")

    async def kill(self) -> None:
        self.running.send_signal(SIGKILL)
        await self.running.wait()


@dataclass(slots=True)
class House:
    """A Discord with two people, and a database for one bot after another."""

    discord: DiscordServer
    folder: Path
    channel: Channel
    alice: Member
    bob: Member

    @property
    def database(self) -> Path:
        return self.folder / "rayuela.db"

    @property
    def sign(self) -> Path:
        return self.folder / "health"

    async def run(self, ahead: float = 0, **given: str) -> asyncio.subprocess.Process:
        """Start the bot as a process; it logs to standard error, a line of JSON an event."""
        environment = {
            "DISCORD_TOKEN": self.discord.token,
            "DATABASE_URL": f"sqlite+aiosqlite:///{self.database}",
            "LOG_LEVEL": "DEBUG",
            "HEALTH_FILE": str(self.sign),
            "PYTHONWARNINGS": "ignore",
            "WEB_PORT": "0",
        }
        command = ("tests.bot.process", str(self.discord.port), str(self.discord.ca_file), str(ahead))
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", *command),
            cwd=ROOT,
            env=os.environ | environment | given,
            stderr=asyncio.subprocess.PIPE,
        )

    @asynccontextmanager
    async def bot(self, ahead: float = 0, first: str = "ready", **given: str) -> AsyncIterator[Process]:
        """Run the bot until the end of the block, from its beginning so far that it has logged `first`."""
        running = await self.run(ahead, **given)
        process = Process(running)
        try:
            await process.logs(first)
            yield process
        finally:
            if running.returncode is None:
                running.kill()
            await running.communicate()

    async def start(self) -> Message:
        """Let Alice, Black, and Bob begin on 9 x 9, facing; give the board's post."""
        options = {"opponent": self.bob, "colour": "black", "board": "9", "start": "facing"}
        challenge = await self.alice.command("challenge", options, channel=self.channel)
        await self.bob.click(challenge, "Accept")
        return await self.channel.wait_for(lambda message: bool(message.attachments))

    async def move(self) -> Reply:
        return await self.alice.command("move", {"move": "C1-D2"}, channel=self.channel)

    async def gives_up(self, doing: asyncio.Task[Reply]) -> None:
        """Let Discord stop waiting for a bot that is dead."""
        await self.discord.wait_until(lambda: not self.discord.gateway.connected)
        self.discord.advance(WAITS)
        assert (await doing).failed == "The application did not respond"

    def told(self, what: str) -> list[Message]:
        return [message for message in self.channel.messages if what in message.text]

    def rows(self, query: str) -> list[Any]:
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute(query).fetchall()

    async def goes_on(self) -> None:
        """Hold the house to what must be: Alice's move is there once, its post too, and Bob can answer."""
        (post,) = self.told("Black C1-D2")
        assert self.rows("SELECT ply, text FROM moves") == [(1, "C1-D2")]
        assert self.bob.pings[-1] is post
        form = await self.bob.click(post, "Move")
        assert "White A2-B3" in (await self.bob.submit(form, {"Your move": "A2-B3"})).text


@pytest.fixture
async def house(discord: DiscordServer, tmp_path: Path) -> House:
    guild = discord.guild("Salon")
    return House(discord, tmp_path, guild.channel("games"), guild.member("Alice"), guild.member("Bob"))


async def test_killed_before_the_commit_the_move_is_not_there(house: House) -> None:
    async with house.bot() as bot:
        await house.start()
        with closing(sqlite3.connect(house.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            doing = asyncio.create_task(house.move())
            for _ in ("challenge", "acceptance", "move"):
                await bot.logs("interaction")
            await bot.kill()
            other.execute("ROLLBACK")
    await house.gives_up(doing)
    async with house.bot(DUE):
        assert house.rows("SELECT ply FROM moves") == []
        assert "Black C1-D2" in (await house.move()).text
        await house.goes_on()


async def test_killed_between_commit_and_answer_the_board_is_posted_once(house: House) -> None:
    async with house.bot() as bot:
        await house.start()
        with house.discord.faults.silence("POST", ANSWERS) as fault:
            doing = asyncio.create_task(house.move())
            await fault.arrived.wait()
            await bot.kill()
    await house.gives_up(doing)
    assert house.rows("SELECT ply FROM moves") == [(1,)]
    assert house.told("C1-D2") == []
    async with house.bot(DUE) as bot:
        await bot.logs("announcement.sent")
        await house.goes_on()


async def test_killed_between_answer_and_note_nothing_is_posted_twice(house: House) -> None:
    async with house.bot() as bot:
        await house.start()
        with house.discord.faults.hold("POST", ANSWERS, when_done=True):
            doing = asyncio.create_task(house.move())
            await house.channel.wait_for(lambda message: "Black C1-D2" in message.text)
            await bot.kill()
    await doing
    async with house.bot(DUE) as bot:
        found = await bot.logs("announcement.found")
        assert found["message"] == house.told("Black C1-D2")[0].id
        await house.goes_on()


async def test_killed_between_the_two_answers_to_an_acceptance_the_board_is_posted_once(house: House) -> None:
    options = {"opponent": house.bob, "colour": "black", "board": "9", "start": "facing"}
    async with house.bot() as bot:
        challenge = await house.alice.command("challenge", options, channel=house.channel)
        with house.discord.faults.silence("POST", FOLLOWUPS) as fault:
            await house.bob.click(challenge, "Accept")
            await fault.arrived.wait()
            await bot.kill()
    async with house.bot(DUE) as bot:
        await bot.logs("announcement.sent")
        (board,) = house.told("Alice (Black) against Bob (White)")
        assert house.alice.pings == [board]
        assert "Black C1-D2" in (await house.move()).text
        await house.goes_on()


async def test_stopped_with_a_turn_in_hand_it_finishes_that_and_ends_well(house: House) -> None:
    async with house.bot() as bot:
        await house.start()
        with house.discord.faults.hold("POST", ANSWERS) as fault:
            doing = asyncio.create_task(house.move())
            await fault.arrived.wait()
            bot.running.send_signal(SIGTERM)
            await bot.logs("stopping")
            late = asyncio.create_task(house.bob.command("help", {}, channel=house.channel))
            assert "I am just being restarted" in (await late).text
        assert "Black C1-D2" in (await doing).text
        assert await bot.running.wait() == 0
    assert house.rows("SELECT count(*) FROM outbox WHERE sent_at IS NULL") == [(0,)]
    async with house.bot():
        await house.goes_on()


async def test_idle_it_ends_at_once(house: House) -> None:
    async with house.bot() as bot:
        bot.running.send_signal(SIGTERM)
        assert await bot.running.wait() == 0


async def test_buttons_and_open_forms_work_after_a_restart(house: House) -> None:
    async with house.bot():
        board = await house.start()
        form = await house.alice.click(board, "Move")
    async with house.bot():
        assert "Black C1-D2" in (await house.alice.submit(form, {"Your move": "C1-D2"})).text
        await house.goes_on()


def is_well(house: House) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot.health"],
        cwd=ROOT,
        env=os.environ | {"HEALTH_FILE": str(house.sign), "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


async def test_health_check_follows_the_sign_of_life(house: House) -> None:
    assert is_well(house).returncode == 1
    async with house.bot() as bot:
        await bot.logs("alive")
        assert is_well(house).returncode == 0
    ago = time.time() - health.STALE_SECONDS - 5
    os.utime(house.sign, (ago, ago))
    ended = is_well(house)
    assert ended.returncode == 1
    assert re.fullmatch(r"The bot last answered (6[5-9]|[78]\d) s ago\.\n", ended.stderr)


async def test_discord_out_of_reach_is_told_in_one_sentence(house: House) -> None:
    house.discord.faults.refuse("GET", "/users/@me", status=503)
    running = await house.run()
    _, said = await running.communicate()
    assert running.returncode == 1
    assert said.decode().splitlines()[-1].startswith("Discord cannot be reached: 503 ")
    assert "Traceback" not in said.decode()


async def test_refused_token_is_told_in_one_sentence(house: House) -> None:
    house.discord.settings.token = "another.token.altogether"  # noqa: S105 - it opens nothing
    running = await house.run(DISCORD_TOKEN="a.b.c")  # noqa: S106 - nor does this
    _, said = await running.communicate()
    assert running.returncode == 2
    assert said.decode().splitlines()[-1].startswith("Discord refuses DISCORD_TOKEN: ")
    assert "Traceback" not in said.decode()


async def test_table_is_served_beside_the_bot(house: House) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    async with house.bot(WEB_PORT=str(port), PUBLIC_URL=address):
        board = await house.start()
        reply = await house.alice.click(board, "Open the board")
        (link,) = [str(button.url) for button in reply.buttons if button.url]
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
            async with browser.get(link) as seat:
                assert str(seat.url) == f"{address}/m/1/seat/1"
            data, own = {"board": "0", "text": "C1-D2"}, {"Origin": address}
            async with browser.post(f"{seat.url}/play", data=data, headers=own) as answer:
                assert answer.status == 200
        await house.channel.wait_for(lambda message: "Black C1-D2" in message.text)
        await house.goes_on()


async def test_bot_does_without_a_table_that_nobody_knows(house: House) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        async with house.bot(first="web.unavailable", WEB_PORT=str(taken.getsockname()[1])) as bot:
            await bot.logs("ready")
            board = await house.start()
    assert "Open the board" not in [button.label for button in board.buttons]


async def test_table_that_people_know_of_must_be_there(house: House) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        running = await house.run(WEB_PORT=str(taken.getsockname()[1]), PUBLIC_URL="https://play.example")
        _, said = await running.communicate()
    assert running.returncode == 1
    assert said.decode().splitlines()[-1].startswith("The address to listen on is not to be had: ")
    assert "Traceback" not in said.decode()
