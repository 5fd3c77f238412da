"""Build the web application and serve it, in a process of its own or inside the bot's."""

from __future__ import annotations

import asyncio
import errno
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from aiohttp import web

from ai.weights import load_ratings
from engine import GAMES
from i18n.readers import ReaderTexts
from lessons.content import Lessons, default_lessons
from matches import OPEN_TO_ALL, SERVER_AUDIENCES, WEB, Matches, Person, StorageUnavailable
from metrics.address import Address, bind
from push.keys import Keys
from rules.content import RuleBooks, default_rule_books
from runtime.descriptors import descriptor_limit
from runtime.steady_clock import SteadyClock
from runtime.steps import Steps
from storage.connections.url import parse_url
from web.accounts import account, mail_sign_in, passkeys, sign_in
from web.accounts.discord_oauth import DiscordOAuth
from web.addresses import CALLBACK_PATH, LOBBY_PATH, TOURNAMENTS_PATH, explorer_path, match_path
from web.background import repeating
from web.context import CONTEXT, WebContext
from web.lobby.opened_links import OPENED, OpenedLinks
from web.match import downloads
from web.match.cache import MatchCache
from web.match.listening import keep_listening
from web.match.profile_links import PROFILE_LINKS, ProfileLinks
from web.match.sse import Broadcaster
from web.pages import documents, example_games, rules_pages
from web.pages.pages import PageRenderer
from web.play import local_games, seat_sessions, website_games
from web.play.hint_files import load_hint_files
from web.play.tokens import LINK_LIFETIME, TokenSigner
from web.routes import list_routes
from web.server.assets import Assets
from web.server.connections import PROTOCOL_SETTINGS, SWEEP_SECONDS, Connection, ConnectionLimiter
from web.server.limits import (
    CodeLimiter,
    GuestLimiter,
    HandlingLimiter,
    MailLimiter,
    PasskeyLimiter,
    RequestLimiter,
    SignInLimiter,
    StreamLimiter,
)
from web.server.middleware import add_security_headers, request_middleware
from web.server.origins import Origins, reachable_host
from web.server.secret import load_or_create_secret
from web.server.work_queue import WorkQueue

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
    from datetime import datetime

    import aiohttp

    from engine.game import Game
    from i18n import Texts
    from matches import Announcement, Database, MatchView
    from web.settings import WebSettings

log = structlog.stdlib.get_logger(__name__)

MAX_BODY_BYTES = 16 * 1024
SHUTDOWN_TIMEOUT = 3
MAX_BACKLOG = 128  # connections that wait to be accepted
MAX_CONNECTIONS = 4096
MAX_CONNECTIONS_PER_CLIENT = 100
COMPUTER_MATCHES_AT_ONCE = 30  # that one client starts; the computer thinks for each of them
COMPUTER_MATCHES_PER_SECOND = 0.1
SECRET_FILE_NAME = "web.secret"  # noqa: S105 - the name of the file

ASSETS = web.AppKey("assets", Assets)


@dataclass(frozen=True, slots=True)
class WebSeatLinks:
    """Links into the website, for other front ends."""

    context: WebContext

    def match_url(self, view: MatchView, account: str) -> str | None:
        """Return the URL of the page of a match, None if it would not open for a member of its server.

        The page of a match that is not public opens after signing in, if that is possible here.
        """
        is_player = view.seat(account) is not None
        can_sign_in = self.context.discord.is_offered and (is_player or view.audience in SERVER_AUDIENCES)
        is_open = view.audience in OPEN_TO_ALL or can_sign_in
        return f"{self.context.base}{match_path(view.id)}" if is_open else None

    def privacy_url(self) -> str:
        """Return the address of the privacy policy."""
        return f"{self.context.base}{documents.PRIVACY_PATH}"

    def lobby_url(self) -> str:
        """Return the address of the lobby."""
        return f"{self.context.base}{LOBBY_PATH}"

    def explorer_url(self, game: str) -> str:
        """Return the address of the opening explorer of a game."""
        return f"{self.context.base}{explorer_path(game)}"

    def tournament_url(self, tournament: int) -> str:
        """Return the address of the page of a tournament."""
        return f"{self.context.base}{TOURNAMENTS_PATH}/{tournament}"

    async def seat_url(self, view: MatchView, person: Person) -> str:
        """Return a link to a person's seat, valid for LINK_LIFETIME. Only that person may see it."""
        return await seat_sessions.seat_link(self.context, view, person, lifetime=LINK_LIFETIME)

    async def rotate_key(self, view: MatchView, person: Person) -> None:
        """Invalidate every link to a person's seat and every session at it."""
        await self.context.matches.people.seats.rotate(view.id, person)


