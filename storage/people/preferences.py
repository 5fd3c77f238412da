"""Preferences of persons, and the language of their Discord.

The format of the text is defined in `matches.preferences.values`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from storage.statements import insert_or_update
from storage.tables import MATCHES, PEOPLE, PREFERENCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection


async def get(connection: AsyncConnection, accounts: Iterable[str]) -> dict[str, str]:
    """Return the stored preferences of those of these persons who have any."""
    condition = PREFERENCES.c.account.in_(bindparam("accounts", expanding=True))
    statement = select(PREFERENCES.c.account, PREFERENCES.c.text).where(condition)
    rows = (await connection.execute(statement, {"accounts": sorted(set(accounts))})).all()
    return {row.account: row.text for row in rows}


async def save(connection: AsyncConnection, account: str, text: str, now: int) -> None:
    """Insert or replace a person's preferences."""
    await insert_or_update(connection, PREFERENCES, {"account": account}, text=text, changed_at=now)


async def get_locale(connection: AsyncConnection, account: str) -> tuple[bool, str | None]:
    """Return whether a person is known, and the language of their Discord if that is known too."""
    found = await connection.execute(select(PEOPLE.c.locale).where(PEOPLE.c.account == account))
    row = found.first()
    return row is not None, None if row is None else row.locale


async def save_locale(connection: AsyncConnection, account: str, locale: str) -> None:
    """Keep the language of a known person's Discord."""
    await connection.execute(update(PEOPLE).where(PEOPLE.c.account == account).values(locale=locale))


async def reset_reminders(connection: AsyncConnection, account: str, states: Sequence[str], now: int) -> None:
    """Reschedule the reminders of a person's matches in one of `states` to now."""
    seated = (MATCHES.c.first == account) | (MATCHES.c.second == account)
    conditions = (seated, MATCHES.c.state.in_(states))
    # Locked in a fixed order to avoid deadlocks.
    await connection.execute(select(MATCHES.c.id).where(*conditions).order_by(MATCHES.c.id).with_for_update())
    await connection.execute(update(MATCHES).where(*conditions).values(remind_at=now, reminded_at=now))
