"""Service time: wall time minus the time that was given back to a match after outages.

A front end reaches servers through shards, and records a heartbeat of each that is connected; a long gap
between two of them is downtime of the shard. A website records heartbeats of its own. Deadlines are stored in
service time, so that giving back time changes one column of the match.

A leap of the machine's clock is such a gap too, forward or backward: nothing says whether a service that was
stopped was off for ten years or the clock is wrong by them. A backward gap makes the time given back smaller,
and may make it negative. So service time goes on where it stopped, whatever wall time does; when a wrong
clock is set right, the two gaps cancel out, and every deadline is where it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.platforms import WEB, platform_of
from matches.times import to_millis
from storage.match import clocks

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from storage import Connection, Database
    from storage.match.clocks import HeartbeatRow

OUTAGE_THRESHOLD = timedelta(minutes=5)  # a longer gap between heartbeats is downtime
HEARTBEAT_INTERVAL = timedelta(seconds=30)  # heartbeats that come sooner are not written


@dataclass(frozen=True, slots=True)
class Coverage:
    """The servers that a front end reaches now: those of `shards`, of all `count` shards.

    `number` returns the number of a server, which belongs to shard number % count, and None for a server that
    belongs to no shard, as those of the website. Direct messages belong to shard 0.
    """

    count: int
    shards: frozenset[int]
    number: Callable[[str], int | None]

    def has(self, server: str) -> bool:
        """Return whether the front end reaches a server now."""
        number = self.number(server)
        return number is not None and number % self.count in self.shards


EVERYTHING = Coverage(1, frozenset({0}), lambda _server: 0)


def _number_of_website(server: str) -> int | None:
    return clocks.NO_SHARD if platform_of(server) == WEB else None


WEBSITE_COVERAGE = Coverage(1, frozenset({clocks.NO_SHARD}), _number_of_website)
"""What every website reaches: the matches that are played nowhere else."""


class Uptime:
    """Records heartbeats. Only a gap longer than `outage` is downtime."""

    def __init__(self, database: Database, outage: timedelta) -> None:
        self._database = database
        self._outage = duration_to_millis(outage)

    async def heartbeat(self, now: datetime, coverage: Coverage) -> None:
        """Record a heartbeat, and give back the downtime before it if there was any.

        A server is down while no process reaches it, whatever the number of shards of each is.
        """
        millis = to_millis(now)
        async with self._database.read() as connection:
            if not self._find_shards(
                await clocks.list_heartbeats(connection), coverage, millis, HEARTBEAT_INTERVAL
            ):
                return
        async with self._database.transaction() as connection:
            await _number_servers(connection, coverage)
            rows = await clocks.list_heartbeats(connection, lock=True)
            returning = self._find_shards(rows, coverage, millis)
            if returning:
                await clocks.give_back_outage(connection, coverage.count, returning, millis, self._outage)
            await clocks.record_heartbeats(
                connection, coverage.count, sorted(coverage.shards), millis, self._outage
            )
            if coverage is not WEBSITE_COVERAGE and returning:
                rows = await clocks.list_heartbeats(connection)
                everything = Coverage(coverage.count, frozenset(range(coverage.count)), coverage.number)
                if not self._find_shards(rows, everything, millis):
                    await clocks.delete_heartbeats(connection, coverage.count, millis, self._outage)

    def _find_shards(
        self, rows: list[HeartbeatRow], coverage: Coverage, now: int, least: timedelta | None = None
    ) -> list[int]:
        """Return the covered shards without a heartbeat since the last outage, or in the time `least`."""
        latest = self._outage if least is None else duration_to_millis(least)
        recent = {
            row.shard
            for row in rows
            if row.count == coverage.count and -self._outage <= now - row.beat_at <= latest
        }
        return sorted(coverage.shards - recent)


async def _number_servers(connection: Connection, coverage: Coverage) -> None:
    """Record the numbers of servers that were met since the last heartbeat."""
    numbers = {one: coverage.number(one) for one in await clocks.list_unnumbered_servers(connection)}
    if coverage is WEBSITE_COVERAGE:  # a website knows the numbers of no other servers
        known = {server: number for server, number in numbers.items() if number is not None}
    else:
        known = {one: clocks.NO_SHARD if number is None else number for one, number in numbers.items()}
    await clocks.set_server_numbers(connection, known)


def service_time(now: int, beat_at: int | None, lost: int, outage: timedelta) -> int:
    """Return the service time of a match at `now`, in milliseconds.

    `beat_at` is the last heartbeat of its shards, `lost` the time given back. Further from that heartbeat
    than `outage` it is the service time of the heartbeat: the next one will count the gap. Time always runs
    in a match that belongs to no shard (None).
    """
    is_up = beat_at is None or abs(now - beat_at) <= duration_to_millis(outage)
    return (now if is_up or beat_at is None else beat_at) - lost


def duration_to_millis(duration: timedelta) -> int:
    """Return a duration in whole milliseconds."""
    return duration // timedelta(milliseconds=1)
