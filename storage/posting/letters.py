"""Mails that are about no match, such as codes and invitations. Rows stay for a while after they are sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update

from storage.statements import columns_for, count_where, dialect_insert, fetch_rows, has_row
from storage.tables import LETTERS

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue


@dataclass(frozen=True, slots=True)
class LetterRow:
    """A mail to `address`; `details` is JSON, times are milliseconds since 1970 UTC."""

    id: int
    kind: str
    address: str
    account: str | None
    details: str
    made_at: int
    expires_at: int
    attempts: int


async def add(connection: AsyncConnection, **values: ColumnValue) -> bool:
    """Insert a mail, and return whether there was none with the same request. `values` are its columns."""
    statement = dialect_insert(connection, LETTERS).values(values).on_conflict_do_nothing()
    return (await connection.execute(statement)).rowcount == 1


async def has_request(connection: AsyncConnection, request: int) -> bool:
    """Return whether there is a mail that answers a request."""
    return await has_row(connection, select(LETTERS.c.id).where(LETTERS.c.request == request))


async def find_latest(connection: AsyncConnection, address: str, kind: str, since: int) -> str | None:
    """Return the details of the last mail of a kind to an address, written since a time in milliseconds."""
    table = LETTERS.c
    statement = (
        select(table.details)
        .where(table.address == address, table.kind == kind, table.made_at > since)
        .order_by(table.id.desc())
        .limit(1)
    )
    found: str | None = await connection.scalar(statement)
    return found


async def is_any_due(connection: AsyncConnection, now: int) -> bool:
    """Return whether any mail is due that has not expired."""
    statement = select(LETTERS.c.id).where(LETTERS.c.due_at <= now, *_waits(now)).limit(1)
    return (await connection.execute(statement)).first() is not None


async def count_waiting(connection: AsyncConnection, now: int) -> int:
    """Count the mails that are still to be sent."""
    return await count_where(connection, LETTERS, *_waits(now))


def _waits(now: int) -> tuple[ColumnElement[bool], ...]:
    return (LETTERS.c.sent_at.is_(None), LETTERS.c.expires_at > now)


async def claim_due(connection: AsyncConnection, now: int, lease_end: int, limit: int) -> list[LetterRow]:
    """Claim at most `limit` due mails that have not expired, the oldest first, until `lease_end`.

    The attempt is counted. Two processes never claim the same mail.
    """
    due = (
        select(LETTERS.c.id)
        .where(LETTERS.c.due_at <= now, *_waits(now))
        .order_by(LETTERS.c.due_at, LETTERS.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    claimed = (
        update(LETTERS)
        .where(LETTERS.c.id.in_(select(due.c.id)))
        .values(due_at=lease_end, attempts=LETTERS.c.attempts + 1)
        .returning(*columns_for(LetterRow, dict(LETTERS.c)))
    )
    return sorted(await fetch_rows(connection, LetterRow, claimed), key=lambda row: row.id)


async def mark_sent(connection: AsyncConnection, letter: int, now: int) -> None:
    """Record that a mail was sent, or that nobody will send it."""
    unsent = (LETTERS.c.id == letter, LETTERS.c.sent_at.is_(None))
    await connection.execute(update(LETTERS).where(*unsent).values(sent_at=now))


async def postpone(connection: AsyncConnection, letter: int, due_at: int) -> None:
    """Make an unsent mail due at `due_at`."""
    unsent = (LETTERS.c.id == letter, LETTERS.c.sent_at.is_(None))
    await connection.execute(update(LETTERS).where(*unsent).values(due_at=due_at))


async def count_since(connection: AsyncConnection, address: str, kind: str, since: int) -> int:
    """Count the mails of a kind to an address that were written since a time."""
    where = (LETTERS.c.address == address, LETTERS.c.kind == kind, LETTERS.c.made_at >= since)
    return await count_where(connection, LETTERS, *where)


async def delete_old(connection: AsyncConnection, before: int) -> None:
    """Delete the mails that were written before a time."""
    await connection.execute(delete(LETTERS).where(LETTERS.c.made_at < before))
