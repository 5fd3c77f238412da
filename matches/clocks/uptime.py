"""Service time: the wall's time less what was lost while the service was down.

A service that is there beats; where a beat comes long after the one before it, all the time between is lost.
All deadlines are moments of service time, so that none comes nearer meanwhile, and giving time back to every
match is one row changed.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.times import millis
from storage import clocks

if TYPE_CHECKING:
    from datetime import datetime

    from storage import Connection, Store

OUTAGE = timedelta(minutes=5)  # a silence that is longer was no mere slowness
BETWEEN = timedelta(seconds=30)  # beats that come sooner are not written


class Uptime:
    """Keeps whether the service is there; only a silence that is longer than `outage` is given back."""

    def __init__(self, store: Store, outage: timedelta) -> None:
        self._store = store
        self._outage = millis_of(outage)

    async def beat(self, now: datetime) -> None:
        """Say that the service is there, and give back the time for which it was not."""
        async with self._store.reading() as connection:
            before = await clocks.pulse(connection)
        if before is not None and millis(now) - before[0] < millis_of(BETWEEN):
            return
        async with self._store.writing() as connection:
            await clocks.beat(connection, millis(now), self._outage)


async def lost_time(connection: Connection) -> int:
    """Give the milliseconds that are lost in all."""
    found = await clocks.pulse(connection)
    return 0 if found is None else found[1]


def millis_of(length: timedelta) -> int:
    """Give a length in whole milliseconds."""
    return length // timedelta(milliseconds=1)
