"""The sweep that sends reminders. It may run late, twice, or in two processes without harm.

Each match stores when it is to be checked next. A check locks the row and writes the due announcements and
the time of the next check in one transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.clocks.rows import match_time_from_row
from matches.computer.accounts import without_computers
from matches.notices.copies import load_choices, write_copies
from matches.notices.values import NoticeKind
from matches.posting.announcements import announce
from matches.preferences.quiet_hours import after_quiet_hours
from matches.reminders.schedule import TurnDeadline, next_reminder
from matches.times import from_millis, to_millis
from matches.updates import AnnouncementKind
from matches.values import MatchState, Person
from matches.view_builder import fetch_match
from storage.people import reminders

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from matches.clocks.values import MatchTime
    from matches.notices.values import NoticeChoice
    from matches.updates import Announcement
    from storage import Connection, Database
    from storage.match.matches import MatchRow
    from storage.people.reminders import ReminderRow

BATCH_SIZE = 100  # matches per transaction


class Reminders:
    """The reminders of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def remind(self, *, now: datetime) -> int:
        """Announce all due reminders as REMINDED; return how many there were."""
        count = 0
        while True:
            claimed, announced = await self._remind_batch(now)
            count += announced
            if claimed < BATCH_SIZE:
                return count

    async def is_still_due(self, announcement: Announcement) -> bool:
        """Return whether the match of a REMINDED still waits for that person in the same turn.

        Raises MatchUnknown.
        """
        async with self._database.read() as connection:
            row = await fetch_match(connection, announcement.match or 0)
        board = (announcement.ply, announcement.takebacks)
        is_same_turn = row.state == MatchState.CHOOSING or (row.turn_ply, row.takebacks) == board
        return is_same_turn and announcement.to in awaited_accounts(row)

    async def _remind_batch(self, now: datetime) -> tuple[int, int]:
        """Check a batch of matches; return how many, and how many reminders were announced."""
        async with self._database.read() as connection:
            if not await reminders.any_due(connection, to_millis(now)):
                return 0, 0
        async with self._database.transaction() as connection:
            rows = await reminders.claim_due(connection, to_millis(now), BATCH_SIZE)
            waiting_accounts = {row.id: awaited_accounts(row) for row in rows}
            choices = await load_choices(
                connection, (one for ones in waiting_accounts.values() for one in ones)
            )
            announced, planned = 0, []
            for row in rows:
                due, next_check = _plan_reminders(row, waiting_accounts[row.id], choices, now)
                for account in due:
                    await _announce_reminder(connection, row, account, choices, now)
                announced += len(due)
                planned.append(
                    {"match": row.id, "remind_at": None if next_check is None else to_millis(next_check)}
                )
            await reminders.schedule(connection, planned, to_millis(now))
        return len(rows), announced


def awaited_accounts(row: ReminderRow | MatchRow) -> tuple[str, ...]:
    """Return the persons for whom a match waits."""
    if row.state == MatchState.CHOOSING:
        seats = ((row.first, row.first_picked), (row.second, row.second_picked))
        return without_computers(account for account, picked in seats if not picked)
    is_awaited = row.state == MatchState.PLAYING and row.mover is not None
    return without_computers((row.mover,)) if is_awaited and row.mover else ()


def _plan_reminders(
    row: ReminderRow, accounts: tuple[str, ...], choices: Mapping[str, NoticeChoice], now: datetime
) -> tuple[list[str], datetime | None]:
    """Return the accounts to remind now, and the time of the next check."""
    due, later = [], []
    began = from_millis(row.changed_at if row.waits_since is None else row.waits_since)
    last_check = began if row.reminded_at is None else from_millis(row.reminded_at)
    time = match_time_from_row(row, [Person(account, "") for account in (row.first, row.second)])
    for account in accounts:
        if not choices[account].ways[NoticeKind.TIME] or _is_clock_stopped(time, account):
            continue
        turn_deadline = _turn_deadline(time, account)
        preferences = choices[account].preferences
        reminder_at = next_reminder(preferences, began, turn_deadline, last_check)
        if reminder_at is not None and reminder_at <= now:
            due.append(account)
            reminder_at = next_reminder(preferences, began, turn_deadline, now)
        later += [] if reminder_at is None else [reminder_at]
    return due, min(later, default=None)


def _is_clock_stopped(time: MatchTime | None, account: str) -> bool:
    """Return whether a pause, the player's vacation, or a player who cannot be told stops their time."""
    seat = None if time is None else time.for_account(account)
    return time is not None and (
        time.paused or bool(time.unreached) or (seat is not None and seat.on_vacation)
    )


def _turn_deadline(time: MatchTime | None, account: str) -> TurnDeadline | None:
    """Return a player's deadline, or None if it has passed or no time runs."""
    seat = None if time is None else time.for_account(account)
    return None if seat is None or seat.deadline is None else TurnDeadline(seat.deadline, seat.remaining)


async def _announce_reminder(
    connection: Connection, row: ReminderRow, account: str, choices: Mapping[str, NoticeChoice], now: datetime
) -> None:
    """Announce a reminder in the ways of the player; if it is late and quiet hours have begun, after them.

    The front end of the account's platform reminds by direct message or where the match is played, if the
    player wants either of them then.
    """
    preferences = choices[account].preferences
    reminder = await announce(
        connection,
        AnnouncementKind.REMINDED,
        match=row.id,
        ply=row.turn_ply,
        takebacks=row.takebacks,
        by=account,
        recipients=(account,),
        to=account,
        server=row.server,
        channel=row.place,
        now=to_millis(now),
        grace=after_quiet_hours(preferences.quiet, preferences.zone, now) - now,
    )
    await write_copies(connection, reminder, NoticeKind.TIME, (), choices)
