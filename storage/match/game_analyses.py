"""Analyses of matches and imported records. The text is defined in `matches.game_analysis`.

A complete analysis in whose game puzzles are to be looked for has still a `work_at`, and is told from the
others by its `simulations`: :data:`COMPLETE`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from storage.statements import columns_for, count_where, fetch_row, has_row, insert_if_new
from storage.tables import GAME_ANALYSES, MATCHES

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.ext.asyncio import AsyncConnection

COMPLETE = 10**9
"""More simulations than any search has: so these rows are worked on last."""


@dataclass(frozen=True, slots=True)
class AnalysisRow:
    """An analysis of a match or of a record."""

    id: int
    match: int | None
    record: int | None
    work_at: int | None
    text: str | None


async def find(connection: AsyncConnection, *, match: int | None, record: int | None) -> AnalysisRow | None:
    """Return the analysis of a match or, if it is None, of a record."""
    table = GAME_ANALYSES.c
    condition = table.record == record if match is None else table.match == match
    statement = select(*columns_for(AnalysisRow, dict(table))).where(condition)
    return await fetch_row(connection, AnalysisRow, statement)


async def add(
    connection: AsyncConnection,
    *,
    match: int | None,
    record: int | None,
    by: str | None,
    replaced_text: str | None,
    now: int,
) -> None:
    """Insert an analysis that can be worked on at once, unless the game has one.

    One with this text on which nobody is to work any more is begun again.
    """
    game = {"match": match, "record": None if match is not None else record}
    request = {"by": by, "made_at": now, "work_at": now}
    await insert_if_new(connection, GAME_ANALYSES, **game, **request)
    is_same = GAME_ANALYSES.c.record == record if match is None else GAME_ANALYSES.c.match == match
    is_replaced = (GAME_ANALYSES.c.text == replaced_text, GAME_ANALYSES.c.work_at.is_(None))
    begun = {**request, "text": "", "simulations": 0}
    await connection.execute(update(GAME_ANALYSES).where(is_same, *is_replaced).values(**begun))


async def count_since(connection: AsyncConnection, by: str | None, since: int) -> int:
    """Count the analyses that an account (None: all visitors) has requested since a time."""
    return await count_where(
        connection, GAME_ANALYSES, GAME_ANALYSES.c.by == by, GAME_ANALYSES.c.made_at > since
    )


async def any_due(connection: AsyncConnection, now: int | None = None) -> bool:
    """Return whether any analysis is not complete, or can be worked on at `now`; locks nothing."""
    work_at = GAME_ANALYSES.c.work_at
    is_due = work_at.is_not(None) if now is None else work_at <= now
    return await has_row(connection, select(GAME_ANALYSES.c.id).where(is_due).limit(1))


async def is_of_match(connection: AsyncConnection, analysis: int, audiences: Collection[str]) -> bool:
    """Return whether an analysis is that of a match with one of these audiences, and not of a record."""
    is_same = (GAME_ANALYSES.c.id == analysis, MATCHES.c.id == GAME_ANALYSES.c.match)
    return await has_row(
        connection, select(GAME_ANALYSES.c.id).where(*is_same, MATCHES.c.audience.in_(audiences))
    )


async def claim(
    connection: AsyncConnection, now: int, until: int, *, is_complete: bool = False
) -> AnalysisRow | None:
    """Lease the analysis that needs work most, until a time: one without a result, then the oldest.

    With `is_complete`, only one in whose game puzzles are to be looked for; otherwise none of these.
    """
    table = GAME_ANALYSES.c
    kind = table.simulations == COMPLETE if is_complete else table.simulations < COMPLETE
    statement = (
        select(*columns_for(AnalysisRow, dict(table)))
        .where(table.work_at <= now, kind)
        .order_by(table.simulations, table.work_at, table.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    row = await fetch_row(connection, AnalysisRow, statement)
    if row is not None:
        await connection.execute(update(GAME_ANALYSES).where(table.id == row.id).values(work_at=until))
    return row


async def save(
    connection: AsyncConnection, analysis: int, *, text: str, simulations: int, work_at: int | None
) -> None:
    """Store the text of an analysis, and when it can be worked on again (None: never)."""
    await connection.execute(
        update(GAME_ANALYSES)
        .where(GAME_ANALYSES.c.id == analysis)
        .values(text=text, simulations=simulations, work_at=work_at)
    )
