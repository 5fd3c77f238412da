"""What the tables hold about persons: which columns, how they are exported, and how they are erased.

`PERSONAL` lists every column that holds an account, a name, or text of a person. A test compares it, and a
list of all other text columns, with the tables, and docs/privacy.md with it.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, case, delete, exists, func, insert, or_, select, true, union_all, update

from storage.match import packed_logs
from storage.people.people import WEBSITE_PREFIX
from storage.puzzle import daily_posts, puzzles
from storage.statements import fetch_dict, insert_if_new, is_not_newest
from storage.tables import (
    ANALYSIS_LINES,
    CHALLENGES,
    CORRECTIONS,
    ERASURES,
    EXCLUSIONS,
    GAME_ANALYSES,
    IDENTITIES,
    IS_UNPACKED,
    LETTERS,
    MAIL_CODES,
    MATCHES,
    METADATA,
    MODERATION_LOG,
    MOVES,
    NOTES,
    OPEN_CHANNELS,
    OUTBOX,
    PEOPLE,
    RECORDS,
    REPORTS,
    SERVER_SETTINGS,
    SERVERS,
    TAKEN_MOVES,
    TOURNAMENT_LOG,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from sqlalchemy import Column, ColumnElement, Select, Table
    from sqlalchemy.ext.asyncio import AsyncConnection

MIN_PLATFORM_ID = 15  # digits; a shorter number in a text need not be a person
SCRUBBED = "deleted"
HEAD_LENGTH = 2000  # characters of a record, which begins with its headers


class Treatment(StrEnum):
    """What an erasure does to a column."""

    DELETED = "deleted"  # the rows of the person are deleted
    WITH_ROW = "with row"  # is in rows that are deleted with the person of another column
    REASSIGNED = "reassigned"  # the row stays, under the account that stands for the erased person
    REPLACED = "replaced"  # JSON in which that account takes the person's place
    BLANKED = "blanked"  # text that the person wrote in a row that stays


_DELETED, _WITH_ROW, _REASSIGNED = Treatment.DELETED, Treatment.WITH_ROW, Treatment.REASSIGNED

PERSONAL: Mapping[str, Treatment] = MappingProxyType(
    {
        "people.account": _DELETED,
        "people.name": _WITH_ROW,
        "people.alias": _WITH_ROW,
        "people.handle": _WITH_ROW,
        "people.folded_handle": _WITH_ROW,
        "people.notices": _WITH_ROW,
        "people.calendar_key": _WITH_ROW,
        "people.locale": _WITH_ROW,
        "old_handles.account": _DELETED,
        "old_handles.folded": _WITH_ROW,
        "erasures.account": _DELETED,
        "identities.account": _DELETED,
        "identities.platform": _WITH_ROW,
        "identities.address": _WITH_ROW,
        "mail_codes.account": _DELETED,
        "mail_codes.id": _WITH_ROW,
        "mail_codes.address": _WITH_ROW,
        "letters.account": _DELETED,
        "letters.address": _WITH_ROW,
        "letters.details": _WITH_ROW,
        "mail_commands.account": _DELETED,
        "mail_commands.address": _WITH_ROW,
        "mail_commands.typed": _WITH_ROW,
        "mail_commands.words": _WITH_ROW,
        "passkeys.account": _DELETED,
        "passkeys.id": _WITH_ROW,
        "passkeys.public_key": _WITH_ROW,
        "passkeys.device": _WITH_ROW,
        "push_subscriptions.account": _DELETED,
        "push_subscriptions.session": _WITH_ROW,
        "push_subscriptions.endpoint": _WITH_ROW,
        "push_subscriptions.keys": _WITH_ROW,
        "push_subscriptions.device": _WITH_ROW,
        "reports.by": _REASSIGNED,
        "reports.about": _REASSIGNED,
        "reports.text": Treatment.BLANKED,
        "reports.note": Treatment.BLANKED,
        "moderation_log.by": _REASSIGNED,
        "moderation_log.about": _REASSIGNED,
        "moderation_log.reason": Treatment.BLANKED,
        "moderation_log.study_name": Treatment.BLANKED,
        "records.by": _DELETED,
        "records.text": _WITH_ROW,
        "records.digest": _WITH_ROW,
        "challenges.by": _REASSIGNED,
        "challenges.to": _REASSIGNED,
        "challenges.accepted_by": _REASSIGNED,
        "challenges.note": Treatment.BLANKED,
        "matches.first": _REASSIGNED,
        "matches.second": _REASSIGNED,
        "matches.mover": _REASSIGNED,
        "matches.clock": Treatment.REPLACED,
        "picks.person": _REASSIGNED,
        "moves.person": _REASSIGNED,
        "taken_moves.person": _REASSIGNED,
        "takebacks.by": _REASSIGNED,
        "offers.by": _REASSIGNED,
        "seat_keys.person": _DELETED,
        "outbox.by": _REASSIGNED,
        "outbox.to": _DELETED,
        "outbox.recipients": Treatment.REPLACED,
        "outbox.details": Treatment.BLANKED,
        "outbox.post": _WITH_ROW,
        "vacations.person": _DELETED,
        "preferences.account": _DELETED,
        "preferences.text": _WITH_ROW,
        "follows.person": _DELETED,
        "follows.interest": _WITH_ROW,
        "conditional_moves.person": _DELETED,
        "conditional_moves.tree": _WITH_ROW,
        "conditional_moves.lost": _WITH_ROW,
        "conditional_moves.position": _WITH_ROW,
        "analysis_lines.person": _DELETED,
        "analysis_lines.text": _WITH_ROW,
        "analysis_lines.digest": _WITH_ROW,
        "notes.person": _DELETED,
        "notes.text": _WITH_ROW,
        "ratings.person": _REASSIGNED,
        "rating_steps.person": _REASSIGNED,
        "rating_steps.opponent": _REASSIGNED,
        "server_settings.by": _REASSIGNED,
        "exclusions.person": _DELETED,
        "exclusions.by": _REASSIGNED,
        "blocks.person": _DELETED,
        "blocks.blocked": _DELETED,
        "corrections.by": _REASSIGNED,
        "corrections.text": Treatment.BLANKED,
        "game_analyses.by": _REASSIGNED,
        "tournaments.by": _REASSIGNED,
        "tournament_entrants.account": _REASSIGNED,
        "tournament_log.by": _REASSIGNED,
        "tournament_log.about": _REASSIGNED,
        "tournament_log.reason": Treatment.BLANKED,
        "puzzle_attempts.person": _DELETED,
        "puzzle_ratings.person": _DELETED,
        "puzzle_reports.person": _DELETED,
        "puzzle_reports.turns": _WITH_ROW,
        "daily_puzzle_tries.person": _DELETED,
        "daily_puzzle_tries.name": _WITH_ROW,
        "daily_puzzle_places.by": _REASSIGNED,
        "puzzle_mails.person": _DELETED,
        "chapters.owner": _DELETED,  # before the studies
        "chapters.name": _WITH_ROW,
        "chapters.state": _WITH_ROW,
        "studies.owner": _DELETED,
        "studies.name": _WITH_ROW,
        "web_grants.account": _DELETED,  # before the sessions, in the order of `matches.people.sessions`
        "web_grants.token": _WITH_ROW,
        "web_grants.servers": _WITH_ROW,
        "web_sessions.account": _DELETED,
        "web_sessions.id": _WITH_ROW,
        "web_sessions.device": _WITH_ROW,
    }
)

# Private things that a person does not need to play on, and therefore go at once in any case.
_NOT_NEEDED_TO_PLAY = frozenset(
    {
        *("records.by", "analysis_lines.person", "notes.person", "follows.person", "blocks.person"),
        *("identities.account", "web_grants.account", "web_sessions.account", "old_handles.account"),
        *("mail_codes.account", "letters.account", "mail_commands.account", "passkeys.account"),
        *("push_subscriptions.account", "puzzle_attempts.person", "puzzle_ratings.person"),
        *("puzzle_reports.person", "daily_puzzle_tries.person", "puzzle_mails.person"),
        *("chapters.owner", "studies.owner"),
    }
)
# With these persons of the website sign in, who have no other way to their matches.
_SIGNS_IN = frozenset({"identities.account", "passkeys.account"})
# Texts in which somebody may have mentioned a person by the number that the platform gave to them.
_MENTIONING = (CORRECTIONS.c.text, NOTES.c.text, RECORDS.c.text, OUTBOX.c.details)
# In the details of announcements: the reason of a correction; the name of a lost channel, or of a thread,
# which is named after its players.
_REASON_DETAIL, _PLACE_DETAIL = "why", "name"
# Tables too large to search whole: only the rows of the person's own matches can name them.
_LARGE = (MOVES, TAKEN_MOVES)
_MAIL = (MAIL_CODES, LETTERS)


def column_of(name: str) -> Column[Any]:
    """Return the column with a name like ``people.account``."""
    table, _, column = name.partition(".")
    return METADATA.tables[table].c[column]


def columns_of_persons() -> list[Column[Any]]:
    """Return every column that refers to an account."""
    columns = map(column_of, PERSONAL)
    return [one for one in columns if any(key.column is PEOPLE.c.account for key in one.foreign_keys)]


def _columns(treatment: Treatment) -> Iterator[Column[Any]]:
    return (column_of(name) for name, one in PERSONAL.items() if one is treatment)


# Reading.


async def find_name(connection: AsyncConnection, account: str) -> str | None:
    """Return the name of a person, or None if nothing is stored about them."""
    return await connection.scalar(select(PEOPLE.c.name).where(PEOPLE.c.account == account))


async def list_names(connection: AsyncConnection, accounts: Iterable[str]) -> dict[str, str]:
    """Return the names of these accounts."""
    where = PEOPLE.c.account.in_(sorted(set(accounts)))
    return await fetch_dict(connection, select(PEOPLE.c.account, PEOPLE.c.name).where(where))


async def list_accounts(connection: AsyncConnection) -> list[str]:
    """Return every account, also those that stand for erased persons."""
    return list(await connection.scalars(select(PEOPLE.c.account).order_by(PEOPLE.c.account)))


async def list_rows(
    connection: AsyncConnection, table: str, owners: Sequence[str], account: str
) -> list[dict[str, Any]]:
    """Return the rows of a table in which one of the columns `owners` is `account`, by its primary key.

    Of codes and mails also those to the person's addresses, which name no account when somebody signs in.
    """
    source = METADATA.tables[table]
    rows = await connection.execute(
        select(source).where(_is_listed(source, owners, account)).order_by(*source.primary_key.columns)
    )
    packed = await _list_packed_moves(connection, account) if source is MOVES else []
    return [*packed, *(dict(row) for row in rows.mappings())]


async def count_rows(connection: AsyncConnection, table: str, owners: Sequence[str], account: str) -> int:
    """Return how many rows :func:`list_rows` returns, without the moves of packed logs."""
    source = METADATA.tables[table]
    statement = select(func.count()).select_from(source).where(_is_listed(source, owners, account))
    count: int = (await connection.execute(statement)).scalar_one()
    return count


async def _list_packed_moves(connection: AsyncConnection, account: str) -> list[dict[str, Any]]:
    """Return the moves of a person in packed logs, as rows of the table of moves."""
    logs = await packed_logs.list_logs_of(connection, account)

    def list_own() -> list[dict[str, Any]]:
        return [
            {"match": log.match, **asdict(move)}
            for log in logs
            for move in log.moves
            if move.person == account
        ]

    return await asyncio.to_thread(list_own)


def _is_listed(source: Table, owners: Sequence[str], account: str) -> ColumnElement[bool]:
    condition = _is_owned(source, owners, account)
    return condition | _is_to_addresses(source, account) if source in _MAIL else condition


def _is_to_addresses(source: Table, account: str) -> ColumnElement[bool]:
    return source.c.address.in_(select(IDENTITIES.c.address).where(IDENTITIES.c.account == account))


def _is_owned(source: Table, owners: Sequence[str], account: str) -> ColumnElement[bool]:
    condition = or_(*(source.c[owner] == account for owner in owners))
    return condition & source.c.match.in_(matches_of(account)) if source in _LARGE else condition


def matches_of(account: str) -> Any:
    """Return a subquery for the matches of an account."""
    return select(MATCHES.c.id).where(or_(MATCHES.c.first == account, MATCHES.c.second == account))


async def list_open_challenges(connection: AsyncConnection, account: str, state: str) -> list[int]:
    """Return the challenges in `state` by or to a person, or to a match from a record that they imported."""
    imported = CHALLENGES.c.record.in_(select(RECORDS.c.id).where(RECORDS.c.by == account))
    involved = or_(CHALLENGES.c.by == account, CHALLENGES.c.to == account, imported)
    statement = select(CHALLENGES.c.id).where(involved, CHALLENGES.c.state == state)
    return list(await connection.scalars(statement.order_by(CHALLENGES.c.id)))


# Erasing.


async def lock_person(connection: AsyncConnection, account: str, *, completely: bool) -> bool:
    """Lock a person until the commit; return whether there is one.

    They can then neither be saved nor do anything new; `completely`: nothing new can refer to them either,
    such as a turn in one of their matches.
    """
    statement = select(PEOPLE.c.account).where(PEOPLE.c.account == account)
    found = await connection.execute(statement.with_for_update(key_share=not completely))
    return found.first() is not None


async def erase_private(connection: AsyncConnection, account: str, now: int) -> None:
    """Delete what only a person needs, and not to play on, and the puzzles from their matches."""
    await puzzles.withdraw_of_person(connection, account, now)
    await _delete_mail(connection, account)
    signs_in = _SIGNS_IN if account.startswith(WEBSITE_PREFIX) else frozenset()
    for name in sorted(_NOT_NEEDED_TO_PLAY - signs_in):
        await _delete_rows(connection, column_of(name), account)


async def erase(connection: AsyncConnection, account: str, stand_in: str, name: str, now: int) -> None:
    """Erase a person without matches in progress; `stand_in` is a new account, called `name`, for them.

    Texts that the person wrote in rows that stay are replaced by nothing.
    """
    await connection.execute(insert(PEOPLE).values(account=stand_in, name=name, met_at=now))
    await _blank_texts(connection, account)
    await _delete_mail(connection, account)
    await replace_in_json(connection, account, stand_in)
    for column in _columns(Treatment.DELETED):
        if column.table is not PEOPLE:
            await _delete_rows(connection, column, account)
    await reassign(connection, _columns(_REASSIGNED), account, stand_in)
    # Now that the matches are locked, nobody adds another one.
    await puzzles.withdraw_of_person(connection, stand_in, now)
    await _scrub_mentions(connection, account)
    await connection.execute(delete(PEOPLE).where(PEOPLE.c.account == account))


async def _delete_mail(connection: AsyncConnection, account: str) -> None:
    """Delete codes and mails to a person's addresses."""
    for table in _MAIL:
        await connection.execute(delete(table).where(_is_to_addresses(table, account)))


