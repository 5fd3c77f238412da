"""Composition root: build the client and the website, and run the part that the role names until stopped."""

from __future__ import annotations

import asyncio
import signal
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from ai.weights import load_ratings
from backups.schedule import scheduled_backups, watch_backups
from bot.client import RESPONSE_TIMEOUT, SEND_TIMEOUT, Rayuela
from bot.features import (
    blocks,
    board,
    corrections,
    guild_settings,
    help_command,
    left_servers,
    lobby,
    notes,
    personal_data,
    relocate,
    rules,
    simultaneous_choice,
    turns,
    web_links,
)
from bot.features.analysis_board import feature as analysis
from bot.features.challenge import feature as challenge
from bot.features.challenge import user_menu
from bot.features.clocks import feature as clocks
from bot.features.conditional_moves import dialog as conditional_moves
from bot.features.following import feature as following
from bot.features.game_analysis import feature as game_analysis
from bot.features.learn import feature as learn
from bot.features.mistakes import feature as mistakes
from bot.features.move import feature as move
from bot.features.move_picker import feature as move_picker
from bot.features.offers import feature as offers
from bot.features.preferences import feature as preferences
from bot.features.puzzles import daily_command as daily_puzzles
from bot.features.puzzles import feature as puzzles
from bot.features.ratings import feature as ratings
from bot.features.replays import feature as replays
from bot.features.tournaments import feature as tournaments
from bot.identify import IDENTIFY_INTERVAL
from bot.monitoring import watch_bot
from engine import GAMES
from i18n.readers import ReaderTexts
from mail import app as mail_app
from matches import OUTAGE_THRESHOLD, Database, Matches, StorageUnavailable
from metrics.monitor import serve_monitor
from push import app as push_app
from runtime.heartbeat import touch_heartbeat
from runtime.pace import BESIDE_PLAYERS, Pace
from runtime.role import Role
from runtime.steady_clock import SteadyClock
from runtime.steps import Steps
from runtime.worker_process import can_work, computer_worker, work_for_computer
from web import app as web_app
from web.background import clock_heartbeats, watch_website
from web.context import CONTEXT
from web.mail_links import WebMailLinks

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from datetime import datetime, timedelta

    import aiohttp

    from bot.context import SeatLinks
    from bot.feature import Feature
    from bot.outbox.pace import RequestPace
    from bot.outbox.sender import Outbox
    from bot.settings import Settings
    from bot.shard_range import ShardRange
    from engine.game import Game
    from i18n import Texts
    from matches import Announcement
    from metrics.monitor import Monitor
    from rules.content import RuleBooks
    from runtime.worker_process import WorkerProcess
    from web.accounts.discord_oauth import DiscordOAuth
    from web.context import WebContext


WebUnavailable = web_app.WebUnavailable

log = structlog.stdlib.get_logger(__name__)

# The order of the features is the order of their buttons under a board.
FEATURES: tuple[Feature, ...] = (
    challenge.FEATURE,
    user_menu.FEATURE,
    simultaneous_choice.FEATURE,
    move_picker.FEATURE,
    move.FEATURE,
    board.FEATURE,
    turns.FEATURE,
    lobby.FEATURE,
    offers.FEATURE,
    ratings.FEATURE,
    clocks.FEATURE,
    replays.FEATURE,
    game_analysis.FEATURE,
    mistakes.FEATURE,
    following.FEATURE,
    preferences.FEATURE,
    guild_settings.FEATURE,
    blocks.FEATURE,
    corrections.FEATURE,
    relocate.FEATURE,
    conditional_moves.FEATURE,
    analysis.FEATURE,
    notes.FEATURE,
    rules.FEATURE,
    learn.FEATURE,
    puzzles.FEATURE,
    daily_puzzles.FEATURE,
    personal_data.FEATURE,
    tournaments.FEATURE,
    left_servers.FEATURE,
    help_command.FEATURE,
)


