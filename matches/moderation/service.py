"""What moderators of a website see and do. Everything that they do is logged with who and why."""

from __future__ import annotations

import secrets
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.computer.accounts import is_computer
from matches.errors import Refusal
from matches.moderation.reports import Reports
from matches.moderation.rights import HANDLE_MARK, is_moderator
from matches.moderation.values import Act, ActRecord, ModeratedPerson, Report, UnreadWarning
from matches.names import fold_name
from matches.people.handles import find_in
from matches.personal_data.stand_ins import is_deleted
from matches.platforms import MAIL, WEB, WEBSITE, platform_of
from matches.posting.letters import LetterKind, write_letter
from matches.times import from_millis, to_millis
from matches.values import MAX_REASON_LENGTH
from storage.people import blocks, handles, moderation, personal_data, web_sessions
from storage.study import studies

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from datetime import datetime

    from matches.personal_data.service import PersonalData
    from matches.servers.blocks import Blocks
    from matches.studies.values import StudyKey
    from storage import Connection, Database
    from storage.people.moderation import ModeratedRow, ReportRow

MAX_LISTED = 100  # reports and acts in the history of one person
LETTER_LIFETIME = timedelta(days=7)
NEUTRAL_NAME = "player-{number}"


@dataclass(frozen=True, slots=True)
class _Act:
    """An act in an open transaction: by whom, about whom, and why."""

    connection: Connection
    by: str
    person: ModeratedRow
    reason: str
    now: datetime

    async def log(self, act: Act, **values: str) -> bool:
        """Write what was done into the log, with more columns of it; return True."""
        await _log(self.connection, self.by, self.person.account, act, self.reason, self.now, **values)
        return True


