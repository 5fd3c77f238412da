"""Moves that were taken back: they are moved from the log to a table of their own."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, literal, select

from storage.match.matches import list_moves
from storage.match.packed_logs import MoveRow
from storage.statements import fetch_rows, select_rows
from storage.tables import MOVES, TAKEBACKS, TAKEN_MOVES

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

_COPIED_COLUMNS = ("match", "ply", "turn", "side", "person", "text", "position", "played_at")


@dataclass(frozen=True, slots=True)
class TakebackRow:
    """One takeback; those of a match are numbered from 1.

    `ply` is the ply of the last move that remained, `by` the account that asked for it.
    """

    number: int
    ply: int
    by: str
    made_at: int


async def take_back(connection: AsyncConnection, match: int, takeback: TakebackRow) -> None:
    """Move the moves after `takeback.ply` from the log to the table of taken-back moves."""
    conditions = (MOVES.c.match == match, MOVES.c.ply > takeback.ply)
    copied = select(literal(takeback.number), *(MOVES.c[name] for name in _COPIED_COLUMNS)).where(*conditions)
    await connection.execute(insert(TAKEBACKS).values(match=match, **asdict(takeback)))
    await connection.execute(insert(TAKEN_MOVES).from_select(["takeback", *_COPIED_COLUMNS], copied))
    await connection.execute(delete(MOVES).where(*conditions))


async def list_for_match(connection: AsyncConnection, match: int) -> list[TakebackRow]:
    """Return the takebacks of a match, in order."""
    statement = select_rows(TakebackRow, TAKEBACKS).where(TAKEBACKS.c.match == match)
    return await fetch_rows(connection, TakebackRow, statement.order_by(TAKEBACKS.c.number))


async def list_taken_moves(connection: AsyncConnection, match: int, takeback: int) -> list[MoveRow]:
    """Return the moves that one takeback removed from the log, in order."""
    where = (TAKEN_MOVES.c.match == match, TAKEN_MOVES.c.takeback == takeback)
    statement = select_rows(MoveRow, TAKEN_MOVES).where(*where).order_by(TAKEN_MOVES.c.ply)
    return await fetch_rows(connection, MoveRow, statement)


async def load_earlier_log(connection: AsyncConnection, match: int, takebacks: int) -> list[MoveRow]:
    """Return the log after so many takebacks, right before the next one, in order.

    Without a next one this is the current log.
    """
    later = [row for row in await list_for_match(connection, match) if row.number > takebacks]
    log = {move.ply: move for move in await list_moves(connection, match)}
    for row in reversed(later):
        log = {ply: move for ply, move in log.items() if ply <= row.ply}
        log |= {move.ply: move for move in await list_taken_moves(connection, match, row.number)}
    return [log[ply] for ply in sorted(log)]
