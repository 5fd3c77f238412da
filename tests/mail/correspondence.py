"""Mailboxes whose owners play: real SMTP to them, real LMTP from them, and replies of mail programs."""

from __future__ import annotations

import asyncio
import smtplib
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from email.utils import format_datetime, parseaddr
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from mail.context import MailContext
from mail.letters import LetterSource
from mail.message import Sender
from mail.notices import NoticeSource
from mail.receiving.lmtp import listening
from mail.receiving.receiver import Receiver
from mail.reply_addresses import ReplyAddresses
from mail.sender import MailSender
from mail.smtp_transport import SmtpTransport
from matches import Matches
from metrics.address import bind
from runtime.mail_settings import MailSettings
from tests.games import GAMES, READER_TEXTS
from tests.mail.scenario import SECRET, StandInLinks
from tests.mail.smtp_server import SmtpServer, running_smtp
from tests.web.environment import ManualClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from mail.links import Links
    from storage import Database

PLAY_ADDRESS = "play@rayuela.example"
AUTHSERV = "mx.rayuela.example"
AFTER_A_WHILE = timedelta(minutes=10)  # when notices have waited long enough


class Program(Enum):
    """How a mail program writes a reply."""

    GMAIL = "gmail"  # above the quotation, whose first line is broken
    OUTLOOK = "outlook"  # above the original, without marks
    THUNDERBIRD = "thunderbird"  # below the quotation


class Clock(Protocol):
    """A clock that tests move."""

    def __call__(self) -> datetime:
        """Return the time."""

    def wait(self, length: timedelta) -> None:
        """Let time pass."""


class MovedClock(ManualClock):
    """The clock of tests without Discord."""

    def wait(self, length: timedelta) -> None:
        """Let time pass."""
        self.time += length


@dataclass(slots=True)
class PostOffice:
    """The part of the product that sends and receives mail, and the mail server behind which players are."""

    context: MailContext
    sender: MailSender
    server: SmtpServer
    lmtp_port: int
    clock: Clock
    written: int = 0

    @property
    def matches(self) -> Matches:
        """The matches that are played."""
        return self.context.matches

    def mailbox(self, address: str, program: Program = Program.GMAIL) -> Mailbox:
        """Return the mailbox of an address."""
        return Mailbox(self, address, program)

    async def deliver(self, mail: EmailMessage) -> None:
        """Hand a mail over by LMTP, with what the operator's mail server stamps."""
        domain = str(mail["From"]).rpartition("@")[2]
        stamp = f"Authentication-Results: {AUTHSERV}; dmarc=pass header.from={domain}\r\n"
        raw = stamp.encode() + mail.as_bytes()
        await asyncio.to_thread(self._hand_over, str(mail["From"]), str(mail["To"]), raw)
        await self.sender.send_due()

    def _hand_over(self, sender: str, recipient: str, raw: bytes) -> None:
        with smtplib.LMTP("127.0.0.1", self.lmtp_port) as connection:
            connection.sendmail(sender, [recipient], raw)

    async def wait(self, length: timedelta = AFTER_A_WHILE) -> None:
        """Let time pass, and send what is due then."""
        self.clock.wait(length)
        await self.sender.send_due()


@dataclass(slots=True)
class Mailbox:
    """Somebody's mailbox: mails come in, replies go out."""

    office: PostOffice
    address: str
    program: Program
    seen: int = field(default=0)

    @property
    def mails(self) -> list[EmailMessage]:
        """All mails that have arrived."""
        return [mail for mail in self.office.server.mails if mail["To"] == self.address]

    @property
    def newest(self) -> EmailMessage:
        """The mail that arrived last."""
        return self.mails[-1]

    def take_new(self) -> list[EmailMessage]:
        """Return the mails that have arrived since the last call."""
        mails = self.mails
        new, self.seen = mails[self.seen :], len(mails)
        return new

    async def reply(self, typed: str, mail: EmailMessage | None = None) -> EmailMessage:
        """Answer a mail, by default the newest, and return the newest mail after that."""
        mail = self.newest if mail is None else mail
        answer = self._compose(answer_address(mail), f"Re: {mail['Subject']}")
        answer["In-Reply-To"] = str(mail["Message-ID"])
        answer["References"] = " ".join(filter(None, (mail["References"], mail["Message-ID"])))
        answer.set_content(quote_mail(self.program, typed, mail))
        await self.office.deliver(answer)
        return self.newest

    async def write(self, typed: str, to: str = PLAY_ADDRESS) -> EmailMessage:
        """Write a new mail, by default to the server, and return the newest mail after that."""
        mail = self._compose(to, "A game?")
        mail.set_content(f"{typed}\n\nBest wishes\n")
        await self.office.deliver(mail)
        return self.newest

    def _compose(self, to: str, subject: str) -> EmailMessage:
        self.office.written += 1
        mail = EmailMessage(SMTP_POLICY)
        mail["From"], mail["To"], mail["Subject"] = self.address, to, " ".join(subject.split())
        mail["Date"] = format_datetime(self.office.clock())
        mail["Message-ID"] = f"<{self.office.written}.{self.address}>"
        return mail


@asynccontextmanager
async def running_office(
    database: Database,
    clock: Clock,
    *,
    matches: Matches | None = None,
    links: Links | None = None,
    secret: str = SECRET,
) -> AsyncIterator[PostOffice]:
    """Run an office over a database, and the mail server behind which players are."""
    matches = Matches(database, games=GAMES) if matches is None else matches
    replies = ReplyAddresses(PLAY_ADDRESS, secret)
    sender = Sender(f"Rayuela <{PLAY_ADDRESS}>")
    links = StandInLinks() if links is None else links
    context = MailContext(matches, GAMES, READER_TEXTS, links, secret, sender, clock, replies)
    receiver = Receiver(context, replies, authserv_id=AUTHSERV)
    listener = bind("127.0.0.1", 0)
    async with running_smtp() as server, listening(receiver, listener):
        settings = MailSettings(mail_url=f"smtp://127.0.0.1:{server.port}", mail_from=sender.mail_from)
        transport = SmtpTransport(settings, answer_seconds=10)
        mails = MailSender((LetterSource(context), NoticeSource(context)), transport, matches.metrics)
        yield PostOffice(context, mails, server, listener.getsockname()[1], clock)
        await transport.close()


def answer_address(mail: EmailMessage) -> str:
    """Return the address to which an answer to a mail goes."""
    return parseaddr(str(mail["Reply-To"]))[1]


def text_of(mail: EmailMessage) -> str:
    """Return the plain text of a mail."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def quote_mail(program: Program, typed: str, mail: EmailMessage) -> str:
    """Return the text of a reply with a quotation of the mail, as a program writes it."""
    original = text_of(mail)
    marked = "\n".join(f"> {line}".rstrip() for line in original.splitlines())
    sender, written = str(mail["From"]), str(mail["Date"])
    if program is Program.GMAIL:
        head = f"On Tue, May 5, 2026 at 12:00 PM Rayuela <\n{answer_address(mail)}> wrote:"
        return f"{typed}\n\n{head}\n\n{marked}\n"
    if program is Program.OUTLOOK:
        head = f"From: {sender}\nSent: {written}\nTo: {mail['To']}\nSubject: {mail['Subject']}\n"
        return f"{typed}\n\n-----Original Message-----\n{head}\n{original}\n"
    return f"On 5/5/26 12:00, Rayuela wrote:\n{marked}\n\n{typed}\n"
