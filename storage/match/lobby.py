"""Challenges that anyone may accept, and standing ones, as lists need them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, exists, func, literal_column, or_, select, text, update

from storage.match.challenges import running_subquery
from storage.statements import count_where, fetch_rows, has_row
from storage.tables import BLOCKS, CHALLENGES, EXCLUSIONS, MATCHES, MOVES, PEOPLE, WEB_SESSIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement, Select, TextClause
    from sqlalchemy.ext.asyncio import AsyncConnection

RECENT_PLIES = 4  # of a match, among which a player's last move is


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A standing challenge, and when its maker was last seen; times in milliseconds since 1970 UTC."""

    id: int
    expires_at: int
    visited_at: int | None
    moved_first_at: int | None
    moved_second_at: int | None


async def list_ids(
    connection: AsyncConnection,
    state: str,
    audiences: Sequence[str],
    limit: int,
    *,
    readers: Collection[str],
    now: int,
    servers: Collection[str] | None = None,
    game: str | None = None,
    rated: bool | None = None,
    before: int | None = None,
) -> list[int]:
    """Return at most `limit` challenges in `state` with one of `audiences` that anyone may accept.

    The newest first. Only those of `servers`, unless that is None, of `game` and as `rated`, and only those
    before the challenge `before`. Without expired and paused ones, standing ones without a free place, those
    of closed accounts, those of servers that exclude one of the accounts `readers`, and those where one of
    these and the challenger block each other.
    """
    table = CHALLENGES.c
    # Written into the statement: only then the planners know that an index of these audiences is enough.
    audience = table.audience.in_([literal_column(f"'{one}'") for one in audiences])
    where: list[ColumnElement[bool] | TextClause] = [
        *(table.to.is_(None), text("NOT challenges.by_link"), audience),
        *(table.state == state, table.expires_at > now),
        or_(table.games.is_(None), table.games > running_subquery(table.id)),
        ~exists().where(PEOPLE.c.account == table.by, PEOPLE.c.closed_at.is_not(None)),
        *_are_apart(sorted(readers)),
    ]
    if servers is not None:
        where.append(table.server.in_(sorted(servers)))
    if game is not None:
        where.append(table.game == game)
    if rated is not None:
        is_rated = table.terms.contains('"rated": true')
        where.append(is_rated if rated else ~is_rated)
    if before is not None:
        where.append(table.id < before)
    statement: Select[Any] = select(table.id).where(*where).order_by(table.id.desc()).limit(limit)
    return list(await connection.scalars(statement))


def _are_apart(readers: Sequence[str]) -> list[ColumnElement[bool]]:
    """Return the conditions that nothing keeps these accounts from playing the challenger there."""
    if not readers:
        return []
    by = CHALLENGES.c.by
    is_excluded = and_(EXCLUSIONS.c.server == CHALLENGES.c.server, EXCLUSIONS.c.person.in_(readers))
    return [
        ~exists().where(BLOCKS.c.person.in_(readers), BLOCKS.c.blocked == by),
        ~exists().where(BLOCKS.c.person == by, BLOCKS.c.blocked.in_(readers)),
        ~exists().where(is_excluded),
    ]


async def count_incoming(connection: AsyncConnection, account: str, state: str, now: int) -> int:
    """Count the unexpired challenges to an account in `state`, without those of whom it blocks."""
    table = CHALLENGES.c
    is_blocked = exists().where(BLOCKS.c.person == account, BLOCKS.c.blocked == table.by)
    where = (table.to == account, table.state == state, table.expires_at > now, ~is_blocked)
    return await count_where(connection, CHALLENGES, *where)


async def plays_from(connection: AsyncConnection, standing: int, account: str) -> bool:
    """Return whether an account has a match under way from a standing challenge."""
    joined = CHALLENGES.join(MATCHES, MATCHES.c.challenge == CHALLENGES.c.id)
    own = (CHALLENGES.c.standing == standing, CHALLENGES.c.accepted_by == account)
    statement = select(CHALLENGES.c.id).select_from(joined).where(*own, MATCHES.c.reason.is_(None))
    return await has_row(connection, statement.limit(1))


async def list_standing_until(
    connection: AsyncConnection, state: str, until: int, playing: str
) -> list[StandingRow]:
    """Return the standing challenges in `state` that pause at `until` or before, if their maker is not seen.

    Seen are visits of the website, and moves in matches in the state `playing`.
    """
    table = CHALLENGES.c
    visited_at = select(func.max(WEB_SESSIONS.c.used_at)).where(WEB_SESSIONS.c.account == table.by)
    is_recent = MOVES.c.ply > MATCHES.c.ply - RECENT_PLIES
    last_move = select(func.max(MOVES.c.played_at)).select_from(
        MATCHES.join(MOVES, and_(MOVES.c.match == MATCHES.c.id, is_recent))
    )
    # Apart, so that the matches are found by the indexes of the seats.
    moves = [
        last_move.where(seat == table.by, MATCHES.c.state == playing, MOVES.c.person == table.by)
        for seat in (MATCHES.c.first, MATCHES.c.second)
    ]
    seen = [one.scalar_subquery() for one in (visited_at, *moves)]
    columns = (table.id, table.expires_at, *seen)
    where = (table.state == state, table.expires_at <= until, table.games.is_not(None))
    return await fetch_rows(connection, StandingRow, select(*columns).where(*where))


async def prolong(connection: AsyncConnection, challenge: int, state: str, expires_at: int) -> None:
    """Have a standing challenge in `state` pause at `expires_at`, unless it does so later."""
    where = (
        CHALLENGES.c.id == challenge,
        CHALLENGES.c.state == state,
        CHALLENGES.c.expires_at < expires_at,
    )
    await connection.execute(update(CHALLENGES).where(*where).values(expires_at=expires_at))
