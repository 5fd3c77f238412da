"""The outbox of announcements. Rows stay after they are sent."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import exists, insert, select, update

from storage.statements import columns_for, convert_rows
from storage.tables import OUTBOX

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, ScalarSelect, Select
    from sqlalchemy.ext.asyncio import AsyncConnection
    from sqlalchemy.sql.dml import ReturningInsert

    from storage.statements import ColumnValue


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """One announcement, public or, with `to`, private to that account.

    `whom` (the recipients) and `details` are JSON, `post` is the reference to the post once it is sent.
    """

    id: int
    kind: str
    challenge: int | None
    match: int | None
    ply: int
    takebacks: int
    first_ply: int | None
    by: str
    whom: str
    server: str
    place: str
    made_at: int
    due_at: int
    attempts: int
    sent_at: int | None
    post: str | None
    details: str | None
    to: str | None


async def add(connection: AsyncConnection, **values: ColumnValue) -> int:
    """Insert an announcement and return its id. `values` are columns of the table."""
    row_id: int = (await connection.execute(_insert_statement(), values)).scalar_one()
    return row_id


async def get(connection: AsyncConnection, announcement: int) -> OutboxRow | None:
    """Return an announcement, or None."""
    rows = (await connection.execute(_select().where(OUTBOX.c.id == announcement))).all()
    return next(iter(convert_rows(OutboxRow, rows)), None)


async def mark_sent(connection: AsyncConnection, announcement: int, post: str, now: int) -> bool:
    """Record the post of an announcement; return False if that was recorded before."""
    result = await connection.execute(
        update(OUTBOX)
        .where(OUTBOX.c.id == announcement, OUTBOX.c.sent_at.is_(None))
        .values(sent_at=now, post=post)
    )
    return result.rowcount == 1


async def mark_challenge_sent(
    connection: AsyncConnection, challenge: int, kind: str, post: str, now: int
) -> None:
    """Record the post of the announcement of `kind` about a challenge, unless it has one."""
    unsent = (OUTBOX.c.challenge == challenge, OUTBOX.c.kind == kind, OUTBOX.c.sent_at.is_(None))
    await connection.execute(update(OUTBOX).where(*unsent).values(sent_at=now, post=post))


async def discard(connection: AsyncConnection, announcement: int, now: int) -> None:
    """Mark an unsent announcement as never to be sent."""
    await connection.execute(
        update(OUTBOX).where(OUTBOX.c.id == announcement, OUTBOX.c.sent_at.is_(None)).values(sent_at=now)
    )


async def discard_for_recipient(connection: AsyncConnection, match: int, recipient: str, now: int) -> None:
    """Mark all unsent private announcements of a match to one account as never to be sent."""
    conditions = (OUTBOX.c.match == match, OUTBOX.c.to == recipient, OUTBOX.c.sent_at.is_(None))
    await connection.execute(update(OUTBOX).where(*conditions).values(sent_at=now))


async def postpone(connection: AsyncConnection, announcement: int, due_at: int) -> None:
    """Make an unsent announcement due at `due_at`."""
    await connection.execute(
        update(OUTBOX).where(OUTBOX.c.id == announcement, OUTBOX.c.sent_at.is_(None)).values(due_at=due_at)
    )


async def any_due(connection: AsyncConnection, now: int) -> bool:
    """Return whether any announcement is due, without locking anything."""
    statement = select(OUTBOX.c.id).where(OUTBOX.c.sent_at.is_(None), OUTBOX.c.due_at <= now).limit(1)
    return (await connection.execute(statement)).first() is not None


async def claim_due(connection: AsyncConnection, now: int, lease: int, limit: int) -> list[OutboxRow]:
    """Claim up to `limit` due announcements and count the attempt.

    The first is due again after `lease` milliseconds and each further one a `lease` later, since they are
    sent one after the other. Of the public announcements of a match or challenge, and of those to one person
    about it, only the oldest unsent one is claimed. Two processes never claim the same row.
    """
    due = (
        select(OUTBOX.c.id)
        .where(OUTBOX.c.sent_at.is_(None), OUTBOX.c.due_at <= now, ~_has_earlier_unsent())
        .order_by(OUTBOX.c.due_at, OUTBOX.c.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    result = await connection.execute(
        update(OUTBOX)
        .where(OUTBOX.c.id.in_(select(due.c.id)))
        .values(due_at=now + lease, attempts=OUTBOX.c.attempts + 1)
        .returning(*columns_for(OutboxRow, dict(OUTBOX.c)))
    )
    claimed = sorted(convert_rows(OutboxRow, result.all()), key=lambda row: row.id)
    for index, row in enumerate(claimed[1:], start=2):
        await postpone(connection, row.id, now + index * lease)
    return claimed


# The kinds of announcements (`matches.updates`) whose posts show a board, or the choice that comes before it.
BOARD_KINDS = (
    "fists",
    "started",
    "revealed",
    "turn",
    "taken_back",
    "agreed",
    "aborted",
    "resigned",
    "claimed",
    "timed_out",
)


def latest_board_post_subquery(match: ColumnElement[int]) -> ScalarSelect[str | None]:
    """Return a subquery for the latest public post that shows the board of a match."""
    return _latest_post(OUTBOX.c.match == match, OUTBOX.c.kind.in_(BOARD_KINDS))


def latest_challenge_post_subquery(challenge: ColumnElement[int]) -> ScalarSelect[str | None]:
    """Return a subquery for the post of the latest public announcement of a challenge."""
    return _latest_post(OUTBOX.c.challenge == challenge)


def _latest_post(*conditions: ColumnElement[bool]) -> ScalarSelect[str | None]:
    return (
        select(OUTBOX.c.post)
        .where(*conditions, OUTBOX.c.post.is_not(None), OUTBOX.c.to.is_(None))
        .order_by(OUTBOX.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )


def _has_earlier_unsent() -> ColumnElement[bool]:
    earlier = OUTBOX.alias("earlier")
    same_subject = (earlier.c.match == OUTBOX.c.match) | (earlier.c.challenge == OUTBOX.c.challenge)
    same_recipient = earlier.c.to.is_not_distinct_from(OUTBOX.c.to)
    return exists().where(
        earlier.c.sent_at.is_(None), earlier.c.id < OUTBOX.c.id, same_subject, same_recipient
    )


@cache
def _insert_statement() -> ReturningInsert[Any]:
    return insert(OUTBOX).returning(OUTBOX.c.id)


@cache
def _select() -> Select[Any]:
    return select(*columns_for(OutboxRow, dict(OUTBOX.c)))
