"""Requests written byte by byte to a socket, for what no HTTP client would send."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tests.discord_server.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from web.context import WebContext

FORM = "application/x-www-form-urlencoded"


@dataclass(slots=True)
class RawConnection:
    """One connection to a website; `host` is the value of its Host header."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    host: str

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(data)

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> None:
        """Send a request; header values may contain any Latin-1 character but line ends."""
        lines = {"Host": self.host, "Sec-Fetch-Site": "same-origin", **(headers or {})}
        if body is not None:
            lines.setdefault("Content-Length", str(len(body)))
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self.send(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + (body or b""))

    async def read_head(self) -> tuple[int, str]:
        """Return status and head of the next response."""
        async with asyncio.timeout(PATIENCE):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        return int(head.split(" ", 2)[1]), head

    async def read_all(self) -> bytes:
        """Return everything until the server closes the connection."""
        async with asyncio.timeout(PATIENCE):
            return await self.reader.read()

    async def wait_for_end(self) -> None:
        """Wait until the server closes the connection, also by a reset."""
        try:
            await self.read_all()
        except ConnectionError:
            return

    def pause_reading(self) -> None:
        """Stop reading what the server sends."""
        transport = self.writer.transport
        assert isinstance(transport, asyncio.Transport)
        transport.pause_reading()

    def close(self) -> None:
        """Close the connection."""
        self.writer.close()


@asynccontextmanager
async def raw_connection(base: str, local: str | None = None) -> AsyncIterator[RawConnection]:
    """Open a connection to the website at `base`, from the loopback address `local`."""
    parts = urlsplit(base)
    reader, writer = await asyncio.open_connection(
        parts.hostname, parts.port, local_addr=None if local is None else (local, 0)
    )
    try:
        yield RawConnection(reader, writer, parts.netloc)
    finally:
        writer.close()


async def send_raw(
    base: str, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[int, str]:
    """Send one request on a connection of its own; return status and text of the response."""
    async with raw_connection(base) as connection:
        connection.request(method, path, body, {"Connection": "close", **(headers or {})})
        answer = (await connection.read_all()).decode("utf-8", "replace")
    return int(answer.split(" ", 2)[1]), answer


async def wait_until_open(context: WebContext, count: int) -> None:
    """Wait until the website counts so many connections."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if len(context.connection_limiter) == count:
                return
            await asyncio.sleep(0.01)
