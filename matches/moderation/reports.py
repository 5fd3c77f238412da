"""Reports: what one player tells the moderators about another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.audience import Audience, MatchAccess, choose_name
from matches.computer.accounts import is_computer
from matches.errors import Refusal
from matches.moderation.values import (
    MAX_REPORT_LENGTH,
    MAX_REPORTS,
    MIN_REPORT_LENGTH,
    REPORTS_WITHIN,
    ReportedPlayer,
)
from matches.names import fold_name
from matches.personal_data.stand_ins import is_deleted
from matches.platforms import WEBSITE
from matches.studies.values import StudyAudience
from matches.times import to_millis
from storage.match import fingerprints
from storage.people import handles, moderation, personal_data
from storage.study import studies

if TYPE_CHECKING:
    from datetime import datetime

    from matches.audience import Reader
    from matches.moderation.values import ReportSubject
    from storage import Connection, Database


class Reports:
    """The reports that players send."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_reportable(
        self, by: str, reader: Reader, subject: ReportSubject
    ) -> tuple[ReportedPlayer, ...]:
        """Return whom `by` can report: one person, or the two players of a match that they watch.

        Raises `report_unknown` for what does not exist or is none of theirs, `guest_report`, `self_report`.
        """
        async with self._database.read() as connection:
            return await _list_reportable(connection, by, reader, subject)

    async def report(
        self, by: str, reader: Reader, subject: ReportSubject, text: str, *, now: datetime
    ) -> int:
        """Report a player and return the id of the report; the same again returns the same.

        The note of a challenge is copied if it was for the reporter. Raises as :meth:`list_reportable` does,
        `report_length`, `too_many_reports`, and `reported_before` while an earlier report about the same
        person is open.
        """
        text = text.replace("\r\n", "\n").strip()
        if not MIN_REPORT_LENGTH <= len(text) <= MAX_REPORT_LENGTH:
            raise Refusal("report_length", least=MIN_REPORT_LENGTH, limit=MAX_REPORT_LENGTH)
        async with self._database.transaction() as connection:
            await personal_data.lock_person(connection, by, completely=False)  # so that counting is safe
            found = await _list_reportable(connection, by, reader, subject)
            reported = next((one for one in found if one.number == subject.player), None)
            if reported is None:
                raise Refusal("report_unknown")
            earlier = await moderation.find_open_between(connection, by, reported.account)
            if earlier is not None and earlier.text == text:
                return earlier.id
            if earlier is not None:
                raise Refusal("reported_before")
            since = to_millis(now - REPORTS_WITHIN)
            if await moderation.count_reports_by(connection, by, since) >= MAX_REPORTS:
                raise Refusal("too_many_reports", limit=MAX_REPORTS)
            return await moderation.add_report(
                connection,
                by=by,
                about=reported.account,
                challenge=subject.challenge,
                match=subject.match,
                study=subject.study or None,
                text=text,
                note=reported.note,
                made_at=to_millis(now),
            )


async def _list_reportable(
    connection: Connection, by: str, reader: Reader, subject: ReportSubject
) -> tuple[ReportedPlayer, ...]:
    reporter = await moderation.find_person(connection, by, WEBSITE)
    if reporter is None or reporter.is_guest:
        raise Refusal("guest_report")
    if subject.match is not None:
        found = await _find_players(connection, by, reader, subject.match)
    elif subject.challenge is not None:
        found = await _find_challenger(connection, by, reader, subject.challenge, has_link=subject.has_link)
    elif subject.study:
        found = await _find_owner(connection, subject.study)
    else:
        found = await _find_named(connection, subject.handle)
    people = tuple(one for one in found if not (is_computer(one.account) or is_deleted(one.account)))
    if any(one.account == by for one in people):
        raise Refusal("self_report")
    if not people:
        raise Refusal("report_unknown")
    return people


async def _find_named(connection: Connection, handle: str) -> tuple[ReportedPlayer, ...]:
    account = await handles.find_account(connection, fold_name(handle)) if handle else None
    person = None if account is None else await moderation.find_person(connection, account, WEBSITE)
    return () if person is None else (ReportedPlayer(person.account, person.handle or person.name),)


async def _find_owner(connection: Connection, study: str) -> tuple[ReportedPlayer, ...]:
    """Return the owner of a study that everybody with its link sees, called by the name of the study."""
    row = await studies.get(connection, study)
    if row is None or row.hidden_at is not None or row.audience == StudyAudience.PRIVATE:
        return ()
    return (ReportedPlayer(row.owner, row.name, note=row.name),)


async def _find_challenger(
    connection: Connection, by: str, reader: Reader, challenge: int, *, has_link: bool
) -> tuple[ReportedPlayer, ...]:
    """Return the challenger to whoever reads the note, and of a public challenge to everybody who sees it."""
    row = await moderation.find_challenge(connection, challenge)
    if row is None:
        return ()
    is_addressed = by in (row.by, row.to, row.accepted_by) or (row.by_link and has_link)
    names = reader.names_in(MatchAccess(Audience(row.audience), row.server, (row.by,)))
    if not is_addressed and (names is None or row.by_link or row.to is not None):
        return ()
    shown = row.by_name
    if not is_addressed and names is not None:
        shown = choose_name(names, row.audience, row.by, row.by_name, row.by_alias)
    return (ReportedPlayer(row.by, shown, note=row.note if is_addressed else None),)


async def _find_players(
    connection: Connection, by: str, reader: Reader, match: int
) -> tuple[ReportedPlayer, ...]:
    """Return the opponent to a player, and both players to whoever else may see the match.

    They are numbered by their accounts: which of them has which side can change before the first move.
    """
    row = next(iter(await fingerprints.load(connection, [match])), None)
    if row is None:
        return ()
    players = sorted(
        ((row.first, row.first_name, row.first_alias), (row.second, row.second_name, row.second_alias))
    )
    if by in (row.first, row.second):
        return tuple(ReportedPlayer(account, name) for account, name, _ in players if account != by)
    names = reader.names_in(MatchAccess(Audience(row.audience), row.server, (row.first, row.second)))
    if names is None:
        return ()
    return tuple(
        ReportedPlayer(account, choose_name(names, row.audience, account, name, alias), number)
        for number, (account, name, alias) in enumerate(players, 1)
    )