async def reassign(
    connection: AsyncConnection, columns: Iterable[Column[Any]], account: str, other: str
) -> None:
    """Put another account into those of the columns that hold `account`, and into its matches."""
    for column in columns:
        if column.table is not MATCHES:
            where = _is_owned(column.table, [column.name], account)
            await connection.execute(update(column.table).where(where).values({column.name: other}))
    # Last: they say which rows of large tables to look at.
    for column in (MATCHES.c.mover, MATCHES.c.first, MATCHES.c.second):
        await connection.execute(update(MATCHES).where(column == account).values({column.name: other}))


async def _delete_rows(connection: AsyncConnection, column: Column[Any], account: str) -> None:
    if column.table is RECORDS:
        await _detach_records(connection, select(RECORDS.c.id).where(column == account))
    await connection.execute(delete(column.table).where(column == account))


async def _detach_records(connection: AsyncConnection, records: Select[Any]) -> None:
    """Delete what refers to records that are about to be deleted."""
    await connection.execute(delete(GAME_ANALYSES).where(GAME_ANALYSES.c.record.in_(records)))
    await connection.execute(update(CHALLENGES).where(CHALLENGES.c.record.in_(records)).values(record=None))


async def _blank_texts(connection: AsyncConnection, account: str) -> None:
    """Remove what a person wrote to others or moderators about them, and the names of their threads."""
    await connection.execute(update(CORRECTIONS).where(CORRECTIONS.c.by == account).values(text=""))
    await connection.execute(update(CHALLENGES).where(CHALLENGES.c.by == account).values(note=None))
    await connection.execute(update(REPORTS).where(REPORTS.c.by == account).values(text=""))
    await connection.execute(update(REPORTS).where(REPORTS.c.about == account).values(note=None))
    log = MODERATION_LOG.c
    concerned = or_(log.by == account, log.about == account)
    await connection.execute(update(MODERATION_LOG).where(concerned).values(reason=""))
    await connection.execute(update(MODERATION_LOG).where(log.about == account).values(study_name=None))
    acts = TOURNAMENT_LOG.c
    concerned = or_(acts.by == account, acts.about == account)
    await connection.execute(update(TOURNAMENT_LOG).where(concerned).values(reason=""))
    about = or_(OUTBOX.c.by == account, OUTBOX.c.match.in_(matches_of(account)))
    rows = await connection.execute(
        select(OUTBOX.c.id, OUTBOX.c.by, OUTBOX.c.details).where(about, OUTBOX.c.details.is_not(None))
    )
    for number, by, text in rows.all():
        details = json.loads(text)
        written = {_PLACE_DETAIL, _REASON_DETAIL} if by == account else {_PLACE_DETAIL}
        if written & details.keys():
            blanked = json.dumps({name: "" if name in written else value for name, value in details.items()})
            await connection.execute(update(OUTBOX).where(OUTBOX.c.id == number).values(details=blanked))


