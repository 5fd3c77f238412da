"""A forward proxy (HTTP CONNECT) whose whole world is one loopback Discord.

With it an unmodified `python -m bot` in a process of its own reaches the test server as an operator
behind a company proxy reaches Discord: DISCORD_PROXY names the proxy, SSL_CERT_FILE the
authority to trust.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Self

from tests.discord_connector import HOSTS

if TYPE_CHECKING:
    from types import TracebackType

CHUNK = 64 * 1024


class Proxy:
    """Listens on 127.0.0.1 and joins CONNECT requests for Discord's names to `port`; others get 403."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._server: asyncio.Server | None = None
        self._tunnels: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Where the proxy listens."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for tunnel in list(self._tunnels):
            tunnel.cancel()
        await asyncio.gather(*self._tunnels, return_exceptions=True)
        await self._server.wait_closed()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tunnel = asyncio.current_task()
        assert tunnel is not None
        self._tunnels.add(tunnel)
        try:
            await self._join(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass  # either end may hang up whenever it likes
        finally:
            self._tunnels.discard(tunnel)
            writer.close()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = request.decode("ascii", "replace").split(" ", 2)
        if method != "CONNECT" or target.rpartition(":")[0] not in HOSTS:
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            return
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            await asyncio.gather(_copy(reader, inner_writer), _copy(inner_reader, writer))
        finally:
            inner_writer.close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(CHUNK):
        target.write(data)
        await target.drain()
    with contextlib.suppress(OSError):
        target.write_eof()
