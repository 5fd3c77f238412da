"""Results of finished matches, for statistics and ratings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select

from storage.match import packed_logs
from storage.statements import columns_for, fetch_rows, without_index
from storage.tables import MATCHES, MOVES, PEOPLE

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A match with an outcome and its players, seated as at the end."""

    first: str
    first_name: str
    second: str
    second_name: str
    options: str
    outcome: str


async def list_for_person(
    connection: AsyncConnection, account: str, server: str, game: str
) -> list[ResultRow]:
    """Return the matches of `account` at a game in `server` that have an outcome, the oldest first."""
    return await fetch_rows(
        connection, ResultRow, _select_for_person(), {"account": account, "server": server, "game": game}
    )


async def find_latest_game(connection: AsyncConnection, account: str, server: str) -> str | None:
    """Return the game of the newest match of `account` in `server` that has an outcome; None without one."""
    rows = await connection.execute(_select_latest_of_games(), {"account": account, "server": server})
    return max(((row.latest, row.game) for row in rows), default=(0, None))[1]


async def count_distinct_movers(connection: AsyncConnection, match: int) -> int:
    """Count the persons who have made a move in a match."""
    query = select(func.count(MOVES.c.person.distinct())).where(MOVES.c.match == match)
    count: int = (await connection.execute(query)).scalar_one()
    return count or len({move.person for move in await packed_logs.list_moves(connection, match)})


@cache
def _select_for_person() -> Select[Any]:
    first, second = PEOPLE.alias("first_person"), PEOPLE.alias("second_person")
    sources = {**MATCHES.c, "first_name": first.c.name, "second_name": second.c.name}
    source = MATCHES.join(first, first.c.account == MATCHES.c.first).join(
        second, second.c.account == MATCHES.c.second
    )
    return (
        select(*columns_for(ResultRow, sources))
        .select_from(source)
        .where(*_decided_in_server(), MATCHES.c.game == bindparam("game"))
        .order_by(MATCHES.c.id)
    )


@cache
def _select_latest_of_games() -> Select[Any]:
    # No LIMIT: with it SQLite reads the matches of everybody from the newest backwards.
    latest = func.max(MATCHES.c.id).label("latest")
    return select(MATCHES.c.game, latest).where(*_decided_in_server()).group_by(MATCHES.c.game)


def _decided_in_server() -> tuple[ColumnElement[bool], ...]:
    seated = (MATCHES.c.first == bindparam("account")) | (MATCHES.c.second == bindparam("account"))
    in_server = without_index(MATCHES.c.server) == bindparam("server")
    return seated, in_server, MATCHES.c.outcome.is_not(None)
