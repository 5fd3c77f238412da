"""Offers that one person of a match makes to the other, as rows. Whether one stands, its match knows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from storage.statements import columns_for, convert_rows
from storage.tables import OFFERS

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class OfferRow:
    """One offer, the board on which it was made, and how it was answered, if it was."""

    id: int
    match: int
    kind: str
    by: str
    ply: int
    takebacks: int
    made_at: int
    answer: str | None


async def add(
    connection: AsyncConnection, match: int, kind: str, by: str, ply: int, takebacks: int, now: int
) -> int:
    """Insert an offer and give its number."""
    insertion = insert(OFFERS).values(
        match=match, kind=kind, by=by, ply=ply, takebacks=takebacks, made_at=now
    )
    row_id: int = (await connection.execute(insertion.returning(OFFERS.c.id))).scalar_one()
    return row_id


async def get(connection: AsyncConnection, offer: int) -> OfferRow | None:
    """Return an offer, None where there is none of that number."""
    rows = (await connection.execute(_select().where(OFFERS.c.id == offer))).all()
    return next(iter(convert_rows(OfferRow, rows)), None)


async def list_on_board(connection: AsyncConnection, match: int, ply: int, takebacks: int) -> list[OfferRow]:
    """Return all offers that were made on one board, in order."""
    where = (OFFERS.c.match == match, OFFERS.c.ply == ply, OFFERS.c.takebacks == takebacks)
    return convert_rows(
        OfferRow, (await connection.execute(_select().where(*where).order_by(OFFERS.c.id))).all()
    )


async def record_answer(connection: AsyncConnection, offer: int, answer: str, now: int) -> None:
    """Note how an offer was answered."""
    statement = update(OFFERS).where(OFFERS.c.id == offer).values(answer=answer, answered_at=now)
    await connection.execute(statement)


@cache
def _select() -> Select[Any]:
    return select(*columns_for(OfferRow, dict(OFFERS.c)))