class Moderation:
    """Reports, and the acts of `moderators`, as the setting MODERATORS names them.

    An act that has no effect any more, such as the second of a double click, is not logged again and returns
    False. Moderators act neither on themselves nor on each other, and do not see reports about themselves.
    Every method that takes `by` raises `not_moderator` for anybody else.
    """

    def __init__(
        self, database: Database, exclusions: Blocks, persons: PersonalData, moderators: Sequence[str]
    ) -> None:
        self._database = database
        self._exclusions = exclusions
        self._persons = persons
        self._moderators = tuple(moderators)
        self.reports = Reports(database)

    async def is_moderator(self, account: str) -> bool:
        """Return whether an account is one of the moderators."""
        if not self._moderators:
            return False
        async with self._database.read() as connection:
            return await is_moderator(connection, self._moderators, account)

    async def list_open(self, by: str, *, before: int | None = None, limit: int) -> tuple[Report, ...]:
        """Return at most `limit` open reports, the newest first, after the report `before`."""
        async with self._database.read() as connection:
            await self._require_moderator(connection, by)
            rows = await moderation.list_open_reports(connection, by, before, limit)
        return tuple(map(_report_from_row, rows))

    async def find_person(self, by: str, who: str) -> ModeratedPerson:
        """Return a person by account or ``@name``, with reports and acts about them.

        Raises `person_unknown`, also for the moderators themselves.
        """
        async with self._database.read() as connection:
            await self._require_moderator(connection, by)
            account = who
            if who.startswith(HANDLE_MARK):
                handle = fold_name(who.removeprefix(HANDLE_MARK))
                account = await handles.find_account(connection, handle) or ""
            row = None if account == by else await _find_person(connection, account)
            if row is None:
                raise Refusal("person_unknown")
            reports = await moderation.list_reports_about(connection, account, MAX_LISTED)
            acts = await moderation.list_acts_about(connection, account, MAX_LISTED)
        return ModeratedPerson(
            account=row.account,
            name=row.name,
            handle=row.handle,
            alias=row.alias,
            is_guest=row.is_guest,
            is_excluded=row.is_excluded,
            met_at=from_millis(row.met_at),
            closed_at=None if row.closed_at is None else from_millis(row.closed_at),
            reports=tuple(map(_report_from_row, reports)),
            acts=tuple(
                ActRecord(
                    id=one.id,
                    by_name=one.by_name,
                    act=Act(one.action),
                    reason=one.reason,
                    made_at=from_millis(one.made_at),
                    seen_at=None if one.seen_at is None else from_millis(one.seen_at),
                    study=one.study,
                    study_name=one.study_name,
                )
                for one in acts
            ),
        )

    async def warn(self, by: str, about: str, reason: str, *, now: datetime) -> bool:
        """Warn a person: on every page of the website until they confirm it, and by mail if they have any.

        Raises `act_reason`, `person_unknown`, `moderates_self`, `moderates_moderator`; so do all acts.
        """
        async with self._act(by, about, reason, now) as act:
            unseen = await moderation.list_unseen(act.connection, about, Act.WARN)
            if any(one.reason == act.reason for one in unseen):
                return False
            for address in await moderation.list_mail_addresses(act.connection, about, MAIL):
                await write_letter(
                    act.connection,
                    LetterKind.WARNING,
                    address,
                    account=about,
                    details={"text": act.reason},
                    lifetime=LETTER_LIFETIME,
                    now=now,
                )
            return await act.log(Act.WARN)

    async def exclude(self, by: str, about: str, reason: str, *, now: datetime) -> bool:
        """Exclude a person from new matches on the website; their open challenges there are withdrawn."""
        async with self._act(by, about, reason, now) as act:
            is_new = await self._exclusions.exclude_in(act.connection, WEBSITE, about, by, now)
            return is_new and await act.log(Act.EXCLUDE)

    async def readmit(self, by: str, about: str, reason: str, *, now: datetime) -> bool:
        """Let an excluded person start matches on the website again."""
        async with self._act(by, about, reason, now) as act:
            return await blocks.readmit(act.connection, WEBSITE, about) and await act.log(Act.READMIT)

    async def close(self, by: str, about: str, reason: str, *, now: datetime) -> tuple[bool, str | None]:
        """Close an account: it can start nothing any more, anywhere, and is signed out of the website.

        Open challenges are closed and matches in progress resigned, so that no opponent waits. Return whether
        that is new, and the token of Discord that nobody needs any more.
        """
        async with self._act(by, about, reason, now) as act:
            if not await moderation.set_closed(act.connection, about, to_millis(now)):
                return False, None
            await self._persons.close_challenges_in(act.connection, about, now)
            await self._persons.resign_all_in(act.connection, about, now)
            await web_sessions.lock_grant(act.connection, about)
            await web_sessions.remove(act.connection, about)
            token = await web_sessions.remove_unused_grant(act.connection, about)
            return await act.log(Act.CLOSE), token

    async def reopen(self, by: str, about: str, reason: str, *, now: datetime) -> bool:
        """Open a closed account again."""
        async with self._act(by, about, reason, now) as act:
            return await moderation.set_closed(act.connection, about, None) and await act.log(Act.REOPEN)

    async def remove_name(self, by: str, about: str, reason: str, *, seen: str, now: datetime) -> bool:
        """Replace the name of a person on the website by a neutral one, and the alias by none.

        They can choose another name at once, and nobody the same one while it is a former name. `seen` is the
        name or, without one, the alias that the moderator read: another one chosen meanwhile stays.
        """
        async with self._act(by, about, reason, now) as act:
            if not seen or seen != (act.person.handle or act.person.alias):
                return False
            values: dict[str, str | int | None] = {"alias": ""} if act.person.alias else {}
            if act.person.handle:
                name, folded = await _find_neutral_name(act.connection)
                values |= {"handle": name, "folded_handle": folded, "handle_at": None}
                removed = fold_name(act.person.handle)
                await handles.add_former(act.connection, about, removed, to_millis(now))
                if platform_of(about) == WEB:
                    values["name"] = name
            await moderation.rename(act.connection, about, **values)
            return await act.log(Act.REMOVE_NAME)

    async def set_study_hidden(
        self, by: str, about: str, reason: str, *, study: StudyKey, is_hidden: bool, now: datetime
    ) -> bool:
        """Hide a study of a person from everybody else, or end that."""
        async with self._act(by, about, reason, now) as act:
            hidden_at = to_millis(now) if is_hidden else None
            name = await studies.set_hidden(act.connection, study, about, hidden_at)
            kind = Act.HIDE_STUDY if is_hidden else Act.SHOW_STUDY
            return name is not None and await act.log(kind, study=study, study_name=name)

    async def close_report(self, by: str, report: int, reason: str, *, now: datetime) -> bool:
        """Close a report. Raises `act_reason`, `report_unknown`, `moderates_self`."""
        reason = _check_reason(reason)
        async with self._database.transaction() as connection:
            await self._require_moderator(connection, by)
            row = await moderation.find_report(connection, report)
            if row is None:
                raise Refusal("report_unknown")
            if row.about == by:
                raise Refusal("moderates_self")
            if not await moderation.close_report(connection, report, to_millis(now)):
                return False
            await _log(connection, by, row.about, Act.CLOSE_REPORT, reason, now, report=report)
            return True

    async def find_unread_warning(self, account: str) -> UnreadWarning | None:
        """Return the oldest warning that a person has not confirmed."""
        async with self._database.read() as connection:
            rows = await moderation.list_unseen(connection, account, Act.WARN)
        return UnreadWarning(rows[-1].id, rows[-1].reason) if rows else None

    async def confirm_warning(self, account: str, warning: int, *, now: datetime) -> None:
        """Record that a person has read a warning; nothing if it is not theirs."""
        async with self._database.transaction() as connection:
            await moderation.mark_seen(connection, warning, account, Act.WARN, to_millis(now))

    async def find_reason(self, account: str, act: Act, made_at: datetime) -> str:
        """Return why a moderator did something about a person at that time; empty if nobody did."""
        async with self._database.read() as connection:
            row = await moderation.find_last_act(connection, account, act, to_millis(made_at))
        return "" if row is None else row.reason

    async def _require_moderator(self, connection: Connection, by: str) -> None:
        if not await is_moderator(connection, self._moderators, by):
            raise Refusal("not_moderator")

    @asynccontextmanager
    async def _act(self, by: str, about: str, reason: str, now: datetime) -> AsyncIterator[_Act]:
        """Begin an act about a person, who is locked; it is committed at the end of the block."""
        reason = _check_reason(reason)
        async with self._database.transaction() as connection:
            await self._require_moderator(connection, by)
            if about == by:
                raise Refusal("moderates_self")
            await personal_data.lock_person(connection, about, completely=False)
            person = await _find_person(connection, about)
            if person is None:
                raise Refusal("person_unknown")
            if await is_moderator(connection, self._moderators, about):
                raise Refusal("moderates_moderator")
            yield _Act(connection, by, person, reason, now)


