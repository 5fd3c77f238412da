"""The heartbeat of the service, and the matches whose deadline has passed.

Deadlines are in milliseconds of service time: wall time minus the total downtime, the column `lost`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, bindparam, case, func, or_, select

from storage.statements import dialect_insert
from storage.tables import MATCHES, SERVICE

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.dialects import postgresql, sqlite
    from sqlalchemy.ext.asyncio import AsyncConnection

SERVICE_ROW_ID = 1


async def get_heartbeat(connection: AsyncConnection) -> tuple[int, int] | None:
    """Return the time of the last heartbeat and the total downtime in milliseconds, or None."""
    row = (await connection.execute(_select_heartbeat())).first()
    return None if row is None else (row.beat_at, row.lost)


async def record_heartbeat(connection: AsyncConnection, now: int, min_outage: int) -> None:
    """Record a heartbeat at `now`. A gap longer than `min_outage` milliseconds counts as downtime.

    A backward gap as long as that counts as negative downtime; a shorter one changes nothing. If two
    processes come back at the same time, only one of them adds the gap.
    """
    statement = _record_heartbeat_statement(connection.dialect.name)
    values = {"id": SERVICE_ROW_ID, "beat_at": now, "lost": 0, "min_outage": min_outage}
    await connection.execute(statement, values)


async def list_overdue(connection: AsyncConnection, service_time: int, limit: int) -> list[int]:
    """Return the ids of at most `limit` matches whose deadline has passed, the earliest first."""
    statement = (
        select(MATCHES.c.id)
        .where(MATCHES.c.deadline <= service_time)
        .order_by(MATCHES.c.deadline, MATCHES.c.id)
        .limit(limit)
    )
    return list((await connection.execute(statement)).scalars())


@cache
def _select_heartbeat() -> Select[Any]:
    return select(SERVICE.c.beat_at, SERVICE.c.lost)


@cache
def _record_heartbeat_statement(dialect: str) -> sqlite.Insert | postgresql.Insert:
    insertion, min_outage = dialect_insert(dialect, SERVICE), bindparam("min_outage", type_=BigInteger)
    gap = insertion.excluded.beat_at - SERVICE.c.beat_at
    return insertion.on_conflict_do_update(
        index_elements=["id"],
        set_={
            "beat_at": insertion.excluded.beat_at,
            "lost": SERVICE.c.lost + case((func.abs(gap) > min_outage, gap), else_=0),
        },
        where=or_(gap > 0, gap < -min_outage),
    )
