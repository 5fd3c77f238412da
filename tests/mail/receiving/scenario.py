"""Mails that people write to the server, and what receives them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import select

from mail.context import MailContext
from mail.message import Sender
from mail.receiving.limits import MailLimits
from mail.receiving.receiver import Receiver
from storage.tables import LETTERS
from tests.games import GAMES, READER_TEXTS
from tests.mail.scenario import REPLIES, SECRET, StandInLinks, address_of
from tests.matches.scenario import NOON

if TYPE_CHECKING:
    from datetime import datetime

    from mail.receiving.limits import LimitNumbers
    from matches import Matches, MatchView, Person
    from storage import Database

AUTHSERV_ID = "mx.example.org"


@dataclass(slots=True)
class Clock:
    """The time of a test."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now


def make_context(matches: Matches, clock: Clock | None = None) -> MailContext:
    sender = Sender("Rayuela <play@example.org>")
    now = Clock() if clock is None else clock
    return MailContext(matches, GAMES, READER_TEXTS, StandInLinks(), SECRET, sender, now, REPLIES)


def make_receiver(
    matches: Matches,
    clock: Clock | None = None,
    *,
    authserv_id: str | None = AUTHSERV_ID,
    numbers: LimitNumbers | None = None,
) -> Receiver:
    context = make_context(matches, clock)
    return Receiver(context, REPLIES, authserv_id=authserv_id, limits=MailLimits(numbers))


def reply_address(view: MatchView, person: Person) -> str:
    """Return where a person answers the mail that showed a view."""
    return REPLIES.match_address(view.id, view.revision, person.account)


def spoil(address: str) -> str:
    """Return an address like one of ours that we have never made."""
    return f"{address[:-20]}{'b' if address[-20] == 'a' else 'a'}{address[-19:]}"


@dataclass(slots=True)
class Pen:
    """Writes mails of one person, each with its own Message-ID; the mail server found `dmarc`."""

    address: str
    dmarc: str | None = "pass"
    name: str = "pen"
    _count: int = field(default=0)

    def write(self, to: str, text: str, *, message_id: str = "", headers: str = "") -> bytes:
        self._count += 1
        number = message_id or f"<{self.name}.{self._count}@mail.example>"
        domain = self.address.rpartition("@")[2]
        stamp = ""
        if self.dmarc is not None:
            stamp = f"Authentication-Results: {AUTHSERV_ID};\r\n\tdmarc={self.dmarc} header.from={domain}\r\n"
        head = f"From: Somebody <{self.address}>\r\nTo: {to}\r\nMessage-ID: {number}\r\n"
        body = text.replace("\n", "\r\n")
        kind = "Subject: Re: Turn\r\nContent-Type: text/plain; charset=utf-8\r\n"
        return f"{stamp}{head}{headers}{kind}\r\n{body}\r\n".encode()


def pen_of(person: Person, dmarc: str | None = "pass") -> Pen:
    return Pen(address_of(person), dmarc, person.name.lower())


@dataclass(frozen=True, slots=True)
class WrittenLetter:
    """A letter in the database."""

    kind: str
    address: str
    account: str | None
    details: str


async def list_letters(database: Database, *kinds: str) -> list[WrittenLetter]:
    """Return the letters of some kinds, by default those that answer mails, the oldest first."""
    wanted = kinds or ("answer", "confirmation", "greeting")
    columns = (LETTERS.c.kind, LETTERS.c.address, LETTERS.c.account, LETTERS.c.details)
    async with database.read() as connection:
        statement = select(*columns).where(LETTERS.c.kind.in_(wanted)).order_by(LETTERS.c.id)
        return [WrittenLetter(*row) for row in await connection.execute(statement)]