def build_client(
    database: Database,
    *,
    games: Mapping[str, Game] = GAMES,
    texts: Texts | None = None,
    rule_books: RuleBooks | None = None,
    connector: aiohttp.BaseConnector | None = None,
    proxy: str | None = None,
    now: Callable[[], datetime] | None = None,
    response_timeout: float = RESPONSE_TIMEOUT,
    send_timeout: float = SEND_TIMEOUT,
    outage: timedelta = OUTAGE_THRESHOLD,
    seat_links: SeatLinks | None = None,
    role: Role = Role.ALL,
    shards: ShardRange | None = None,
    identify_interval: timedelta = IDENTIFY_INTERVAL,
    pace: RequestPace | None = None,
) -> Rayuela:
    """Build the client over an open database. Call it inside the running event loop.

    `games` are the games that can be played, by name, `texts` and `rule_books` their texts; by default
    those of this project.

    `connector` replaces the connection to Discord, `proxy` is the URL of a forward proxy. `now` returns the
    current time, aware; by default it is a :class:`SteadyClock`. `response_timeout` bounds how many seconds
    an answer may take to reach Discord, `send_timeout` the same for a post of the outbox. After an outage
    longer than `outage`, its duration is credited to every clock that ran. `seat_links` lead to the website;
    None leaves its command out. `role` is what this process does. `shards` are those of this process, None
    for all that Discord recommends; `identify_interval` is the time between two sessions that are opened.
    `pace` spreads requests, by default as Discord demands it.
    """
    texts = ReaderTexts.of_folders() if texts is None else texts
    return Rayuela(
        matches=Matches(database, games=games, outage=outage, computer_ratings=load_ratings()),
        games=games,
        texts=texts,
        rule_books=rule_books,
        features=FEATURES if seat_links is None else (*FEATURES, web_links.FEATURE),
        now=SteadyClock() if now is None else now,
        connector=connector,
        proxy=proxy,
        response_timeout=response_timeout,
        send_timeout=send_timeout,
        seat_links=seat_links,
        role=role,
        shards=shards,
        identify_interval=identify_interval,
        pace=pace,
    )


async def serve(
    settings: Settings,
    *,
    connector: aiohttp.BaseConnector | None = None,
    now: Callable[[], datetime] | None = None,
    identify_interval: timedelta = IDENTIFY_INTERVAL,
) -> None:
    """Run what the role says of the bot, its background work and the website, until SIGTERM or SIGINT.

    Interactions that are being answered are finished first. Raises discord.LoginFailure for a token that
    Discord refuses, storage.StorageError for a database that cannot be opened, WebUnavailable,
    MetricsUnavailable, ListenerUnavailable.
    """
    now = SteadyClock() if now is None else now
    runs_background = settings.role.runs_background
    worker = computer_worker(settings) if runs_background else None
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signal_number, stop.set)
    async with (
        serve_monitor(settings.metrics) as monitor,
        await Database.open(settings.database_url, metrics=monitor.metrics) as database,
        AsyncExitStack() as stack,
    ):
        steps = Steps(monitor.metrics, (StorageUnavailable, OSError))
        if runs_background:
            await stack.enter_async_context(scheduled_backups(settings, steps))
        embedded_web = await stack.enter_async_context(
            _embedded_web(database, settings, now, connector, worker, monitor)
        )
        client = build_client(
            database,
            connector=connector,
            proxy=settings.discord_proxy,
            now=now,
            seat_links=embedded_web.seat_links if settings.public_url else None,
            role=settings.role,
            shards=settings.shards,
            identify_interval=identify_interval,
        )
        embedded_web.outbox = client.outbox
        watch_bot(monitor, client)
        if runs_background:
            watch_backups(monitor, settings)
            push_app.watch_push(monitor, client.matches, client.now)
            pace = Pace(BESIDE_PLAYERS if settings.role is Role.ALL else 0)
            await stack.enter_async_context(
                push_app.serve(
                    client.matches,
                    client.texts,
                    client.now,
                    steps,
                    contact=settings.push_contact,
                    more_hosts=settings.push_hosts,
                    pace=pace,
                )
            )
            sent_mail = _sent_mail(client, settings, embedded_web, monitor, steps, pace)
            await stack.enter_async_context(sent_mail)
            await stack.enter_async_context(
                work_for_computer(
                    client.matches.computer,
                    client.matches.on_commit,
                    worker,
                    client.now,
                    steps,
                    on_progress=client.outbox.send_due,
                )
            )
        await run(client, settings, stop, embedded_web)


