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
from i18n import Texts
from matches import Matches, Person
from storage.url import parse_url
from web import actions, downloads, local_games, seat_page, session, watch
from web.assets import Assets
from web.cache import MatchCache
from web.context import CONTEXT, WebContext
from web.limits import RequestLimiter, StreamLimiter
from web.middleware import add_security_headers, request_middleware
from web.origins import Origins
from web.pages import PageRenderer
from web.secret import load_or_create_secret
from web.sse import Broadcaster
from web.tokens import LINK_LIFETIME, TokenSigner

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from matches import Announcement, Database, MatchView
    from web.settings import WebSettings

log = structlog.stdlib.get_logger(__name__)

MAX_BODY_BYTES = 16 * 1024
SHUTDOWN_TIMEOUT = 3
SECRET_FILE_NAME = "web.secret"  # noqa: S105 - the name of the file
LOCAL_POST = "web"  # stands for the post of what is told on the page itself

ASSETS = web.AppKey("assets", Assets)


def utc_now() -> datetime:
    """Return the time of the machine, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class WebSeatLinks:
    """The ways in, for other front ends: links that they hand out."""

    context: WebContext

    def match_url(self, match: int) -> str:
        """Return the address of a match, for anybody."""
        return f"{self.context.base}/m/{match}"

    async def seat_url(self, view: MatchView, person: Person) -> str:
        """Return a link to a person's seat, for that person alone; good for a quarter of an hour."""
        return await session.seat_link(self.context, view, person, lifetime=LINK_LIFETIME)

    async def rotate_key(self, view: MatchView, person: Person) -> None:
        """Make every link to a person's seat, and every browser that sits there, useless."""
        await self.context.matches.seat_keys.rotate(view.id, person)


def build(
    database: Database,
    settings: WebSettings,
    secret: str,
    *,
    port: int | None = None,
    now: Callable[[], datetime] = utc_now,
    announce: Callable[[Announcement], Awaitable[None]] | None = None,
    allow_local_games: bool = False,
    request_limiter: RequestLimiter | None = None,
    stream_limiter: StreamLimiter | None = None,
) -> web.Application:
    """Join the parts over an open store; call it inside the running loop.

    `secret` signs the keys to seats, `port` is the one listened on, `tell` is told what is to be announced
    elsewhere (without it, that is due at once for whoever posts), `allow_local_games` lets anybody begin a
    match here, `request_limiter` and `stream_limiter` are the limits.
    """
    matches, texts, assets = Matches(database), Texts.load(), Assets()
    base = settings.public_url or f"http://{_format_host(settings.web_host)}:{port or settings.web_port}"
    cache = MatchCache(matches, texts, now)
    context = WebContext(
        matches=matches,
        games=GAMES,
        texts=texts,
        pages=PageRenderer(texts, assets, base),
        cache=cache,
        broadcaster=Broadcaster(matches, cache, now),
        token_signer=TokenSigner(secret),
        origins=Origins.from_settings(settings),
        request_limiter=RequestLimiter() if request_limiter is None else request_limiter,
        stream_limiter=StreamLimiter() if stream_limiter is None else stream_limiter,
        now=now,
        base=base,
        announce=_make_announce(matches, now, announce),
        allow_local_games=allow_local_games,
    )
    app = web.Application(middlewares=[request_middleware], client_max_size=MAX_BODY_BYTES)
    app[CONTEXT], app[ASSETS], app[downloads.GIF_SEMAPHORE] = context, assets, asyncio.Semaphore(1)
    for routes in (
        watch.routes,
        downloads.routes,
        session.routes,
        seat_page.routes,
        actions.routes,
        local_games.routes,
    ):
        app.add_routes(routes())
    app.add_routes([web.get("/static/{version}/{name}", assets.handle)])
    app.on_response_prepare.append(add_security_headers)
    app.cleanup_ctx.append(_run_broadcaster)
    app.on_shutdown.append(_close_streams)
    return app


def bind(settings: WebSettings) -> socket.socket:
    """Take the address that the settings name. Raises OSError where that is not to be had."""
    family, socket_type, protocol, _, address = socket.getaddrinfo(
        settings.web_host, settings.web_port, type=socket.SOCK_STREAM
    )[0]
    listener = socket.socket(family, socket_type, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except BaseException:
        listener.close()
        raise
    return listener


@asynccontextmanager
async def serve(app: web.Application, listener: socket.socket) -> AsyncIterator[None]:
    """Serve at the address taken while the block runs."""
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=SHUTDOWN_TIMEOUT)
    await runner.setup()
    try:
        await web.SockSite(runner, listener, backlog=1024).start()
        log.info("web.ready", address=app[CONTEXT].base)
        yield
    finally:
        await runner.cleanup()


def load_secret(settings: WebSettings, database: str) -> str:
    """Return the secret that was set, or the one kept beside the database. Raises OSError."""
    if settings.web_secret is not None:
        return settings.web_secret.get_secret_value()
    url = parse_url(database)
    folder = Path(str(url.database)).parent if url.get_backend_name() == "sqlite" else Path("data")
    return load_or_create_secret(folder / SECRET_FILE_NAME)


def _make_announce(
    matches: Matches, now: Callable[[], datetime], forward: Callable[[Announcement], Awaitable[None]] | None
) -> Callable[[Announcement], Awaitable[None]]:
    """Return what tells an announcement: of our own table nobody else is told."""

    async def announce(announcement: Announcement) -> None:
        if announcement.server == local_games.LOCAL_SERVER:
            await matches.announcements.mark_sent(announcement.id, LOCAL_POST, now=now())
        elif forward is None:
            await matches.announcements.make_due(announcement.id, now=now())
        else:
            await forward(announcement)

    return announce


def _format_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


async def _run_broadcaster(app: web.Application) -> AsyncIterator[None]:
    task = asyncio.create_task(app[CONTEXT].broadcaster.run())
    yield
    task.cancel()
    await asyncio.wait({task})


async def _close_streams(app: web.Application) -> None:
    app[CONTEXT].broadcaster.close()
