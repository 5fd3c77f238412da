"""The way of the README: the website alone, a game against the computer, then the bot as well."""

from __future__ import annotations

import json
import sqlite3
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from signal import SIGTERM
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from tests.bot.environment import labels
from tests.discord_server import Permission
from tests.games import GAMES
from tests.processes import running_web_process, start_bot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.discord_server import DiscordServer

OWN_SITE = {"Sec-Fetch-Site": "same-origin"}
TIMEOUT = aiohttp.ClientTimeout(total=60)


@dataclass(slots=True)
class BotLog:
    """What a bot process writes; read while it runs."""

    lines: list[dict[str, Any]]
    other: list[str]

    async def wait_for(self, stream: Any, event: str) -> dict[str, Any]:
        """Read until an event is logged, and return it."""
        while line := (await stream.readline()).decode():
            if not line.startswith("{"):
                self.other.append(line)
                continue
            self.lines.append(json.loads(line))
            if self.lines[-1]["event"] == event:
                return self.lines[-1]
        raise AssertionError(f"it ended without {event}: {''.join(self.other)}")


@asynccontextmanager
async def running_bot(
    discord: DiscordServer, file: Path, ahead: float = 0
) -> AsyncIterator[tuple[BotLog, Any, str]]:
    """Run the bot; yield its log, the stream of that, and the address of its website. Nothing may fail."""
    url = f"sqlite+aiosqlite:///{file}"
    settings = {"HEALTH_FILE": str(file.with_name("bot_health"))}
    process = await start_bot(discord, url, ahead=ahead, settings=settings)
    assert process.stderr is not None
    log = BotLog([], [])
    try:
        address = (await log.wait_for(process.stderr, "web.ready"))["address"]
        await log.wait_for(process.stderr, "ready")
        yield log, process.stderr, address
        process.send_signal(SIGTERM)
        rest = (await process.stderr.read()).decode().splitlines()
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    log.lines += [json.loads(line) for line in rest if line.startswith("{")]
    log.other += [line for line in rest if not line.startswith("{")]
    assert log.other == []
    failed = [one for one in log.lines if one["level"] in {"error", "critical"} or "exception" in one]
    assert failed == []
    assert not {one["event"] for one in log.lines} & {"announcement.failed", "announcement.unsent"}


async def play_and_wait(browser: aiohttp.ClientSession, base: str, seat: str, file: Path) -> None:
    """Play some move against the computer, and wait for its answer."""
    ((ply, text),) = query(file, "SELECT ply, position FROM matches WHERE id = 1")
    move = str(GAMES["morphos"].load(text).legal_moves()[0])
    fields = {"text": move, "board": str(ply)}
    async with browser.get(f"{base}/m/1/events") as stream:
        async with browser.post(f"{base}{seat}/play", data=fields, headers=OWN_SITE) as page:
            assert page.status == 200, await page.text()
        while query(file, "SELECT ply FROM matches WHERE id = 1") != [(ply + 2,)]:
            assert await stream.content.readline()


def query(file: Path, text: str) -> list[Any]:
    """Return the rows of a database query."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(text).fetchall()


@pytest.mark.long
async def test_local_games_leave_the_bot_alone(discord: DiscordServer, tmp_path: Path) -> None:
    file, guild = tmp_path / "rayuela.db", discord.guild("Salon")
    channel = guild.channel("games")
    alice, bob, eve = (guild.member(name) for name in ("Alice", "Bob", "Eve"))
    channel.allow(eve, Permission.MANAGE_GUILD)
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar, timeout=TIMEOUT) as browser:
        async with running_web_process(tmp_path, f"sqlite+aiosqlite:///{file}") as base:
            form = {"game": "morphos", "screens": "computer", "level": "beginner", "size": "5"}
            async with browser.post(f"{base}/new", data=form, headers=OWN_SITE) as page:
                assert page.status == 200
                seat = page.url.path
            for _ in range(2):
                await play_and_wait(browser, base, seat, file)

        async with running_bot(discord, file) as (_log, _stream, base):
            settings = await eve.command("settings", {}, channel=channel)
            await eve.select(settings, "Where matches are played", ["thread"])
            options = {"opponent": bob, "colour": "black", "board": "9", "start": "facing"}
            await bob.click(await alice.command("challenge", options, channel=channel), "Accept")
            await discord.wait_until(lambda: channel.threads and channel.threads[0].messages)
            (thread,) = channel.threads
            await alice.command("move", {"move": "C1-D2"}, channel=thread)
            await bob.command("move", {"move": "A2-B3"}, channel=thread)
            await play_and_wait(browser, base, seat, file)  # the local game goes on in the bot's website
            resigned = await alice.command("resign", {}, channel=thread)
            await alice.click(resigned, "Resign")
            boards = [one for one in thread.messages if "Move" in labels(one)]
            assert boards  # no pass of the bot has edited them yet

    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM leases")  # as if two minutes had passed
    async with running_bot(discord, file, ahead=120):  # which makes a pass at once
        await discord.wait_until(lambda: thread.state.archived, what="the thread to be archived")
    assert [one for one in thread.messages if {"Pick", "Move"} & set(labels(one))] == []
    assert query(file, "SELECT count(*) FROM outbox WHERE sent_at IS NULL") == [(0,)]
    assert query(file, "SELECT DISTINCT platform, post FROM outbox WHERE match = 1") == [("web", "web")]
