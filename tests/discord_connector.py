"""How a client, in this process or another, reaches the server under Discord's host names."""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

if TYPE_CHECKING:
    from pathlib import Path

HOSTS = ("discord.com", "gateway.discord.gg", "cdn.discordapp.com")


class LoopbackResolver(AbstractResolver):
    """Resolves Discord's three host names to 127.0.0.1 and the server's port; refuses every other name."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def resolve(
        self,
        host: str,
        port: int = 0,  # noqa: ARG002 - the caller's port is Discord's, not ours
        family: socket.AddressFamily = socket.AF_INET,
    ) -> list[ResolveResult]:
        if host not in HOSTS:
            raise OSError(f"{host}: the loopback Discord answers for {', '.join(HOSTS)} only")
        return [
            ResolveResult(
                hostname=host,
                host="127.0.0.1",
                port=self._port,
                family=family if family is not socket.AF_UNSPEC else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def close(self) -> None:
        """Do nothing: no resources are open."""


def connector_for(port: int, ca_file: str | Path) -> aiohttp.TCPConnector:
    """Return the connector for `discord.Client(connector=...)`; call it inside the running event loop.

    `port` and `ca_file` are those of a `DiscordServer`, which may run in another process.
    """
    context = ssl.create_default_context(cafile=str(ca_file))
    return aiohttp.TCPConnector(resolver=LoopbackResolver(port), ssl=context, limit=0)
