"""Building and joining the parts, and running them until told to stop."""

from __future__ import annotations

import asyncio
import signal
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import structlog

from bot import (
    boards,
    challenges,
    endings,
    fists,
    guide,
    health,
    lobby,
    moves,
    notes,
    table,
    turns,
)
from bot.analysis import part as analysis
from bot.client import PATIENCE, SENDING, Rayuela
from bot.clocks import part as clocks
from bot.conditionals import part as conditionals
from bot.following import part as following
from bot.offers import part as offers
from bot.personal import part as personal
from bot.picking import part as picking
from bot.ratings import part as ratings
from bot.replays import part as replays
from bot.rules import reader
from bot.servers import part as servers
from engine import GAMES
from matches import OUTAGE, Matches, Store
from web import app as web_app
from web.house import HOUSE
from words import Words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    import aiohttp

    from bot.outbox import Outbox
    from bot.parts import Maker
    from bot.settings import Settings
    from matches import Announcement


class TableUnavailable(Exception):  # noqa: N818 - what is the matter, told to an operator
    """The table cannot listen at its address, or keep its secret."""


log = structlog.stdlib.get_logger(__name__)

# The parts of the front end; their buttons stand under the latest board in this order.
PARTS: tuple[Maker, ...] = (
    challenges.part,
    fists.part,
    picking.part,
    moves.part,
    boards.part,
    turns.part,
    lobby.part,
    endings.part,
    offers.part,
    ratings.part,
    clocks.part,
    replays.part,
    following.part,
    personal.part,
    servers.part,
    conditionals.part,
    analysis.part,
    notes.part,
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
    doors: table.Doors | None = None,
) -> Rayuela:
    """Join the parts over an open store; call it inside the running loop.

    `connector` leads to another Discord than the real one, `proxy` is the address of a forward
    proxy on the way to it, `now` tells another time,
    `patience` bounds in seconds how long an answer may take to reach Discord, `sending` a later post.
    A silence longer than `outage` is given back to everybody whose clock ran. `doors` lead to the table in a
    browser.
    """
    return Rayuela(
        matches=Matches(store, outage=outage),
        games=GAMES,
        words=Words.load(),
        makers=PARTS if doors is None else (*PARTS, table.part),
        now=now,
        connector=connector,
        proxy=proxy,
        patience=patience,
        sending=sending,
        doors=doors,
    )


async def serve(
    settings: Settings,
    *,
    connector: aiohttp.BaseConnector | None = None,
    now: Callable[[], datetime] = present,
) -> None:
    """Run the bot until SIGTERM or SIGINT; the turns in hand are finished first.

    The table in the browser runs beside it. Raises discord.LoginFailure for a token that Discord refuses,
    storage.StorageError for a database that cannot be opened, TableUnavailable.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with (
        await Store.open(settings.database_url) as store,
        _table_beside(store, settings, now) as beside,
    ):
        client = build(
            store,
            connector=connector,
            proxy=settings.discord_proxy,
            now=now,
            doors=beside.doors if settings.public_url else None,
        )
        beside.outbox = client.outbox
        await run(client, settings, stop)


@dataclass(slots=True)
class Beside:
    """The table in the same process: the doors to it, and the outbox for what happens there."""

    doors: table.Doors | None = None
    outbox: Outbox | None = None

    async def tell(self, announcement: Announcement) -> None:
        """Have what happened at the table posted; it stays in the outbox while there is nobody to do so."""
        if self.outbox is not None:
            self.outbox.hasten(announcement)


@asynccontextmanager
async def _table_beside(
    store: Store, settings: Settings, now: Callable[[], datetime]
) -> AsyncIterator[Beside]:
    """Serve the table for the block. Where it has no address that people know, the bot can do without.

    Raises TableUnavailable.
    """
    beside = Beside()
    try:
        taken, secret = web_app.listen(settings), web_app.secret_of(settings, settings.database_url)
    except OSError as error:
        if settings.public_url:
            raise TableUnavailable(str(error.strerror or error)) from error
        log.warning("web.unavailable", error=str(error))
        yield beside
        return
    with taken:
        port = taken.getsockname()[1]
        built = web_app.build(store, settings, secret, port=port, now=now, tell=beside.tell)
        beside.doors = web_app.Doors(built[HOUSE])
        async with web_app.serving(built, taken):
            yield beside


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