async def replace_in_json(connection: AsyncConnection, account: str, stand_in: str) -> None:
    """Replace an account, as JSON quotes it, in the clocks of its matches and among recipients."""
    old, new = json.dumps(account), json.dumps(stand_in)
    own_match = or_(MATCHES.c.first == account, MATCHES.c.second == account)
    for column, where in ((MATCHES.c.clock, own_match), (OUTBOX.c.recipients, true())):
        named = column.contains(old, autoescape=True)
        values = {column.name: func.replace(column, old, new)}
        await connection.execute(update(column.table).where(where, named).values(values))


async def _scrub_mentions(connection: AsyncConnection, account: str) -> None:
    """Remove the number of a person on their platform from what others wrote, such as ``<@number>``."""
    number = account.rpartition(":")[2]
    if not (number.isascii() and number.isdigit() and len(number) >= MIN_PLATFORM_ID):
        return
    for column in _MENTIONING:
        values = {column.name: func.replace(column, number, SCRUBBED)}
        await connection.execute(update(column.table).where(column.contains(number)).values(values))


# Records that others have imported.


async def list_opponents(connection: AsyncConnection, account: str) -> list[tuple[str, int, str]]:
    """Return the game, the beginning (milliseconds since 1970 UTC) and the opponent's name of every match."""
    opponent = case((MATCHES.c.first == account, MATCHES.c.second), else_=MATCHES.c.first)
    own = or_(MATCHES.c.first == account, MATCHES.c.second == account)
    rows = await connection.execute(
        select(MATCHES.c.game, MATCHES.c.made_at, PEOPLE.c.name).where(own, PEOPLE.c.account == opponent)
    )
    return list(map(tuple, rows))


