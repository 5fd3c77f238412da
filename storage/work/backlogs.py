"""How much work waits in the database: one statement for each kind, over rows that partial indexes hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import case, func, select

from storage.posting.outbox import place_in_queue
from storage.tables import GAME_ANALYSES, MATCHES, OUTBOX

if TYPE_CHECKING:
    from sqlalchemy import Column
    from sqlalchemy.ext.asyncio import AsyncConnection


async def measure_outbox(connection: AsyncConnection, platform: str, now: int) -> tuple[int, int, int | None]:
    """Return how many announcements of a platform are unsent, how many were tried, and the earliest due time.

    Times are in milliseconds since 1970 UTC. The due time is that of those to take, None if nothing is due:
    rows behind an earlier one of their match or challenge are not to be taken yet.
    """
    unsent = (
        select(
            OUTBOX.c.due_at,
            case((OUTBOX.c.attempts > 0, 1), else_=0).label("is_tried"),
            place_in_queue(OUTBOX.c.match).label("match_place"),
            place_in_queue(OUTBOX.c.challenge).label("challenge_place"),
        )
        .where(OUTBOX.c.sent_at.is_(None), OUTBOX.c.platform == platform)
        .subquery("unsent")
    )
    is_due = (unsent.c.due_at <= now) & (unsent.c.match_place == 1) & (unsent.c.challenge_place == 1)
    statement = select(
        func.count(),
        func.coalesce(func.sum(unsent.c.is_tried), 0),
        func.min(case((is_due, unsent.c.due_at))),
    ).select_from(unsent)
    waiting, tried, due_at = (await connection.execute(statement)).one()
    return waiting, int(tried), due_at


async def count_computer_matches(connection: AsyncConnection) -> int:
    """Count the matches in which the computer owes something."""
    return await _count(connection, MATCHES.c.think_at)


async def count_open_analyses(connection: AsyncConnection) -> int:
    """Count the analyses that are not complete."""
    return await _count(connection, GAME_ANALYSES.c.work_at)


async def _count(connection: AsyncConnection, set_while_open: Column[int]) -> int:
    statement = select(func.count()).select_from(set_while_open.table).where(set_while_open.is_not(None))
    counted: int = (await connection.execute(statement)).scalar_one()
    return counted
