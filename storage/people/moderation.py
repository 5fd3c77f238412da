"""Reports about persons, and what moderators did about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, exists, false, func, literal, or_, select, update

from storage.statements import (
    columns_for,
    count_where,
    fetch_row,
    fetch_rows,
    has_row,
    insert_row,
)
from storage.tables import (
    CHALLENGES,
    EXCLUSIONS,
    IDENTITIES,
    MATCHES,
    MODERATION_LOG,
    OLD_HANDLES,
    PEOPLE,
    REPORTS,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A report with the names of both persons; times are milliseconds since 1970 UTC."""

    id: int
    by: str
    by_name: str
    about: str
    about_name: str
    challenge: int | None
    match: int | None
    text: str
    note: str | None
    made_at: int
    closed_at: int | None
    study: str | None


@dataclass(frozen=True, slots=True)
class ActRow:
    """What a moderator did about somebody, with the moderator's name; times as in ReportRow."""

    id: int
    by_name: str
    action: str
    reason: str
    report: int | None
    made_at: int
    seen_at: int | None
    study: str | None
    study_name: str | None


@dataclass(frozen=True, slots=True)
class ModeratedRow:
    """A person as moderators see one; `closed_at` and `met_at` are milliseconds since 1970 UTC."""

    account: str
    name: str
    handle: str | None
    alias: str | None
    is_guest: bool
    met_at: int
    closed_at: int | None
    is_excluded: bool


@dataclass(frozen=True, slots=True)
class ReportableChallengeRow:
    """What decides who may report a challenge, and what is copied of it."""

    by: str
    by_name: str
    by_alias: str | None
    to: str | None
    accepted_by: str | None
    server: str
    audience: str
    by_link: bool
    note: str | None


# Persons.


async def find_person(connection: AsyncConnection, account: str, website: str) -> ModeratedRow | None:
    """Return a person; `website` is the server from which moderators exclude."""
    excluded = exists().where(EXCLUSIONS.c.server == website, EXCLUSIONS.c.person == PEOPLE.c.account)
    columns = columns_for(ModeratedRow, {**PEOPLE.c, "is_excluded": excluded})
    return await fetch_row(connection, ModeratedRow, select(*columns).where(PEOPLE.c.account == account))


async def is_among(
    connection: AsyncConnection,
    account: str,
    *,
    accounts: Collection[str],
    handles: Collection[str],
    addresses: Collection[tuple[str, str]],
) -> bool:
    """Return whether an open account is one of these, has one of these folded names, or such an address.

    `addresses` are pairs of a platform and a confirmed address there.
    """
    platforms, texts = {one for one, _ in addresses}, {text for _, text in addresses}
    own = (PEOPLE.c.account == account, PEOPLE.c.closed_at.is_(None), PEOPLE.c.is_guest == false())
    by_address = select(literal(1)).where(
        IDENTITIES.c.account == PEOPLE.c.account,
        IDENTITIES.c.platform.in_(sorted(platforms)),
        IDENTITIES.c.address.in_(sorted(texts)),
        IDENTITIES.c.confirmed_at.is_not(None),
    )
    is_named = or_(
        PEOPLE.c.account.in_(sorted(accounts)),
        PEOPLE.c.folded_handle.in_(sorted(handles)),
        by_address.exists(),
    )
    return await has_row(connection, select(literal(1)).where(*own, is_named))


async def set_closed(connection: AsyncConnection, account: str, closed_at: int | None) -> bool:
    """Close an account, or with None open it again; return whether that changes anything."""
    is_other = PEOPLE.c.closed_at.is_not(None) if closed_at is None else PEOPLE.c.closed_at.is_(None)
    change = update(PEOPLE).where(PEOPLE.c.account == account, is_other).values(closed_at=closed_at)
    return (await connection.execute(change)).rowcount == 1


async def is_removed_name(connection: AsyncConnection, account: str, folded: str, action: str) -> bool:
    """Return whether moderators have removed this former name of a person, by an act called `action`."""
    former, log = OLD_HANDLES.c, MODERATION_LOG.c
    names = (former.account == account, former.folded == folded)
    acts = (log.about == account, log.action == action, log.made_at == former.changed_at)
    return await has_row(connection, select(literal(1)).where(*names, *acts))


async def rename(connection: AsyncConnection, account: str, **values: ColumnValue) -> None:
    """Set columns of a person's names."""
    await connection.execute(update(PEOPLE).where(PEOPLE.c.account == account).values(**values))


async def list_mail_addresses(connection: AsyncConnection, account: str, platform: str) -> list[str]:
    """Return the confirmed addresses of a person to which mail is sent."""
    where = (
        IDENTITIES.c.account == account,
        IDENTITIES.c.platform == platform,
        IDENTITIES.c.confirmed_at.is_not(None),
        IDENTITIES.c.stopped_at.is_(None),
    )
    statement = select(IDENTITIES.c.address).where(*where).order_by(IDENTITIES.c.address)
    return list(await connection.scalars(statement))


# Reports.


async def find_challenge(connection: AsyncConnection, challenge: int) -> ReportableChallengeRow | None:
    """Return a challenge that somebody wants to report; one that led to a match has its audience."""
    audience = func.coalesce(MATCHES.c.audience, CHALLENGES.c.audience)
    sources = {**CHALLENGES.c, "by_name": PEOPLE.c.name, "by_alias": PEOPLE.c.alias, "audience": audience}
    source = CHALLENGES.join(PEOPLE, PEOPLE.c.account == CHALLENGES.c.by).outerjoin(
        MATCHES, MATCHES.c.challenge == CHALLENGES.c.id
    )
    statement = select(*columns_for(ReportableChallengeRow, sources)).select_from(source)
    return await fetch_row(connection, ReportableChallengeRow, statement.where(CHALLENGES.c.id == challenge))


