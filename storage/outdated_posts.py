"""Posts whose board is no longer the latest of its match, and marks of those that were edited since.

A post with a board is outdated once the next one follows, and so are the questions posted in between. Only
the newest rows of the outbox are searched for such a next post, so that a search costs the same however many
matches there are. What is older stays as it is.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, func, select

from storage.outbox import BOARD_KINDS, OutboxRow
from storage.statements import columns_for, convert_rows, dialect_insert
from storage.tables import CLEANED_POSTS, OUTBOX, THREADS

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection

WINDOW = 5000  # newest rows of the outbox that are searched
# A corrected result may end a match; its post shows no board.
SUPERSEDING_KINDS = (*BOARD_KINDS, "corrected")


async def list_outdated(connection: AsyncConnection, kinds: tuple[str, ...], limit: int) -> list[OutboxRow]:
    """Return sent public announcements of some `kinds` that a newer board followed, oldest first.

    Those up to the mark of their match are left out, and those in archived threads.
    """
    values = {"window": WINDOW, "limit": limit}
    return convert_rows(OutboxRow, (await connection.execute(_select_outdated(kinds), values)).all())


@cache
def _select_outdated(kinds: tuple[str, ...]) -> Select[Any]:
    newer, earlier = OUTBOX.alias("newer"), OUTBOX.alias("earlier")
    newest = select(func.max(OUTBOX.c.id)).scalar_subquery()
    previous = (
        select(earlier.c.id)
        .where(
            earlier.c.match == newer.c.match,
            earlier.c.id < newer.c.id,
            earlier.c.post.is_not(None),
            earlier.c.to.is_(None),
            earlier.c.kind.in_(BOARD_KINDS),
        )
        .order_by(earlier.c.id.desc())
        .limit(1)
        .correlate(newer)
        .scalar_subquery()
    )
    is_superseding = and_(
        newer.c.id > newest - bindparam("window"),
        newer.c.post.is_not(None),
        newer.c.to.is_(None),
        newer.c.kind.in_(SUPERSEDING_KINDS),
    )
    source = (
        newer.join(
            OUTBOX,
            and_(
                # A sum has no index, so the search begins with the newest rows.
                OUTBOX.c.match == newer.c.match + 0,
                OUTBOX.c.id >= previous,
                OUTBOX.c.id < newer.c.id + 0,
            ),
        )
        .outerjoin(CLEANED_POSTS, CLEANED_POSTS.c.match == OUTBOX.c.match)
        .outerjoin(THREADS, THREADS.c.place == OUTBOX.c.place)
    )
    return (
        select(*columns_for(OutboxRow, dict(OUTBOX.c)))
        .distinct()
        .select_from(source)
        .where(
            is_superseding,
            OUTBOX.c.id > func.coalesce(CLEANED_POSTS.c.announcement, 0),
            OUTBOX.c.kind.in_(kinds),
            OUTBOX.c.post.is_not(None),
            OUTBOX.c.to.is_(None),
            THREADS.c.archived_at.is_(None),
        )
        .order_by(OUTBOX.c.id)
        .limit(bindparam("limit"))
    )


async def find_before(connection: AsyncConnection, match: int, kind: str, before: int) -> OutboxRow | None:
    """Return the last public announcement of a kind about a match before another one, if it was posted."""
    statement = (
        select(*columns_for(OutboxRow, dict(OUTBOX.c)))
        .where(OUTBOX.c.match == match, OUTBOX.c.id < before, OUTBOX.c.kind == kind, OUTBOX.c.to.is_(None))
        .order_by(OUTBOX.c.id.desc())
        .limit(1)
    )
    rows = convert_rows(OutboxRow, (await connection.execute(statement)).all())
    return next((row for row in rows if row.post is not None), None)


async def mark_edited(connection: AsyncConnection, match: int, announcement: int) -> None:
    """Record that the outdated posts of a match up to this announcement need no edit any more."""
    insertion = dialect_insert(connection, CLEANED_POSTS).values(match=match, announcement=announcement)
    values = {"announcement": announcement}
    await connection.execute(insertion.on_conflict_do_update(index_elements=["match"], set_=values))