def _check_reason(reason: str) -> str:
    reason = " ".join(reason.split())
    if not 0 < len(reason) <= MAX_REASON_LENGTH:
        raise Refusal("act_reason", limit=MAX_REASON_LENGTH)
    return reason


async def _find_person(connection: Connection, account: str) -> ModeratedRow | None:
    """Return a person, None for an account of the computer or of a deleted person."""
    is_person = not (is_computer(account) or is_deleted(account))
    return await moderation.find_person(connection, account, WEBSITE) if is_person else None


async def _find_neutral_name(connection: Connection) -> tuple[str, str]:
    """Return a name that nobody has or had, and its folded form."""
    digits = 4
    while True:
        name = NEUTRAL_NAME.format(number=10 ** (digits - 1) + secrets.randbelow(9 * 10 ** (digits - 1)))
        if await find_in(connection, fold_name(name)) is None:
            return name, fold_name(name)
        digits += 1


async def _log(
    connection: Connection,
    by: str,
    about: str,
    act: Act,
    reason: str,
    now: datetime,
    **values: str | int,
) -> None:
    await moderation.add_act(
        connection,
        by=by,
        about=about,
        action=act.value,
        reason=reason,
        made_at=to_millis(now),
        **values,
    )


def _report_from_row(row: ReportRow) -> Report:
    return Report(
        id=row.id,
        by_name=row.by_name,
        about=row.about,
        about_name=row.about_name,
        challenge=row.challenge,
        match=row.match,
        text=row.text,
        note=row.note,
        made_at=from_millis(row.made_at),
        closed_at=None if row.closed_at is None else from_millis(row.closed_at),
        study=row.study,
    )