@asynccontextmanager
async def _sent_mail(
    client: Rayuela,
    settings: Settings,
    embedded_web: EmbeddedWeb,
    monitor: Monitor,
    steps: Steps,
    pace: Pace,
) -> AsyncIterator[None]:
    """Send and receive mails while the block runs, if there is a website to which they lead, and a server."""
    links = embedded_web.mail_links
    transport = mail_app.choose_transport(settings, client.texts, is_own_machine=settings.public_url is None)
    if links is None or transport is None:
        yield
        return
    mail_app.watch_mail(monitor, client.matches, client.now)
    async with mail_app.serve(
        client.matches,
        settings,
        links,
        embedded_web.secret,
        transport=transport,
        steps=steps,
        now=client.now,
        receives=settings.role.receives_mail,
        pace=pace,
    ):
        yield


@dataclass(slots=True)
class EmbeddedWeb:
    """The website in the same process: links to it, and the outbox that posts what is played there.

    `discord` is what people sign in with, `secret` that of the website.
    """

    seat_links: SeatLinks | None = None
    mail_links: WebMailLinks | None = None
    secret: str = field(default="", repr=False)
    outbox: Outbox | None = None
    discord: DiscordOAuth | None = None

    def link_to(self, context: WebContext, secret: str) -> None:
        """Make links to a website."""
        self.discord, self.seat_links = context.discord, web_app.WebSeatLinks(context)
        self.mail_links, self.secret = WebMailLinks(context), secret

    def set_application(self, application: int | None) -> None:
        """Let people sign in with this application of Discord, unless the settings name one."""
        if self.discord is not None and self.discord.client_id is None and application is not None:
            self.discord.client_id = str(application)

    async def announce(self, announcement: Announcement) -> None:
        """Post an announcement from the website to Discord; without a running bot it stays in the outbox."""
        if self.outbox is not None:
            self.outbox.send_soon(announcement)


@asynccontextmanager
async def _embedded_web(
    database: Database,
    settings: Settings,
    now: Callable[[], datetime],
    connector: aiohttp.BaseConnector | None,
    worker: WorkerProcess | None,
    monitor: Monitor,
) -> AsyncIterator[EmbeddedWeb]:
    """Run the website inside this context; in a role without it only make links to that of other processes.

    Raises WebUnavailable if it cannot start, unless it has no public URL: then that is only logged.
    """
    embedded_web = EmbeddedWeb()
    if not settings.role.serves_web:
        if settings.public_url:
            secret = web_app.load_secret(settings, settings.database_url)
            embedded_web.link_to(web_app.build(database, settings, secret, now=now)[CONTEXT], secret)
        yield embedded_web
        return
    try:
        listening_socket, secret = web_app.prepare(settings, settings.database_url)
    except WebUnavailable as error:
        if settings.public_url:
            raise
        log.warning("web.unavailable", error=error.reason)
        yield embedded_web
        return
    with listening_socket:
        port = listening_socket.getsockname()[1]
        web_application = web_app.build(
            database,
            settings,
            secret,
            port=port,
            now=now,
            announce=embedded_web.announce,
            discord_connector=connector,
            has_computer=lambda: can_work(worker),
        )
        watch_website(monitor, web_application[CONTEXT])
        embedded_web.link_to(web_application[CONTEXT], secret)
        async with (
            clock_heartbeats(web_application[CONTEXT]),
            web_app.serve(web_application, listening_socket),
        ):
            yield embedded_web


async def run(client: Rayuela, settings: Settings, stop: asyncio.Event, embedded_web: EmbeddedWeb) -> None:
    """Run the client, the outbox and the heartbeat until `stop` is set; then shut down."""
    async with client:
        connection = asyncio.create_task(client.start(settings.discord_token))
        outbox = asyncio.create_task(_run_when_ready(client, settings, stop, embedded_web))
        stopped = asyncio.create_task(stop.wait())
        await asyncio.wait({connection, stopped}, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping")
        await client.close()
        if stop.is_set():
            connection.cancel()  # discord.py does not end it while shards are still to be connected
        stop.set()
        outbox.cancel()
        await asyncio.wait({outbox, stopped, connection})
        if not connection.cancelled():
            await connection
    log.info("stopped")


async def _run_when_ready(
    client: Rayuela, settings: Settings, stop: asyncio.Event, embedded_web: EmbeddedWeb
) -> None:
    await client.is_prepared.wait()
    embedded_web.set_application(client.application_id)
    await client.outbox.run(stop, lambda: _touch_heartbeat(client, settings))


def _touch_heartbeat(client: Rayuela, settings: Settings) -> None:
    """Record that the process is healthy; called when the database has answered."""
    if client.is_online:
        touch_heartbeat(settings.health_file)
        log.debug("alive")
