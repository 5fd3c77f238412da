"""Who follows which match, as rows. Which interests there are is the business of whoever writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, exists, func, select, update

from storage.statements import columns, insert, records
from storage.tables import MATCHES
from storage.tables_people import FOLLOWS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class FollowRow:
    """That somebody follows a match: `ply` is how far they have been told of it, `now_ply` how far it is."""

    match: int
    person: str
    interest: str
    ply: int
    due_at: int | None
    state: str
    now_ply: int


async def put(
    connection: AsyncConnection, match: int, person: str, interest: str, due_at: int | None, now: int
) -> None:
    """Write that a person follows a match from now on, or in which interest they do from now on."""
    told = select(MATCHES.c.turn_ply).where(MATCHES.c.id == match).scalar_subquery()
    fresh = insert(connection, FOLLOWS).values(
        match=match, person=person, interest=interest, ply=told, due_at=due_at, made_at=now
    )
    changed = {
        "interest": fresh.excluded.interest,
        "due_at": fresh.excluded.due_at,
        "ply": fresh.excluded.ply,
    }
    await connection.execute(fresh.on_conflict_do_update(index_elements=["match", "person"], set_=changed))
    await connection.execute(update(MATCHES).where(MATCHES.c.id == match).values(followed=True))


async def remove(connection: AsyncConnection, person: str, match: int) -> bool:
    """Remove a row; say whether there was one."""
    mine = (FOLLOWS.c.person == person, FOLLOWS.c.match == match)
    removed = (await connection.execute(delete(FOLLOWS).where(*mine))).rowcount == 1
    others = exists().where(FOLLOWS.c.match == match)
    await connection.execute(update(MATCHES).where(MATCHES.c.id == match).values(followed=others))
    return removed


async def count(connection: AsyncConnection, person: str, but: int) -> int:
    """Count the matches that a person follows, `but` that one."""
    mine = (FOLLOWS.c.person == person, FOLLOWS.c.match != but)
    return (await connection.execute(select(func.count()).select_from(FOLLOWS).where(*mine))).scalar_one()


async def of_person(connection: AsyncConnection, person: str) -> list[FollowRow]:
    """Give what a person follows, in the order of the matches."""
    statement = _select().where(FOLLOWS.c.person == person).order_by(FOLLOWS.c.match)
    return records(FollowRow, (await connection.execute(statement)).all())


async def of_match(connection: AsyncConnection, match: int) -> list[FollowRow]:
    """Give who follows a match."""
    statement = _select().where(FOLLOWS.c.match == match).order_by(FOLLOWS.c.person)
    return records(FollowRow, (await connection.execute(statement)).all())


async def end(connection: AsyncConnection, match: int, interests: Sequence[str]) -> None:
    """Remove the rows of a match in one of `interests`."""
    await connection.execute(
        delete(FOLLOWS).where(FOLLOWS.c.match == match, FOLLOWS.c.interest.in_(interests))
    )


async def any_due(connection: AsyncConnection, now: int) -> bool:
    """Say whether anything is due: a glance that locks nothing."""
    statement = select(FOLLOWS.c.match).where(FOLLOWS.c.due_at <= now).limit(1)
    return (await connection.execute(statement)).first() is not None


async def claim(connection: AsyncConnection, now: int, limit: int) -> list[FollowRow]:
    """Give what is due, person by person; nobody else gets it before this transaction ends."""
    # Of an expression SQLite knows no order; by the plain column it would walk through all that is followed.
    person = FOLLOWS.c.person.concat("")
    due = (
        select(person)
        .where(FOLLOWS.c.due_at <= now)
        .group_by(person)
        .order_by(func.min(FOLLOWS.c.due_at), person)
        .limit(limit)
    )
    statement = (
        _select()
        .where(FOLLOWS.c.due_at <= now, FOLLOWS.c.person.in_(due))
        .order_by(FOLLOWS.c.person, FOLLOWS.c.match)
        .with_for_update(of=FOLLOWS)
    )
    return records(FollowRow, (await connection.execute(statement)).all())


async def told(connection: AsyncConnection, person: str, match: int, ply: int, due_at: int) -> None:
    """Note how far a person has been told, and when next."""
    mine = (FOLLOWS.c.person == person, FOLLOWS.c.match == match)
    await connection.execute(update(FOLLOWS).where(*mine).values(ply=ply, due_at=due_at))


async def postpone(connection: AsyncConnection, person: str, due_at: int) -> None:
    """Have everything of a person that is due some time be due at `due_at`."""
    mine = (FOLLOWS.c.person == person, FOLLOWS.c.due_at.is_not(None))
    await connection.execute(update(FOLLOWS).where(*mine).values(due_at=due_at))


def _select() -> Select[Any]:
    sources = {**MATCHES.c, **FOLLOWS.c, "now_ply": MATCHES.c.turn_ply}
    return select(*columns(FollowRow, sources)).select_from(
        FOLLOWS.join(MATCHES, MATCHES.c.id == FOLLOWS.c.match)
    )
