"""Mail by LMTP (RFC 2033), from a mail server on this machine or in its private network.

Only a process that listens imports this module, and with it aiosmtpd. The answers decide what becomes of a
mail: 250 after the commit, 451 to be given it again, 550 for an address that the mail server then refuses to
its sender, so that no mail of ours goes to somebody who did not write.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import structlog
from aiosmtpd.lmtp import LMTP

from matches import StorageUnavailable

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator

    from aiosmtpd.smtp import SMTP, Envelope, Session

    from mail.receiving.receiver import Receiver

log = structlog.stdlib.get_logger(__name__)

MAX_BYTES = 10 * 2**20  # of a mail
MAX_RECIPIENTS = 20  # of a mail; the mail server sends the rest separately
MAX_CONNECTIONS = 50
MAX_LINE = 64 * 1024  # characters; the mail server may leave lines longer than SMTP has them
SILENCE_SECONDS = 120.0  # until a connection is ended
STOP_SECONDS = 3.0  # for mails that are being received when the process ends

DONE = "250 2.0.0 OK"
ACCEPTED = "250 2.1.5 OK"
UNKNOWN = "550 5.1.1 Nobody has this address"
TOO_MANY = "452 4.5.3 Too many recipients"
LATER = "451 4.3.0 Not now, try again later"
BUSY = b"421 4.3.2 Too many connections, try again later\r\n"


class LmtpConnection(LMTP):
    """One connection. After a mail each of its recipients gets an answer, which aiosmtpd leaves out."""

    line_length_limit = MAX_LINE

    def __init__(self, handler: LmtpHandler, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            handler,
            data_size_limit=MAX_BYTES,
            enable_SMTPUTF8=True,
            hostname="rayuela",
            ident="LMTP",
            timeout=SILENCE_SECONDS,
            loop=loop,
        )
        self._answers_due = 0
        self._handler = handler

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, unless too many connections are open."""
        self._handler.connections.add(self)
        super().connection_made(transport)
        if len(self._handler.connections) > MAX_CONNECTIONS and isinstance(transport, asyncio.WriteTransport):
            transport.write(BUSY)
            transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        """End."""
        self._handler.connections.discard(self)
        super().connection_lost(error)

    def cut(self) -> None:
        """End at once."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    async def push(self, status: Any) -> None:
        """Send an answer; the one to a mail as often as it has recipients."""
        count, self._answers_due = max(1, self._answers_due), 0
        if isinstance(status, str) and status.startswith("354"):
            assert self.envelope is not None  # noqa: S101 - there is one after LHLO
            self._answers_due = len(self.envelope.rcpt_tos)
        await super().push("\r\n".join([status] * count) if count > 1 else status)


class LmtpHandler:
    """Answers the commands of all connections, which are in `connections` while they are open."""

    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._in_work = 0
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self.connections: set[LmtpConnection] = set()

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Return whether somebody has an address of ours."""
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return TOO_MANY
        try:
            if not await self._receiver.knows(address):
                return UNKNOWN
        except StorageUnavailable:
            return LATER
        envelope.rcpt_tos.append(address)
        return ACCEPTED

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Receive a mail, and return the answer to each recipient."""
        self._in_work += 1
        self._is_idle.clear()
        try:
            return await self._receive(envelope)
        finally:
            self._in_work -= 1
            if not self._in_work:
                self._is_idle.set()

    async def _receive(self, envelope: Envelope) -> str:
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        sender = (envelope.mail_from or "").strip("<>").encode("ascii", "ignore")
        try:
            await self._receiver.receive(b"Return-Path: <%b>\r\n%b" % (sender, content), envelope.rcpt_tos)
        except StorageUnavailable as error:
            log.warning("mail.postponed", error=str(error))
            return LATER
        except Exception:
            log.exception("mail.unreceived")
            return LATER
        return DONE

    async def handle_exception(self, error: Exception) -> str:
        """Return the answer after an error of the program: nothing is lost, the mail comes again."""
        log.error("mail.unreceived", exc_info=error)
        return LATER

    async def close(self) -> None:
        """End all connections, but let mails be finished that are being received, for a while."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._is_idle.wait(), STOP_SECONDS)
        await asyncio.sleep(0)  # the last answer is written now
        for connection in tuple(self.connections):
            connection.cut()


@asynccontextmanager
async def listening(receiver: Receiver, listener: socket.socket) -> AsyncIterator[None]:
    """Take mails on a bound socket while the block runs; what is being received then is finished."""
    loop, handler = asyncio.get_running_loop(), LmtpHandler(receiver)
    server = await loop.create_server(lambda: LmtpConnection(handler, loop), sock=listener)
    try:
        yield
    finally:
        server.close()
        await handler.close()