async def list_record_heads(
    connection: AsyncConnection, games: Collection[str]
) -> list[tuple[int, str, str]]:
    """Return the id, the game and the beginning of the text of every record of these games."""
    head = func.substr(RECORDS.c.text, 1, HEAD_LENGTH)
    statement = select(RECORDS.c.id, RECORDS.c.game, head).where(RECORDS.c.game.in_(sorted(games)))
    return list(map(tuple, await connection.execute(statement)))


async def get_record_text(connection: AsyncConnection, record: int) -> str:
    """Return the text of a record."""
    text: str = (await connection.execute(select(RECORDS.c.text).where(RECORDS.c.id == record))).scalar_one()
    return text


async def replace_record(connection: AsyncConnection, record: int, text: str, digest: str) -> None:
    """Replace the text of a record, and the checksum by which its server knows it."""
    changed = update(RECORDS).where(RECORDS.c.id == record).values(text=text, digest=digest)
    await connection.execute(changed)


# Erasing when the last match has ended.


async def schedule(connection: AsyncConnection, account: str, now: int) -> None:
    """Record that a person is to be erased when their matches in progress have ended."""
    await insert_if_new(connection, ERASURES, account=account, asked_at=now)


async def find_scheduled(connection: AsyncConnection, account: str) -> int | None:
    """Return when a person asked to be erased (milliseconds since 1970 UTC); None if they did not."""
    return await connection.scalar(select(ERASURES.c.asked_at).where(ERASURES.c.account == account))


