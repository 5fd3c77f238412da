"""The outbox of announcements. Rows stay for some time after they are sent."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, and_, bindparam, case, exists, func, literal_column, or_, select, update

from storage.errors import RequestRepeated
from storage.statements import (
    columns_for,
    count_where,
    dialect_insert,
    fetch_row,
    fetch_rows,
    insert_row,
    select_rows,
)
from storage.tables import CHALLENGES, MATCHES, OUTBOX
from storage.work.requests import record, unrecorded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Column, ColumnElement, ScalarSelect, Select, Update
    from sqlalchemy.ext.asyncio import AsyncConnection
    from sqlalchemy.sql.dml import ReturningInsert, ReturningUpdate

    from storage.statements import ColumnValue

MAX_DELAY = timedelta(days=31) // timedelta(milliseconds=1)
"""No announcement is due later than this many milliseconds from now, unless the clock has been ahead."""

COPY_PLATFORMS = ("mail", "push")
"""The platforms of copies: what is told there besides, and never counts as the announcement itself."""

IS_NO_COPY = OUTBOX.c.platform.not_in(COPY_PLATFORMS)

_DESTINATION = func.coalesce(OUTBOX.c.to, OUTBOX.c.place)


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """One announcement, public or, with `to`, private to that account; `platform` is where it is sent.

    `recipients` and `details` are JSON, `post` is the reference to the post once it is sent; of a mail its
    name, from the moment at which somebody began to send it.
    `request` is the id of the request that made it, or None.
    """

    id: int
    kind: str
    challenge: int | None
    match: int | None
    ply: int
    takebacks: int
    first_ply: int | None
    by: str
    recipients: str
    server: str
    place: str
    made_at: int
    due_at: int
    attempts: int
    sent_at: int | None
    post: str | None
    details: str | None
    to: str | None
    request: int | None
    platform: str
    tournament: int | None


async def add(connection: AsyncConnection, **values: ColumnValue) -> int:
    """Insert an announcement and return its id. `values` are columns of the table.

    The first one of a transaction records the request that is being handled. Raises RequestRepeated.
    """
    request = unrecorded()
    if request is not None and request.needs_row:
        await record(connection)
    if request is None or request.needs_row:
        return await insert_row(connection, OUTBOX, **values)
    statement = _insert_once_statement(connection.dialect.name)
    made: int | None = (
        await connection.execute(statement, {**values, "request": request.id})
    ).scalar_one_or_none()
    if made is None:
        raise RequestRepeated
    request.is_written = True
    return made


async def get(connection: AsyncConnection, announcement: int) -> OutboxRow | None:
    """Return an announcement, or None."""
    return await fetch_row(connection, OutboxRow, _select_one(), {"number": announcement})


async def mark_sent(connection: AsyncConnection, announcement: int, post: str, now: int) -> bool:
    """Record the post of an announcement; return False if that was recorded before."""
    values = {"number": announcement, "sent_at": now, "post": post}
    return (await connection.execute(_mark_sent_statement(), values)).rowcount == 1


async def mark_challenge_sent(
    connection: AsyncConnection, challenge: int, kind: str, post: str, now: int
) -> None:
    """Record the post of the announcement of `kind` about a challenge, unless it has one."""
    unsent = (OUTBOX.c.challenge == challenge, OUTBOX.c.kind == kind, OUTBOX.c.sent_at.is_(None))
    await connection.execute(update(OUTBOX).where(*unsent, IS_NO_COPY).values(sent_at=now, post=post))


async def list_delivered(
    connection: AsyncConnection, match: int, kind: str, recipient: str, since: int
) -> list[int]:
    """Return when the announcements of `kind` were made that have reached `recipient` since a time."""
    conditions = (
        OUTBOX.c.match == match,
        OUTBOX.c.kind == kind,
        OUTBOX.c.made_at >= since,
        OUTBOX.c.post.is_not(None),
        or_(OUTBOX.c.to.is_(None), OUTBOX.c.to == recipient),
        IS_NO_COPY,
    )
    statement = select(OUTBOX.c.made_at).where(*conditions).order_by(OUTBOX.c.id)
    return list(await connection.scalars(statement))


async def count_calls(
    connection: AsyncConnection,
    by: str,
    kinds: Iterable[str],
    since: int,
    *,
    match: int | None,
    challenged: str | None,
    to: str | None,
    quiet: str,
) -> int:
    """Count the announcements of `by` since a time that call others, of some kinds, addressed like `to`.

    Those about a match count, or those about challenges of `by` to the person `challenged`. `quiet` is the
    key of the details of those that call nobody.
    """
    challenges = select(CHALLENGES.c.id).where(CHALLENGES.c.by == by, CHALLENGES.c.to == challenged)
    conditions = (
        OUTBOX.c.challenge.in_(challenges) if match is None else OUTBOX.c.match == match,
        OUTBOX.c.by == by,
        OUTBOX.c.kind.in_(sorted(kinds)),
        OUTBOX.c.made_at >= since,
        OUTBOX.c.recipients != "[]",
        OUTBOX.c.to.is_not_distinct_from(to),
        IS_NO_COPY,
        OUTBOX.c.details.is_(None) | OUTBOX.c.details.not_like(f'%"{quiet}"%'),
    )
    return await count_where(connection, OUTBOX, *conditions)


async def discard(connection: AsyncConnection, announcement: int, now: int) -> None:
    """Mark an unsent announcement as never to be sent."""
    await connection.execute(
        update(OUTBOX)
        .where(OUTBOX.c.id == announcement, OUTBOX.c.sent_at.is_(None))
        .values(sent_at=now, post=None)
    )


async def list_unclaimed(
    connection: AsyncConnection, before: int, over_state: str, open_state: str, limit: int
) -> list[int]:
    """Return announcements due before `before` that nobody has ever claimed and whose turn is over.

    The turn of one about a match is over when the match is in `over_state` or shows another board, of one
    about a challenge when that is not in `open_state`, of any other one always. What waits behind a row that
    somebody tries to send is left out. Copies for COPY_PLATFORMS are returned in any case.
    """
    match_went_on = exists().where(
        MATCHES.c.id == OUTBOX.c.match,
        or_(
            MATCHES.c.state == over_state,
            MATCHES.c.turn_ply != OUTBOX.c.ply,
            MATCHES.c.takebacks != OUTBOX.c.takebacks,
        ),
    )
    challenge_is_open = exists().where(
        CHALLENGES.c.id == OUTBOX.c.challenge, CHALLENGES.c.state == open_state
    )
    statement = (
        select(OUTBOX.c.id)
        .where(
            OUTBOX.c.sent_at.is_(None),
            OUTBOX.c.due_at < before,
            or_(
                ~IS_NO_COPY,
                and_(
                    OUTBOX.c.attempts == 0,
                    OUTBOX.c.match.is_(None) | match_went_on,
                    ~challenge_is_open,
                    ~_has_earlier_unsent(is_tried=True),
                ),
            ),
        )
        .limit(limit)
    )
    return list(await connection.scalars(statement))


async def discard_unclaimed(connection: AsyncConnection, announcements: Sequence[int], now: int) -> None:
    """Mark those of the announcements that nobody has claimed, and copies, as never to be sent."""
    is_unclaimed = (OUTBOX.c.sent_at.is_(None), or_(OUTBOX.c.attempts == 0, ~IS_NO_COPY))
    await connection.execute(
        update(OUTBOX).where(OUTBOX.c.id.in_(announcements), *is_unclaimed).values(sent_at=now, post=None)
    )


async def postpone(
    connection: AsyncConnection, announcement: int, due_at: int, **values: ColumnValue
) -> None:
    """Make an unsent announcement due at `due_at`, and set the columns `values`."""
    unsent = update(OUTBOX).where(OUTBOX.c.id == announcement, OUTBOX.c.sent_at.is_(None))
    await connection.execute(unsent.values(due_at=due_at, **values))


async def list_due(
    connection: AsyncConnection, platform: str, now: int, *, private: bool, busy: Sequence[str], limit: int
) -> list[tuple[int, str]]:
    """Return up to `limit` due announcements, oldest first, none of them for a destination in `busy`.

    Of the public announcements of a match or challenge, and of those to one person about it, only the oldest
    unsent one is returned. Nothing is locked.
    """
    values = {**_times(now), "platform": platform, "busy": list(busy), "count": limit}
    rows = await connection.execute(_select_due(private=private, spare_busy=bool(busy)), values)
    return [(number, destination) for number, destination in rows]


@cache
def _select_due(*, private: bool, spare_busy: bool) -> Select[Any]:
    is_addressed = OUTBOX.c.to.is_not(None) if private else OUTBOX.c.to.is_(None)
    unsent = (
        select(
            OUTBOX.c.id,
            OUTBOX.c.due_at,
            _DESTINATION.label("destination"),
            place_in_queue(OUTBOX.c.match).label("match_place"),
            place_in_queue(OUTBOX.c.challenge).label("challenge_place"),
        )
        .where(is_addressed, OUTBOX.c.sent_at.is_(None), OUTBOX.c.platform == bindparam("platform"))
        .subquery("unsent")
    )
    conditions = [_is_time(unsent.c.due_at), unsent.c.match_place == 1, unsent.c.challenge_place == 1]
    if spare_busy:
        conditions.append(unsent.c.destination.not_in(bindparam("busy", expanding=True)))
    return (
        select(unsent.c.id, unsent.c.destination)
        .where(*conditions)
        .order_by(unsent.c.due_at, unsent.c.id)
        .limit(bindparam("count", type_=BigInteger))
    )


def place_in_queue(subject: Column[int]) -> ColumnElement[int]:
    """Return the place of an unsent row among those about the same match or challenge to the same account.

    The statement selects the rows of one platform. 1 is the oldest; also every row without a subject has 1.
    Counted in one pass over the unsent rows: for a search for an earlier row, PostgreSQL without statistics
    compares each with every other.
    """
    place = func.row_number().over(partition_by=(subject, OUTBOX.c.to), order_by=OUTBOX.c.id)
    return case((subject.is_(None), 1), else_=place)


async def claim(
    connection: AsyncConnection, announcements: Sequence[int], now: int, lease: int
) -> list[OutboxRow]:
    """Claim those of the announcements that are still due, for `lease` milliseconds; count the attempt.

    Two processes never claim the same row.
    """
    values = {**_times(now), "numbers": list(announcements), "lease_end": now + lease}
    return await fetch_rows(connection, OutboxRow, _claim_statement(), values)


@cache
def _claim_statement() -> ReturningUpdate[Any]:
    due = (
        select(OUTBOX.c.id)
        .where(
            OUTBOX.c.id.in_(bindparam("numbers", expanding=True)),
            OUTBOX.c.sent_at.is_(None),
            _is_time(OUTBOX.c.due_at),
            ~_has_earlier_unsent(),
        )
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    return (
        update(OUTBOX)
        .where(OUTBOX.c.id.in_(select(due.c.id)))
        .values(due_at=bindparam("lease_end"), attempts=OUTBOX.c.attempts + 1)
        .returning(*columns_for(OutboxRow, dict(OUTBOX.c)))
    )


async def list_due_accounts(connection: AsyncConnection, platform: str, now: int, limit: int) -> list[str]:
    """Return at most `limit` accounts to whom something is due on a platform, the longest waiting first."""
    statement = (
        select(OUTBOX.c.to)
        .where(
            OUTBOX.c.platform == platform,
            OUTBOX.c.sent_at.is_(None),
            OUTBOX.c.to.is_not(None),
            _is_time(OUTBOX.c.due_at),
        )
        .group_by(OUTBOX.c.to)
        .order_by(func.min(OUTBOX.c.due_at))
        .limit(limit)
    )
    return list(await connection.scalars(statement, _times(now)))


async def claim_of(
    connection: AsyncConnection, platform: str, accounts: Sequence[str], now: int, lease: int
) -> list[OutboxRow]:
    """Claim what is due to the accounts on a platform for `lease` milliseconds, the oldest first.

    So is what has failed and waits for another attempt. Two processes never claim the same row.
    """
    is_waiting = (OUTBOX.c.attempts > 0) & (OUTBOX.c.due_at > now + lease)  # too late to be a claim
    due = (
        select(OUTBOX.c.id)
        .where(
            OUTBOX.c.platform == platform,
            OUTBOX.c.sent_at.is_(None),
            OUTBOX.c.to.in_(accounts),
            _is_time(OUTBOX.c.due_at) | is_waiting,
        )
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    claimed = (
        update(OUTBOX)
        .where(OUTBOX.c.id.in_(select(due.c.id)))
        .values(due_at=now + lease, attempts=OUTBOX.c.attempts + 1)
        .returning(*columns_for(OutboxRow, dict(OUTBOX.c)))
    )
    rows = await fetch_rows(connection, OutboxRow, claimed, _times(now))
    return sorted(rows, key=lambda row: row.id)


async def set_posts(connection: AsyncConnection, posts: Mapping[int, str]) -> None:
    """Record as what unsent announcements, by id, are being sent."""
    rows = [{"number": number, "name": name} for number, name in posts.items()]
    if rows:
        unsent = (OUTBOX.c.id == bindparam("number"), OUTBOX.c.sent_at.is_(None))
        await connection.execute(update(OUTBOX).where(*unsent).values(post=bindparam("name")), rows)


async def renew(connection: AsyncConnection, attempts: Mapping[int, int], lease_end: int) -> None:
    """Have the leases of claimed announcements end at `lease_end`.

    `attempts` are the numbers of the attempts that were counted by these claims; a later claim keeps its own.
    """
    rows = [{"number": one, "attempt": count, "lease_end": lease_end} for one, count in attempts.items()]
    if rows:
        is_ours = (OUTBOX.c.id == bindparam("number"), OUTBOX.c.attempts == bindparam("attempt"))
        statement = update(OUTBOX).where(*is_ours, OUTBOX.c.sent_at.is_(None))
        await connection.execute(statement.values(due_at=bindparam("lease_end")), rows)


# The kinds of announcements (`matches.updates`) whose posts show a board, or the choice that comes before it.
BOARD_KINDS = (
    "choosing",
    "started",
    "revealed",
    "turn",
    "taken_back",
    "moved",
    "agreed",
    "aborted",
    "resigned",
    "claimed",
    "timed_out",
)


def latest_board_post_subquery(match: ColumnElement[int]) -> ScalarSelect[str | None]:
    """Return a subquery for the latest public post that shows the board of a match."""
    # Written into the statement: as parameters they would be expanded each time.
    kinds: list[ColumnElement[str]] = [literal_column(f"'{kind}'") for kind in BOARD_KINDS]
    return _latest_post(OUTBOX.c.match == match, OUTBOX.c.kind.in_(kinds))


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


def _is_time(due_at: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition of rows to send now: also of those written while the clock was far ahead."""
    return (due_at <= bindparam("now")) | (due_at > bindparam("latest"))


