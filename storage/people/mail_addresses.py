"""What becomes of mails to the confirmed addresses of persons: refusals by their servers, and stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import case, update

from storage.tables import IDENTITIES

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

_PLATFORM = "mail"


async def record_delivery(connection: AsyncConnection, address: str) -> None:
    """Forget the refusals of an address."""
    had_some = (*_is(address), IDENTITIES.c.bounces > 0)
    await connection.execute(update(IDENTITIES).where(*had_some).values(bounces=0))


async def record_refusal(connection: AsyncConnection, address: str, count: int, limit: int, now: int) -> None:
    """Count a refusal of an address as `count`; from `limit` on nothing more is sent there."""
    bounces = IDENTITIES.c.bounces + count
    stopped = case((bounces >= limit, now), else_=None)
    values = {"bounces": bounces, "stopped_at": case((_IS_OPEN, stopped), else_=IDENTITIES.c.stopped_at)}
    await connection.execute(update(IDENTITIES).where(*_is(address)).values(values))


async def stop(connection: AsyncConnection, account: str, address: str, now: int) -> None:
    """Record that nothing more is sent to an address of an account."""
    where = (*_is(address), IDENTITIES.c.account == account, _IS_OPEN)
    await connection.execute(update(IDENTITIES).where(*where).values(stopped_at=now))


_IS_OPEN = IDENTITIES.c.stopped_at.is_(None)


def _is(address: str) -> tuple[ColumnElement[bool], ...]:
    return (IDENTITIES.c.platform == _PLATFORM, IDENTITIES.c.address == address)
