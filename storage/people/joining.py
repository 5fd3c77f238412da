"""Joining two accounts of one person: everything that names one of them names the other from then on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import UniqueConstraint, bindparam, case, delete, exists, func, or_, select, true, update

from storage.people.personal_data import columns_of_persons, matches_of, reassign, replace_in_json
from storage.posting.outbox import IS_NO_COPY
from storage.statements import insert_or_update
from storage.tables import (
    BLOCKS,
    CHALLENGES,
    FOLLOWS,
    MATCHES,
    NOTES,
    OLD_HANDLES,
    OUTBOX,
    PEOPLE,
    PUSH_SUBSCRIPTIONS,
    PUZZLE_MAILS,
    REPORTS,
    TOURNAMENT_ENTRANTS,
    TOURNAMENT_STAGES,
    VACATIONS,
    WEB_GRANTS,
    WEB_SESSIONS,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Column
    from sqlalchemy.ext.asyncio import AsyncConnection

JOINED = "joined"
"""Why an entrant of a tournament plays no longer whose account was joined with that of another one."""

_CHOICES = ("handle", "folded_handle", "handle_at", "notices", "calendar_key", "locale", "met_at")


async def lock_matches(connection: AsyncConnection, accounts: Sequence[str]) -> list[tuple[int, str, str]]:
    """Lock every match of these accounts until the commit, by id; return their ids and players."""
    own = or_(MATCHES.c.first.in_(accounts), MATCHES.c.second.in_(accounts))
    columns = (MATCHES.c.id, MATCHES.c.first, MATCHES.c.second)
    statement = select(*columns).where(own).order_by(MATCHES.c.id).with_for_update()
    return list(map(tuple, await connection.execute(statement)))


async def list_challenges_between(
    connection: AsyncConnection, accounts: Sequence[str], state: str
) -> list[tuple[int, str]]:
    """Return the challenges in `state` of two accounts to each other, with who made each."""
    where = (CHALLENGES.c.by.in_(accounts), CHALLENGES.c.to.in_(accounts), CHALLENGES.c.state == state)
    rows = await connection.execute(select(CHALLENGES.c.id, CHALLENGES.c.by).where(*where))
    return list(map(tuple, rows))


async def join(
    connection: AsyncConnection, account: str, into: str, platform: str, *, note_limit: int, now: int
) -> None:
    """Have `into` take the place of `account`, which is deleted.

    The caller has made sure that they never met in a match. What is still to be sent to the account is sent
    on `platform`. Where both have a row that there can be only once, the row of `into` stays; an erasure that
    one of them asked for goes on. Two notes on a match become one, changed at `now` (milliseconds) and cut
    after `note_limit` characters. Browsers that were signed in to `account` no longer are.
    """
    for column in (WEB_SESSIONS.c.account, WEB_GRANTS.c.account, PUSH_SUBSCRIPTIONS.c.account):
        await connection.execute(delete(column.table).where(column == account))
    await _join_aliases(connection, account, into)
    await _join_choices(connection, account, into, now)
    both = (account, into)
    await connection.execute(delete(BLOCKS).where(BLOCKS.c.person.in_(both), BLOCKS.c.blocked.in_(both)))
    await connection.execute(delete(REPORTS).where(REPORTS.c.by.in_(both), REPORTS.c.about.in_(both)))
    await _join_notes(connection, account, into, note_limit, now)
    await _join_vacations(connection, account, into)
    await _withdraw_entrants(connection, account, into, now)
    await _join_puzzle_mails(connection, account, into)
    unsent = (OUTBOX.c.to == account, OUTBOX.c.sent_at.is_(None), IS_NO_COPY)
    await connection.execute(update(OUTBOX).where(*unsent).values(platform=platform))
    await replace_in_json(connection, account, into)
    await _drop_repeated_recipients(connection, into)
    columns = columns_of_persons()
    for column in columns:
        await _drop_conflicts(connection, column, account, into)
    await reassign(connection, columns, account, into)
    own = (FOLLOWS.c.person == into, FOLLOWS.c.match.in_(matches_of(into)))
    await connection.execute(delete(FOLLOWS).where(*own))
    await connection.execute(delete(PEOPLE).where(PEOPLE.c.account == account))


async def _join_aliases(connection: AsyncConnection, account: str, into: str) -> None:
    """Show nobody a name that one of the accounts hides: no name, then an alias, then the own name."""
    aliases = select(PEOPLE.c.account, PEOPLE.c.alias).where(PEOPLE.c.account.in_((account, into)))
    found = {row.account: row.alias for row in await connection.execute(aliases)}
    chosen = [found[one] for one in (into, account) if found[one] is not None]
    if chosen:
        kept = "" if "" in chosen else chosen[0]
        await connection.execute(update(PEOPLE).where(PEOPLE.c.account == into).values(alias=kept))


async def _join_choices(connection: AsyncConnection, account: str, into: str, now: int) -> None:
    """Give `into` what only `account` has: name, notices, calendar, language.

    Of two names that of `into` stays. Whoever was met first counts as met then.
    """
    own = select(*(PEOPLE.c[name] for name in _CHOICES)).where(PEOPLE.c.account == bindparam("account"))
    mine, theirs = [
        dict((await connection.execute(own, {"account": one})).one()._mapping)  # noqa: SLF001 - so SQLAlchemy names it
        for one in (into, account)
    ]
    if mine["handle"] is not None and theirs["folded_handle"] is not None:
        former = {"account": into, "changed_at": now}
        await insert_or_update(connection, OLD_HANDLES, {"folded": theirs["folded_handle"]}, **former)
        theirs |= dict.fromkeys(("handle", "folded_handle", "handle_at"))
    unique = dict.fromkeys(("handle", "folded_handle", "calendar_key"))
    await connection.execute(update(PEOPLE).where(PEOPLE.c.account == account).values(unique))
    joined = {name: theirs[name] if value is None else value for name, value in mine.items()}
    joined["met_at"] = min(mine["met_at"], theirs["met_at"])
    await connection.execute(update(PEOPLE).where(PEOPLE.c.account == into).values(joined))


async def _join_notes(connection: AsyncConnection, account: str, into: str, limit: int, now: int) -> None:
    """Append the notes of `account` to those of `into` on the same matches, up to `limit` characters."""
    other = NOTES.alias("other")
    same = (other.c.match == NOTES.c.match, other.c.person == account)
    joined = func.substr(NOTES.c.text + "\n" + other.c.text, 1, limit)
    appended = select(joined).where(*same).scalar_subquery()
    both = (NOTES.c.person == into, exists().where(*same))
    await connection.execute(update(NOTES).where(*both).values(text=appended, changed_at=now))


async def _join_vacations(connection: AsyncConnection, account: str, into: str) -> None:
    """Make one of two vacations under way: it ends when the later one would."""
    active = VACATIONS.c.ended_at.is_(None)
    people = (account, into)
    found = await connection.execute(
        select(func.count(), func.max(VACATIONS.c.ends_at)).where(active, VACATIONS.c.person.in_(people))
    )
    count, ends_at = found.one()
    if count == len(people):
        await connection.execute(delete(VACATIONS).where(active, VACATIONS.c.person == account))
        kept = update(VACATIONS).where(active, VACATIONS.c.person == into)
        await connection.execute(kept.values(ends_at=ends_at))


async def _join_puzzle_mails(connection: AsyncConnection, account: str, into: str) -> None:
    """Let the puzzles by mail that only `account` gets each day go on."""
    table = PUZZLE_MAILS.c
    other = PUZZLE_MAILS.alias("other")
    goes_on = exists().where(other.c.person == account, other.c.next_at.is_not(None))
    where = (table.person == into, table.next_at.is_(None), goes_on)
    await connection.execute(delete(PUZZLE_MAILS).where(*where))


async def _withdraw_entrants(connection: AsyncConnection, account: str, into: str, now: int) -> None:
    """Withdraw `account` from tournaments in which `into` plays too: one person has one place in each.

    After the end date of a stage that is in the next one.
    """
    entrants, other = TOURNAMENT_ENTRANTS.c, TOURNAMENT_ENTRANTS.alias("other")
    plays_too = exists().where(
        other.c.tournament == entrants.tournament, other.c.account == into, other.c.withdrawn.is_(None)
    )
    stages = TOURNAMENT_STAGES.c
    number = select(
        func.coalesce(func.max(stages.number + case((stages.ends_at <= now, 1), else_=0)), 0)
    ).where(stages.tournament == entrants.tournament)
    where = (entrants.account == account, entrants.withdrawn.is_(None), plays_too)
    values = {"withdrawn": JOINED, "withdrawn_in": number.scalar_subquery(), "withdrawn_at": now}
    await connection.execute(update(TOURNAMENT_ENTRANTS).where(*where).values(values))


async def _drop_repeated_recipients(connection: AsyncConnection, into: str) -> None:
    """Call the person once where both accounts were called, as by an opponent's vacation."""
    named = OUTBOX.c.recipients.contains(json.dumps(into), autoescape=True)
    rows = await connection.execute(select(OUTBOX.c.id, OUTBOX.c.recipients).where(named))
    for number, recipients in rows.all():
        once = json.dumps(list(dict.fromkeys(json.loads(recipients))))
        if once != recipients:
            await connection.execute(update(OUTBOX).where(OUTBOX.c.id == number).values(recipients=once))


async def _drop_conflicts(connection: AsyncConnection, column: Column[Any], account: str, into: str) -> None:
    """Delete the rows of `account` that the rows of `into` leave no room for."""
    table = column.table
    unique = [one for one in table.constraints if isinstance(one, UniqueConstraint)]
    for key in (table.primary_key, *unique):
        if column.name in key.columns:
            other = table.alias("other")
            rest = [other.c[one.name] == table.c[one.name] for one in key.columns if one.name != column.name]
            taken = exists().where(other.c[column.name] == into, *rest or (true(),))
            await connection.execute(delete(table).where(column == account, taken))
