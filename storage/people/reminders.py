"""Matches whose players may have to be reminded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, select, update

from storage.statements import columns_for, fetch_rows, has_row
from storage.tables import MATCHES, PICKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class ReminderRow:
    """A match that waits for `mover` or, during a simultaneous choice, for those who have not picked."""

    id: int
    server: str
    place: str
    state: str
    first: str
    second: str
    mover: str | None
    turn_ply: int
    takebacks: int
    changed_at: int
    reminded_at: int | None
    waits_since: int | None
    clock: str | None
    lost: int
    first_picked: bool
    second_picked: bool


async def any_due(connection: AsyncConnection, now: int) -> bool:
    """Return whether any reminder is due, without locking anything."""
    return await has_row(connection, select(MATCHES.c.id).where(MATCHES.c.remind_at <= now).limit(1))


async def claim_due(connection: AsyncConnection, now: int, limit: int) -> list[ReminderRow]:
    """Return and lock at most `limit` matches whose reminder is due."""
    first_picks, second_picks = PICKS.alias("first_picks"), PICKS.alias("second_picks")
    sources = {
        **MATCHES.c,
        "first_picked": first_picks.c.pick.is_not(None),
        "second_picked": second_picks.c.pick.is_not(None),
    }
    source = MATCHES.outerjoin(
        first_picks, and_(first_picks.c.match == MATCHES.c.id, first_picks.c.person == MATCHES.c.first)
    ).outerjoin(
        second_picks,
        and_(second_picks.c.match == MATCHES.c.id, second_picks.c.person == MATCHES.c.second),
    )
    statement = (
        select(*columns_for(ReminderRow, sources))
        .select_from(source)
        .where(MATCHES.c.remind_at <= now)
        .order_by(MATCHES.c.remind_at, MATCHES.c.id)
        .limit(limit)
        .with_for_update(of=MATCHES, skip_locked=True)
    )
    return await fetch_rows(connection, ReminderRow, statement)


async def schedule(
    connection: AsyncConnection, reminders: Iterable[Mapping[str, int | None]], now: int
) -> None:
    """Set when to look at each match again (`remind_at`, None for never)."""
    statement = (
        update(MATCHES)
        .where(MATCHES.c.id == bindparam("b_match"))
        .values(remind_at=bindparam("b_remind_at"), reminded_at=now)
    )
    rows = [{"b_match": one["match"], "b_remind_at": one["remind_at"]} for one in reminders]
    if rows:
        await connection.execute(statement, rows)
