"""Leases: what one process at a time may do, and for what it was done last.

Leases are measured by the clock of the database, so the clocks of the processes do not matter.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, and_, bindparam, delete, func, literal_column, or_, select, update

from storage.statements import dialect_insert
from storage.tables import LEASES

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.dialects import postgresql, sqlite
    from sqlalchemy.ext.asyncio import AsyncConnection

_CLOCKS = {  # milliseconds since 1970 UTC
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
    "postgresql": "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
}


async def claim(connection: AsyncConnection, name: str, owner: str, duration: int) -> int:
    """Take a lease for `duration` milliseconds, or prolong the owner's own.

    Return 0, or how many milliseconds are left of somebody else's, at least 1.
    """
    dialect = connection.dialect.name
    values = {"name": name, "owner": owner, "duration": duration}
    if (await connection.execute(_claim_statement(dialect), values)).rowcount:
        return 0
    ends_in = func.coalesce(LEASES.c.ends_at - _clock(dialect), 0)
    left = await connection.scalar(select(ends_in).where(LEASES.c.name == name))
    return max(1, left or 0)


async def get_done(connection: AsyncConnection, name: str) -> str | None:
    """Return what :func:`release` has recorded last, or None."""
    found = select(LEASES.c.done).where(LEASES.c.name == name)
    return await connection.scalar(found)


async def release(connection: AsyncConnection, name: str, owner: str, done: str) -> None:
    """End the owner's lease, and record for what the work under it was done."""
    own = (LEASES.c.name == name, LEASES.c.owner == owner)
    await connection.execute(update(LEASES).where(*own).values(done=done, ends_at=0))


async def list_current(connection: AsyncConnection, group: str) -> dict[str, int]:
    """Return the leases whose name begins with a group and a colon, with the milliseconds left of each."""
    left = LEASES.c.ends_at - _clock(connection.dialect.name)
    found = await connection.execute(select(LEASES.c.name, left).where(_is_in(group), left > 0))
    return {row[0]: row[1] for row in found}


async def delete_ended(connection: AsyncConnection, group: str) -> None:
    """Delete the leases of a group that have ended."""
    has_ended = LEASES.c.ends_at <= _clock(connection.dialect.name)
    await connection.execute(delete(LEASES).where(_is_in(group), has_ended))


async def delete_lease(connection: AsyncConnection, name: str) -> None:
    """Delete a lease."""
    await connection.execute(delete(LEASES).where(LEASES.c.name == name))


def _is_in(group: str) -> ColumnElement[bool]:
    return and_(LEASES.c.name >= f"{group}:", LEASES.c.name < f"{group};")


def _clock(dialect: str) -> ColumnElement[int]:
    return literal_column(_CLOCKS[dialect], BigInteger)


@cache
def _claim_statement(dialect: str) -> sqlite.Insert | postgresql.Insert:
    now = _clock(dialect)
    ends_at = now + bindparam("duration", type_=BigInteger)
    insertion = dialect_insert(dialect, LEASES).values(
        name=bindparam("name"), owner=bindparam("owner"), ends_at=ends_at
    )
    return insertion.on_conflict_do_update(
        index_elements=["name"],
        set_={"owner": insertion.excluded.owner, "ends_at": insertion.excluded.ends_at},
        where=or_(LEASES.c.ends_at <= now, LEASES.c.owner == insertion.excluded.owner),
    )
