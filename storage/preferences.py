"""What people have chosen, as rows. The text is the business of whoever writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from storage.statements import insert
from storage.tables import MATCHES
from storage.tables_people import PREFERENCES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection


async def get(connection: AsyncConnection, accounts: Iterable[str]) -> dict[str, str]:
    """Give the texts of these people, as far as they have chosen anything."""
    sought = PREFERENCES.c.account.in_(bindparam("accounts", expanding=True))
    statement = select(PREFERENCES.c.account, PREFERENCES.c.text).where(sought)
    rows = (await connection.execute(statement, {"accounts": sorted(set(accounts))})).all()
    return {row.account: row.text for row in rows}


async def put(connection: AsyncConnection, account: str, text: str, now: int) -> None:
    """Write what a person has chosen."""
    fresh = insert(connection, PREFERENCES).values(account=account, text=text, changed_at=now)
    changed = {"text": fresh.excluded.text, "changed_at": fresh.excluded.changed_at}
    await connection.execute(fresh.on_conflict_do_update(index_elements=["account"], set_=changed))


async def plan_anew(connection: AsyncConnection, account: str, states: Sequence[str], now: int) -> None:
    """Have the reminders of a person's matches in one of `states` planned again from now on."""
    seated = (MATCHES.c.first == account) | (MATCHES.c.second == account)
    mine = (seated, MATCHES.c.state.in_(states))
    # One order everywhere, lest two transactions wait for each other.
    await connection.execute(select(MATCHES.c.id).where(*mine).order_by(MATCHES.c.id).with_for_update())
    await connection.execute(update(MATCHES).where(*mine).values(remind_at=now, reminded_at=now))
