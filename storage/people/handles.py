"""Names that people have chosen on the website, and those that they had before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError

from storage.statements import fetch_row, insert_or_update, select_rows
from storage.tables import OLD_HANDLES, PEOPLE

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class HandleRow:
    """The name of a person; all None for somebody without one. Times are milliseconds since 1970 UTC."""

    handle: str | None
    folded_handle: str | None
    handle_at: int | None


async def load(connection: AsyncConnection, account: str, *, lock: bool = False) -> HandleRow | None:
    """Return the name of a person, None for somebody unknown; with `lock` it stays until the commit."""
    statement = select_rows(HandleRow, PEOPLE).where(PEOPLE.c.account == account)
    return await fetch_row(
        connection, HandleRow, statement.with_for_update(key_share=True) if lock else statement
    )


async def find_account(connection: AsyncConnection, folded: str) -> str | None:
    """Return whose name this is, None if it is nobody's."""
    return await connection.scalar(select(PEOPLE.c.account).where(PEOPLE.c.folded_handle == folded))


async def find_former(connection: AsyncConnection, folded: str) -> str | None:
    """Return who had this name before, None if it is free."""
    return await connection.scalar(select(OLD_HANDLES.c.account).where(OLD_HANDLES.c.folded == folded))


async def save(connection: AsyncConnection, account: str, row: HandleRow, *, is_shown: bool) -> bool:
    """Store the name of a known person; return False if somebody else has it.

    With `is_shown` it is the name in matches too. After False the transaction is not to be committed.
    """
    values = {"handle": row.handle, "folded_handle": row.folded_handle, "handle_at": row.handle_at}
    shown = {"name": row.handle} if is_shown else {}
    try:
        await connection.execute(update(PEOPLE).where(PEOPLE.c.account == account).values(**values, **shown))
    except IntegrityError:  # another process was faster
        return False
    return True


async def add_former(connection: AsyncConnection, account: str, folded: str, now: int) -> None:
    """Keep a name for whoever had it until now."""
    await insert_or_update(connection, OLD_HANDLES, {"folded": folded}, account=account, changed_at=now)


async def remove_former(connection: AsyncConnection, folded: str) -> None:
    """Forget that somebody had a name before."""
    await connection.execute(delete(OLD_HANDLES).where(OLD_HANDLES.c.folded == folded))


async def delete_former(connection: AsyncConnection, before: int) -> None:
    """Give the names free that were changed before a time."""
    await connection.execute(delete(OLD_HANDLES).where(OLD_HANDLES.c.changed_at < before))
