"""What limits who may challenge whom: what is known of accounts, and of their earlier challenges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, exists, func, or_, select

from storage.statements import columns_for, count_where, fetch_rows, has_row
from storage.tables import CHALLENGES, MATCHES, PEOPLE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """An account, met at a time in milliseconds since 1970 UTC, and its matches with people under way."""

    account: str
    met_at: int
    is_guest: bool
    running: int


async def list_players(
    connection: AsyncConnection, accounts: Collection[str], states: Sequence[str], computer_prefix: str
) -> dict[str, PlayerRow]:
    """Return what is known of accounts; `states` are those of matches under way."""
    seats = ((MATCHES.c.first, MATCHES.c.second), (MATCHES.c.second, MATCHES.c.first))
    counts = [
        select(func.count())
        .select_from(MATCHES)
        .where(own == PEOPLE.c.account, MATCHES.c.state.in_(states), ~other.startswith(computer_prefix))
        .scalar_subquery()
        for own, other in seats
    ]
    sources = {**PEOPLE.c, "running": counts[0] + counts[1]}
    statement = select(*columns_for(PlayerRow, sources)).where(PEOPLE.c.account.in_(sorted(accounts)))
    return {row.account: row for row in await fetch_rows(connection, PlayerRow, statement)}


async def count_closed(connection: AsyncConnection, by: str, to: str, state: str, since: int) -> int:
    """Count the challenges of `by` to `to` that were put into `state` since a time, without rematches."""
    table = CHALLENGES.c
    where = (table.by == by, table.to == to, table.state == state, table.closed_at > since)
    return await count_where(connection, CHALLENGES, *where, table.rematch_of.is_(None))


async def has_open_to(
    connection: AsyncConnection, by: str, to: str, game: str, record: int | None, state: str, now: int
) -> bool:
    """Return whether a challenge of `by` to `to` at a game is in `state` and has not expired.

    Only those that start from `record`, with None from the first board. Rematches do not count.
    """
    table = CHALLENGES.c
    where = (table.by == by, table.to == to, table.game == game, table.state == state)
    more = (table.expires_at > now, table.rematch_of.is_(None), table.record.is_not_distinct_from(record))
    return await has_row(connection, select(table.id).where(*where, *more).limit(1))


async def have_played(connection: AsyncConnection, one: str, other: str) -> bool:
    """Return whether there is a match of two accounts."""
    return await has_row(connection, select(MATCHES.c.id).where(_is_between(one, other)).limit(1))


async def count_to_strangers(connection: AsyncConnection, by: str, since: int) -> int:
    """Count the challenges that `by` has made since a time to people with whom they have no match."""
    table = CHALLENGES.c
    where = (table.by == by, table.made_at > since, table.to.is_not(None))
    have_met = exists().where(_is_between(table.by, table.to))
    return await count_where(connection, CHALLENGES, *where, ~have_met)


async def list_standing_games(connection: AsyncConnection, by: str, state: str) -> list[str]:
    """Return the games of the standing challenges of `by` in `state`."""
    table = CHALLENGES.c
    where = (table.by == by, table.state == state, table.games.is_not(None))
    return list(await connection.scalars(select(table.game).where(*where)))


def _is_between(one: str | ColumnElement[str], other: str | ColumnElement[str]) -> ColumnElement[bool]:
    first, second = MATCHES.c.first, MATCHES.c.second
    return or_(and_(first == one, second == other), and_(first == other, second == one))
