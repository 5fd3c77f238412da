"""Mails that are about no match: written with the change that they belong to, and leased until they are sent.

Nothing in a row signs anybody in: whoever sends a code derives it from the id of the question and the secret
of the website. Each letter expires; what could not be sent by then is worth nothing any more.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from matches.posting.announcements import retry_delay
from matches.times import from_millis, to_millis
from storage.people import invitations, mail_codes
from storage.posting import letters

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from storage import Connection, Database

LEASE = timedelta(seconds=60)  # of a claimed letter
GREETING_LIFETIME = timedelta(days=2)
GREETING_PAUSE = timedelta(days=30)  # between two greetings to one address
KEPT = timedelta(days=30)  # after this nobody needs to know that a letter was sent


class LetterKind(StrEnum):
    """What a letter is about. `details` are those named."""

    CODE = "code"  # signs in, or confirms an address; details: code (the id of the row of codes)
    INVITATION = "invitation"  # to a challenge; details: challenge
    WARNING = "warning"  # from the moderators; details: text
    NOTICE = "notice"  # something has changed in the account; details: what
    GREETING = "greeting"  # to somebody who wrote and has no account; no details
    CONFIRMATION = "confirmation"  # asks whether a mail is genuine; details: command (see MailCommands)
    PUZZLE = "puzzle"  # of a day; details: puzzle (its key), is_last
    ANSWER = "answer"  # to a mail; details: see `mail.answers`


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to send to `address`, which belongs to `account` or, with None, perhaps to nobody yet."""

    id: int
    kind: LetterKind
    address: str
    account: str | None
    details: Mapping[str, str | int]
    made_at: datetime
    expires_at: datetime
    attempts: int


async def write_letter(
    connection: Connection,
    kind: LetterKind,
    address: str,
    *,
    account: str | None = None,
    details: Mapping[str, str | int],
    lifetime: timedelta,
    request: int | None = None,
    now: datetime,
) -> bool:
    """Write a letter in the transaction of the change that it belongs to.

    Of those that answer the same `request` only the first is written; return whether this one was.
    """
    return await letters.add(
        connection,
        kind=kind.value,
        address=address,
        account=account,
        details=json.dumps(dict(details)),
        made_at=to_millis(now),
        due_at=to_millis(now),
        expires_at=to_millis(now + lifetime),
        request=request,
    )


async def count_letters(
    connection: Connection, kind: LetterKind, address: str, *, within: timedelta, now: datetime
) -> int:
    """Count the letters of a kind that were written to an address within the last time, at most KEPT."""
    return await letters.count_since(connection, address, kind.value, to_millis(now - within))


class Letters:
    """The letters of a database, for the front end that sends them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim_due(self, *, now: datetime, limit: int = 20) -> tuple[Letter, ...]:
        """Lease at most `limit` of the letters that are due, the oldest first, for LEASE.

        One that is neither marked as sent nor postponed until then is due again.
        """
        async with self._database.read() as connection:
            if not await letters.is_any_due(connection, to_millis(now)):
                return ()
        async with self._database.transaction() as connection:
            rows = await letters.claim_due(connection, to_millis(now), to_millis(now + LEASE), limit)
        return tuple(
            Letter(
                id=row.id,
                kind=LetterKind(row.kind),
                address=row.address,
                account=row.account,
                details=json.loads(row.details),
                made_at=from_millis(row.made_at),
                expires_at=from_millis(row.expires_at),
                attempts=row.attempts,
            )
            for row in rows
        )

    async def write(
        self,
        kind: LetterKind,
        address: str,
        *,
        account: str | None = None,
        details: Mapping[str, str | int],
        lifetime: timedelta,
        request: int | None = None,
        now: datetime,
    ) -> bool:
        """Write a letter that belongs to no other change; see :func:`write_letter`."""
        async with self._database.transaction() as connection:
            return await write_letter(
                connection,
                kind,
                address,
                account=account,
                details=details,
                lifetime=lifetime,
                request=request,
                now=now,
            )

    async def has_answered(self, request: int) -> bool:
        """Return whether a letter answers a request."""
        async with self._database.read() as connection:
            return await letters.has_request(connection, request)

    async def greet(self, address: str, *, now: datetime) -> bool:
        """Write to somebody who has no account how to join, but not twice within GREETING_PAUSE.

        Return whether a letter was written.
        """
        async with self._database.transaction() as connection:
            await mail_codes.lock_address(connection, address)
            count = await count_letters(
                connection, LetterKind.GREETING, address, within=GREETING_PAUSE, now=now
            )
            return count == 0 and await write_letter(
                connection, LetterKind.GREETING, address, details={}, lifetime=GREETING_LIFETIME, now=now
            )

    async def mark_sent(self, letter: int, *, now: datetime) -> None:
        """Record that a letter was sent, or is not to be sent. Does nothing for an unknown one."""
        async with self._database.transaction() as connection:
            await letters.mark_sent(connection, letter, to_millis(now))

    async def postpone(self, letter: Letter, *, is_failed: bool = True, now: datetime) -> None:
        """Make a letter due again: after a failure later, otherwise at once."""
        delay = retry_delay(letter.attempts) if is_failed else timedelta(0)
        async with self._database.transaction() as connection:
            await letters.postpone(connection, letter.id, to_millis(now + delay))

    async def count_waiting(self, *, now: datetime) -> int:
        """Count the letters that are still to be sent."""
        async with self._database.read() as connection:
            return await letters.count_waiting(connection, to_millis(now))

    async def delete_old(self, *, now: datetime) -> None:
        """Delete the letters that are older than KEPT, and forget the addresses invited before that."""
        async with self._database.transaction() as connection:
            await letters.delete_old(connection, to_millis(now - KEPT))
            await invitations.delete_old(connection, to_millis(now - KEPT))
