"""The heartbeats of shards, the time that is given back after an outage, and deadlines that have passed.

A front end divides servers among `count` shards: a server belongs to shard number % count, where the number
is what it says (`servers.number`). Matches in direct messages belong to shard 0. Several divisions may be in
use at once while their number changes. Servers that belong to no shard are the website's, which records its
heartbeats as NO_SHARD of one. Deadlines are in milliseconds of service time: wall time minus the time given
back to the match, the column `lost`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, and_, bindparam, case, delete, func, or_, select, update

from storage.statements import dialect_insert, fetch_rows, select_rows
from storage.tables import HEARTBEATS, MATCHES, SERVERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy import ColumnElement, ScalarSelect, Select, Update
    from sqlalchemy.ext.asyncio import AsyncConnection

NO_SHARD = -1
"""The number of a server that belongs to no shard; NULL is one whose number is not recorded yet."""

MAX_UNNUMBERED = 60_000  # milliseconds until a number is recorded: at the next heartbeat of any shard


@dataclass(frozen=True, slots=True)
class HeartbeatRow:
    """The last heartbeat of a shard, in milliseconds since 1970 UTC."""

    count: int
    shard: int
    beat_at: int


async def list_heartbeats(connection: AsyncConnection, *, lock: bool = False) -> list[HeartbeatRow]:
    """Return the last heartbeat of every shard; with `lock` no other process records one meanwhile."""
    if lock:  # in a fixed order, to avoid deadlocks
        ordered = select_rows(HeartbeatRow, HEARTBEATS).order_by(HEARTBEATS.c.count, HEARTBEATS.c.shard)
        await connection.execute(ordered.with_for_update())
    return await fetch_rows(connection, HeartbeatRow, select_rows(HeartbeatRow, HEARTBEATS))


async def record_heartbeats(
    connection: AsyncConnection, count: int, shards: Iterable[int], now: int, min_outage: int
) -> None:
    """Record a heartbeat at `now` of some of `count` shards.

    One that is earlier than the last, by less than `min_outage` milliseconds, changes nothing.
    """
    insertion = dialect_insert(connection, HEARTBEATS)
    gap = insertion.excluded.beat_at - HEARTBEATS.c.beat_at
    statement = insertion.on_conflict_do_update(
        index_elements=["count", "shard"],
        set_={"beat_at": insertion.excluded.beat_at},
        where=or_(gap > 0, gap < -min_outage),
    )
    rows = [{"count": count, "shard": one, "beat_at": now} for one in shards]
    await connection.execute(statement, rows)


async def give_back_outage(
    connection: AsyncConnection, count: int, shards: Iterable[int], now: int, min_outage: int
) -> None:
    """Give back the time since the last heartbeat to the running matches of some of `count` shards.

    That is the last one of any shard that a match has ever belonged to; less than `min_outage` milliseconds
    are not given back. A backward gap as long as that is taken from the time given back.
    """
    values = {"now": now, "min_outage": min_outage, "count": count, "shards": list(shards)}
    await connection.execute(_give_back_statement(), values)


async def delete_heartbeats(connection: AsyncConnection, count: int, now: int, min_outage: int) -> None:
    """Delete the heartbeats of shards that servers are not divided among any more, now into `count`."""
    is_old = func.abs(now - HEARTBEATS.c.beat_at) > min_outage
    is_of_shard = HEARTBEATS.c.shard != NO_SHARD
    await connection.execute(delete(HEARTBEATS).where(HEARTBEATS.c.count != count, is_of_shard, is_old))


async def last_heartbeat(connection: AsyncConnection, server: str) -> int | None:
    """Return the last heartbeat of the shards that a server belongs to, or None."""
    is_theirs = (SERVERS.c.server == server, _is_heartbeat_of(SERVERS.c.number))
    beat_at: int | None = await connection.scalar(select(func.max(HEARTBEATS.c.beat_at)).where(*is_theirs))
    return beat_at


async def list_unnumbered_servers(connection: AsyncConnection) -> list[str]:
    """Return the servers whose numbers are not recorded yet, always in the same order."""
    found = select(SERVERS.c.server).where(SERVERS.c.number.is_(None)).order_by(SERVERS.c.server)
    return list(await connection.scalars(found))


async def set_server_numbers(connection: AsyncConnection, numbers: Mapping[str, int]) -> None:
    """Record the numbers of servers, NO_SHARD for one that belongs to none."""
    statement = update(SERVERS).where(SERVERS.c.server == bindparam("b_server"))
    rows = [{"b_server": server, "number": number} for server, number in numbers.items()]
    if rows:
        await connection.execute(statement.values(number=bindparam("number")), rows)


async def list_overdue(connection: AsyncConnection, now: int, min_outage: int, limit: int) -> list[int]:
    """Return the ids of at most `limit` matches whose deadline has passed, the earliest first.

    Time does not run in a match whose shards have had no heartbeat for more than `min_outage` milliseconds.
    """
    values = {"now": now, "min_outage": min_outage, "count": limit}
    return list(await connection.scalars(_select_overdue(), values))


def last_heartbeat_subquery() -> ScalarSelect[int | None]:
    """Return a subquery for the last heartbeat of the shards of a match."""
    return (
        select(func.max(HEARTBEATS.c.beat_at))
        .where(SERVERS.c.server == MATCHES.c.server, _is_heartbeat_of(_NUMBER))
        .correlate(MATCHES)
        .scalar_subquery()
    )


# The number of a match, in a query of its server.
_NUMBER = case((MATCHES.c.direct_since.is_not(None), 0), else_=SERVERS.c.number)


def _find_shard(number: ColumnElement[int | None], count: ColumnElement[int]) -> ColumnElement[int | None]:
    """Return the shard of a number, of `count` shards."""
    return case((number == NO_SHARD, NO_SHARD), else_=number % count)


def _is_heartbeat_of(number: ColumnElement[int | None]) -> ColumnElement[bool]:
    """Return the condition that a heartbeat is one of a number, in a query of its server.

    A server without one yet was met by a shard that recorded no heartbeat since: any heartbeat may be its
    last. One that was met long after the last heartbeat was met by something else.
    """
    was_met = SERVERS.c.met_at < HEARTBEATS.c.beat_at + MAX_UNNUMBERED
    is_unknown = and_(number.is_(None), HEARTBEATS.c.shard != NO_SHARD, was_met)
    return or_(_find_shard(number, HEARTBEATS.c.count) == HEARTBEATS.c.shard, is_unknown)


@cache
def _select_overdue() -> Select[Any]:
    now, beat_at = bindparam("now", type_=BigInteger), last_heartbeat_subquery()
    ends_at = MATCHES.c.deadline + MATCHES.c.lost
    is_stopped = func.abs(now - beat_at) > bindparam("min_outage", type_=BigInteger)
    return (
        select(MATCHES.c.id)
        .where(MATCHES.c.deadline.is_not(None), ends_at <= now)
        .where(ends_at <= case((is_stopped, beat_at), else_=now))
        .order_by(ends_at, MATCHES.c.id)
        .limit(bindparam("count", type_=BigInteger))
    )


@cache
def _give_back_statement() -> Update:
    """Return an UPDATE of the running matches; each is compared with its own last heartbeat."""
    now = bindparam("now", type_=BigInteger)
    here = select(_NUMBER).where(SERVERS.c.server == MATCHES.c.server).correlate(MATCHES).scalar_subquery()
    gap = now - last_heartbeat_subquery()
    shard = _find_shard(here, bindparam("count", type_=BigInteger))
    is_theirs = shard.in_(bindparam("shards", expanding=True))
    is_outage = func.abs(gap) > bindparam("min_outage", type_=BigInteger)
    return (
        update(MATCHES)
        .where(MATCHES.c.deadline.is_not(None), and_(is_theirs, is_outage))
        .values(lost=MATCHES.c.lost + gap)
    )