def build(
    database: Database,
    settings: WebSettings,
    secret: str,
    *,
    games: Mapping[str, Game] = GAMES,
    texts: Texts | None = None,
    rule_books: RuleBooks | None = None,
    lessons: Lessons | None = None,
    port: int | None = None,
    now: Callable[[], datetime] | None = None,
    announce: Callable[[Announcement], Awaitable[None]] | None = None,
    allow_local_games: bool = False,
    has_mail: bool | None = None,
    has_computer: Callable[[], bool] = lambda: False,
    request_limiter: RequestLimiter | None = None,
    stream_limiter: StreamLimiter | None = None,
    connection_limiter: ConnectionLimiter | None = None,
    discord_connector: aiohttp.BaseConnector | None = None,
) -> web.Application:
    """Return the application over an open database; call it inside the running event loop.

    `games` are those that can be played, by name; `texts`, `rule_books` and `lessons` are theirs too.
    `secret` signs the tokens of seats. `port` is the port listened on, if it is not the one of the settings.
    `now` returns the current time, aware; by default it is a :class:`SteadyClock`.
    `announce` sends announcements to the other front ends; without it they become due in the outbox at once.
    Anybody can play the computer here while `has_computer` returns True; with `allow_local_games` anybody can
    start other matches too. `has_mail` says whether people can sign in by mail; by default they can if there
    is a mail server, or on one's own computer, where mails are shown in the log. `discord_connector` replaces
    the connections to Discord with which people sign in.
    """
    matches = Matches(database, games=games, computer_ratings=load_ratings(), moderators=settings.moderators)
    hint_files = load_hint_files(tuple(games))
    assets = Assets(more=hint_files.contents)
    now = SteadyClock() if now is None else now
    texts = ReaderTexts.of_folders() if texts is None else texts
    host = reachable_host(settings.web_host)
    base = settings.public_url or f"http://{Address(host, port or settings.web_port)}"
    cache = MatchCache(matches, texts, secret)
    is_public = settings.public_url is not None
    has_mail = settings.sends_mail or not is_public if has_mail is None else has_mail
    connections = _limit_connections() if connection_limiter is None else connection_limiter
    context = WebContext(
        matches=matches,
        games=games,
        texts=texts,
        rule_books=rule_books or default_rule_books(),
        lessons=lessons or default_lessons(),
        pages=PageRenderer(texts, assets, base, has_lobby=not allow_local_games),
        cache=cache,
        broadcaster=Broadcaster(matches, cache, now),
        token_signer=TokenSigner(secret),
        origins=Origins.from_settings(settings),
        request_limiter=RequestLimiter() if request_limiter is None else request_limiter,
        handling_limiter=HandlingLimiter(),
        stream_limiter=StreamLimiter(total=connections.total * 3 // 4)
        if stream_limiter is None
        else stream_limiter,
        connection_limiter=connections,
        computer_limiter=RequestLimiter(rate=COMPUTER_MATCHES_PER_SECOND, burst=COMPUTER_MATCHES_AT_ONCE),
        now=now,
        base=base,
        announce=_make_announce(matches, now, announce),
        discord=DiscordOAuth(
            settings.discord_client_id,
            settings.discord_client_secret,
            f"{base}{CALLBACK_PATH}",
            connector=discord_connector,
            proxy=settings.discord_proxy,
        ),
        has_mail=has_mail,
        # Where there is no mail, /signin leads to Discord at once: no page could ask for a passkey.
        passkey_site=passkeys.find_site(base, is_public=is_public) if has_mail else None,
        secret=secret,
        allow_local_games=allow_local_games,
        sends_mail=settings.sends_mail,
        has_computer=has_computer,
        hint_efforts=hint_files.efforts,
        work=WorkQueue("web", per_client=8, total=256, retry_seconds=2),
        long_work=WorkQueue("web-long", per_client=4, total=32, retry_seconds=10),
        steps=Steps(matches.metrics, (StorageUnavailable, OSError)),
        push_key=Keys(matches, now).get_public if settings.push_contact else None,
        push_hosts=settings.push_hosts,
    )
    app = web.Application(middlewares=[request_middleware], client_max_size=MAX_BODY_BYTES)
    app[CONTEXT], app[ASSETS] = context, assets
    app[local_games.START_LOCK], app[downloads.ANIMATIONS] = asyncio.Lock(), downloads.AnimationCache()
    app[sign_in.LIMITER], app[website_games.GUEST_LIMITER] = SignInLimiter(), GuestLimiter()
    app[OPENED], app[PROFILE_LINKS] = OpenedLinks(), ProfileLinks()
    app[mail_sign_in.LIMITER], app[mail_sign_in.CODE_LIMITER] = MailLimiter(), CodeLimiter()
    app[passkeys.LIMITER] = PasskeyLimiter()
    app[rules_pages.SECTION_CACHE] = {}
    app[example_games.EXAMPLES] = {}
    app.add_routes(list_routes(assets))
    app.on_response_prepare.append(add_security_headers)
    app.cleanup_ctx.extend((_run_broadcaster, account.purge_sessions))
    app.on_shutdown.append(_close_streams)
    app.on_cleanup.append(_close_queues)
    return app


class WebUnavailable(Exception):  # noqa: N818 - an operating problem, not a programming error
    """The website cannot start. `text_key` is the key of a sentence about `reason`, the system's error."""

    def __init__(self, text_key: str, error: OSError) -> None:
        self.text_key = text_key
        self.reason = str(error.strerror or error)
        super().__init__(self.reason)


def prepare(settings: WebSettings, database: str) -> tuple[socket.socket, str]:
    """Return the bound socket and the secret that a website needs. Raises WebUnavailable."""
    try:
        secret = load_secret(settings, database)
    except OSError as error:
        raise WebUnavailable("starting.secret", error) from error
    try:
        return bind(settings.web_host, settings.web_port), secret
    except OSError as error:
        is_host = error.errno in {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}
        raise WebUnavailable("starting.web_host" if is_host else "starting.web", error) from error


@asynccontextmanager
async def serve(app: web.Application, listener: socket.socket) -> AsyncIterator[None]:
    """Serve the application on a bound socket while the block runs."""
    limiter, origins = app[CONTEXT].connection_limiter, app[CONTEXT].origins
    runner = web.AppRunner(app, handle_signals=False, shutdown_timeout=SHUTDOWN_TIMEOUT)
    await runner.setup()
    http_server = runner.server
    assert http_server is not None  # noqa: S101 - after setup()
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(http_server, limiter, origins, **PROTOCOL_SETTINGS),
        sock=listener,
        # asyncio accepts this many connections before it counts the first.
        backlog=max(1, min(MAX_BACKLOG, limiter.total // 4)),
    )
    sweep = app[CONTEXT].steps.repeat("stalled_connections", limiter.close_stalled, SWEEP_SECONDS)
    try:
        async with repeating(sweep):
            log.info("web.ready", address=app[CONTEXT].base, connections=limiter.total)
            yield
    finally:
        server.close()
        await runner.cleanup()


def load_secret(settings: WebSettings, database: str) -> str:
    """Return the secret of the settings, or the one in the folder of the database. Raises OSError."""
    if settings.web_secret is not None:
        return settings.web_secret
    url = parse_url(database)
    folder = Path(str(url.database)).parent if url.get_backend_name() == "sqlite" else Path("data")
    return load_or_create_secret(folder / SECRET_FILE_NAME)


def _limit_connections() -> ConnectionLimiter:
    """Return limits that leave half of the process's descriptors to Discord, the database and files."""
    return ConnectionLimiter(
        total=min(MAX_CONNECTIONS, descriptor_limit() // 2), per_client=MAX_CONNECTIONS_PER_CLIENT
    )


def _make_announce(
    matches: Matches, now: Callable[[], datetime], forward: Callable[[Announcement], Awaitable[None]] | None
) -> Callable[[Announcement], Awaitable[None]]:
    """Return the `announce` function of the context: other front ends send what is not for this website."""

    async def announce(announcement: Announcement) -> None:
        log.info(
            "change.committed",
            announcement=announcement.id,
            kind=announcement.kind.value,
            match=announcement.match,
        )
        if announcement.platform == WEB:
            return
        if forward is None:
            await matches.announcements.make_due(announcement.id, now=now())
        else:
            await forward(announcement)

    return announce


async def _run_broadcaster(app: web.Application) -> AsyncIterator[None]:
    context = app[CONTEXT]
    listening = keep_listening(context.matches, context.broadcaster, context.steps)
    async with repeating(context.broadcaster.run(context.steps)), repeating(listening):
        yield


async def _close_streams(app: web.Application) -> None:
    app[CONTEXT].broadcaster.close()


async def _close_queues(app: web.Application) -> None:
    for queue in (app[CONTEXT].work, app[CONTEXT].long_work):
        queue.close()
