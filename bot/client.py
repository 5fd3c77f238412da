"""The Discord client: assembles features, posts and the outbox, and dispatches interactions."""

from __future__ import annotations

import logging
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import discord
import structlog
from discord import app_commands

from bot.context import BotClient, InFlight
from bot.outbox.sender import Outbox
from bot.posts.announcement_posts import AnnouncementRenderer
from bot.posts.board_posts import BoardPostFactory
from bot.ui import modals
from bot.ui.interactions import handle_interaction, is_already_answered, reply_ephemeral
from matches import StorageUnavailable
from rules.content import RuleBooks, default_rule_books

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    import aiohttp

    from bot.context import Interaction, SeatLinks
    from bot.feature import Feature
    from bot.outbox.lost_places import LostPlaces
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
    """The bot. It holds no state of a match: that is in `matches` and in the custom_ids of components.

    `now` returns the current time, aware. `response_timeout` bounds how many seconds an answer may take to
    reach Discord, `send_timeout` the same for a post of the outbox. `seat_links` lead to the website if it
    has a public address.
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
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            guild_ready_timeout=GUILD_READY_TIMEOUT,
            connector=connector,
            proxy=proxy,
        )
        self.matches = matches
        self.games = games
        self.texts = texts
        self.rule_books = default_rule_books() if rule_books is None else rule_books
        self.now = now
        self.response_timeout = response_timeout
        self.seat_links = seat_links
        self.in_flight = InFlight()
        self.connected = False
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
            guide_buttons=_join(one.guide_buttons for one in features),
        )
        self.board_posts = board_posts
        self.announcement_renderer = AnnouncementRenderer(
            self,
            board_posts,
            builders=dict(_join(one.announcement_posts.items() for one in features)),
            result_notes=_join(one.result_notes for one in features),
            build_challenge_post=next(one.challenge_post for one in features if one.challenge_post),
            build_closing_post=next(one.closing_post for one in features if one.closing_post),
        )
        self.replay_buttons = _join(one.replay_buttons for one in features)
        self.outbox = Outbox(
            self,
            follower_messages=next(
                (one.follower_messages for one in features if one.follower_messages), None
            ),
            periodic_tasks=_join(one.periodic_tasks for one in features),
            send_timeout=send_timeout,
        )
        self.lost_places = self.outbox.lost_places
        self._modal_handlers = dict(_join(one.modal_handlers.items() for one in features))
        self._id_templates = tuple(
            item.__discord_ui_compiled_template__ for item in _join(one.items for one in features)
        )

    async def setup_hook(self) -> None:
        """Register the features and upload the slash commands."""
        for feature in self._features:
            for command in feature.commands:
                self.tree.add_command(command)
            self.add_dynamic_items(*feature.items)
        await self.tree.sync()
        await self._record_heartbeat()

    async def close(self) -> None:
        """Refuse new interactions, finish those being answered, and disconnect."""
        if not await self.in_flight.drain(SHUTDOWN_TIMEOUT):
            log.warning("unfinished")
        await self.outbox.cancel()
        await super().close()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event unless the client is closed: discord.py has no event loop then."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

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

    async def on_connect(self) -> None:
        """Record that the gateway is connected."""
        await self._mark_connected()

    async def on_ready(self) -> None:
        """Log it."""
        log.info("ready", servers=len(self.guilds))
        with self.in_flight.track():
            await self.lost_places.check_channels()

    async def on_guild_join(self, _guild: discord.Guild) -> None:
        """Resume what waited for the server."""
        with self.in_flight.track():
            await self.lost_places.server_joined()

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Look for channels that were deleted while the server was not available."""
        with self.in_flight.track():
            await self.lost_places.check_channels(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Move the matches of a server that removed the bot."""
        with self.in_flight.track():
            await self.lost_places.server_lost(guild)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Move the matches of a deleted channel."""
        with self.in_flight.track():
            await self.lost_places.channel_deleted(channel)

    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        """Move the matches of a deleted thread."""
        with self.in_flight.track():
            await self.lost_places.thread_deleted(event)

    async def on_resumed(self) -> None:
        """Record that the gateway is connected again."""
        await self._mark_connected()

    async def on_disconnect(self) -> None:
        """Record that the gateway is disconnected; discord.py reconnects by itself."""
        self.connected = False

    async def _mark_connected(self) -> None:
        """Credit players with the time for which the bot was unreachable, before anybody can act."""
        self.connected = True
        await self._record_heartbeat()

    async def _record_heartbeat(self) -> None:
        try:
            await self.matches.clocks.heartbeat(now=self.now())
        except StorageUnavailable as error:
            log.warning("beat.failed", error=str(error))

    async def on_error(self, event: str, /, *_args: Any, **_kwargs: Any) -> None:
        """Log an exception in an event handler; there is no interaction to answer."""
        log.exception("event.failed", name=event)  # noqa: LOG004 - discord.py calls this where it caught the error


def _join(groups: Iterable[Iterable[T]]) -> tuple[T, ...]:
    """Return the elements of all groups, in order."""
    return tuple(chain.from_iterable(groups))
