"""A real SMTP server on loopback that keeps what it takes, and fails as a test asks it to."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from metrics.address import bind
from tests.mail.marks import check_mail_marks
from tests.marks import IS_MARKED

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

USER, PASSWORD = "ada@example.org", "p:ss w@rd"


class Fault(StrEnum):
    """What the server does instead of taking a mail."""

    NONE = "none"
    DROP_BEFORE_ANSWER = "drop before"  # it has the mail, and says nothing
    DROP_AFTER_ANSWER = "drop after"
    DROP_AT_RECIPIENT = "drop at recipient"
    SILENCE = "silence"


def cut(connection: SMTP) -> None:
    """End a connection at once."""
    transport = connection.transport
    if isinstance(transport, asyncio.WriteTransport):
        transport.abort()


@dataclass(slots=True)
class SmtpServer:
    """A running server. `refusals` are the answers to recipients, by address; `data_answer` that to a mail.

    `senders` are the envelope senders of the mails; with `only_sender` all others are refused, at the stage
    of `sender_refused_at`.
    `on_stage` is called with "recipient", "data" and "answered" of each mail.
    """

    mails: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    senders: list[str | None] = field(default_factory=list)
    only_sender: str | None = None
    sender_refused_at: str = "sender"
    refusals: dict[str, str] = field(default_factory=dict)
    data_answer: str = "250 OK"
    fault: Fault = Fault.NONE
    connections: int = 0
    port: int = 0
    on_stage: Callable[[str], None] = lambda _stage: None

    @property
    def ids(self) -> list[str]:
        """The Message-IDs of the mails, in the order of their arrival."""
        return [str(mail["Message-ID"]) for mail in self.mails]

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return self._refuse_sender(envelope, "sender") or "250 OK"

    def _refuse_sender(self, envelope: Envelope, stage: str) -> str | None:
        is_right = self.only_sender in {None, envelope.mail_from}
        return None if is_right or stage != self.sender_refused_at else "553 5.7.1 Not your address"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        self.on_stage("recipient")
        if self.fault is Fault.DROP_AT_RECIPIENT:
            cut(server)
        if (refused := self._refuse_sender(envelope, "recipient")) is not None:
            return refused
        if address in self.refusals:
            return self.refusals[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.fault is Fault.SILENCE:
            await asyncio.Event().wait()
        if self.data_answer.startswith("250"):
            content = envelope.content if isinstance(envelope.content, bytes) else b""
            mail = message_from_bytes(content, EmailMessage, policy=policy.default)
            if IS_MARKED:
                check_mail_marks(mail)
            self.mails.append(mail)
            self.recipients += envelope.rcpt_tos
            self.senders.append(envelope.mail_from)
        self.on_stage("data")
        if self.fault is Fault.DROP_BEFORE_ANSWER:
            cut(server)
        elif self.fault is Fault.DROP_AFTER_ANSWER:
            asyncio.get_running_loop().call_soon(cut, server)
        return self.data_answer

    def authenticate(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: LoginPassword
    ) -> AuthResult:
        """Accept USER with PASSWORD."""
        is_right = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
        return AuthResult(success=is_right, handled=False)


@asynccontextmanager
async def running_smtp(
    server: SmtpServer | None = None, *, port: int = 0, **options: Any
) -> AsyncIterator[SmtpServer]:
    """Run a server on loopback; `options` are those of aiosmtpd's SMTP."""
    server = server or SmtpServer()
    listener = bind("127.0.0.1", port)
    server.port = listener.getsockname()[1]
    loop, transports = asyncio.get_running_loop(), set[Any]()

    def connect() -> SMTP:
        server.connections += 1
        protocol = SMTP(server, loop=loop, hostname="test", enable_SMTPUTF8=True, **options)
        transports.add(protocol)
        return protocol

    running = await loop.create_server(connect, sock=listener)
    try:
        yield server
    finally:
        running.close()
        for _ in range(5):  # a connection that was just accepted has its transport a little later
            for protocol in transports:
                cut(protocol)
            await asyncio.sleep(0)
