"""Moves taken back: they leave the log of their match for one of their own, where they stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, literal, select

from storage.matches import MoveRow, moves
from storage.statements import columns, records
from storage.tables import MOVES
from storage.tables_offers import TAKEBACKS, TAKEN_MOVES

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

_KEPT = ("match", "ply", "turn", "side", "person", "text", "position", "played_at")


@dataclass(frozen=True, slots=True)
class TakebackRow:
    """One time that moves were taken back; the first of a match is number 1.

    `ply` is that of the last move that stayed, `by` whoever asked.
    """

    number: int
    ply: int
    by: str
    made_at: int


async def take(connection: AsyncConnection, match: int, takeback: TakebackRow) -> None:
    """Move what was played after a ply from the log to that of the moves taken back."""
    gone = (MOVES.c.match == match, MOVES.c.ply > takeback.ply)
    kept = select(literal(takeback.number), *(MOVES.c[name] for name in _KEPT)).where(*gone)
    made = insert(TAKEBACKS).values(
        match=match, number=takeback.number, ply=takeback.ply, by=takeback.by, made_at=takeback.made_at
    )
    await connection.execute(made)
    await connection.execute(insert(TAKEN_MOVES).from_select(["takeback", *_KEPT], kept))
    await connection.execute(delete(MOVES).where(*gone))


async def of_match(connection: AsyncConnection, match: int) -> list[TakebackRow]:
    """Give how often moves were taken back in a match, in order."""
    statement = select(*columns(TakebackRow, dict(TAKEBACKS.c))).where(TAKEBACKS.c.match == match)
    rows = (await connection.execute(statement.order_by(TAKEBACKS.c.number))).all()
    return records(TakebackRow, rows)


async def taken(connection: AsyncConnection, match: int, takeback: int) -> list[MoveRow]:
    """Give the moves that one takeback took out of the log, in order."""
    where = (TAKEN_MOVES.c.match == match, TAKEN_MOVES.c.takeback == takeback)
    statement = select(*columns(MoveRow, dict(TAKEN_MOVES.c))).where(*where).order_by(TAKEN_MOVES.c.ply)
    return records(MoveRow, (await connection.execute(statement)).all())


async def log_before(connection: AsyncConnection, match: int, takebacks: int) -> list[MoveRow]:
    """Give the log of a match as it was after so many takebacks, right before the next one, in order.

    Where there was no next one, this is the present log.
    """
    later = [row for row in await of_match(connection, match) if row.number > takebacks]
    log = {move.ply: move for move in await moves(connection, match)}
    for row in reversed(later):
        log = {ply: move for ply, move in log.items() if ply <= row.ply}
        log |= {move.ply: move for move in await taken(connection, match, row.number)}
    return [log[ply] for ply in sorted(log)]
