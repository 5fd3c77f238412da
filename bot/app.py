"""Building and joining the parts, and running them until told to stop."""

from __future__ import annotations

import asyncio
import signal
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import structlog

from bot import health
from bot.client import RESPONSE_TIMEOUT, SEND_TIMEOUT, Rayuela
from bot.features import (
    blocks,
    board,
    corrections,
    guild_settings,
    help_command,
    lobby,
    notes,
    resign,
    simultaneous_choice,
    turns,
    web_links,
)
from bot.features.analysis import feature as analysis
from bot.features.challenge import feature as challenge
from bot.features.clocks import feature as clocks
from bot.features.conditional_moves import feature as conditional_moves
from bot.features.following import feature as following
from bot.features.move import feature as move
from bot.features.move_picker import feature as move_picker
from bot.features.offers import feature as offers
from bot.features.preferences import feature as preferences
from bot.features.ratings import feature as ratings
from bot.features.replays import feature as replays
from bot.features.rules import feature as rules
from engine import GAMES
from i18n import Texts
from matches import OUTAGE_THRESHOLD, Database, Matches
from web import app as web_app
from web.context import CONTEXT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    import aiohttp

    from bot.context import SeatLinks
    from bot.feature import FeatureFactory
    from bot.outbox.sender import Outbox
    from bot.settings import Settings
    from matches import Announcement


class WebUnavailable(Exception):  # noqa: N818 - what is the matter, told to an operator
    """The table cannot listen at its address, or keep its secret."""


log = structlog.stdlib.get_logger(__name__)

# The parts of the front end; their buttons stand under the latest board in this order.
FEATURES: tuple[FeatureFactory, ...] = (
    challenge.setup,
    simultaneous_choice.setup,
    move_picker.setup,
    move.setup,
    board.setup,
    turns.setup,
    lobby.setup,
    resign.setup,
    offers.setup,
    ratings.setup,
    clocks.setup,
    replays.setup,
    following.setup,
    preferences.setup,
    guild_settings.setup,
    blocks.setup,
    corrections.setup,
    conditional_moves.setup,
    analysis.setup,
    notes.setup,
    rules.setup,
    help_command.setup,
)


def utc_now() -> datetime:
    """Return the time of the machine, in UTC."""
    return datetime.now(UTC)


def build_client(
    database: Database,
    *,
    connector: aiohttp.BaseConnector | None = None,
    proxy: str | None = None,
    now: Callable[[], datetime] = utc_now,
    response_timeout: float = RESPONSE_TIMEOUT,
    send_timeout: float = SEND_TIMEOUT,
    outage: timedelta = OUTAGE_THRESHOLD,
    seat_links: SeatLinks | None = None,
) -> Rayuela:
    """Join the parts over an open store; call it inside the running loop.

    `connector` leads to another Discord than the real one, `proxy` is the address of a forward proxy on the
    way to it, `now` tells another time, `response_timeout` bounds in seconds how long an answer may take to
    reach Discord, `send_timeout` a later post. A silence longer than `outage` is given back to everybody
    whose clock ran. `seat_links` lead to the table in a browser.
    """
    return Rayuela(
        matches=Matches(database, outage=outage),
        games=GAMES,
        texts=Texts.load(),
        feature_factories=FEATURES if seat_links is None else (*FEATURES, web_links.setup),
        now=now,
        connector=connector,
        proxy=proxy,
        response_timeout=response_timeout,
        send_timeout=send_timeout,
        seat_links=seat_links,
    )


async def serve(
    settings: Settings,
    *,
    connector: aiohttp.BaseConnector | None = None,
    now: Callable[[], datetime] = utc_now,
) -> None:
    """Run the bot until SIGTERM or SIGINT; the turns in hand are finished first.

    The table in the browser runs beside it. Raises discord.LoginFailure for a token that Discord refuses,
    storage.StorageError for a database that cannot be opened, WebUnavailable.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signal_number, stop.set)
    async with (
        await Database.open(settings.database_url) as database,
        _embedded_web(database, settings, now) as embedded_web,
    ):
        client = build_client(
            database,
            connector=connector,
            proxy=settings.discord_proxy,
            now=now,
            seat_links=embedded_web.seat_links if settings.public_url else None,
        )
        embedded_web.outbox = client.outbox
        await run(client, settings, stop)


@dataclass(slots=True)
class EmbeddedWeb:
    """The table in the same process: the doors to it, and the outbox for what happens there."""

    seat_links: SeatLinks | None = None
    outbox: Outbox | None = None

    async def announce(self, announcement: Announcement) -> None:
        """Have what happened at the table posted; it stays in the outbox while there is nobody to do so."""
        if self.outbox is not None:
            self.outbox.send_soon(announcement)


@asynccontextmanager
async def _embedded_web(
    database: Database, settings: Settings, now: Callable[[], datetime]
) -> AsyncIterator[EmbeddedWeb]:
    """Serve the table for the block. Where it has no address that people know, the bot can do without.

    Raises WebUnavailable.
    """
    embedded_web = EmbeddedWeb()
    try:
        listening_socket, secret = (
            web_app.bind(settings),
            web_app.load_secret(settings, settings.database_url),
        )
    except OSError as error:
        if settings.public_url:
            raise WebUnavailable(str(error.strerror or error)) from error
        log.warning("web.unavailable", error=str(error))
        yield embedded_web
        return
    with listening_socket:
        port = listening_socket.getsockname()[1]
        web_application = web_app.build(
            database, settings, secret, port=port, now=now, announce=embedded_web.announce
        )
        embedded_web.seat_links = web_app.WebSeatLinks(web_application[CONTEXT])
        async with web_app.serve(web_application, listening_socket):
            yield embedded_web


async def run(client: Rayuela, settings: Settings, stop: asyncio.Event) -> None:
    """Connect, send what is due, give signs of life, until `stop`; then finish and close."""
    async with client:
        connection = asyncio.create_task(client.start(settings.discord_token.get_secret_value()))
        outbox = asyncio.create_task(_run_outbox_when_ready(client, settings, stop))
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait({connection, stopped}, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping")
        await client.close()
        stop.set()
        outbox.cancel()
        await asyncio.wait({outbox, stopped})
        await connection
    log.info("stopped")


async def _run_outbox_when_ready(client: Rayuela, settings: Settings, stop: asyncio.Event) -> None:
    await client.wait_until_ready()
    await client.outbox.run(stop, lambda: _touch_heartbeat(client, settings))


def _touch_heartbeat(client: Rayuela, settings: Settings) -> None:
    """Return a sign of life; called when the database has answered, and given if Discord is there too."""
    if client.connected:
        health.touch_heartbeat(settings.health_file)
        log.debug("alive")
