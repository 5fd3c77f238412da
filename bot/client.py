"""The Discord client: assembles features, posts and the outbox, and dispatches interactions."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import discord
import structlog
from discord import app_commands
from discord.shard import EventType

from bot.context import BotClient, InFlight
from bot.features.challenge.feature import build_challenge_post, build_closing_post
from bot.features.following.messages import build_follower_post, unfollow_refused
from bot.features.ratings.feature import format_result_note
from bot.identify import IDENTIFY_INTERVAL, IdentifyQueue
from bot.monitoring import trace_requests
from bot.outbox.direct_messages import FollowerMessages
from bot.outbox.pace import RequestPace
from bot.outbox.sender import Outbox
from bot.posts.announcement_posts import AnnouncementRenderer
from bot.posts.board_posts import BoardPostFactory
from bot.shard_range import ShardRange
from bot.shards import GatewayState
from bot.ui import modals
from bot.ui.interactions import (
    DELIVERY_ERRORS,
    handle_interaction,
    is_already_answered,
    reply_ephemeral,
)
from bot.ui.languages import LanguageFinder
from bot.ui.markdown import DISCORD
from bot.ui.translator import build_payloads
from i18n.plurals import ENGLISH
from i18n.translations import list_languages
from matches import StorageUnavailable
from rules.content import RuleBooks, default_rule_books
from runtime.role import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    import aiohttp
    from discord.shard import EventItem

    from bot.context import Interaction, SeatLinks
    from bot.feature import Feature
    from bot.outbox.lost_places import LostPlaces
    from bot.ui.commands import AnyCommand
    from engine.game import Game
    from i18n import Texts
    from matches import Matches

T = TypeVar("T")

log = structlog.stdlib.get_logger(__name__)

# Discord drops an interaction after three seconds; what takes longer is left to the outbox.
RESPONSE_TIMEOUT = 2.5
# A post that the outbox sends has no such deadline.
SEND_TIMEOUT = 30.0
# discord.py reports ready when no server was announced for this long; the bot does not need their list.
GUILD_READY_TIMEOUT = 0.2
# How long a shutdown waits for interactions that are being answered.
SHUTDOWN_TIMEOUT = 10
# How long one process may take to upload the commands before another one tries.
UPLOAD_TIMEOUT = timedelta(minutes=1)
# Seconds between two attempts to log in: doubled each time.
FIRST_LOGIN_PAUSE, LONGEST_LOGIN_PAUSE = 1.0, 60.0
SERVER_ERROR, RATE_LIMITED = 500, 429  # statuses; those from SERVER_ERROR on are temporary too


def is_temporary(error: BaseException) -> bool:
    """Return whether a failed request to Discord may succeed later: no connection, an error of Discord's."""
    if isinstance(error, discord.GatewayNotFound) and error.__cause__ is not None:
        error = error.__cause__
    if not isinstance(error, discord.HTTPException):
        return True
    return error.status >= SERVER_ERROR or error.status == RATE_LIMITED


def _is_news(record: logging.LogRecord) -> bool:
    """Return False for a completion that another process with the same token has answered."""
    return not (record.exc_info and is_already_answered(record.exc_info[1]))


logging.getLogger("discord.app_commands.tree").addFilter(_is_news)


class CommandTree(app_commands.CommandTree["Rayuela"]):
    """The slash commands. A command works only in servers unless it says otherwise."""

    def __init__(self, client: Rayuela) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=False, private_channel=False
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Reply that Discord still shows another version's commands; all other errors are handled earlier."""
        log.warning("command.mismatch", error=repr(error))
        await reply_ephemeral(interaction, interaction.client.texts("error.outdated_command"))


