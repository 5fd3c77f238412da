"""Posts whose board is no longer the latest of its match, and marks of those that were edited since.

A post with a board is outdated once the next one follows, and so are the questions posted in between. Only
the newest rows of the outbox are searched for such a next post, so that a search costs the same however many
matches there are. What is older stays as it is.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select

from storage.posting.outbox import BOARD_KINDS, OutboxRow
from storage.statements import fetch_rows, insert_or_update, select_rows
from storage.tables import CLEANED_POSTS, OUTBOX, THREADS

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, FromClause, ScalarSelect, Select
    from sqlalchemy.ext.asyncio import AsyncConnection

WINDOW = 3000  # newest rows of the outbox that are searched: as many as can be sent in a minute
# A corrected result may end a match; its post shows no board.
SUPERSEDING_KINDS = (*BOARD_KINDS, "corrected")


async def list_outdated(
    connection: AsyncConnection, platform: str, kinds: tuple[str, ...], limit: int
) -> list[OutboxRow]:
    """Return sent public announcements of some `kinds` that a newer board followed, oldest first.

    Only those on a platform. Those up to the mark of their match are left out, and those in archived threads.
    """
    searched = {"window": WINDOW, "limit": limit, "platform": platform}
    ranges = (await connection.execute(_select_ranges(kinds), searched)).all()
    if not ranges:
        return []
    found = {
        "matches": sorted({row.match for row in ranges}),
        "first": min(row.first for row in ranges),
        "platform": platform,
    }
    rows = await fetch_rows(connection, OutboxRow, _select_unmarked(kinds), found)
    return [
        row for row in rows if any(one.match == row.match and one.first <= row.id < one.end for one in ranges)
    ][:limit]


@cache
def _select_ranges(kinds: tuple[str, ...]) -> Select[Any]:
    """Select where outdated posts without a mark are: from one board of a match to the next.

    `first` and `end` are announcements. All is asked in subqueries for one row, since PostgreSQL would read
    whole tables to join them.
    """
    newer, earlier = OUTBOX.alias("newer"), OUTBOX.alias("earlier")
    newest = select(func.max(OUTBOX.c.id)).scalar_subquery()
    mark = (
        select(CLEANED_POSTS.c.announcement)
        .where(CLEANED_POSTS.c.match == newer.c.match)
        .correlate(newer)
        .scalar_subquery()
    )

    def last_before(*conditions: ColumnElement[bool]) -> ScalarSelect[int]:
        of_match = (earlier.c.match == newer.c.match, earlier.c.id < newer.c.id)
        found = select(earlier.c.id).where(*of_match, *conditions).order_by(earlier.c.id.desc()).limit(1)
        return found.correlate(newer).scalar_subquery()

    outdated = last_before(earlier.c.id > func.coalesce(mark, 0), *_is_posted(earlier, kinds))
    board = last_before(*_is_posted(earlier, BOARD_KINDS))
    return (
        select(newer.c.match, board.label("first"), newer.c.id.label("end"))
        .where(
            newer.c.id > newest - bindparam("window"),
            *_is_posted(newer, SUPERSEDING_KINDS),
            outdated.is_not(None),
            outdated >= board,
        )
        .order_by(newer.c.id)
        .limit(bindparam("limit"))
    )


@cache
def _select_unmarked(kinds: tuple[str, ...]) -> Select[Any]:
    source = OUTBOX.outerjoin(CLEANED_POSTS, CLEANED_POSTS.c.match == OUTBOX.c.match).outerjoin(
        THREADS, THREADS.c.place == OUTBOX.c.place
    )
    return (
        select_rows(OutboxRow, OUTBOX)
        .select_from(source)
        .where(
            OUTBOX.c.match.in_(bindparam("matches", expanding=True)),
            OUTBOX.c.id >= bindparam("first"),
            OUTBOX.c.id > func.coalesce(CLEANED_POSTS.c.announcement, 0),
            *_is_posted(OUTBOX, kinds),
            THREADS.c.archived_at.is_(None),
        )
        .order_by(OUTBOX.c.id)
    )


def _is_posted(table: FromClause, kinds: tuple[str, ...]) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of a public announcement of some kinds that was posted on the platform."""
    is_public = (table.c.to.is_(None), table.c.platform == bindparam("platform"))
    return table.c.kind.in_(kinds), table.c.post.is_not(None), *is_public


async def find_before(connection: AsyncConnection, match: int, kind: str, before: int) -> OutboxRow | None:
    """Return the last public announcement of a kind about a match before another one, if it was posted."""
    statement = (
        select_rows(OutboxRow, OUTBOX)
        .where(OUTBOX.c.match == match, OUTBOX.c.id < before, OUTBOX.c.kind == kind, OUTBOX.c.to.is_(None))
        .order_by(OUTBOX.c.id.desc())
        .limit(1)
    )
    rows = await fetch_rows(connection, OutboxRow, statement)
    return next((row for row in rows if row.post is not None), None)


async def mark_edited(connection: AsyncConnection, match: int, announcement: int) -> None:
    """Record that the outdated posts of a match up to this announcement need no edit any more."""
    await insert_or_update(connection, CLEANED_POSTS, {"match": match}, announcement=announcement)
