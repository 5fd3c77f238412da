"""Matches in which the computer owes a move, a pick or an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, func, or_, select, update

from storage.tables import MATCHES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection


async def any_due(connection: AsyncConnection, now: int | None = None) -> bool:
    """Return whether the computer owes anything, or anything that can be taken at `now`; locks nothing."""
    owed = MATCHES.c.think_at.is_not(None) if now is None else MATCHES.c.think_at <= now
    return (await connection.execute(select(MATCHES.c.id).where(owed).limit(1))).first() is not None


async def claim_due(connection: AsyncConnection, now: int, until: int, limit: int) -> list[int]:
    """Lock and return at most `limit` due matches, the longest due first; they are due again at `until`."""
    statement = (
        select(MATCHES.c.id)
        .where(MATCHES.c.think_at <= now)
        .order_by(MATCHES.c.think_at, MATCHES.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    ids = list((await connection.execute(statement)).scalars())
    await schedule(connection, ids, until)
    return ids


async def schedule(connection: AsyncConnection, ids: Sequence[int], think_at: int | None) -> None:
    """Set from when on what is owed in some matches can be taken; None: nothing is owed."""
    if ids:
        await connection.execute(update(MATCHES).where(MATCHES.c.id.in_(ids)).values(think_at=think_at))


async def restore(
    connection: AsyncConnection, prefix: str, choosing_state: str, playing_state: str, now: int
) -> int:
    """Set what the matches say and no `think_at` does; return in how many.

    `prefix` begins the accounts of the computer.
    """
    seated = or_(_begins(MATCHES.c.first, prefix), _begins(MATCHES.c.second, prefix))
    owes = or_(_begins(MATCHES.c.mover, prefix), MATCHES.c.standing.is_not(None))
    is_waiting = or_(MATCHES.c.state == choosing_state, and_(MATCHES.c.state == playing_state, owes))
    statement = update(MATCHES).where(is_waiting, seated, MATCHES.c.think_at.is_(None)).values(think_at=now)
    return (await connection.execute(statement)).rowcount


async def count_active(connection: AsyncConnection, account: str, prefix: str, states: Sequence[str]) -> int:
    """Count the matches of a person against the computer that are in one of `states`."""
    in_states = MATCHES.c.state.in_(states)
    seats = ((MATCHES.c.first, MATCHES.c.second), (MATCHES.c.second, MATCHES.c.first))
    where = or_(*(and_(own == account, in_states, _begins(other, prefix)) for own, other in seats))
    return (await connection.execute(select(func.count()).select_from(MATCHES).where(where))).scalar_one()


def _begins(column: ColumnElement[str], prefix: str) -> ColumnElement[bool]:
    return column.startswith(prefix, autoescape=True)
