"""Matches in which the computer owes a move, a pick or an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import and_, case, func, or_, select, update

from storage.statements import has_row
from storage.tables import MATCHES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection


async def any_due(connection: AsyncConnection, now: int | None = None) -> bool:
    """Return whether the computer owes anything, or anything that can be taken at `now`; locks nothing."""
    is_due = MATCHES.c.think_at.is_not(None) if now is None else MATCHES.c.think_at <= now
    return await has_row(connection, select(MATCHES.c.id).where(is_due).limit(1))


async def claim_due(
    connection: AsyncConnection,
    prefix: str,
    served: Sequence[str],
    without: Sequence[str],
    now: int,
    until: int,
    limit: int,
) -> list[int]:
    """Lock and return at most `limit` due matches; they are due again at `until`.

    The matches of accounts that are `served` come last, in this order, and otherwise the longest due first.
    Those of accounts in `without` are left. `prefix` begins the accounts of the computer.
    """
    table = MATCHES.c
    person = case((_begins(table.first, prefix), table.second), else_=table.first)
    seats = table.first, table.second
    places = {account: place for place, account in enumerate(served, 1)}
    statement = (
        select(table.id)
        .where(table.think_at <= now, *(each.not_in(without) for each in seats if without))
        .order_by(*([case(places, value=person, else_=0)] if places else []), table.think_at, table.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    ids = list(await connection.scalars(statement))
    await schedule(connection, ids, until)
    return ids


async def schedule(connection: AsyncConnection, ids: Sequence[int], think_at: int | None) -> None:
    """Set from when on what is owed in some matches can be taken; None: nothing is owed."""
    if ids:
        await connection.execute(update(MATCHES).where(MATCHES.c.id.in_(ids)).values(think_at=think_at))


async def renew(connection: AsyncConnection, match: int, old: int, until: int) -> bool:
    """Set from when on a match is due again, if that still is `old`; return whether it was."""
    statement = update(MATCHES).where(MATCHES.c.id == match, MATCHES.c.think_at == old).values(think_at=until)
    return (await connection.execute(statement)).rowcount == 1


async def restore(
    connection: AsyncConnection, prefix: str, choosing_state: str, playing_state: str, now: int
) -> int:
    """Set what the matches say and no `think_at` does; return in how many.

    `prefix` begins the accounts of the computer.
    """
    seated = or_(_begins(MATCHES.c.first, prefix), _begins(MATCHES.c.second, prefix))
    owes = or_(_begins(MATCHES.c.mover, prefix), MATCHES.c.pending_offer.is_not(None))
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
