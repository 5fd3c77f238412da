"""Building and joining the parts, and running them until told to stop."""

from __future__ import annotations

import asyncio
import signal
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import structlog

from bot import boards, challenges, endings, fists, guide, health, moves
from bot.client import PATIENCE, SENDING, Rayuela
from bot.clocks import part as clocks
from bot.picking import part as picking
from bot.replays import part as replays
from bot.rules import reader
from bot.servers import part as servers
from engine import GAMES
from matches import OUTAGE, Matches, Store
from words import Words

if TYPE_CHECKING:
    from collections.abc import Callable

    import aiohttp

    from bot.parts import Maker
    from bot.settings import Settings

log = structlog.stdlib.get_logger(__name__)

# The parts of the front end; their buttons stand under the latest board in this order.
PARTS: tuple[Maker, ...] = (
    challenges.part,
    fists.part,
    picking.part,
    moves.part,
    boards.part,
    endings.part,
    clocks.part,
    replays.part,
    servers.part,
    reader.part,
    guide.part,
)


def present() -> datetime:
    """Give the time of the machine, in UTC."""
    return datetime.now(UTC)


def build(
    store: Store,
    *,
    connector: aiohttp.BaseConnector | None = None,
    proxy: str | None = None,
    now: Callable[[], datetime] = present,
    patience: float = PATIENCE,
    sending: float = SENDING,
    outage: timedelta = OUTAGE,
) -> Rayuela:
    """Join the parts over an open store; call it inside the running loop.

    `connector` leads to another Discord than the real one, `proxy` is the address of a forward
    proxy on the way to it, `now` tells another time,
    `patience` bounds in seconds how long an answer may take to reach Discord, `sending` a later post.
    A silence longer than `outage` is given back to everybody whose clock ran.
    """
    return Rayuela(
        matches=Matches(store, outage=outage),
        games=GAMES,
        words=Words.load(),
        makers=PARTS,
        now=now,
        connector=connector,
        proxy=proxy,
        patience=patience,
        sending=sending,
    )


async def serve(
    settings: Settings,
    *,
    connector: aiohttp.BaseConnector | None = None,
    now: Callable[[], datetime] = present,
) -> None:
    """Run the bot until SIGTERM or SIGINT; the turns in hand are finished first.

    Raises discord.LoginFailure for a token that Discord refuses, storage.StorageError for a database that
    cannot be opened.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with await Store.open(settings.database_url) as store:
        client = build(store, connector=connector, proxy=settings.discord_proxy, now=now)
        await run(client, settings, stop)


async def run(client: Rayuela, settings: Settings, stop: asyncio.Event) -> None:
    """Connect, send what is due, give signs of life, until `stop`; then finish and close."""
    async with client:
        connection = asyncio.create_task(client.start(settings.discord_token.get_secret_value()))
        outbox = asyncio.create_task(_send_when_ready(client, settings, stop))
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait({connection, stopped}, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping")
        await client.close()
        stop.set()
        outbox.cancel()
        await asyncio.wait({outbox, stopped})
        await connection
    log.info("stopped")


async def _send_when_ready(client: Rayuela, settings: Settings, stop: asyncio.Event) -> None:
    await client.wait_until_ready()
    await client.outbox.run(stop, lambda: _beat(client, settings))


def _beat(client: Rayuela, settings: Settings) -> None:
    """Give a sign of life; called when the database has answered, and given if Discord is there too."""
    if client.connected:
        health.beat(settings.health_file)
        log.debug("alive")
