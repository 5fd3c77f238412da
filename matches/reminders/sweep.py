"""Reminders: looked after by a sweep that may run late, twice or in two processes without doing harm.

A match says when it is to be looked at next. Whoever looks holds its row, writes what is due into the
outbox and when to look again, all in one transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.announcements import announce
from matches.clocks.reading import read_time
from matches.people.hours import awake
from matches.people.settings import chosen
from matches.people.values import Way
from matches.reading import fetch
from matches.reminders.steps import Limit, next_step
from matches.steps import AnnouncementKind
from matches.times import millis, moment
from matches.values import MatchState, Person
from storage import reminders

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from matches.clocks.values import MatchTime
    from matches.people.values import Preferences
    from matches.steps import Announcement
    from storage import Connection, Store
    from storage.matches import MatchRow
    from storage.reminders import WaitingRow

MOST = 100  # matches looked at in one transaction


class Reminders:
    """The reminders of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def remind(self, *, now: datetime) -> int:
        """Announce as REMINDED what is due by now; give how many that were."""
        count = 0
        while True:
            looked, told = await self._look(now)
            count += told
            if looked < MOST:
                return count

    async def stands(self, announcement: Announcement) -> bool:
        """Say whether the match of a REMINDED still waits for that person, and for the same turn.

        Raises MatchUnknown.
        """
        async with self._store.reading() as connection:
            row = await fetch(connection, announcement.match or 0)
        board = (announcement.ply, announcement.takebacks)
        same = row.state == MatchState.FISTS or (row.turn_ply, row.takebacks) == board
        return same and announcement.to in _waits_for(row)

    async def _look(self, now: datetime) -> tuple[int, int]:
        """Look at some matches; give how many, and how many people are reminded."""
        async with self._store.reading() as connection:
            if not await reminders.any_due(connection, millis(now)):
                return 0, 0
        async with self._store.writing() as connection:
            rows = await reminders.claim(connection, millis(now), MOST)
            waited = {row.id: _waits_for(row) for row in rows}
            settings = await chosen(connection, (one for ones in waited.values() for one in ones))
            told, planned = 0, []
            for row in rows:
                due, then = _planned(row, waited[row.id], settings, now)
                for account in due:
                    await _remind(connection, row, account, settings[account], now)
                told += len(due)
                planned.append({"match": row.id, "remind_at": None if then is None else millis(then)})
            await reminders.plan(connection, planned, millis(now))
        return len(rows), told


def _waits_for(row: WaitingRow | MatchRow) -> tuple[str, ...]:
    if row.state == MatchState.FISTS:
        seats = ((row.first, row.first_picked), (row.second, row.second_picked))
        return tuple(account for account, picked in seats if not picked)
    return (row.mover,) if row.state == MatchState.PLAYING and row.mover is not None else ()


def _planned(
    row: WaitingRow, accounts: tuple[str, ...], settings: Mapping[str, Preferences], now: datetime
) -> tuple[list[str], datetime | None]:
    """Give who is to be reminded now, and when anybody is next."""
    due, later = [], []
    began = moment(row.changed_at if row.waits_since is None else row.waits_since)
    seen = began if row.reminded_at is None else moment(row.reminded_at)
    time = read_time(row, [Person(account, "") for account in (row.first, row.second)])
    for account in accounts:
        if settings[account].way is Way.OFF or _rests(time, account):
            continue
        limit = _limit(time, account)
        step = next_step(settings[account], began, limit, seen)
        if step is not None and step <= now:
            due.append(account)
            step = next_step(settings[account], began, limit, now)
        later += [] if step is None else [step]
    return due, min(later, default=None)


def _rests(time: MatchTime | None, account: str) -> bool:
    """Say whether a pause, or a vacation of theirs, lets somebody be."""
    mine = None if time is None else time.of(account)
    return time is not None and (time.paused or (mine is not None and mine.away))


def _limit(time: MatchTime | None, account: str) -> Limit | None:
    """Give until when somebody may think; None where that is over already, or no time runs."""
    mine = None if time is None else time.of(account)
    return None if mine is None or mine.deadline is None else Limit(mine.deadline, mine.left)


async def _remind(
    connection: Connection, row: WaitingRow, account: str, settings: Preferences, now: datetime
) -> None:
    """Write a reminder; one that was due before the quiet hours, and comes late, waits for their end."""
    await announce(
        connection,
        AnnouncementKind.REMINDED,
        match=row.id,
        ply=row.turn_ply,
        takebacks=row.takebacks,
        by=account,
        whom=(account,),
        to=account,
        server=row.server,
        place=row.place,
        now=millis(now),
        grace=awake(settings.quiet, settings.zone, now) - now,
    )
