"""The open connections of the website: how many, for how long, and what is logged about them.

A website in the bot's process must leave descriptors for Discord and the database, so connections are counted
from the moment that they are accepted, before any request. A new connection beyond a limit replaces the one
that has been idle longest; if all are busy, it is closed.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import structlog
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from web.server.origins import Origins

log = structlog.stdlib.get_logger(__name__)

KEEPALIVE_SECONDS = 30  # without a whole request
LINGERING_SECONDS = 2  # for the rest of a body that nobody reads
STALLED_SECONDS = 30  # without accepting a byte of a response
SWEEP_SECONDS = 5
PARSE_ERRORS = (HttpProcessingError, web.RequestPayloadError)
PROTOCOL_SETTINGS: dict[str, Any] = {
    "access_log": None,
    "keepalive_timeout": KEEPALIVE_SECONDS,
    "lingering_time": LINGERING_SECONDS,
    "auto_decompress": False,
}


class ConnectionLimiter:
    """Allows `per_client` open connections for each client and `total` for all together.

    Behind a proxy all connections come from the proxy, so only `total` holds for them.
    """

    def __init__(self, *, total: int, per_client: int) -> None:
        self.total = total
        self.per_client = min(per_client, total)
        self._clients: dict[str, dict[Connection, None]] = {}
        self._idle: OrderedDict[Connection, None] = OrderedDict()  # the longest idle first
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Connection]:
        for connections in self._clients.values():
            yield from connections

    def add(self, connection: Connection, *, is_from_proxy: bool) -> bool:
        """Count a new connection, which may close an idle one; return False if there is no place for it."""
        own = self._clients.get(connection.client, {})
        if len(own) >= self.per_client and not is_from_proxy:
            victim = next((one for one in self._idle if one in own and not one.is_writing), None)
        elif self._count >= self.total:
            victim = next((one for one in self._idle if not one.is_writing), None)
        else:
            victim = connection
        if victim is None:
            return False
        if victim is not connection:
            self.remove(victim)
            victim.abort()
        self._clients.setdefault(connection.client, {})[connection] = None
        self._idle[connection] = None
        self._count += 1
        return True

    def remove(self, connection: Connection) -> None:
        """Stop counting a connection, if it is counted."""
        own = self._clients.get(connection.client, {})
        if connection not in own:
            return
        del own[connection]
        if not own:
            del self._clients[connection.client]
        self._idle.pop(connection, None)
        self._count -= 1

    def set_busy(self, connection: Connection, *, is_busy: bool) -> None:
        """Note that a connection begins or ends to handle a request."""
        self._idle.pop(connection, None)
        if not is_busy and connection in self._clients.get(connection.client, {}):
            self._idle[connection] = None

    async def close_stalled(self) -> None:
        """Close connections whose client has stopped reading. Call this every SWEEP_SECONDS."""
        now = asyncio.get_running_loop().time()
        for connection in tuple(self):
            if connection.is_stalled(now):
                connection.abort()


class Connection(web.RequestHandler):
    """One connection of a client, as aiohttp handles it, with our limits and without its log messages."""

    __slots__ = ("_limiter", "_on_lost", "_origins", "_tcp", "_unsent", "_unsent_since", "client")

    def __init__(
        self, server: web.Server, limiter: ConnectionLimiter, origins: Origins, **settings: Any
    ) -> None:
        super().__init__(server, loop=asyncio.get_running_loop(), **settings)
        self._limiter = limiter
        self._origins = origins
        self._tcp: asyncio.Transport | None = None
        self._on_lost: Callable[[], None] | None = None
        self._unsent, self._unsent_since = 0, 0.0
        self.client = ""

    @property
    def is_writing(self) -> bool:
        """Whether a part of a response has not been sent yet."""
        return self._tcp is not None and self._tcp.get_write_buffer_size() > 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to read requests, or close the connection if there are too many."""
        if not isinstance(transport, asyncio.Transport):
            raise TypeError(type(transport))
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) else ""
        self.client, self._tcp = self._origins.client_address(address, ()), transport
        if self._limiter.add(self, is_from_proxy=self._origins.is_proxy(address)):
            super().connection_made(transport)
        else:
            transport.abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        """Stop counting the connection, and tell the handler of its request."""
        self._limiter.remove(self)
        super().connection_lost(exc)
        self._tcp = None
        if self._on_lost is not None:
            self._on_lost()

    @contextmanager
    def handling(self) -> Iterator[None]:
        """Count as busy, not idle, while the block handles a request."""
        self._limiter.set_busy(self, is_busy=True)
        try:
            yield
        finally:
            self._limiter.set_busy(self, is_busy=False)

    @contextmanager
    def notify_lost(self, callback: Callable[[], None]) -> Iterator[None]:
        """Call `callback` as soon as the client is gone, while the block runs, and no other meanwhile."""
        before, self._on_lost = self._on_lost, callback
        try:
            yield
        finally:
            self._on_lost = before

    def is_stalled(self, now: float) -> bool:
        """Return whether nothing of a response was sent for STALLED_SECONDS; `now` is in loop time."""
        unsent = 0 if self._tcp is None else self._tcp.get_write_buffer_size()
        if unsent == 0 or unsent < self._unsent or self._unsent == 0:
            self._unsent_since = now
        self._unsent = unsent
        return unsent > 0 and now - self._unsent_since >= STALLED_SECONDS

    def abort(self) -> None:
        """Close the connection at once, without sending what is left."""
        if self._tcp is not None:
            self._tcp.abort()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer a malformed request. Its text can contain the key of a seat, so it is not logged."""
        if not isinstance(exc, PARSE_ERRORS):
            return super().handle_error(request, status, exc, message)
        log.debug("web.malformed", error=type(exc).__name__)
        answer = web.Response(status=status, text="The request is malformed.\n")
        answer.force_close()
        return answer

    def log_exception(self, *args: Any, **more: Any) -> None:
        """Log an error of aiohttp, unless the request was malformed."""
        if not isinstance(more.get("exc_info"), PARSE_ERRORS):
            super().log_exception(*args, **more)


def notify_lost(request: web.Request, callback: Callable[[], None]) -> AbstractContextManager[None]:
    """Call `callback` as soon as the client of a request is gone, inside the context."""
    protocol = request.protocol
    return protocol.notify_lost(callback) if isinstance(protocol, Connection) else nullcontext()
