"""Challenges. The values of their states are defined in `matches.values`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import case, func, or_, select, union, update

from storage.match.vacations import current_end_subquery
from storage.people.people import WEBSITE_PREFIX
from storage.posting.outbox import latest_challenge_post_subquery
from storage.statements import columns_for, count_where, fetch_row, fetch_rows, has_row, insert_row
from storage.tables import CHALLENGES, MATCHES, PEOPLE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement, ScalarSelect, Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """A challenge with the names of its persons, the match it led to, and the latest post about it.

    On the website the addressee has the name there. `made_at` and `expires_at` (when it expires) are in
    milliseconds since 1970 UTC. `place` is a channel. `by_away_until` and `to_away_until` are the ends of
    their current vacations. `running` counts the matches
    under way of a standing challenge.
    """

    id: int
    by: str
    by_name: str
    by_alias: str | None
    to: str | None
    to_name: str | None
    server: str
    place: str
    game: str
    options: str
    colour: str | None
    state: str
    accepted_by: str | None
    accepted_by_name: str | None
    match: int | None
    made_at: int
    expires_at: int
    record: int | None
    terms: str
    rematch_of: int | None
    post: str | None
    by_away_until: int | None
    to_away_until: int | None
    audience: str
    note: str | None
    within: int | None
    by_link: bool
    games: int | None
    standing: int | None
    running: int


async def add(connection: AsyncConnection, **values: ColumnValue) -> int:
    """Insert a challenge and return its id. `values` are columns of the table."""
    return await insert_row(connection, CHALLENGES, **values)


async def get(connection: AsyncConnection, challenge: int) -> ChallengeRow | None:
    """Return a challenge, or None."""
    return await fetch_row(connection, ChallengeRow, _select().where(CHALLENGES.c.id == challenge))


async def close(
    connection: AsyncConnection,
    challenge: int,
    old_state: str,
    new_state: str,
    now: int,
    *,
    accepted_by: str | None = None,
) -> bool:
    """Move an unexpired challenge from `old_state` to `new_state`; return whether this call did it.

    One that stands never expires.
    """
    is_unexpired = or_(CHALLENGES.c.expires_at > now, CHALLENGES.c.games.is_not(None))
    open_one = (CHALLENGES.c.id == challenge, CHALLENGES.c.state == old_state, is_unexpired)
    changes = {"state": new_state, "closed_at": now, "accepted_by": accepted_by}
    return (await connection.execute(update(CHALLENGES).where(*open_one).values(changes))).rowcount == 1


async def lock_open(connection: AsyncConnection, challenge: int, state: str) -> bool:
    """Let nobody else change a challenge until the commit; return whether it is in `state`."""
    where = (CHALLENGES.c.id == challenge, CHALLENGES.c.state == state)
    return (await connection.execute(update(CHALLENGES).where(*where).values(state=state))).rowcount == 1


async def any_expired(connection: AsyncConnection, state: str, now: int) -> bool:
    """Return whether any challenge in `state` has expired, without locking anything."""
    where = _expired_in(state, now)
    return await has_row(connection, select(CHALLENGES.c.id).where(*where).limit(1))


async def close_expired(connection: AsyncConnection, old_state: str, new_state: str, now: int) -> list[int]:
    """Move every expired challenge from `old_state` to `new_state`; return their ids in order."""
    result = await connection.execute(
        update(CHALLENGES)
        .where(*_expired_in(old_state, now))
        .values(state=new_state, closed_at=now)
        .returning(CHALLENGES.c.id)
    )
    return sorted(result.scalars())


async def count_by(connection: AsyncConnection, by: str, state: str, now: int) -> int:
    """Count the unexpired challenges made by `by` in `state`."""
    where = (CHALLENGES.c.by == by, CHALLENGES.c.state == state, CHALLENGES.c.expires_at > now)
    return await count_where(connection, CHALLENGES, *where)


async def list_for_person(
    connection: AsyncConnection, account: str, server: str, state: str, now: int
) -> list[ChallengeRow]:
    """Return the unexpired challenges in `server` by or for `account` in `state`, the oldest first.

    Those that stand do not expire.
    """
    involved = (CHALLENGES.c.by == account) | (CHALLENGES.c.to == account)
    is_unexpired = or_(CHALLENGES.c.expires_at > now, CHALLENGES.c.games.is_not(None))
    where = (involved, CHALLENGES.c.server == server, CHALLENGES.c.state == state, is_unexpired)
    return await fetch_rows(connection, ChallengeRow, _select().where(*where).order_by(CHALLENGES.c.id))


async def list_for_server(
    connection: AsyncConnection, server: str, state: str, now: int, limit: int
) -> list[ChallengeRow]:
    """Return the unexpired challenges in `server` in `state`, the newest first, at most `limit`."""
    where = (CHALLENGES.c.server == server, CHALLENGES.c.state == state, CHALLENGES.c.expires_at > now)
    statement = _select().where(*where).order_by(CHALLENGES.c.id.desc()).limit(limit)
    return await fetch_rows(connection, ChallengeRow, statement)


async def list_involving(
    connection: AsyncConnection, accounts: Collection[str], state: str, now: int
) -> list[ChallengeRow]:
    """Return the challenges in `state` by or to any of `accounts` on all servers, the newest first.

    Without those that have expired; those that stand do not.
    """
    # Apart, so that each half is searched by its index.
    ids = [
        select(CHALLENGES.c.id).where(column.in_(sorted(accounts)), CHALLENGES.c.state == state)
        for column in (CHALLENGES.c.by, CHALLENGES.c.to)
    ]
    is_unexpired = or_(CHALLENGES.c.expires_at > now, CHALLENGES.c.games.is_not(None))
    statement = _select().where(CHALLENGES.c.id.in_(union(*ids)), is_unexpired)
    return await fetch_rows(connection, ChallengeRow, statement.order_by(CHALLENGES.c.id.desc()))


async def list_rematches(connection: AsyncConnection, match: int) -> list[ChallengeRow]:
    """Return the challenges to a rematch of a match, in any state, the newest first."""
    where = CHALLENGES.c.rematch_of == match
    return await fetch_rows(connection, ChallengeRow, _select().where(where).order_by(CHALLENGES.c.id.desc()))


async def list_by_ids(connection: AsyncConnection, ids: Sequence[int]) -> list[ChallengeRow]:
    """Return the challenges with these ids, the oldest first."""
    return await fetch_rows(
        connection, ChallengeRow, _select().where(CHALLENGES.c.id.in_(ids)).order_by(CHALLENGES.c.id)
    )


def _expired_in(state: str, now: int) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of challenges in `state` that have expired; those that stand only pause."""
    return (CHALLENGES.c.state == state, CHALLENGES.c.expires_at <= now, CHALLENGES.c.games.is_(None))


