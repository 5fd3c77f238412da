"""The client: one connection to Discord, and the parts of the front end that it takes in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import discord
import structlog
from discord import app_commands

from bot.in_flight import InFlight
from bot.outbox.sender import Outbox
from bot.outbox.threads import ThreadManager
from bot.posts.announcement_posts import AnnouncementRenderer
from bot.posts.board_posts import BoardPostFactory
from bot.ui import modals
from bot.ui.interactions import handle_interaction, reply_ephemeral
from matches import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    import aiohttp

    from bot.feature import FeatureFactory
    from bot.features.web_links import SeatLinks
    from engine.game import Game
    from i18n import Texts
    from matches import Matches

log = structlog.stdlib.get_logger(__name__)

Interaction: TypeAlias = "discord.Interaction[Rayuela]"

# An interaction dies after three seconds; an answer that takes longer is left to the outbox.
RESPONSE_TIMEOUT = 2.5
# A post that the outbox sends may wait for Discord longer.
SEND_TIMEOUT = 30.0
# discord.py calls itself ready when no server has been announced for so long; nothing here needs their list.
GUILD_READY_TIMEOUT = 0.2
# How long a shutdown waits for the turns in hand.
SHUTDOWN_TIMEOUT = 10


class CommandTree(app_commands.CommandTree["Rayuela"]):
    """The commands, used in servers only where nothing else is said of one."""

    def __init__(self, client: Rayuela) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=False, private_channel=False
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """Tell that Discord still shows commands of another version; commands handle all else themselves."""
        log.warning("command.mismatch", error=repr(error))
        await reply_ephemeral(interaction, interaction.client.texts("error.outdated_command"))


class Rayuela(discord.Client):
    """The bot. It keeps nothing of a match: all of that is in `matches` and in the buttons' ids.

    `now` gives the present time, aware. `response_timeout` bounds in seconds how long an answer may take to
    reach Discord, `send_timeout` how long a post of the outbox. `seat_links` lead to the table in a browser,
    where people can reach that.
    """

    def __init__(
        self,
        *,
        matches: Matches,
        games: Mapping[str, Game],
        texts: Texts,
        feature_factories: Iterable[FeatureFactory],
        now: Callable[[], datetime],
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
        self.now = now
        self.response_timeout = response_timeout
        self.seat_links = seat_links
        self.in_flight = InFlight()
        self.connected = False
        self._features = tuple(make(texts, games) for make in feature_factories)
        self.board_posts = BoardPostFactory(
            texts,
            games,
            board_buttons=tuple(one for part in self._features for one in part.board_buttons),
            private_buttons=tuple(one for part in self._features for one in part.private_buttons),
            result_buttons=tuple(one for part in self._features for one in part.result_buttons),
        )
        self.announcement_renderer = AnnouncementRenderer(self.board_posts, matches, now)
        self.threads = ThreadManager(self, request_timeout=send_timeout)
        self.replay_buttons = tuple(one for part in self._features for one in part.replay_buttons)
        self.periodic_tasks = tuple(one for part in self._features for one in part.periodic_tasks)
        self.outbox = Outbox(self, send_timeout=send_timeout)
        self.tree = CommandTree(self)
        self._modal_handlers = {
            name: form for part in self._features for name, form in part.modal_handlers.items()
        }
        dynamic_items = (item for part in self._features for item in part.items)
        self._id_templates = tuple(item.__discord_ui_compiled_template__ for item in dynamic_items)

    async def setup_hook(self) -> None:
        """Take in the parts and tell Discord the commands."""
        for feature in self._features:
            for command in feature.commands:
                self.tree.add_command(command)
            self.add_dynamic_items(*feature.items)
        await self.tree.sync()
        await self._record_heartbeat()

    async def close(self) -> None:
        """Finish the turns in hand, taking no new ones, and leave Discord."""
        if not await self.in_flight.drain(SHUTDOWN_TIMEOUT):
            log.warning("unfinished")
        await super().close()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Pass an event on; discord.py has no loop left for those that come while it is closed."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer a submitted form; commands and buttons are found by discord.py itself.

        A form or button that no part knows is of another version; that is told.
        """
        log.debug("interaction", kind=interaction.type.name, interaction=interaction.id)
        handler = self._modal_handlers.get(modals.id_name(interaction))
        if interaction.type is discord.InteractionType.modal_submit and handler is not None:
            await handle_interaction(interaction, lambda: handler(interaction))
        elif interaction.custom_id is not None and not self._is_known_id(interaction.custom_id):
            await handle_interaction(
                interaction, lambda: reply_ephemeral(interaction, self.texts("error.unknown_component"))
            )

    def _is_known_id(self, custom_id: str) -> bool:
        return any(template.fullmatch(custom_id) for template in self._id_templates)

    async def on_connect(self) -> None:
        """Note that Discord is there."""
        await self._mark_connected()

    async def on_ready(self) -> None:
        """Say so."""
        log.info("ready", servers=len(self.guilds))

    async def on_resumed(self) -> None:
        """Note that Discord is there again."""
        await self._mark_connected()

    async def on_disconnect(self) -> None:
        """Note that Discord is gone for now; discord.py reconnects by itself."""
        self.connected = False

    async def _mark_connected(self) -> None:
        """Note it, and give back the time for which nobody could reach us, before anybody acts."""
        self.connected = True
        await self._record_heartbeat()

    async def _record_heartbeat(self) -> None:
        try:
            await self.matches.clocks.heartbeat(now=self.now())
        except StorageUnavailable as error:
            log.warning("beat.failed", error=str(error))

    async def on_error(self, event: str, /, *_args: Any, **_kwargs: Any) -> None:
        """Log what an event brought about; nobody waits for it."""
        log.exception("event.failed", name=event)  # noqa: LOG004 - discord.py calls this where it caught the error