async def cancel(connection: AsyncConnection, account: str) -> bool:
    """Forget that a person is to be erased; return whether they were."""
    return (await connection.execute(delete(ERASURES).where(ERASURES.c.account == account))).rowcount == 1


async def list_scheduled(connection: AsyncConnection) -> list[str]:
    """Return the persons who are to be erased, in progress matches or not."""
    return list(await connection.scalars(select(ERASURES.c.account).order_by(ERASURES.c.account)))


async def list_ready(connection: AsyncConnection, over_state: str) -> list[str]:
    """Return the persons who are to be erased and have no match outside the state `over_state`."""
    account = ERASURES.c.account
    in_progress = exists().where(
        or_(MATCHES.c.first == account, MATCHES.c.second == account), MATCHES.c.state != over_state
    )
    return list(await connection.scalars(select(account).where(~in_progress).order_by(account)))


# Keeping no longer than needed. Ids are read first, so that no writer waits for a search.


async def list_old_messages(
    connection: AsyncConnection, before: int, active_states: Sequence[str], kinds: Sequence[str]
) -> list[int]:
    """Return the delivered private announcements from before `before`, except copies in matches in progress.

    Those of `kinds` are returned for matches in progress too. A packed match has none. The newest row is
    never returned: SQLite would give its id to the next one, and posts have the ids of their announcements.
    """
    active = select(MATCHES.c.id).where(MATCHES.c.state.in_(active_states))
    is_obsolete = (
        OUTBOX.c.match.is_(None),
        OUTBOX.c.match.in_(select(MATCHES.c.id).where(IS_UNPACKED)),
        and_(OUTBOX.c.match.in_(active), OUTBOX.c.kind.in_(kinds)),
    )
    is_old = (OUTBOX.c.to.is_not(None), OUTBOX.c.sent_at < before, is_not_newest(OUTBOX))
    # Apart, so that each is searched by an index, however many matches are over.
    parts = (select(OUTBOX.c.id).where(*is_old, condition) for condition in is_obsolete)
    return list(await connection.scalars(union_all(*parts)))


