"""Offers between the players of a match. `matches.pending_offer` holds the id of the pending one."""

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
    """An offer, the board on which it was made, and its answer, None while there is none."""

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
    """Insert an offer and return its id."""
    insertion = insert(OFFERS).values(
        match=match, kind=kind, by=by, ply=ply, takebacks=takebacks, made_at=now
    )
    row_id: int = (await connection.execute(insertion.returning(OFFERS.c.id))).scalar_one()
    return row_id


async def get(connection: AsyncConnection, offer: int) -> OfferRow | None:
    """Return an offer, or None."""
    rows = (await connection.execute(_select().where(OFFERS.c.id == offer))).all()
    return next(iter(convert_rows(OfferRow, rows)), None)


async def list_on_board(connection: AsyncConnection, match: int, ply: int, takebacks: int) -> list[OfferRow]:
    """Return all offers that were made at one ply and takeback count, in order."""
    where = (OFFERS.c.match == match, OFFERS.c.ply == ply, OFFERS.c.takebacks == takebacks)
    return convert_rows(
        OfferRow, (await connection.execute(_select().where(*where).order_by(OFFERS.c.id))).all()
    )


async def record_answer(connection: AsyncConnection, offer: int, answer: str, now: int) -> None:
    """Record the answer to an offer."""
    statement = update(OFFERS).where(OFFERS.c.id == offer).values(answer=answer, answered_at=now)
    await connection.execute(statement)


@cache
def _select() -> Select[Any]:
    return select(*columns_for(OfferRow, dict(OFFERS.c)))
