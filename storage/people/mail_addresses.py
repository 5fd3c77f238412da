"""What becomes of mails to the addresses of persons: those that come back are counted, and may stop more.

An address that has stopped because of that has a score of STOPPING_SCORE, one that its owner stopped less.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from sqlalchemy import and_, update

from storage.statements import fetch_row, select_rows
from storage.tables import IDENTITIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue

STOPPING_SCORE = 4  # from which on nothing more is sent
_PLATFORM = "mail"

HAS_FAILED: ColumnElement[bool] = and_(
    IDENTITIES.c.stopped_at.is_not(None), IDENTITIES.c.bounces >= STOPPING_SCORE
)
"""The condition that nothing more is sent to an address because mails to it came back."""


FORGOTTEN_BOUNCES: Mapping[str, ColumnValue] = MappingProxyType(
    {"bounces": 0, "bounce_times": None, "stopped_at": None}
)
"""The columns of an address to which mails are sent again."""


@dataclass(frozen=True, slots=True)
class BouncesRow:
    """The score of an address, when mails to it came back, as JSON, and when that stopped them."""

    account: str
    bounces: int
    bounce_times: str | None
    stopped_at: int | None


async def load_bounces(connection: AsyncConnection, address: str) -> BouncesRow | None:
    """Return and lock what has become of mails to an address; None for one that nobody has."""
    statement = select_rows(BouncesRow, IDENTITIES).where(*_is(address)).with_for_update()
    return await fetch_row(connection, BouncesRow, statement)


async def save_bounces(connection: AsyncConnection, address: str, **values: ColumnValue) -> None:
    """Store columns of :class:`BouncesRow`."""
    await connection.execute(update(IDENTITIES).where(*_is(address)).values(values))


async def start_failed(connection: AsyncConnection, address: str) -> bool:
    """Have mail sent again to an address that has failed, and return whether it had."""
    statement = update(IDENTITIES).where(*_is(address), HAS_FAILED).values(FORGOTTEN_BOUNCES)
    return (await connection.execute(statement)).rowcount == 1


async def stop(connection: AsyncConnection, account: str, address: str, now: int) -> None:
    """Record that nothing more is sent to an address of an account."""
    where = (*_is(address), IDENTITIES.c.account == account, IDENTITIES.c.stopped_at.is_(None))
    await connection.execute(update(IDENTITIES).where(*where).values(stopped_at=now))


def _is(address: str) -> tuple[ColumnElement[bool], ...]:
    return (IDENTITIES.c.platform == _PLATFORM, IDENTITIES.c.address == address)
