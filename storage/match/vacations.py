"""Vacations: who is on vacation, since when, and until when at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from storage.statements import fetch_rows, insert_if_new, select_rows
from storage.tables import MATCHES, VACATIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, ScalarSelect
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class VacationRow:
    """A vacation. `ended_at` is None while it lasts, at most until `ends_at`."""

    id: int
    person: str
    began_at: int
    ends_at: int
    ended_at: int | None


async def start(connection: AsyncConnection, person: str, now: int, ends_at: int) -> bool:
    """Insert a vacation; return False if the person is already on vacation."""
    return await insert_if_new(connection, VACATIONS, person=person, began_at=now, ends_at=ends_at)


async def end(connection: AsyncConnection, person: str, now: int) -> bool:
    """End the current vacation; return whether this call did it."""
    result = await connection.execute(
        update(VACATIONS)
        .where(VACATIONS.c.person == person, VACATIONS.c.ended_at.is_(None))
        .values(ended_at=now)
    )
    return result.rowcount == 1


async def list_since(connection: AsyncConnection, person: str, since: int) -> list[VacationRow]:
    """Return the vacations of a person that ended after `since` or still last, the earliest first."""
    lasted = VACATIONS.c.ended_at.is_(None) | (VACATIONS.c.ended_at > since)
    statement = (
        select_rows(VacationRow, VACATIONS)
        .where(VACATIONS.c.person == person, lasted)
        .order_by(VACATIONS.c.began_at)
    )
    return await fetch_rows(connection, VacationRow, statement)


async def find_active(connection: AsyncConnection, people: Sequence[str]) -> dict[str, int]:
    """Return those of `people` who are on vacation, with the time at which it began."""
    statement = select(VACATIONS.c.person, VACATIONS.c.began_at).where(
        VACATIONS.c.person.in_(people), VACATIONS.c.ended_at.is_(None)
    )
    return {row.person: row.began_at for row in await connection.execute(statement)}


def current_end_subquery(person: ColumnElement[str]) -> ScalarSelect[int]:
    """Return the latest end of the current vacation of a person, NULL if there is none."""
    vacation = VACATIONS.alias()
    statement = select(vacation.c.ends_at).where(vacation.c.person == person, vacation.c.ended_at.is_(None))
    return statement.scalar_subquery()


async def list_expired(connection: AsyncConnection, now: int) -> list[str]:
    """Return the persons whose vacation has reached its maximum length."""
    statement = select(VACATIONS.c.person).where(VACATIONS.c.ended_at.is_(None), VACATIONS.c.ends_at <= now)
    return sorted(await connection.scalars(statement))


async def list_matches(connection: AsyncConnection, person: str, over_state: str) -> list[int]:
    """Return the ids of the matches of a person that are not in the state `over`, in order."""
    seated = (MATCHES.c.first == person) | (MATCHES.c.second == person)
    statement = select(MATCHES.c.id).where(seated, MATCHES.c.state != over_state).order_by(MATCHES.c.id)
    return list(await connection.scalars(statement))
