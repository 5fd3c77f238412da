"""Service time: wall time minus the total downtime of the service.

A running service records heartbeats; a long gap between two of them is downtime. Deadlines are stored in
service time, so that a downtime moves all of them by changing a single row.

A leap of the machine's clock is such a gap too, forward or backward: nothing says whether a service that was
stopped was off for ten years or the clock is wrong by them. A backward gap makes the total smaller, and may
make it negative. So service time goes on where it stopped, whatever wall time does; when a wrong clock is set
right, the two gaps cancel out, and every deadline is where it was.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.times import to_millis
from storage import clocks

if TYPE_CHECKING:
    from datetime import datetime

    from storage import Database

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
        if last_heartbeat is not None:
            gap = to_millis(now) - last_heartbeat[0]
            if -self._outage <= gap < duration_to_millis(HEARTBEAT_INTERVAL):
                return
        async with self._database.transaction() as connection:
            await clocks.record_heartbeat(connection, to_millis(now), self._outage)


def service_time(now: int, heartbeat: tuple[int, int] | None, outage: timedelta) -> int:
    """Return the service time at `now`, in milliseconds; `heartbeat` is the last one and the total downtime.

    Further from the last heartbeat than `outage` it is the service time of that heartbeat: the next one will
    count the gap.
    """
    if heartbeat is None:
        return now
    last, downtime = heartbeat
    return (now if abs(now - last) <= duration_to_millis(outage) else last) - downtime


def duration_to_millis(duration: timedelta) -> int:
    """Return a duration in whole milliseconds."""
    return duration // timedelta(milliseconds=1)