def _times(now: int) -> dict[str, Any]:
    """Return the parameters of :func:`_is_time`."""
    return {"now": now, "latest": now + MAX_DELAY}


def _has_earlier_unsent(*, is_tried: bool = False) -> ColumnElement[bool]:
    """Return whether a row is behind another one in its queue; `is_tried`: behind one that was claimed."""
    earlier = OUTBOX.alias("earlier")
    same_subject = (earlier.c.match == OUTBOX.c.match) | (earlier.c.challenge == OUTBOX.c.challenge)
    same_recipient = earlier.c.to.is_not_distinct_from(OUTBOX.c.to)
    same_queue = (earlier.c.platform == OUTBOX.c.platform, same_subject, same_recipient)
    tried = (earlier.c.attempts > 0,) if is_tried else ()
    return exists().where(earlier.c.sent_at.is_(None), earlier.c.id < OUTBOX.c.id, *same_queue, *tried)


@cache
def _insert_once_statement(dialect: str) -> ReturningInsert[Any]:
    """Return an INSERT that returns no row if there is one with the same request."""
    return dialect_insert(dialect, OUTBOX).on_conflict_do_nothing().returning(OUTBOX.c.id)


@cache
def _mark_sent_statement() -> Update:
    return update(OUTBOX).where(OUTBOX.c.id == bindparam("number"), OUTBOX.c.sent_at.is_(None))


@cache
def _select_one() -> Select[Any]:
    return select_rows(OutboxRow, OUTBOX).where(OUTBOX.c.id == bindparam("number"))
