"""The pulse of the service, and the matches whose deadline has come.

Deadlines are moments of service time: the wall's time less all that was `lost` while nobody's heart beat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import case, select

from storage.statements import dialect_insert
from storage.tables import MATCHES, SERVICE

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

SERVICE_ROW_ID = 1  # the id of the one row of the service


async def get_heartbeat(connection: AsyncConnection) -> tuple[int, int] | None:
    """Return when the heart beat last and how much time is lost in all, None before the first beat."""
    row = (await connection.execute(select(SERVICE.c.beat_at, SERVICE.c.lost))).first()
    return None if row is None else (row.beat_at, row.lost)


async def record_heartbeat(connection: AsyncConnection, now: int, min_outage: int) -> None:
    """Note a beat; where the one before it is longer ago than `min_outage`, all the time between is lost.

    Of two processes that come back at once only one adds to what is lost.
    """
    insertion = dialect_insert(connection, SERVICE).values(id=SERVICE_ROW_ID, beat_at=now, lost=0)
    gap = now - SERVICE.c.beat_at
    await connection.execute(
        insertion.on_conflict_do_update(
            index_elements=["id"],
            set_={"beat_at": now, "lost": SERVICE.c.lost + case((gap > min_outage, gap), else_=0)},
            where=SERVICE.c.beat_at < now,
        )
    )


async def list_overdue(connection: AsyncConnection, service_time: int, limit: int) -> list[int]:
    """Return the numbers of the matches whose deadline has come, at most `limit`, the earliest first."""
    statement = (
        select(MATCHES.c.id)
        .where(MATCHES.c.deadline <= service_time)
        .order_by(MATCHES.c.deadline, MATCHES.c.id)
        .limit(limit)
    )
    return list((await connection.execute(statement)).scalars())