async def list_old_challenges(connection: AsyncConnection, before: int, states: Sequence[str]) -> list[int]:
    """Return the challenges in `states` that were closed before `before`; none of them led to a match.

    Not the newest one, nor that of the newest announcement, for the reason given in `list_old_messages`.
    """
    is_announced = exists().where(OUTBOX.c.challenge == CHALLENGES.c.id, ~is_not_newest(OUTBOX))
    is_old = (CHALLENGES.c.state.in_(states), CHALLENGES.c.closed_at < before)
    statement = select(CHALLENGES.c.id).where(*is_old, is_not_newest(CHALLENGES), ~is_announced)
    return list(await connection.scalars(statement))


async def list_old_lines(connection: AsyncConnection, before: int) -> list[int]:
    """Return the analysis lines stored before `before`."""
    statement = select(ANALYSIS_LINES.c.id).where(ANALYSIS_LINES.c.made_at < before)
    return list(await connection.scalars(statement))


async def delete_announcements(connection: AsyncConnection, ids: Sequence[int]) -> None:
    """Delete announcements."""
    await connection.execute(delete(OUTBOX).where(OUTBOX.c.id.in_(ids)))


async def delete_challenges(connection: AsyncConnection, ids: Sequence[int]) -> None:
    """Delete challenges that led to no match, with their announcements."""
    await connection.execute(delete(OUTBOX).where(OUTBOX.c.challenge.in_(ids)))
    await connection.execute(delete(CHALLENGES).where(CHALLENGES.c.id.in_(ids)))


