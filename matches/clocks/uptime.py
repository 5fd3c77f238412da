"""Service time: the wall's time less what was lost while the service was down.

A service that is there beats; where a beat comes long after the one before it, all the time between is lost.
All deadlines are moments of service time, so that none comes nearer meanwhile, and giving time back to every
match is one row changed.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.times import to_millis
from storage import clocks

if TYPE_CHECKING:
    from datetime import datetime

    from storage import Connection, Database

OUTAGE_THRESHOLD = timedelta(minutes=5)  # a silence that is longer was no mere slowness
HEARTBEAT_INTERVAL = timedelta(seconds=30)  # beats that come sooner are not written


class Uptime:
    """Keeps whether the service is there; only a silence that is longer than `outage` is given back."""

    def __init__(self, database: Database, outage: timedelta) -> None:
        self._database = database
        self._outage = duration_to_millis(outage)

    async def heartbeat(self, now: datetime) -> None:
        """Say that the service is there, and give back the time for which it was not."""
        async with self._database.read() as connection:
            last_heartbeat = await clocks.get_heartbeat(connection)
        if last_heartbeat is not None and to_millis(now) - last_heartbeat[0] < duration_to_millis(
            HEARTBEAT_INTERVAL
        ):
            return
        async with self._database.transaction() as connection:
            await clocks.record_heartbeat(connection, to_millis(now), self._outage)


async def total_downtime(connection: Connection) -> int:
    """Return the milliseconds that are lost in all."""
    last_heartbeat = await clocks.get_heartbeat(connection)
    return 0 if last_heartbeat is None else last_heartbeat[1]


def duration_to_millis(duration: timedelta) -> int:
    """Return a length in whole milliseconds."""
    return duration // timedelta(milliseconds=1)