class Rayuela(BotClient):
    """The bot. It holds no state of a match: that is in the database and in the custom_ids of components.

    `now` returns the current time, aware. `response_timeout` bounds how many seconds an answer may take to
    reach Discord, `send_timeout` the same for a post of the outbox. `seat_links` lead to the website if it
    has a public address. `role` is what this process does. `shards` are those of this process, None for all
    that Discord recommends; `identify_interval` is the time between two sessions that are opened. `pace`
    spreads its requests, by default as Discord demands it.
    """

    outbox: Outbox
    lost_places: LostPlaces

    def __init__(
        self,
        *,
        matches: Matches,
        games: Mapping[str, Game],
        texts: Texts,
        features: Iterable[Feature],
        now: Callable[[], datetime],
        rule_books: RuleBooks | None = None,
        connector: aiohttp.BaseConnector | None = None,
        proxy: str | None = None,
        response_timeout: float = RESPONSE_TIMEOUT,
        send_timeout: float = SEND_TIMEOUT,
        seat_links: SeatLinks | None = None,
        role: Role = Role.ALL,
        shards: ShardRange | None = None,
        identify_interval: timedelta = IDENTIFY_INTERVAL,
        pace: RequestPace | None = None,
    ) -> None:
        pace = RequestPace() if pace is None else pace
        # The bot has no use for voice, so it need not warn that the libraries for it are missing.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            guild_ready_timeout=GUILD_READY_TIMEOUT,
            connector=connector,
            proxy=proxy,
            http_trace=trace_requests(matches.metrics, pace),
        )
        self.pace = pace
        self.matches = matches
        self.games = games
        self.texts = texts = texts.with_writer(DISCORD)
        self.languages = LanguageFinder(self)
        self.rule_books = default_rule_books() if rule_books is None else rule_books
        self.now = now
        self.response_timeout = response_timeout
        self.seat_links = seat_links
        self.in_flight = InFlight()
        self.role = role
        self._shards = shards
        self.gateway = GatewayState()
        # Set when the first shard is ready, or after a login without shards.
        self.is_prepared = asyncio.Event()
        self._closed = asyncio.Event()
        self._identify_queue = IdentifyQueue(
            matches.work.leases, identify_interval, self.fetch_session_start_limits
        )
        self._launched: set[discord.shard.Shard] = set()
        self._reserving: set[asyncio.Task[None]] = set()
        self.tree = CommandTree(self)
        features = self._features = tuple(features)
        board_posts = BoardPostFactory(
            texts,
            games,
            board_buttons=_join(one.board_buttons for one in features),
            choice_buttons=_join(one.choice_buttons for one in features),
            result_buttons=_join(one.result_buttons for one in features),
            finished_match_buttons=_join(one.finished_match_buttons for one in features),
            private_buttons=_join(one.private_buttons for one in features),
            metrics=matches.metrics,
            turn_buttons=_join(one.turn_buttons for one in features),
            guide_buttons=_join(one.guide_buttons for one in features),
        )
        self.board_posts = board_posts
        self.announcement_renderer = AnnouncementRenderer(
            self,
            board_posts,
            builders=dict(_join(one.announcement_posts.items() for one in features)),
            tournament_builders=_join(one.tournament_posts for one in features),
            private_builders=dict(_join(one.private_posts.items() for one in features)),
            format_result_note=format_result_note,
            build_challenge_post=build_challenge_post,
            build_closing_post=build_closing_post,
        )
        self.replay_buttons = _join(one.replay_buttons for one in features)
        self.outbox = Outbox(
            self,
            follower_messages=FollowerMessages(build_follower_post, unfollow_refused),
            periodic_tasks=_join(one.periodic_tasks for one in features),
            send_timeout=send_timeout,
        )
        self.lost_places = self.outbox.lost_places
        self.open_channels = self.outbox.open_channels
        self._modal_handlers = dict(_join(one.modal_handlers.items() for one in features))
        self._id_templates = tuple(
            item.__discord_ui_compiled_template__ for item in _join(one.items for one in features)
        )

    async def login(self, token: str) -> None:
        """Log in. While Discord cannot be reached, or fails, try again, with longer and longer pauses.

        Raises discord.LoginFailure for a token that Discord refuses, discord.HTTPException for other
        refusals, StorageUnavailable.
        """
        pause = FIRST_LOGIN_PAUSE
        while True:
            try:
                await super().login(token)
            except (discord.GatewayNotFound, *DELIVERY_ERRORS) as error:
                if not is_temporary(error):
                    raise
                log.warning("login.failed", error=str(error) or repr(error), retry_seconds=pause)
            else:
                return
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_LOGIN_PAUSE)
            # The next attempt opens another session, over the same connector.
            self.http._HTTPClient__session.detach()  # type: ignore[attr-defined] # noqa: SLF001

    async def setup_hook(self) -> None:
        """Register the features, upload the slash commands if they changed, and ask for the shards.

        Without the gateway nothing of that is needed.
        """
        await self.outbox.share_limit()
        if not self.role.has_gateway:
            return
        if not self.tree.get_commands():  # an earlier attempt may have done that
            for command in self._build_commands(ENGLISH):
                self.tree.add_command(command)
            for feature in self._features:
                self.add_dynamic_items(*feature.items)
        await self._upload_commands()
        await self._prepare_shards()

    async def _upload_commands(self) -> None:
        """Upload the slash commands, in one process and only if they are not what was uploaded last."""
        application = self.application_id
        assert application is not None  # noqa: S101 - it is known after the login
        payloads = build_payloads(
            {language: self._build_commands(language) for language in list_languages()}, self.tree
        )
        uploaded = await self.matches.work.leases.run_once(
            f"commands:{application}",
            json.dumps(payloads, sort_keys=True),
            lambda: self.http.bulk_upsert_global_commands(application, payloads),
            UPLOAD_TIMEOUT,
        )
        log.info("commands.uploaded" if uploaded else "commands.unchanged")

    def _build_commands(self, language: str) -> list[AnyCommand]:
        """Return the commands of all features with the texts of a language."""
        texts = self.texts.plain.in_language(language)
        return [build(texts, self.games) for feature in self._features for build in feature.commands]

    async def _prepare_shards(self) -> None:
        """Ask Discord how many shards there should be and how fast they may connect.

        Wait if Discord allows no more sessions today: opening one all the same would reset the bot's token.
        Raises discord.GatewayNotFound.
        """
        recommended, _, _ = await self.http.get_bot_gateway()
        shards = ShardRange(0, recommended - 1, recommended) if self._shards is None else self._shards
        self.shard_count, self.shard_ids = shards.count, list(shards.ids)
        self.gateway.count = shards.count
        await self._identify_queue.wait_for_sessions(len(shards.ids))

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect the shards; without the gateway only wait until the client is closed."""
        if self.role.has_gateway:
            await super().connect(reconnect=reconnect)
            return
        self.is_prepared.set()
        log.info("ready")
        await self._closed.wait()

    async def launch_shard(self, gateway: Any, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard when it is its turn."""
        await self._identify_queue.reserve(shard_id)
        await super().launch_shard(gateway, shard_id, initial=initial)
        launched = self.get_shard(shard_id)
        assert launched is not None  # noqa: S101 - it was just launched
        shard = launched._parent  # noqa: SLF001 - see _reserve_before_reconnects
        if shard not in self._launched:  # discord.py calls this method again if it could not connect
            self._launched.add(shard)
            self._reserve_before_reconnects(shard)

    def _reserve_before_reconnects(self, shard: discord.shard.Shard) -> None:
        """Have a shard wait for its turn also before it opens another session later.

        discord.py asks only once it is connected again (`before_identify_hook`), where it gives up after a
        minute and keeps all other shards from resuming.
        """
        put_now = shard._queue_put  # noqa: SLF001 - there is no other way

        async def put_later(event: EventItem) -> None:
            await self._identify_queue.reserve(shard.id)
            put_now(event)

        def put(event: EventItem) -> None:
            self.gateway.set_connected(shard.id, is_connected=False)
            if event.type not in {EventType.identify, EventType.reconnect}:
                put_now(event)
                return
            task = asyncio.create_task(put_later(event))
            self._reserving.add(task)
            task.add_done_callback(self._reserving.discard)

        shard._queue_put = put  # noqa: SLF001

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:  # noqa: ARG002 - not asked for
        """Wait until the shard may open a session."""
        await self._identify_queue.confirm(shard_id or 0)

    async def close(self) -> None:
        """Disconnect, finish the interactions that were received, and close.

        Discord delivers nothing to a shard that is disconnected, so another process that has it already
        answers alone from then on.
        """
        for task in self._reserving:
            task.cancel()
        await asyncio.gather(*(shard.disconnect() for shard in self.shards.values()))
        if not await self.in_flight.drain(SHUTDOWN_TIMEOUT):
            log.warning("unfinished")
        await self.outbox.cancel()
        await super().close()
        self._closed.set()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event unless the client is closed: discord.py has no event loop then."""
        if event == "shard_connect":
            self._forget_servers(*args)
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    def _forget_servers(self, shard_id: int) -> None:
        """Forget the servers of a shard that has a new session and did not name them: they removed the bot.

        discord.py does this for a client without shards only.
        """
        for guild in self.guilds:
            if guild.shard_id == shard_id and not guild.unavailable:
                self._connection._remove_guild(guild)  # noqa: SLF001 - there is no other way

    async def on_interaction(self, interaction: Interaction) -> None:
        """Handle a submitted modal; discord.py itself dispatches commands and components.

        Reply to a modal or component that no feature knows: it comes from another version.
        """
        log.debug("interaction", kind=interaction.type.name, interaction=interaction.id)
        if interaction.custom_id is None:
            return
        handler = self._modal_handlers.get(modals.id_name(interaction))
        if interaction.type is discord.InteractionType.modal_submit and handler is not None:
            await handle_interaction(interaction, lambda: handler(interaction))
        elif not self._is_known_id(interaction.custom_id):
            await handle_interaction(
                interaction, lambda: reply_ephemeral(interaction, self.texts("error.unknown_component"))
            )

    def _is_known_id(self, custom_id: str) -> bool:
        return any(template.fullmatch(custom_id) for template in self._id_templates)

    async def on_ready(self) -> None:
        """Log that every shard is ready."""
        log.info("ready", servers=len(self.guilds), shards=len(self.gateway.shards))

    async def on_shard_ready(self, shard_id: int) -> None:
        """Look for servers that were lost while the shard was not connected."""
        self.is_prepared.set()
        with self.in_flight.track():
            await self.open_channels.record(*(one for one in self.guilds if one.shard_id == shard_id))
            await self.lost_places.check_servers(shard_id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Resume what waited for the server."""
        with self.in_flight.track():
            await self.open_channels.record(guild)
            await self.lost_places.server_joined(guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Look for what was lost, or has come back, while the server was not available."""
        with self.in_flight.track():
            await self.open_channels.record(guild)
            await self.lost_places.check_channels(guild)
            await self.lost_places.bring_back(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Move the matches of a server that removed the bot."""
        with self.in_flight.track():
            await self.lost_places.server_lost(guild)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Move the matches of a deleted channel."""
        with self.in_flight.track():
            await self.lost_places.channel_deleted(channel)
            await self.open_channels.record(channel.guild)

    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """Record whether everybody can see a new channel."""
        with self.in_flight.track():
            await self.open_channels.record(channel.guild)

    async def on_guild_channel_update(
        self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Record whether everybody can still see a channel."""
        with self.in_flight.track():
            await self.open_channels.record(after.guild)

    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """Record which channels everybody can see if that has changed for all of them."""
        if after.is_default():
            with self.in_flight.track():
                await self.open_channels.record(after.guild)

    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """Move the matches of a deleted thread."""
        with self.in_flight.track():
            await self.lost_places.thread_deleted(event)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Record that a shard is disconnected; discord.py reconnects by itself."""
        self.gateway.set_connected(shard_id, is_connected=False)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Credit players with the time for which a shard was unreachable, before anybody can act."""
        self.gateway.set_connected(shard_id, is_connected=True)
        try:
            await self.matches.clocks.heartbeat(self.now(), self.gateway.coverage())
        except StorageUnavailable as error:
            log.warning("beat.failed", error=str(error))

    on_shard_resumed = on_shard_connect

    async def on_error(self, event: str, /, *_args: Any, **_kwargs: Any) -> None:
        """Log an exception in an event handler; there is no interaction to answer.

        What it would have stored about lost places is looked for when the database is there again.
        """
        error = sys.exception()
        if isinstance(error, StorageUnavailable):
            log.warning("event.storage", name=event, error=str(error))
            self.lost_places.check_again()
        else:
            log.exception("event.failed", name=event)  # noqa: LOG004 - discord.py calls this where it caught the error


def _join(groups: Iterable[Iterable[T]]) -> tuple[T, ...]:
    """Return the elements of all groups, in order."""
    return tuple(chain.from_iterable(groups))
