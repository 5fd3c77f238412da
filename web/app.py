"""Building the table and serving it, by itself or beside the bot."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from aiohttp import web

from engine import GAMES
from matches import Matches, Person
from storage.address import read_address
from web import deeds, pictures, play, sitting, table, watch
from web.assets import Assets
from web.guard import guarded, secured
from web.house import HOUSE, House
from web.keys import LINK_LASTS, Keyring
from web.limits import Requests, Streams
from web.live import Live
from web.origins import Origins
from web.pages import Pages
from web.secret import kept
from web.shelf import Shelf
from words import Words

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from matches import Announcement, MatchView, Store
    from web.settings import WebSettings

log = structlog.stdlib.get_logger(__name__)

LARGEST_BODY = 16 * 1024
CLOSING_SECONDS = 3
SECRET_FILE = "web.secret"  # noqa: S105 - the name of the file
HERE = "web"  # stands for the post of what is told on the page itself

ASSETS = web.AppKey("assets", Assets)


def present() -> datetime:
    """Give the time of the machine, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Doors:
    """The ways in, for other front ends: links that they hand out."""

    house: House

    def watch(self, match: int) -> str:
        """Give the address of a match, for anybody."""
        return f"{self.house.base}/m/{match}"

    async def seat(self, view: MatchView, person: Person) -> str:
        """Give a link to a person's seat, for that person alone; good for a quarter of an hour."""
        return await sitting.seat_link(self.house, view, person, lasts=LINK_LASTS)

    async def lock(self, view: MatchView, person: Person) -> None:
        """Make every link to a person's seat, and every browser that sits there, useless."""
        await self.house.matches.change_lock(view.id, person, now=self.house.now())


def build(
    store: Store,
    settings: WebSettings,
    secret: str,
    *,
    port: int | None = None,
    now: Callable[[], datetime] = present,
    tell: Callable[[Announcement], Awaitable[None]] | None = None,
    open_house: bool = False,
    requests: Requests | None = None,
    streams: Streams | None = None,
) -> web.Application:
    """Join the parts over an open store; call it inside the running loop.

    `secret` signs the keys to seats, `port` is the one listened on, `tell` is told what is to be announced
    elsewhere (without it, that is due at once for whoever posts), `open_house` lets anybody begin a match
    here, `requests` and `streams` are the limits.
    """
    matches, words, assets = Matches(store), Words.load(), Assets()
    base = settings.public_url or f"http://{_printed(settings.web_host)}:{port or settings.web_port}"
    shelf = Shelf(matches, words, now)
    house = House(
        matches=matches,
        games=GAMES,
        words=words,
        pages=Pages(words, assets, base),
        shelf=shelf,
        live=Live(matches, shelf, now),
        keyring=Keyring(secret),
        origins=Origins.of(settings),
        requests=Requests() if requests is None else requests,
        streams=Streams() if streams is None else streams,
        now=now,
        base=base,
        tell=_teller(matches, now, tell),
        open_house=open_house,
    )
    app = web.Application(middlewares=[guarded], client_max_size=LARGEST_BODY)
    app[HOUSE], app[ASSETS], app[pictures.FILMS] = house, assets, asyncio.Semaphore(1)
    for part in (watch, pictures, sitting, play, deeds, table):
        app.add_routes(part.routes())
    app.add_routes([web.get("/static/{version}/{name}", assets.answer)])
    app.on_response_prepare.append(secured)
    app.cleanup_ctx.append(_living)
    app.on_shutdown.append(_close_streams)
    return app


def listen(settings: WebSettings) -> socket.socket:
    """Take the address that the settings name. Raises OSError where that is not to be had."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        settings.web_host, settings.web_port, type=socket.SOCK_STREAM
    )[0]
    taken = socket.socket(family, kind, protocol)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(address)
    except BaseException:
        taken.close()
        raise
    return taken


@asynccontextmanager
async def serving(app: web.Application, taken: socket.socket) -> AsyncIterator[None]:
    """Serve at the address taken while the block runs."""
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=CLOSING_SECONDS)
    await runner.setup()
    try:
        await web.SockSite(runner, taken, backlog=1024).start()
        log.info("web.ready", address=app[HOUSE].base)
        yield
    finally:
        await runner.cleanup()


def secret_of(settings: WebSettings, database: str) -> str:
    """Give the secret that was set, or the one kept beside the database. Raises OSError."""
    if settings.web_secret is not None:
        return settings.web_secret.get_secret_value()
    url = read_address(database)
    folder = Path(str(url.database)).parent if url.get_backend_name() == "sqlite" else Path("data")
    return kept(folder / SECRET_FILE)


def _teller(
    matches: Matches, now: Callable[[], datetime], tell: Callable[[Announcement], Awaitable[None]] | None
) -> Callable[[Announcement], Awaitable[None]]:
    """Give what tells an announcement: of our own table nobody else is told."""

    async def told(announcement: Announcement) -> None:
        if announcement.server == table.SERVER:
            await matches.announced(announcement.id, HERE, now=now())
        elif tell is None:
            await matches.release(announcement.id, now=now())
        else:
            await tell(announcement)

    return told


def _printed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


async def _living(app: web.Application) -> AsyncIterator[None]:
    running = asyncio.create_task(app[HOUSE].live.run())
    yield
    running.cancel()
    await asyncio.wait({running})


async def _close_streams(app: web.Application) -> None:
    app[HOUSE].live.close()
