"""Where servers want the daily puzzle, what was posted last, and who has tried it there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, delete, func, or_, select, update

from storage.statements import (
    columns_for,
    fetch_row,
    fetch_rows,
    insert_if_new,
    insert_or_update,
    select_rows,
)
from storage.tables import DAILY_PUZZLE_PLACES, DAILY_PUZZLE_TRIES, PUZZLE_ATTEMPTS

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class DailyPlaceRow:
    """The place of a server's daily puzzle; see `storage.tables.DAILY_PUZZLE_PLACES`."""

    server: str
    place: str
    minute: int
    zone: str
    next_at: int
    claimed_until: int | None
    posting: str | None
    day: str | None
    puzzle: str | None
    post: str | None
    by: str | None
    failures: int


async def find(connection: AsyncConnection, server: str, *, lock: bool = False) -> DailyPlaceRow | None:
    """Return the place of a server, None if it has none; with `lock` nobody else changes it."""
    statement = select_rows(DailyPlaceRow, DAILY_PUZZLE_PLACES).where(DAILY_PUZZLE_PLACES.c.server == server)
    return await fetch_row(connection, DailyPlaceRow, statement.with_for_update() if lock else statement)


async def save(
    connection: AsyncConnection,
    server: str,
    *,
    place: str,
    minute: int,
    zone: str,
    next_at: int,
    by: str,
) -> None:
    """Insert or change the place of a server.

    A post that is being sent counts as sent from then on, but what it was is not known.
    """
    table = DAILY_PUZZLE_PLACES.c
    is_posting = (table.server == server, table.posting.is_not(None))
    sent = update(DAILY_PUZZLE_PLACES).where(*is_posting).values(day=table.posting, puzzle=None, post=None)
    await connection.execute(sent)
    values = {"place": place, "minute": minute, "zone": zone, "next_at": next_at, "by": by, "failures": 0}
    key = {"server": server}
    await insert_or_update(connection, DAILY_PUZZLE_PLACES, key, **values, posting=None, claimed_until=None)


async def remove(connection: AsyncConnection, server: str) -> None:
    """Delete the place of a server and who tried its puzzles."""
    await find(connection, server, lock=True)  # first, as whoever records a post does
    await connection.execute(delete(DAILY_PUZZLE_TRIES).where(DAILY_PUZZLE_TRIES.c.server == server))
    await connection.execute(delete(DAILY_PUZZLE_PLACES).where(DAILY_PUZZLE_PLACES.c.server == server))


async def is_any_due(connection: AsyncConnection, now: int) -> bool:
    """Return whether a post is due that nobody has claimed, without locking anything."""
    table = DAILY_PUZZLE_PLACES.c
    found = await connection.execute(select(table.server).where(*_is_due(now)).limit(1))
    return found.first() is not None


async def claim_due(connection: AsyncConnection, now: int, lease_end: int) -> DailyPlaceRow | None:
    """Claim the place that waits longest until `lease_end`; None if none is due. Nobody else claims it."""
    table = DAILY_PUZZLE_PLACES.c
    due = (
        select(table.server)
        .where(*_is_due(now))
        .order_by(table.next_at, table.server)
        .limit(1)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    claimed = (
        update(DAILY_PUZZLE_PLACES)
        .where(table.server.in_(select(due.c.server)))
        .values(claimed_until=lease_end)
        .returning(*columns_for(DailyPlaceRow, dict(table)))
    )
    rows = await fetch_rows(connection, DailyPlaceRow, claimed)
    return rows[0] if rows else None


def _is_due(now: int) -> tuple[ColumnElement[bool], ...]:
    table = DAILY_PUZZLE_PLACES.c
    return (table.next_at <= now, or_(table.claimed_until.is_(None), table.claimed_until <= now))


async def set_posting(connection: AsyncConnection, claimed: DailyPlaceRow, day: str) -> bool:
    """Record that the post of a day is about to be sent; return False if the claim is another's now."""
    table = DAILY_PUZZLE_PLACES.c
    is_claimed = (table.server == claimed.server, table.claimed_until == claimed.claimed_until)
    changed = update(DAILY_PUZZLE_PLACES).where(*is_claimed).values(posting=day)
    return (await connection.execute(changed)).rowcount == 1


async def end_claim(connection: AsyncConnection, server: str, day: str, next_at: int) -> bool:
    """End the post of a day, sent or not; return False if it had ended, or if the place was changed."""
    table = DAILY_PUZZLE_PLACES.c
    values = {"posting": None, "claimed_until": None, "next_at": next_at}
    changed = update(DAILY_PUZZLE_PLACES).where(table.server == server, table.posting == day).values(values)
    return (await connection.execute(changed)).rowcount == 1


async def end_refused(connection: AsyncConnection, claimed: DailyPlaceRow, next_at: int) -> bool:
    """End a claimed post that was refused, and count that; return False if the claim is another's now."""
    table = DAILY_PUZZLE_PLACES.c
    is_claimed = (table.server == claimed.server, table.claimed_until == claimed.claimed_until)
    values = {"posting": None, "claimed_until": None, "next_at": next_at, "failures": table.failures + 1}
    changed = update(DAILY_PUZZLE_PLACES).where(*is_claimed).values(values)
    return (await connection.execute(changed)).rowcount == 1


async def save_post(connection: AsyncConnection, server: str, *, day: str, puzzle: str, post: str) -> None:
    """Record the post of a day, and forget who tried the puzzles of earlier days."""
    places, tries = DAILY_PUZZLE_PLACES.c, DAILY_PUZZLE_TRIES.c
    values = {"day": day, "puzzle": puzzle, "post": post, "failures": 0}
    await connection.execute(update(DAILY_PUZZLE_PLACES).where(places.server == server).values(values))
    await connection.execute(delete(DAILY_PUZZLE_TRIES).where(tries.server == server, tries.day < day))


async def add_try(connection: AsyncConnection, server: str, day: str, person: str, name: str) -> None:
    """Record that a person tries the puzzle of a day on a server, under the name there; once."""
    await insert_if_new(connection, DAILY_PUZZLE_TRIES, server=server, day=day, person=person, name=name)


async def list_solvers(
    connection: AsyncConnection, server: str, day: str, puzzle: str, limit: int
) -> tuple[list[str], int]:
    """Return the names of at most `limit` who solved a day's puzzle at the first attempt, and their number.

    Those are first who have solved it first.
    """
    tries, attempts = DAILY_PUZZLE_TRIES.c, PUZZLE_ATTEMPTS.c
    is_attempt = and_(attempts.person == tries.person, attempts.puzzle == puzzle)
    source = DAILY_PUZZLE_TRIES.join(PUZZLE_ATTEMPTS, is_attempt)
    where = (tries.server == server, tries.day == day, attempts.is_solved.is_(True))
    names = select(tries.name).select_from(source).where(*where)
    shown = await connection.scalars(names.order_by(attempts.made_at, tries.person).limit(limit))
    count = await connection.scalar(select(func.count()).select_from(source).where(*where))
    return list(shown), count or 0
