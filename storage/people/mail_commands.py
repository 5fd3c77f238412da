"""What mails ask for that wait for a click on a link: see MAIL_COMMANDS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update

from storage.statements import columns_for, count_where, fetch_row, fetch_rows, insert_row, select_rows
from storage.tables import MAIL_COMMANDS

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue


@dataclass(frozen=True, slots=True)
class MailCommandRow:
    """What a mail from `address` asks for; `words` is JSON, times are milliseconds since 1970 UTC."""

    id: int
    account: str
    address: str
    typed: str
    words: str
    match: int | None
    revision: int | None
    challenge: int | None
    request: int
    made_at: int
    expires_at: int
    confirmed_at: int | None
    done_at: int | None
    puzzle: str | None


async def add(connection: AsyncConnection, **values: ColumnValue) -> int:
    """Insert a command and return its id. `values` are columns of the table."""
    return await insert_row(connection, MAIL_COMMANDS, **values)


async def count_since(connection: AsyncConnection, account: str, since: int) -> int:
    """Count the commands of an account since a time."""
    where = (MAIL_COMMANDS.c.account == account, MAIL_COMMANDS.c.made_at >= since)
    return await count_where(connection, MAIL_COMMANDS, *where)


async def load(connection: AsyncConnection, command: int) -> MailCommandRow | None:
    """Return a command."""
    statement = select_rows(MailCommandRow, MAIL_COMMANDS).where(MAIL_COMMANDS.c.id == command)
    return await fetch_row(connection, MailCommandRow, statement)


async def confirm(connection: AsyncConnection, command: int, now: int) -> MailCommandRow | None:
    """Record that a command was confirmed; return None if it was before, has expired or is unknown."""
    waits = (
        MAIL_COMMANDS.c.id == command,
        MAIL_COMMANDS.c.confirmed_at.is_(None),
        MAIL_COMMANDS.c.expires_at > now,
    )
    confirmed = (
        update(MAIL_COMMANDS)
        .where(*waits)
        .values(confirmed_at=now)
        .returning(*columns_for(MailCommandRow, dict(MAIL_COMMANDS.c)))
    )
    return next(iter(await fetch_rows(connection, MailCommandRow, confirmed)), None)


async def list_confirmed(connection: AsyncConnection, limit: int) -> list[MailCommandRow]:
    """Return at most `limit` confirmed commands that are not carried out yet, the first confirmed first."""
    waits = (MAIL_COMMANDS.c.confirmed_at.is_not(None), MAIL_COMMANDS.c.done_at.is_(None))
    statement = select_rows(MailCommandRow, MAIL_COMMANDS).where(*waits)
    ordered = statement.order_by(MAIL_COMMANDS.c.confirmed_at, MAIL_COMMANDS.c.id).limit(limit)
    return await fetch_rows(connection, MailCommandRow, ordered)


async def mark_done(connection: AsyncConnection, command: int, now: int) -> None:
    """Record that a command was carried out, or refused."""
    is_open = (MAIL_COMMANDS.c.id == command, MAIL_COMMANDS.c.done_at.is_(None))
    await connection.execute(update(MAIL_COMMANDS).where(*is_open).values(done_at=now))


async def delete_old(connection: AsyncConnection, before: int) -> None:
    """Delete the commands that were written before a time, but not those that are still to be carried out."""
    waiting = select(MAIL_COMMANDS.c.id).where(
        MAIL_COMMANDS.c.confirmed_at.is_not(None), MAIL_COMMANDS.c.done_at.is_(None)
    )
    old = (MAIL_COMMANDS.c.made_at < before, MAIL_COMMANDS.c.id.not_in(waiting))
    await connection.execute(delete(MAIL_COMMANDS).where(*old))
