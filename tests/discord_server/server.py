"""The loopback Discord itself: REST, gateway and CDN on one port of 127.0.0.1."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from aiohttp import web

from tests.discord_server import (
    routes_application,
    routes_channels,
    routes_interactions,
    routes_messages,
    schema,
)
from tests.discord_server.certificates import Certificates, certificates
from tests.discord_server.connector import connector_for
from tests.discord_server.faults import Faults
from tests.discord_server.gateway import Gateway
from tests.discord_server.handles import GUILDS, Guild
from tests.discord_server.rest import LoggedRequest, Rest
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
)


class SchemaViolations(AssertionError):  # noqa: N818 - it is what happened
    """Requests or answers did not agree with Discord's description."""


class DiscordServer:
    """A Discord on loopback; `async with DiscordServer() as discord`.

    With `check` every request and answer is checked against Discord's description where that is at hand, and
    the context raises `SchemaViolations` at its end if anything did not agree. `settings` may be changed
    at any time. `clock` is another than one that goes with real time.
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
        """What did not agree with Discord's description; clear it if a test means it so."""
        return self._rest.violations

    @property
    def commands(self) -> list[Json]:
        """The commands that the bot has registered for everywhere."""
        return self.world.commands.commands_of()

    @property
    def posts(self) -> list[Message]:
        """What the bot has posted for all to read, oldest first, in whatever channel."""
        every = [one for channel in self.world.channels.values() for one in channel.messages]
        mine = [
            one for one in every if one.author is self.world.bot and not one.ephemeral and not one.deleted
        ]
        return sorted(mine, key=lambda one: one.id)

    @property
    def ca_file(self) -> Path:
        """A PEM file of the authority to trust, for `connector_for` in another process."""
        if self._folder is None:
            raise RuntimeError("the server is not running")
        return Path(self._folder.name) / "authority.pem"

    def connector(self) -> aiohttp.TCPConnector:
        """Return a connector for `discord.Client(connector=...)`; call it inside the running loop."""
        return connector_for(self.port, self.ca_file)

    def guild(self, name: str, *, bot: bool = True) -> Guild:
        """Open a guild, with the bot in it or without."""
        state = self.world.new_guild(name, bot=bot)
        if bot:
            self.world.dispatch("GUILD_CREATE", state.create_event(self.world.bot), GUILDS)
        return Guild(self.world, state)

    def advance(self, seconds: float) -> None:
        """Move Discord's clock on: what falls due by that (an interaction's deadline) happens at once."""
        self.world.clock.advance(seconds)

    async def wait_until(self, predicate: Callable[[], T], *, seconds: float = 5.0, what: str = "") -> T:
        """Return the predicate's first true value; it is asked again whenever anything has happened here."""
        return await self.world.changed.until(predicate, seconds, what or repr(predicate))

    async def wait_until_connected(self, *, seconds: float = 10.0) -> None:
        """Wait until the bot's gateway session stands; interactions reach it from then on."""
        await self.wait_until(lambda: self.gateway.is_connected, seconds=seconds, what="the bot to connect")

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=100 * 1024 * 1024)
        self._rest.install(app, ROUTES)
        app.router.add_routes([routes_messages.cdn(self.world)])
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
