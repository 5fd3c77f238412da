"""Offers between the players of a match. `matches.pending_offer` holds the id of the pending one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from storage.statements import fetch_row, fetch_rows, insert_row, select_rows
from storage.tables import OFFERS

if TYPE_CHECKING:
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
    return await insert_row(
        connection, OFFERS, match=match, kind=kind, by=by, ply=ply, takebacks=takebacks, made_at=now
    )


async def get(connection: AsyncConnection, offer: int) -> OfferRow | None:
    """Return an offer, or None."""
    return await fetch_row(connection, OfferRow, select_rows(OfferRow, OFFERS).where(OFFERS.c.id == offer))


async def list_on_board(connection: AsyncConnection, match: int, ply: int, takebacks: int) -> list[OfferRow]:
    """Return all offers that were made at one ply and takeback count, in order."""
    where = (OFFERS.c.match == match, OFFERS.c.ply == ply, OFFERS.c.takebacks == takebacks)
    return await fetch_rows(
        connection, OfferRow, select_rows(OfferRow, OFFERS).where(*where).order_by(OFFERS.c.id)
    )


async def find_last_ply(connection: AsyncConnection, match: int, by: str) -> int | None:
    """Return the ply of the last offer that an account has made in a match, or None."""
    where = (OFFERS.c.match == match, OFFERS.c.by == by)
    ply: int | None = await connection.scalar(
        select(OFFERS.c.ply).where(*where).order_by(OFFERS.c.id.desc()).limit(1)
    )
    return ply


async def record_answer(connection: AsyncConnection, offer: int, answer: str, now: int) -> None:
    """Record the answer to an offer."""
    statement = update(OFFERS).where(OFFERS.c.id == offer).values(answer=answer, answered_at=now)
    await connection.execute(statement)
