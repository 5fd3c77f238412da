"""Who follows which match. The values of `interest` are defined in `matches.following.values`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, exists, func, select, update

from storage.statements import columns_for, count_where, dialect_insert, fetch_rows, has_row
from storage.tables import FOLLOWS, MATCHES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class FollowRow:
    """One person following one match.

    `ply` is the ply up to which the person has been notified, `now_ply` the current ply, `due_at` when the
    next notification is due, in milliseconds since 1970 UTC.
    """

    match: int
    person: str
    interest: str
    ply: int
    due_at: int | None
    state: str
    now_ply: int


async def save(
    connection: AsyncConnection, match: int, person: str, interest: str, due_at: int | None, now: int
) -> None:
    """Make a person follow a match from its current ply on, or change their `interest`."""
    current_ply = select(MATCHES.c.turn_ply).where(MATCHES.c.id == match).scalar_subquery()
    insertion = dialect_insert(connection, FOLLOWS).values(
        match=match, person=person, interest=interest, ply=current_ply, due_at=due_at, made_at=now
    )
    updated = {name: insertion.excluded[name] for name in ("interest", "due_at", "ply")}
    await connection.execute(
        insertion.on_conflict_do_update(index_elements=["match", "person"], set_=updated)
    )
    await connection.execute(update(MATCHES).where(MATCHES.c.id == match).values(followed=True))


async def remove(connection: AsyncConnection, person: str, match: int) -> bool:
    """Make a person unfollow a match; return whether they followed it."""
    conditions = (FOLLOWS.c.person == person, FOLLOWS.c.match == match)
    removed = (await connection.execute(delete(FOLLOWS).where(*conditions))).rowcount == 1
    others = exists().where(FOLLOWS.c.match == match)
    await connection.execute(update(MATCHES).where(MATCHES.c.id == match).values(followed=others))
    return removed


async def count_except(connection: AsyncConnection, person: str, excluded_match: int) -> int:
    """Count the matches that a person follows, without `excluded_match`."""
    return await count_where(
        connection, FOLLOWS, FOLLOWS.c.person == person, FOLLOWS.c.match != excluded_match
    )


async def list_for_person(connection: AsyncConnection, person: str) -> list[FollowRow]:
    """Return what a person follows, ordered by match."""
    statement = _select().where(FOLLOWS.c.person == person).order_by(FOLLOWS.c.match)
    return await fetch_rows(connection, FollowRow, statement)


async def list_for_match(connection: AsyncConnection, match: int) -> list[FollowRow]:
    """Return the followers of a match."""
    statement = _select().where(FOLLOWS.c.match == match).order_by(FOLLOWS.c.person)
    return await fetch_rows(connection, FollowRow, statement)


async def remove_for_match(connection: AsyncConnection, match: int, interests: Sequence[str]) -> None:
    """Remove the followers of a match who have one of `interests`."""
    await connection.execute(
        delete(FOLLOWS).where(FOLLOWS.c.match == match, FOLLOWS.c.interest.in_(interests))
    )


async def any_due(connection: AsyncConnection, now: int) -> bool:
    """Return whether any notification is due, without locking anything."""
    return await has_row(connection, select(FOLLOWS.c.match).where(FOLLOWS.c.due_at <= now).limit(1))


async def claim_due(connection: AsyncConnection, now: int, limit: int) -> list[FollowRow]:
    """Return and lock the due rows of up to `limit` persons, grouped by person."""
    # With the plain column SQLite would scan the index by person instead of the few due rows.
    person = FOLLOWS.c.person.concat("")
    due_people = (
        select(person)
        .where(FOLLOWS.c.due_at <= now)
        .group_by(person)
        .order_by(func.min(FOLLOWS.c.due_at), person)
        .limit(limit)
    )
    statement = (
        _select()
        .where(FOLLOWS.c.due_at <= now, FOLLOWS.c.person.in_(due_people))
        .order_by(FOLLOWS.c.person, FOLLOWS.c.match)
        .with_for_update(of=FOLLOWS)
    )
    return await fetch_rows(connection, FollowRow, statement)


async def mark_notified(connection: AsyncConnection, person: str, match: int, ply: int, due_at: int) -> None:
    """Record up to which ply a person was notified, and when the next notification is due."""
    conditions = (FOLLOWS.c.person == person, FOLLOWS.c.match == match)
    await connection.execute(update(FOLLOWS).where(*conditions).values(ply=ply, due_at=due_at))


async def postpone(connection: AsyncConnection, person: str, due_at: int) -> None:
    """Make all rows of a person that have a due time due at `due_at`."""
    conditions = (FOLLOWS.c.person == person, FOLLOWS.c.due_at.is_not(None))
    await connection.execute(update(FOLLOWS).where(*conditions).values(due_at=due_at))


def _select() -> Select[Any]:
    sources = {**MATCHES.c, **FOLLOWS.c, "now_ply": MATCHES.c.turn_ply}
    return select(*columns_for(FollowRow, sources)).select_from(
        FOLLOWS.join(MATCHES, MATCHES.c.id == FOLLOWS.c.match)
    )
