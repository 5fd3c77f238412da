"""The loopback Discord: REST API, gateway and CDN on one port of 127.0.0.1."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from aiohttp import web

from tests.discord_connector import connector_for
from tests.discord_server import (
    routes_application,
    routes_channels,
    routes_interactions,
    routes_messages,
    routes_oauth,
    schema,
)
from tests.discord_server.certificates import Certificates, certificates
from tests.discord_server.faults import Faults
from tests.discord_server.gateway import Gateway
from tests.discord_server.handles import GUILDS, Guild
from tests.discord_server.rest import LoggedRequest, Rest
from tests.discord_server.waiting import PATIENCE
from tests.discord_server.world import LoopbackSettings, World

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    import aiohttp

    from tests.discord_server.clock import DiscordClock
    from tests.discord_server.errors import Json
    from tests.discord_server.messages import Message

T = TypeVar("T")

ROUTES = (
    *routes_application.ROUTES,
    *routes_interactions.ROUTES,
    *routes_messages.ROUTES,
    *routes_channels.ROUTES,
    *routes_oauth.ROUTES,
)


class SchemaViolations(AssertionError):  # noqa: N818 - it is what happened
    """Requests or responses violated Discord's description."""


class DiscordServer:
    """A Discord on loopback; `async with DiscordServer() as discord`.

    With `check` every request and response is checked against Discord's description if it is available, and
    the context raises `SchemaViolations` at its end for any violation. `settings` may be changed at any time.
    `clock` replaces the clock that follows real time.
    """

    def __init__(
        self,
        *,
        settings: LoopbackSettings | None = None,
        bot_name: str = "Rayuela",
        check: bool = True,
        tls: Certificates | None = None,
        clock: DiscordClock | None = None,
    ) -> None:
        self.settings = settings or LoopbackSettings()
        self.world = World(self.settings, bot_name, clock)
        self.faults = Faults()
        self.gateway = Gateway(self.world)
        self.world.gateway = self.gateway
        self._tls = tls or certificates()
        self._rest = Rest(self.world, self.faults, schema.checker() if check else None)
        self._runner: web.AppRunner | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.port = 0

    @property
    def token(self) -> str:
        return self.settings.token

    @property
    def requests(self) -> list[LoggedRequest]:
        """Every request of the bot, oldest first."""
        return self._rest.requests

    @property
    def violations(self) -> list[str]:
        """Violations of Discord's description; a test that causes them on purpose clears the list."""
        return self._rest.violations

    @property
    def commands(self) -> list[Json]:
        """The bot's global commands."""
        return self.world.commands.commands_of()

    @property
    def posts(self) -> list[Message]:
        """The bot's public messages in all channels, oldest first."""
        every = [one for channel in self.world.channels.values() for one in channel.messages]
        mine = [
            one for one in every if one.author is self.world.bot and not one.ephemeral and not one.deleted
        ]
        return sorted(mine, key=lambda one: one.id)

    @property
    def ca_file(self) -> Path:
        """A PEM file of the certificate authority, for `connector_for` in another process."""
        if self._folder is None:
            raise RuntimeError("the server is not running")
        return Path(self._folder.name) / "authority.pem"

    def connector(self) -> aiohttp.TCPConnector:
        """Return a connector for `discord.Client(connector=...)`; call it inside the running event loop."""
        return connector_for(self.port, self.ca_file)

    def guild(self, name: str, *, bot: bool = True) -> Guild:
        """Create a guild, with or without the bot."""
        state = self.world.new_guild(name, bot=bot)
        if bot:
            self.world.dispatch("GUILD_CREATE", state.create_event(self.world.bot), GUILDS)
        return Guild(self.world, state)

    def advance(self, seconds: float) -> None:
        """Advance Discord's clock; due timers (an interaction's deadline) run immediately."""
        self.world.clock.advance(seconds)

    async def wait_until(self, predicate: Callable[[], T], *, seconds: float = PATIENCE, what: str = "") -> T:
        """Return the predicate's first true value; it is evaluated again after every event."""
        return await self.world.changed.until(predicate, seconds, what or repr(predicate))

    async def wait_until_connected(self) -> None:
        """Wait until the bot's gateway session is ready to receive interactions."""
        await self.wait_until(lambda: self.gateway.is_connected, what="the bot to connect")

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=100 * 1024 * 1024)
        self._rest.install(app, ROUTES)
        app.router.add_routes([routes_messages.cdn(self.world), *routes_oauth.pages(self.world)])
        app.router.add_get("/", self.gateway.handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self._tls.server_context)
        await site.start()
        self.port = int(self._runner.addresses[0][1])
        self._folder = tempfile.TemporaryDirectory(prefix="loopback-discord-")
        self.ca_file.write_bytes(self._tls.authority_pem)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.faults.clear()
        self.world.clock.stop()
        for interaction in self.world.interactions.values():
            interaction.expire()
        await self.gateway.stop()
        if self._runner is not None:
            await self._runner.cleanup()
        if self._folder is not None:
            self._folder.cleanup()
        if kind is None and self.violations:
            raise SchemaViolations("\n".join(self.violations))
