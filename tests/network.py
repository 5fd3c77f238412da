"""A network that can be cut: a TCP proxy that then neither forwards nor closes anything."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

CHUNK = 64 * 1024


class Network:
    """Forwards connections to a port of 127.0.0.1 while it is not cut.

    While it is cut, bytes, ends and new connections wait, so neither side learns of it. Then they go through
    late, as TCP sends again what got lost; but connections that were forgotten stay silent for ever, as
    behind a firewall that has lost its table.
    """

    def __init__(self, port: int) -> None:
        self._far_port = port
        self._server: asyncio.Server | None = None
        self._connections: dict[asyncio.Task[None], asyncio.Event] = {}
        self._is_up = asyncio.Event()
        self._is_up.set()

    @property
    def port(self) -> int:
        """Where to connect."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """Let nothing through from now on."""
        self._is_up.clear()
        for is_open in self._connections.values():
            is_open.clear()

    def restore(self, is_known: Callable[[], bool] = lambda: True) -> None:
        """Let everything through again, except in connections for which `is_known` returns False."""
        self._is_up.set()
        for is_open in self._connections.values():
            if is_known():
                is_open.set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        try:
            await self._is_up.wait()
            is_open = self._connections[task] = asyncio.Event()
            is_open.set()
            with suppress(OSError):
                await self._join(reader, writer, is_open)
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            self._connections.pop(task, None)
            writer.close()

    async def _join(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_open: asyncio.Event
    ) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._far_port)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_forward(reader, far_writer, is_open))
                group.create_task(_forward(far_reader, writer, is_open))
        finally:
            far_writer.close()


async def _forward(
    source: asyncio.StreamReader, target: asyncio.StreamWriter, is_open: asyncio.Event
) -> None:
    """Forward bytes, and the end: an end without notice as one with notice."""
    with suppress(OSError):
        while data := await source.read(CHUNK):
            await is_open.wait()
            target.write(data)
            await target.drain()
    await is_open.wait()
    with suppress(OSError):
        target.write_eof()
