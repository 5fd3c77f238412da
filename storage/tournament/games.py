"""Games of tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, insert, or_, select, update

from storage.match import packed_logs
from storage.statements import columns_for, fetch_dict, fetch_row, fetch_rows, has_row, insert_row
from storage.tables import MOVES, TOURNAMENT_ENTRANTS, TOURNAMENT_GAMES
from storage.tournament.rows import GameRow

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue

_GAMES = TOURNAMENT_GAMES.c


async def add(connection: AsyncConnection, **values: ColumnValue) -> int:
    """Insert a game and return its id."""
    return await insert_row(connection, TOURNAMENT_GAMES, **values)


async def add_all(connection: AsyncConnection, rows: Sequence[dict[str, ColumnValue]]) -> None:
    """Insert games, which all have the same columns."""
    if rows:
        await connection.execute(insert(TOURNAMENT_GAMES), list(rows))


async def get(connection: AsyncConnection, game: int) -> GameRow | None:
    """Return a game, or None."""
    return await fetch_row(connection, GameRow, _select().where(_GAMES.id == game))


async def find_by_match(connection: AsyncConnection, match: int) -> GameRow | None:
    """Return the game that is played in a match, or None."""
    return await fetch_row(connection, GameRow, _select().where(_GAMES.match == match))


async def list_all(connection: AsyncConnection, tournament: int) -> list[GameRow]:
    """Return the games of a tournament in the order in which they were made."""
    return await fetch_rows(
        connection, GameRow, _select().where(_GAMES.tournament == tournament).order_by(_GAMES.id)
    )


async def change(connection: AsyncConnection, game: int, **values: ColumnValue) -> None:
    """Write columns of a game."""
    await connection.execute(update(TOURNAMENT_GAMES).where(_GAMES.id == game).values(values))


async def change_if(
    connection: AsyncConnection, game: int, states: Sequence[str], **values: ColumnValue
) -> bool:
    """Write columns of a game that is in one of these states; return whether it is."""
    where = (_GAMES.id == game, _GAMES.state.in_(states))
    return (await connection.execute(update(TOURNAMENT_GAMES).where(*where).values(values))).rowcount == 1


async def settle(connection: AsyncConnection, games: Mapping[int, int]) -> None:
    """Forget that there is news of these games, which was taken in, if there is no newer one.

    `games` are the times of the news by the ids of the games.
    """
    if games:
        where = (_GAMES.id.in_(sorted(games)), _GAMES.news_at <= max(games.values()))
        await connection.execute(update(TOURNAMENT_GAMES).where(*where).values(news_at=None))


async def count_open(connection: AsyncConnection, accounts: Collection[str], state: str) -> dict[str, int]:
    """Return how many games of tournaments each account has open, in all tournaments."""
    entrants = TOURNAMENT_ENTRANTS.c
    statement = (
        select(entrants.account, func.count())
        .join(TOURNAMENT_GAMES, or_(_GAMES.first == entrants.id, _GAMES.second == entrants.id))
        .where(entrants.account.in_(sorted(accounts)), _GAMES.state == state)
        .group_by(entrants.account)
    )
    return await fetch_dict(connection, statement)


async def find_last_moves(connection: AsyncConnection, match: int) -> dict[str, int]:
    """Return when each player of a match made the last move, in milliseconds."""
    statement = select(MOVES.c.person, func.max(MOVES.c.played_at)).where(MOVES.c.match == match)
    found = await fetch_dict(connection, statement.group_by(MOVES.c.person))
    if found:
        return found
    log = await packed_logs.list_moves(connection, match)
    return {move.person: move.played_at for move in log}


async def has_moved_between(
    connection: AsyncConnection, matches: Collection[int], account: str, after: int, before: int
) -> bool:
    """Return whether an account made a move in one of these matches between two times."""
    statement = select(MOVES.c.ply).where(
        MOVES.c.match.in_(sorted(matches)),
        MOVES.c.person == account,
        MOVES.c.played_at > after,
        MOVES.c.played_at < before,
    )
    return await has_row(connection, statement.limit(1))


# Games that are to be assessed.


async def any_to_assess(connection: AsyncConnection, now: int | None = None) -> bool:
    """Return whether a board waits to be assessed; with `now` only if nobody has taken it."""
    is_waiting = _GAMES.assess_at.is_not(None) if now is None else _GAMES.assess_at <= now
    return await has_row(connection, select(_GAMES.id).where(is_waiting).limit(1))


async def claim_to_assess(connection: AsyncConnection, now: int, until: int) -> GameRow | None:
    """Take the game that waits longest to be assessed until a time; nobody else gets it before."""
    oldest = select(_GAMES.id).where(_GAMES.assess_at <= now).order_by(_GAMES.assess_at).limit(1)
    number = await connection.scalar(oldest.with_for_update(skip_locked=True))
    if number is None:
        return None
    await change(connection, number, assess_at=until)
    return await get(connection, number)


def _select() -> Any:
    return select(*columns_for(GameRow, dict(_GAMES)))
