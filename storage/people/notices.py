"""How persons want to be told, whether they can be, and what is still to be told by mail and push."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, exists, func, insert, literal, not_, or_, select, update

from storage.people.mail_addresses import FORGOTTEN_BOUNCES, HAS_FAILED
from storage.posting.outbox import COPY_PLATFORMS, OutboxRow
from storage.statements import columns_for, fetch_rows, has_row, select_rows
from storage.tables import IDENTITIES, OUTBOX, PEOPLE, PREFERENCES, PUSH_SUBSCRIPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.ext.asyncio import AsyncConnection
    from sqlalchemy.sql.dml import Insert

MAIL, PUSH = COPY_PLATFORMS


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """The stored forms of a person's choice of ways and of their preferences, None for the defaults."""

    account: str
    notices: str | None
    preferences: str | None
    is_closed: bool


@dataclass(frozen=True, slots=True)
class AddressRow:
    """A mail address of a person; times in milliseconds since 1970 UTC."""

    address: str
    confirmed_at: int | None
    stopped_at: int | None
    has_failed: bool


async def list_choices(connection: AsyncConnection, accounts: Iterable[str]) -> list[ChoiceRow]:
    """Return the choices of those of these persons who are known."""
    return await fetch_rows(connection, ChoiceRow, _select_choices(), {"accounts": sorted(set(accounts))})


async def save(connection: AsyncConnection, account: str, text: str) -> None:
    """Store a person's choice."""
    await connection.execute(update(PEOPLE).where(PEOPLE.c.account == account).values(notices=text))


async def list_addresses(connection: AsyncConnection, account: str) -> list[AddressRow]:
    """Return the mail addresses of a person, the longest known first."""
    where = (IDENTITIES.c.account == account, IDENTITIES.c.platform == MAIL)
    columns = columns_for(AddressRow, {**IDENTITIES.c, "has_failed": HAS_FAILED})
    statement = select(*columns).where(*where)
    return await fetch_rows(
        connection, AddressRow, statement.order_by(IDENTITIES.c.made_at, IDENTITIES.c.address)
    )


async def start_address(connection: AsyncConnection, account: str, address: str) -> bool:
    """Have mail sent again to a confirmed address of a person that they stopped.

    Return whether they have it, and mails to it have not come back.
    """
    own = (IDENTITIES.c.account == account, IDENTITIES.c.platform == MAIL, IDENTITIES.c.address == address)
    statement = update(IDENTITIES).where(*own, IDENTITIES.c.confirmed_at.is_not(None), not_(HAS_FAILED))
    return (await connection.execute(statement.values(FORGOTTEN_BOUNCES))).rowcount == 1


async def count_devices(connection: AsyncConnection, account: str) -> int:
    """Count the browsers of a person that accept push."""
    where = PUSH_SUBSCRIPTIONS.c.account == account
    statement = select(func.count()).select_from(PUSH_SUBSCRIPTIONS).where(where)
    return int((await connection.execute(statement)).scalar_one())


async def list_copy_platforms(connection: AsyncConnection, account: str) -> set[str]:
    """Return on which of COPY_PLATFORMS a person can be told now."""
    found = select(*(can_be_told(PEOPLE.c.account, literal(one)).label(one) for one in COPY_PLATFORMS)).where(
        PEOPLE.c.account == account
    )
    row = (await connection.execute(found)).mappings().first()
    return set() if row is None else {one for one in COPY_PLATFORMS if row[one]}


async def add_copies(connection: AsyncConnection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert those of the copies whose persons can be told on their platform now. `rows` have all columns."""
    await connection.execute(_insert_copies(), [{f"b_{name}": row[name] for name in row} for row in rows])


async def list_unsent(
    connection: AsyncConnection, account: str, platform: str, *, match: int | None, challenge: int | None
) -> list[OutboxRow]:
    """Return what is still to be told a person on a platform about a match or a challenge, in order."""
    subject = OUTBOX.c.challenge == challenge if match is None else OUTBOX.c.match == match
    where = (*_unsent_to(account), subject, OUTBOX.c.platform == platform)
    statement = select_rows(OutboxRow, OUTBOX).where(*where).order_by(OUTBOX.c.id)
    return await fetch_rows(connection, OutboxRow, statement)


async def any_unsent(connection: AsyncConnection, account: str, match: int) -> bool:
    """Return whether anything about a match is still to be told a person by mail or push."""
    return await has_row(connection, select(OUTBOX.c.id).where(*_unsent_copies(account, match)).limit(1))


async def discard(connection: AsyncConnection, account: str, match: int, now: int) -> None:
    """Mark what is still to be told a person by mail or push about a match as never to be sent."""
    statement = update(OUTBOX).where(*_unsent_copies(account, match))
    await connection.execute(statement.values(sent_at=now, post=None))


def can_be_told(account: ColumnElement[str], platform: ColumnElement[str]) -> ColumnElement[bool]:
    """Return the condition that a person has a way to be told on one of COPY_PLATFORMS.

    An address that has failed is one: its copies are not sent, but show that the person has not been told.
    """
    mail = exists().where(
        IDENTITIES.c.account == account,
        IDENTITIES.c.platform == MAIL,
        IDENTITIES.c.confirmed_at.is_not(None),
        or_(IDENTITIES.c.stopped_at.is_(None), HAS_FAILED),
    )
    push = exists().where(PUSH_SUBSCRIPTIONS.c.account == account)
    return or_(and_(platform == MAIL, mail), and_(platform == PUSH, push))


def _unsent_to(account: str) -> tuple[ColumnElement[bool], ...]:
    return OUTBOX.c.to == account, OUTBOX.c.sent_at.is_(None)


def _unsent_copies(account: str, match: int) -> tuple[ColumnElement[bool], ...]:
    return *_unsent_to(account), OUTBOX.c.match == match, OUTBOX.c.platform.in_(COPY_PLATFORMS)


@cache
def _select_choices() -> Select[Any]:
    sources = {
        **PEOPLE.c,
        "preferences": PREFERENCES.c.text,
        "is_closed": PEOPLE.c.closed_at.is_not(None),
    }
    joined = PEOPLE.outerjoin(PREFERENCES, PREFERENCES.c.account == PEOPLE.c.account)
    return (
        select(*columns_for(ChoiceRow, sources))
        .select_from(joined)
        .where(PEOPLE.c.account.in_(bindparam("accounts", expanding=True)))
    )


COPY_COLUMNS = (
    *("kind", "challenge", "match", "ply", "takebacks", "first_ply", "by", "recipients", "server", "place"),
    *("made_at", "due_at", "details", "to", "platform", "tournament"),
)


@cache
def _insert_copies() -> Insert:
    """Return one statement that looks and inserts: a turn pays for a single one."""
    values = {name: bindparam(f"b_{name}", type_=OUTBOX.c[name].type) for name in COPY_COLUMNS}
    told = (
        select(*(value.label(name) for name, value in values.items()))
        .select_from(PEOPLE)
        .where(
            PEOPLE.c.account == values["to"],
            PEOPLE.c.closed_at.is_(None),
            can_be_told(PEOPLE.c.account, values["platform"]),
        )
    )
    return insert(OUTBOX).from_select(list(COPY_COLUMNS), told, include_defaults=False)