async def add_report(connection: AsyncConnection, **values: ColumnValue) -> int:
    """Insert a report and return its id. `values` are columns of the table."""
    return await insert_row(connection, REPORTS, **values)


async def count_reports_by(connection: AsyncConnection, account: str, since: int) -> int:
    """Count the reports that a person has sent since a time."""
    return await count_where(connection, REPORTS, REPORTS.c.by == account, REPORTS.c.made_at > since)


async def find_open_between(connection: AsyncConnection, by: str, about: str) -> ReportRow | None:
    """Return the open report of one person about another."""
    where = (REPORTS.c.by == by, REPORTS.c.about == about, REPORTS.c.closed_at.is_(None))
    return await fetch_row(connection, ReportRow, _select_reports().where(*where))


async def find_report(connection: AsyncConnection, report: int) -> ReportRow | None:
    """Return a report."""
    return await fetch_row(connection, ReportRow, _select_reports().where(REPORTS.c.id == report))


async def list_open_reports(
    connection: AsyncConnection, hidden_from: str, before: int | None, limit: int
) -> list[ReportRow]:
    """Return open reports, the newest first, but none about `hidden_from`; `before` is the id of another."""
    statement = _select_reports().where(REPORTS.c.closed_at.is_(None), REPORTS.c.about != hidden_from)
    if before is not None:
        statement = statement.where(REPORTS.c.id < before)
    return await fetch_rows(connection, ReportRow, statement.order_by(REPORTS.c.id.desc()).limit(limit))


async def list_reports_about(connection: AsyncConnection, account: str, limit: int) -> list[ReportRow]:
    """Return the reports about a person: the open ones first, then the newest."""
    order = (REPORTS.c.closed_at.is_not(None), REPORTS.c.id.desc())
    statement = _select_reports().where(REPORTS.c.about == account).order_by(*order).limit(limit)
    return await fetch_rows(connection, ReportRow, statement)


async def close_report(connection: AsyncConnection, report: int, now: int) -> bool:
    """Close a report; return whether it was open."""
    change = (
        update(REPORTS).where(REPORTS.c.id == report, REPORTS.c.closed_at.is_(None)).values(closed_at=now)
    )
    return (await connection.execute(change)).rowcount == 1


async def count_open_reports(connection: AsyncConnection) -> int:
    """Count the open reports."""
    return await count_where(connection, REPORTS, REPORTS.c.closed_at.is_(None))


async def delete_reports(connection: AsyncConnection, closed_before: int) -> None:
    """Delete the reports that were closed before a time."""
    await connection.execute(delete(REPORTS).where(REPORTS.c.closed_at < closed_before))


def _select_reports() -> Select[Any]:
    by, about = PEOPLE.alias("by_person"), PEOPLE.alias("about_person")
    sources = {**REPORTS.c, "by_name": by.c.name, "about_name": about.c.name}
    return (
        select(*columns_for(ReportRow, sources))
        .join_from(REPORTS, by, by.c.account == REPORTS.c.by)
        .join(about, about.c.account == REPORTS.c.about)
    )


# What moderators did.


async def add_act(connection: AsyncConnection, **values: ColumnValue) -> int:
    """Insert what a moderator did and return its id. `values` are columns of the table."""
    return await insert_row(connection, MODERATION_LOG, **values)


async def list_acts_about(connection: AsyncConnection, account: str, limit: int) -> list[ActRow]:
    """Return what moderators did about a person, the newest first."""
    statement = _select_acts(MODERATION_LOG.c.about == account).limit(limit)
    return await fetch_rows(connection, ActRow, statement)


async def find_last_act(
    connection: AsyncConnection, account: str, action: str, made_at: int | None = None
) -> ActRow | None:
    """Return what a moderator did last, of this kind, about a person; with a time what was done then."""
    where = [MODERATION_LOG.c.about == account, MODERATION_LOG.c.action == action]
    if made_at is not None:
        where.append(MODERATION_LOG.c.made_at == made_at)
    return await fetch_row(connection, ActRow, _select_acts(*where).limit(1))


async def list_unseen(connection: AsyncConnection, account: str, action: str) -> list[ActRow]:
    """Return what moderators did, of this kind, and the person has not seen yet; the newest first."""
    where = (MODERATION_LOG.c.about == account, MODERATION_LOG.c.action == action)
    return await fetch_rows(connection, ActRow, _select_acts(*where, MODERATION_LOG.c.seen_at.is_(None)))


async def mark_seen(connection: AsyncConnection, act: int, account: str, action: str, now: int) -> None:
    """Record that a person has seen what was done about them; nothing for anybody else."""
    own = (MODERATION_LOG.c.id == act, MODERATION_LOG.c.about == account, MODERATION_LOG.c.action == action)
    change = update(MODERATION_LOG).where(*own, MODERATION_LOG.c.seen_at.is_(None))
    await connection.execute(change.values(seen_at=now))


def _select_acts(*where: ColumnElement[bool]) -> Select[Any]:
    sources = {**MODERATION_LOG.c, "by_name": PEOPLE.c.name}
    statement = select(*columns_for(ActRow, sources)).join(PEOPLE, PEOPLE.c.account == MODERATION_LOG.c.by)
    return statement.where(*where).order_by(MODERATION_LOG.c.id.desc())
