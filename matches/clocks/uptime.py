"""Service time: wall time minus the total downtime of the service.

A running service records heartbeats; a long gap between two of them is downtime. Deadlines are stored in
service time, so that a downtime moves all of them by changing a single row.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.times import to_millis
from storage import clocks

if TYPE_CHECKING:
    from datetime import datetime

    from storage import Connection, Database

OUTAGE_THRESHOLD = timedelta(minutes=5)  # a longer gap between heartbeats is downtime
HEARTBEAT_INTERVAL = timedelta(seconds=30)  # heartbeats that come sooner are not written


class Uptime:
    """Records heartbeats. Only a gap longer than `outage` is downtime."""

    def __init__(self, database: Database, outage: timedelta) -> None:
        self._database = database
        self._outage = duration_to_millis(outage)

    async def heartbeat(self, now: datetime) -> None:
        """Record a heartbeat, and the downtime before it if there was any."""
        async with self._database.read() as connection:
            last_heartbeat = await clocks.get_heartbeat(connection)
        if last_heartbeat is not None and to_millis(now) - last_heartbeat[0] < duration_to_millis(
            HEARTBEAT_INTERVAL
        ):
            return
        async with self._database.transaction() as connection:
            await clocks.record_heartbeat(connection, to_millis(now), self._outage)


async def total_downtime(connection: Connection) -> int:
    """Return the total downtime in milliseconds."""
    last_heartbeat = await clocks.get_heartbeat(connection)
    return 0 if last_heartbeat is None else last_heartbeat[1]


def duration_to_millis(duration: timedelta) -> int:
    """Return a duration in whole milliseconds."""
    return duration // timedelta(milliseconds=1)
