"""What the page of a player shows of the player, and the secrets in the addresses of calendars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from storage.statements import columns_for, fetch_row, fetch_rows
from storage.tables import PEOPLE, PREFERENCES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Select
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """A person; times are milliseconds since 1970 UTC, the preferences None for the default."""

    account: str
    name: str
    alias: str | None
    handle: str | None
    met_at: int
    is_guest: bool
    closed_at: int | None
    preferences: str | None


async def get(connection: AsyncConnection, account: str) -> ProfileRow | None:
    """Return a person; None if the account is unknown."""
    return await fetch_row(connection, ProfileRow, _select_profiles().where(PEOPLE.c.account == account))


async def list_with_handle(connection: AsyncConnection, accounts: Iterable[str]) -> list[ProfileRow]:
    """Return those of these persons who have a name on the website."""
    where = (PEOPLE.c.account.in_(tuple(accounts)), PEOPLE.c.handle.is_not(None))
    return await fetch_rows(connection, ProfileRow, _select_profiles().where(*where))


def _select_profiles() -> Select[Any]:
    sources = {**PEOPLE.c, "preferences": PREFERENCES.c.text}
    source = PEOPLE.outerjoin(PREFERENCES, PREFERENCES.c.account == PEOPLE.c.account)
    return select(*columns_for(ProfileRow, sources)).select_from(source)


async def get_calendar_key(connection: AsyncConnection, account: str) -> str | None:
    """Return the secret in the address of a person's calendar; None without a calendar."""
    return await connection.scalar(select(PEOPLE.c.calendar_key).where(PEOPLE.c.account == account))


async def save_calendar_key(connection: AsyncConnection, account: str, key: str | None) -> None:
    """Replace the secret in the address of the calendar of a known person; None ends the calendar."""
    await connection.execute(update(PEOPLE).where(PEOPLE.c.account == account).values(calendar_key=key))


async def find_by_calendar_key(connection: AsyncConnection, key: str) -> str | None:
    """Return whose calendar has this secret in its address; None for nobody's, and a closed account's."""
    own = (PEOPLE.c.calendar_key == key, PEOPLE.c.closed_at.is_(None))
    return await connection.scalar(select(PEOPLE.c.account).where(*own))
