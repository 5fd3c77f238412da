"""The heartbeat of the service, and the matches whose deadline has passed.

Deadlines are in milliseconds of service time: wall time minus the total downtime, the column `lost`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import case, func, or_, select

from storage.statements import dialect_insert
from storage.tables import MATCHES, SERVICE

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

SERVICE_ROW_ID = 1


async def get_heartbeat(connection: AsyncConnection) -> tuple[int, int] | None:
    """Return the time of the last heartbeat and the total downtime in milliseconds, or None."""
    row = (await connection.execute(select(SERVICE.c.beat_at, SERVICE.c.lost))).first()
    return None if row is None else (row.beat_at, row.lost)


async def record_heartbeat(connection: AsyncConnection, now: int, min_outage: int) -> None:
    """Record a heartbeat at `now`. A gap longer than `min_outage` milliseconds counts as downtime.

    A backward gap as long as that counts as negative downtime; a shorter one changes nothing. If two
    processes come back at the same time, only one of them adds the gap.
    """
    insertion = dialect_insert(connection, SERVICE).values(id=SERVICE_ROW_ID, beat_at=now, lost=0)
    gap = now - SERVICE.c.beat_at
    await connection.execute(
        insertion.on_conflict_do_update(
            index_elements=["id"],
            set_={"beat_at": now, "lost": SERVICE.c.lost + case((func.abs(gap) > min_outage, gap), else_=0)},
            where=or_(gap > 0, gap < -min_outage),
        )
    )


async def list_overdue(connection: AsyncConnection, service_time: int, limit: int) -> list[int]:
    """Return the ids of at most `limit` matches whose deadline has passed, the earliest first."""
    statement = (
        select(MATCHES.c.id)
        .where(MATCHES.c.deadline <= service_time)
        .order_by(MATCHES.c.deadline, MATCHES.c.id)
        .limit(limit)
    )
    return list((await connection.execute(statement)).scalars())
