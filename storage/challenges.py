"""Challenges as rows. Which states there are is the business of whoever writes them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, select, update

from storage.outbox import latest_post
from storage.statements import columns, records
from storage.tables import CHALLENGES, MATCHES, PEOPLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import Value


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """One challenge with the names of its people, its match and the latest post about it."""

    id: int
    by: str
    by_name: str
    to: str | None
    to_name: str | None
    server: str
    place: str
    game: str
    options: str
    colour: str | None
    state: str
    taken_by: str | None
    taken_by_name: str | None
    match: int | None
    made_at: int
    lapses_at: int
    record: int | None
    terms: str
    rematch_of: int | None
    post: str | None


async def add(connection: AsyncConnection, **values: Value) -> int:
    """Insert a challenge and give its number. `values` are columns of the table."""
    made = insert(CHALLENGES).values(**values).returning(CHALLENGES.c.id)
    number: int = (await connection.execute(made)).scalar_one()
    return number


async def get(connection: AsyncConnection, challenge: int) -> ChallengeRow | None:
    """Give a challenge, None where there is none of that number."""
    rows = (await connection.execute(_select().where(CHALLENGES.c.id == challenge))).all()
    return next(iter(records(ChallengeRow, rows)), None)


async def close(
    connection: AsyncConnection,
    challenge: int,
    was: str,
    state: str,
    now: int,
    *,
    taken_by: str | None = None,
) -> bool:
    """Move a challenge that has not lapsed from the state `was` to `state`; say whether this call did it."""
    result = await connection.execute(
        update(CHALLENGES)
        .where(CHALLENGES.c.id == challenge, CHALLENGES.c.state == was, CHALLENGES.c.lapses_at > now)
        .values(state=state, closed_at=now, taken_by=taken_by)
    )
    return result.rowcount == 1


async def any_lapsed(connection: AsyncConnection, state: str, now: int) -> bool:
    """Say whether the time of any challenge in `state` is over: a glance that locks nothing."""
    where = (CHALLENGES.c.state == state, CHALLENGES.c.lapses_at <= now)
    return (await connection.execute(select(CHALLENGES.c.id).where(*where).limit(1))).first() is not None


async def close_lapsed(connection: AsyncConnection, was: str, state: str, now: int) -> list[int]:
    """Move every challenge in the state `was` whose time is over to `state`; give their numbers, in order."""
    result = await connection.execute(
        update(CHALLENGES)
        .where(CHALLENGES.c.state == was, CHALLENGES.c.lapses_at <= now)
        .values(state=state, closed_at=now)
        .returning(CHALLENGES.c.id)
    )
    return sorted(result.scalars())


async def count(connection: AsyncConnection, by: str, state: str, now: int) -> int:
    """Count the challenges that `by` has in `state` and that have not lapsed."""
    where = (CHALLENGES.c.by == by, CHALLENGES.c.state == state, CHALLENGES.c.lapses_at > now)
    return (await connection.execute(select(func.count()).select_from(CHALLENGES).where(*where))).scalar_one()


async def of_person(
    connection: AsyncConnection, account: str, server: str, state: str, now: int
) -> list[ChallengeRow]:
    """Give the challenges in `server` by or for `account`, in `state` and not lapsed, oldest first."""
    mine = (CHALLENGES.c.by == account) | (CHALLENGES.c.to == account)
    where = (mine, CHALLENGES.c.server == server, CHALLENGES.c.state == state, CHALLENGES.c.lapses_at > now)
    rows = (await connection.execute(_select().where(*where).order_by(CHALLENGES.c.id))).all()
    return records(ChallengeRow, rows)


async def of_server(
    connection: AsyncConnection, server: str, state: str, now: int, limit: int
) -> list[ChallengeRow]:
    """Give the challenges in `server`, in `state` and not lapsed, the newest `limit` first."""
    where = (CHALLENGES.c.server == server, CHALLENGES.c.state == state, CHALLENGES.c.lapses_at > now)
    statement = _select().where(*where).order_by(CHALLENGES.c.id.desc()).limit(limit)
    return records(ChallengeRow, (await connection.execute(statement)).all())


async def to_anyone(connection: AsyncConnection, state: str, now: int, limit: int) -> list[ChallengeRow]:
    """Give the challenges anywhere that name nobody, in `state` and not lapsed, the newest `limit` first."""
    where = (CHALLENGES.c.to.is_(None), CHALLENGES.c.state == state, CHALLENGES.c.lapses_at > now)
    statement = _select().where(*where).order_by(CHALLENGES.c.id.desc()).limit(limit)
    return records(ChallengeRow, (await connection.execute(statement)).all())


async def of_rematch(connection: AsyncConnection, match: int) -> list[ChallengeRow]:
    """Give the challenges to a rematch of a match, in any state, the newest first."""
    where = CHALLENGES.c.rematch_of == match
    rows = await connection.execute(_select().where(where).order_by(CHALLENGES.c.id.desc()))
    return records(ChallengeRow, rows.all())


async def of_numbers(connection: AsyncConnection, numbers: Sequence[int]) -> list[ChallengeRow]:
    """Give the challenges of these numbers, oldest first."""
    rows = await connection.execute(_select().where(CHALLENGES.c.id.in_(numbers)).order_by(CHALLENGES.c.id))
    return records(ChallengeRow, rows.all())


@cache
def _select() -> Select[Any]:
    challenger, addressee, taker = (PEOPLE.alias(name) for name in ("challenger", "addressee", "taker"))
    sources = {
        **CHALLENGES.c,
        "by_name": challenger.c.name,
        "to_name": addressee.c.name,
        "taken_by_name": taker.c.name,
        "match": MATCHES.c.id,
        "post": latest_post("challenge", CHALLENGES.c.id),
    }
    source = (
        CHALLENGES.join(challenger, challenger.c.account == CHALLENGES.c.by)
        .outerjoin(addressee, addressee.c.account == CHALLENGES.c.to)
        .outerjoin(taker, taker.c.account == CHALLENGES.c.taken_by)
        .outerjoin(MATCHES, MATCHES.c.challenge == CHALLENGES.c.id)
    )
    return select(*columns(ChallengeRow, sources)).select_from(source)