def running_subquery(standing: ColumnElement[int]) -> ScalarSelect[int]:
    """Return how many matches of a standing challenge are under way."""
    copy, match = CHALLENGES.alias("copy"), MATCHES.alias("running_match")
    joined = copy.join(match, match.c.challenge == copy.c.id)
    count = select(func.count()).select_from(joined)
    return count.where(copy.c.standing == standing, match.c.reason.is_(None)).scalar_subquery()


@cache
def _select() -> Select[Any]:
    challenger, addressee, accepter = (PEOPLE.alias(name) for name in ("challenger", "addressee", "taker"))
    is_on_website = CHALLENGES.c.server.startswith(WEBSITE_PREFIX)
    sources = {
        **CHALLENGES.c,
        "by_name": challenger.c.name,
        "by_alias": challenger.c.alias,
        "to_name": case(
            (is_on_website, func.coalesce(addressee.c.handle, addressee.c.name)), else_=addressee.c.name
        ),
        "accepted_by_name": accepter.c.name,
        "match": MATCHES.c.id,
        "post": latest_challenge_post_subquery(CHALLENGES.c.id),
        "by_away_until": current_end_subquery(CHALLENGES.c.by),
        "to_away_until": current_end_subquery(CHALLENGES.c.to),
        "running": running_subquery(CHALLENGES.c.id),
    }
    source = (
        CHALLENGES.join(challenger, challenger.c.account == CHALLENGES.c.by)
        .outerjoin(addressee, addressee.c.account == CHALLENGES.c.to)
        .outerjoin(accepter, accepter.c.account == CHALLENGES.c.accepted_by)
        .outerjoin(MATCHES, MATCHES.c.challenge == CHALLENGES.c.id)
    )
    return select(*columns_for(ChallengeRow, sources)).select_from(source)
