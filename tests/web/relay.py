"""A TCP proxy between a browser and the website whose connections can be interrupted."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from types import TracebackType


class Relay:
    """Forwards connections to an address. While disconnected, it refuses connections.

    Everything arrives `delay` seconds late, in both directions; the delay may grow at any time.
    """

    def __init__(self, address: str, delay: float = 0) -> None:
        self.delay = delay
        parts = urlsplit(address)
        self._host, self._port = str(parts.hostname), int(parts.port or 80)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self.base = ""

    async def __aenter__(self) -> Self:
        await self._listen(0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.disconnect()

    async def disconnect(self) -> None:
        """Close every connection and stop listening."""
        if self._server is not None:
            self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def reconnect(self) -> None:
        """Listen again at the same address."""
        await self._listen(int(self.base.rpartition(":")[2]))

    async def _listen(self, port: int) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", port)
        self.base = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        far_reader, far_writer = await asyncio.open_connection(self._host, self._port)
        self._writers |= {writer, far_writer}
        try:
            await asyncio.gather(self._forward(reader, far_writer), self._forward(far_reader, writer))
        finally:
            self._tasks.discard(task)
            self._writers -= {writer, far_writer}
            for one in (writer, far_writer):
                one.close()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                loop.call_later(self.delay, writer.write, data)
            await asyncio.sleep(self.delay)
            writer.write_eof()
