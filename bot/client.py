"""The client: one connection to Discord, and the parts of the front end that it takes in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import discord
import structlog
from discord import app_commands

from bot import forms
from bot.announcer import Announcer
from bot.answers import attend, tell
from bot.desk import Desk
from bot.hands import Hands
from bot.outbox import Outbox
from bot.threads import Threads
from matches import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    import aiohttp

    from bot.parts import Maker
    from bot.table import Doors
    from engine.game import Game
    from matches import Matches
    from words import Words

log = structlog.stdlib.get_logger(__name__)

Interaction: TypeAlias = "discord.Interaction[Rayuela]"

# An interaction dies after three seconds; an answer that takes longer is left to the outbox.
PATIENCE = 2.5
# A post that the outbox sends may wait for Discord longer.
SENDING = 30.0
# discord.py calls itself ready when no server has been announced for so long; nothing here needs their list.
GUILDS_WAIT = 0.2
# How long a shutdown waits for the turns in hand.
FINISH_SECONDS = 10


class Tree(app_commands.CommandTree["Rayuela"]):
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
        await tell(interaction, interaction.client.words("trouble.outdated"))


class Rayuela(discord.Client):
    """The bot. It keeps nothing of a match: all of that is in `matches` and in the buttons' ids.

    `now` gives the present time, aware. `patience` bounds in seconds how long an answer may take
    to reach Discord, `sending` how long a post of the outbox. `doors` lead to the table in a browser, where
    people can reach that.
    """

    def __init__(
        self,
        *,
        matches: Matches,
        games: Mapping[str, Game],
        words: Words,
        makers: Iterable[Maker],
        now: Callable[[], datetime],
        connector: aiohttp.BaseConnector | None = None,
        proxy: str | None = None,
        patience: float = PATIENCE,
        sending: float = SENDING,
        doors: Doors | None = None,
    ) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            guild_ready_timeout=GUILDS_WAIT,
            connector=connector,
            proxy=proxy,
        )
        self.matches = matches
        self.games = games
        self.words = words
        self.now = now
        self.patience = patience
        self.doors = doors
        self.hands = Hands()
        self.connected = False
        self._parts = tuple(make(words, games) for make in makers)
        self.desk = Desk(
            words,
            games,
            on_board=tuple(one for part in self._parts for one in part.on_board),
            in_private=tuple(one for part in self._parts for one in part.in_private),
            at_end=tuple(one for part in self._parts for one in part.at_end),
        )
        self.announcer = Announcer(self.desk, matches, now)
        self.threads = Threads(self, patience=sending)
        self.on_page = tuple(one for part in self._parts for one in part.on_page)
        self.rounds = tuple(one for part in self._parts for one in part.rounds)
        self.outbox = Outbox(self, patience=sending)
        self.tree = Tree(self)
        self._forms = {name: form for part in self._parts for name, form in part.forms.items()}
        items = (item for part in self._parts for item in part.items)
        self._templates = tuple(item.__discord_ui_compiled_template__ for item in items)

    async def setup_hook(self) -> None:
        """Take in the parts and tell Discord the commands."""
        for part in self._parts:
            for command in part.commands:
                self.tree.add_command(command)
            self.add_dynamic_items(*part.items)
        await self.tree.sync()
        await self._beat()

    async def close(self) -> None:
        """Finish the turns in hand, taking no new ones, and leave Discord."""
        if not await self.hands.finish(FINISH_SECONDS):
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
        form = self._forms.get(forms.name(interaction))
        if interaction.type is discord.InteractionType.modal_submit and form is not None:
            await attend(interaction, lambda: form(interaction))
        elif interaction.custom_id is not None and not self._knows(interaction.custom_id):
            await attend(interaction, lambda: tell(interaction, self.words("trouble.unknown")))

    def _knows(self, custom_id: str) -> bool:
        return any(template.fullmatch(custom_id) for template in self._templates)

    async def on_connect(self) -> None:
        """Note that Discord is there."""
        await self._back()

    async def on_ready(self) -> None:
        """Say so."""
        log.info("ready", servers=len(self.guilds))

    async def on_resumed(self) -> None:
        """Note that Discord is there again."""
        await self._back()

    async def on_disconnect(self) -> None:
        """Note that Discord is gone for now; discord.py reconnects by itself."""
        self.connected = False

    async def _back(self) -> None:
        """Note it, and give back the time for which nobody could reach us, before anybody acts."""
        self.connected = True
        await self._beat()

    async def _beat(self) -> None:
        try:
            await self.matches.clocks.beat(now=self.now())
        except StorageUnavailable as error:
            log.warning("beat.failed", error=str(error))

    async def on_error(self, event: str, /, *_args: Any, **_kwargs: Any) -> None:
        """Log what an event brought about; nobody waits for it."""
        log.exception("event.failed", name=event)  # noqa: LOG004 - discord.py calls this where it caught the error
