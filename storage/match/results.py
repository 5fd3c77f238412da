"""Results of finished matches, for statistics and ratings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, case, func, or_, select

from storage.match import packed_logs
from storage.statements import columns_for, fetch_rows, without_index
from storage.tables import MATCHES, MOVES, PEOPLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A match with an outcome and its players, seated as at the end."""

    first: str
    first_name: str
    second: str
    second_name: str
    place: str
    options: str
    outcome: str


@dataclass(frozen=True, slots=True)
class SeatedResult:
    """The players of a match, seated as at the end, its outcome and its terms as they are stored."""

    first: str
    second: str
    outcome: str
    terms: str


async def list_against(
    connection: AsyncConnection, prefix: str, game: str, limit: int, *, account: str = "", server: str = ""
) -> list[SeatedResult]:
    """Return the latest `limit` decided matches at a game against others, the oldest first.

    They are those of `account`, or without one all on a `server`. The accounts of the others begin with
    `prefix`.
    """
    table = MATCHES.c
    seats = ((table.first, table.second), (table.second, table.first))
    is_against = or_(
        *(
            and_(
                own == account if account else table.server == server,
                other.startswith(prefix, autoescape=True),
            )
            for own, other in seats
        )
    )
    statement = (
        select(*columns_for(SeatedResult, dict(table)))
        .where(is_against, table.game == game, table.outcome.is_not(None))
        .order_by((table.id + 0).desc())
        .limit(limit)
    )
    return (await fetch_rows(connection, SeatedResult, statement))[::-1]


async def list_for_person(
    connection: AsyncConnection, account: str, server: str, game: str
) -> list[ResultRow]:
    """Return the matches of `account` at a game in `server` that have an outcome, the oldest first."""
    first, second = PEOPLE.alias("first_person"), PEOPLE.alias("second_person")
    sources = {**MATCHES.c, "first_name": first.c.name, "second_name": second.c.name}
    statement = (
        select(*columns_for(ResultRow, sources))
        .join(first, first.c.account == MATCHES.c.first)
        .join(second, second.c.account == MATCHES.c.second)
        .where(*_decided_in_server(account, server), MATCHES.c.game == game)
        .order_by(MATCHES.c.id)
    )
    return await fetch_rows(connection, ResultRow, statement)


async def count_public(
    connection: AsyncConnection, account: str, server: str, audiences: Sequence[str], others: str
) -> list[tuple[str, bool, str, int]]:
    """Count the decided matches of `account` in `server` with one of `audiences`.

    Returns the game, whether the account played the first side, the outcome, and how many such matches there
    are. Those against accounts that begin with `others` are left out.
    """
    is_first = (MATCHES.c.first == account).label("is_first")
    opponent = case((MATCHES.c.first == account, MATCHES.c.second), else_=MATCHES.c.first)
    statement = (
        select(MATCHES.c.game, is_first, MATCHES.c.outcome, func.count())
        .where(
            *_decided_in_server(account, server),
            without_index(MATCHES.c.audience).in_(audiences),
            opponent.not_like(f"{others}%"),
        )
        .group_by(MATCHES.c.game, is_first, MATCHES.c.outcome)
    )
    rows = await connection.execute(statement)
    return [(game, bool(first), outcome, count) for game, first, outcome, count in rows]


async def find_latest_game(connection: AsyncConnection, account: str, server: str) -> str | None:
    """Return the game of the newest match of `account` in `server` that has an outcome; None without one."""
    # No LIMIT: with it SQLite reads the matches of everybody from the newest backwards.
    latest = select(MATCHES.c.game, func.max(MATCHES.c.id).label("latest"))
    rows = await connection.execute(
        latest.where(*_decided_in_server(account, server)).group_by(MATCHES.c.game)
    )
    return max(((row.latest, row.game) for row in rows), default=(0, None))[1]


async def count_distinct_movers(connection: AsyncConnection, match: int) -> int:
    """Count the persons who have made a move in a match."""
    query = select(func.count(MOVES.c.person.distinct())).where(MOVES.c.match == match)
    count: int = (await connection.execute(query)).scalar_one()
    return count or len({move.person for move in await packed_logs.list_moves(connection, match)})


def _decided_in_server(account: str, server: str) -> tuple[ColumnElement[bool], ...]:
    seated = (MATCHES.c.first == account) | (MATCHES.c.second == account)
    return seated, without_index(MATCHES.c.server) == server, MATCHES.c.outcome.is_not(None)