async def delete_lines(connection: AsyncConnection, ids: Sequence[int]) -> None:
    """Delete analysis lines."""
    await connection.execute(delete(ANALYSIS_LINES).where(ANALYSIS_LINES.c.id.in_(ids)))


async def forget_requests(connection: AsyncConnection, before: int) -> None:
    """Forget who requested the analyses that were requested before `before`."""
    table = GAME_ANALYSES.c
    where = (table.by.is_not(None), table.made_at < before)
    await connection.execute(update(GAME_ANALYSES).where(*where).values(by=None))


# Servers that removed the bot.


async def list_servers(connection: AsyncConnection, prefix: str) -> dict[str, int | None]:
    """Return the servers whose ids begin with `prefix`, with the time since which the bot is not there.

    Times are in milliseconds since 1970 UTC.
    """
    where = SERVERS.c.server.startswith(prefix, autoescape=True)
    return await fetch_dict(connection, select(SERVERS.c.server, SERVERS.c.left_at).where(where))


async def set_left_at(connection: AsyncConnection, servers: Sequence[str], left_at: int | None) -> None:
    """Record since when the bot is not in these servers; None if it is."""
    await connection.execute(update(SERVERS).where(SERVERS.c.server.in_(servers)).values(left_at=left_at))


async def erase_server(connection: AsyncConnection, server: str, closed_states: Sequence[str]) -> None:
    """Delete a server's settings, exclusions, imported records, and challenges without a match."""
    records = select(RECORDS.c.id).where(RECORDS.c.server == server)
    challenges = select(CHALLENGES.c.id).where(
        CHALLENGES.c.server == server, CHALLENGES.c.state.in_(closed_states)
    )
    await connection.execute(delete(SERVER_SETTINGS).where(SERVER_SETTINGS.c.server == server))
    await daily_posts.remove(connection, server)
    await connection.execute(delete(OPEN_CHANNELS).where(OPEN_CHANNELS.c.server == server))
    await connection.execute(delete(EXCLUSIONS).where(EXCLUSIONS.c.server == server))
    await connection.execute(delete(OUTBOX).where(OUTBOX.c.challenge.in_(challenges)))
    await connection.execute(delete(CHALLENGES).where(CHALLENGES.c.id.in_(challenges)))
    await _detach_records(connection, records)
    await connection.execute(delete(RECORDS).where(RECORDS.c.server == server))
