"""Requests of front ends: one that reaches several processes is carried out once.

A front end names the request that it handles; the first transaction that commits meanwhile records it, and
fails if another process has recorded the same one. The row of an announcement holds the request that made it,
so that an announced change needs no further statement; a change without one has a row in REQUESTS, unless
the request reaches one process only. A request that is remembered for longer than announcements are kept
always has a row.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, literal, select

from storage.errors import RequestRepeated
from storage.statements import dialect_insert, has_row
from storage.tables import OUTBOX, REQUESTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(slots=True)
class Request:
    """A request with an id that no other has; `is_shared` is whether several processes may receive it.

    Its row is kept until `kept_until`, in milliseconds since 1970 UTC. `needs_row` is whether it has one also
    if an announcement names it. `is_written` is whether the open transaction contains it, `is_recorded`
    whether this process has carried it out.
    """

    id: int
    kept_until: int
    is_shared: bool = True
    needs_row: bool = False
    is_written: bool = False
    is_recorded: bool = False


_current: ContextVar[Request | None] = ContextVar("request", default=None)


@contextmanager
def current_request(
    request: int, kept_until: int, *, is_shared: bool = True, needs_row: bool = False
) -> Iterator[Request]:
    """Name the request that the code in this context, and the tasks that it starts, carry out."""
    handled = Request(request, kept_until, is_shared, needs_row)
    token = _current.set(handled)
    try:
        yield handled
    finally:
        _current.reset(token)


def unrecorded() -> Request | None:
    """Return the current request if no transaction has recorded it or is about to."""
    request = _current.get()
    return None if request is None or request.is_recorded or request.is_written else request


@contextmanager
def recording() -> Iterator[None]:
    """Mark the request as recorded if the transaction inside contains it and commits."""
    request = _current.get()
    if request is None or request.is_recorded:
        yield
        return
    request.is_written = False
    try:
        yield
    except BaseException:
        request.is_written = False
        raise
    request.is_recorded = request.is_written


async def record(connection: AsyncConnection) -> None:
    """Record the current request if it is shared and the transaction has not. Raises RequestRepeated."""
    request = unrecorded()
    if request is None or not request.is_shared:
        return
    values = {"id": request.id, "kept_until": request.kept_until}
    statement = dialect_insert(connection, REQUESTS).values(values).on_conflict_do_nothing()
    if not (await connection.execute(statement)).rowcount:
        raise RequestRepeated
    request.is_written = True


async def is_recorded(connection: AsyncConnection, request: int) -> bool:
    """Return whether any process has carried out a request."""
    found = (
        select(literal(1))
        .where(OUTBOX.c.request == request)
        .union_all(select(literal(1)).where(REQUESTS.c.id == request))
    )
    return await has_row(connection, found)


async def find_match(connection: AsyncConnection, request: int) -> int | None:
    """Return the match of the first announcement that a request has made; None if there is none."""
    return await connection.scalar(select(OUTBOX.c.match).where(OUTBOX.c.request == request))


async def forget(connection: AsyncConnection, now: int) -> None:
    """Delete the rows that are no longer kept; `now` is in milliseconds since 1970 UTC."""
    await connection.execute(delete(REQUESTS).where(REQUESTS.c.kept_until < now))
