"""Questions to whoever reads the mail of an address, until they are answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, insert, select, text, update

from storage.statements import fetch_row, select_rows
from storage.tables import MAIL_CODES

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class MailCodeRow:
    """A question by its id; times are milliseconds since 1970 UTC."""

    id: str
    address: str
    account: str | None
    made_at: int
    expires_at: int
    tries: int
    used_at: int | None


async def lock_address(connection: AsyncConnection, address: str) -> None:
    """Let nobody else ask the same address, or register with it, until the commit."""
    if connection.dialect.name == "postgresql":  # SQLite has one writer
        await connection.execute(
            text("SELECT pg_advisory_xact_lock(hashtext('mail_codes'), hashtext(:address))"),
            {"address": address},
        )


async def add(
    connection: AsyncConnection, question: str, address: str, account: str | None, now: int, expires_at: int
) -> None:
    """Insert a question."""
    values = {"address": address, "account": account, "made_at": now, "expires_at": expires_at}
    await connection.execute(insert(MAIL_CODES).values(id=question, tries=0, **values))


async def load(connection: AsyncConnection, question: str, *, lock: bool = False) -> MailCodeRow | None:
    """Return a question; with `lock` nobody else answers it until the commit."""
    statement = select_rows(MailCodeRow, MAIL_CODES).where(MAIL_CODES.c.id == question)
    return await fetch_row(connection, MailCodeRow, statement.with_for_update() if lock else statement)


async def count_try(connection: AsyncConnection, question: str) -> None:
    """Count a wrong answer."""
    statement = update(MAIL_CODES).where(MAIL_CODES.c.id == question)
    await connection.execute(statement.values(tries=MAIL_CODES.c.tries + 1))


async def mark_used(connection: AsyncConnection, question: str, now: int, expires_at: int) -> None:
    """Record that a question was answered; what follows from that can be done until `expires_at`."""
    statement = update(MAIL_CODES).where(MAIL_CODES.c.id == question)
    await connection.execute(statement.values(used_at=now, expires_at=expires_at))


async def count(connection: AsyncConnection) -> int:
    """Count all questions."""
    found: int = (await connection.execute(select(func.count()).select_from(MAIL_CODES))).scalar_one()
    return found


async def delete_old(connection: AsyncConnection, before: int) -> None:
    """Delete the questions that were asked before a time."""
    await connection.execute(delete(MAIL_CODES).where(MAIL_CODES.c.made_at < before))
