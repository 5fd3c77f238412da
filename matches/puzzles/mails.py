"""Puzzles by mail: one each day at a person's time, and others that they ask for.

The mail of a day is written as a letter in the transaction that makes the next one due, so each is written
once, whatever is killed. After an outage only that of the last day is written, and a letter that could not be
sent within LIFETIME is worth nothing any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from matches.errors import Refusal
from matches.notices.copies import load_reach
from matches.posting.letters import LetterKind, write_letter
from matches.preferences.quiet_hours import local_time
from matches.preferences.service import load_preferences, next_time_of_day
from matches.puzzles.service import ANY
from matches.puzzles.values import SEEN_LENGTH
from matches.times import from_millis, to_millis
from matches.work.each import for_each
from storage.people import notices, people, personal_data
from storage.puzzle import mails

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from matches.preferences.values import Preferences
    from matches.puzzles.service import Puzzles
    from matches.puzzles.values import PuzzleChoice, StoredPuzzle
    from matches.values import Person
    from storage import Connection, Database
    from storage.puzzle.mails import PuzzleMailRow

DEFAULT_TIME = time(9)
LIFETIME = timedelta(hours=20)
MAX_UNANSWERED = 14
"""After so many in a row whose puzzles the person has not tried, no more are sent."""

MAX_ASKED = 20
"""So many puzzles one can ask for by mail on a day (UTC), besides that of the day."""

MAX_MAILED = 400  # the newest puzzles that were sent to a person, of which none is sent again
BATCH_SIZE = 50  # mails that are written before others are sent
_LAST = timedelta(days=2)  # before now an outage is at most thought to have begun


@dataclass(frozen=True, slots=True)
class PuzzleMails:
    """When a person gets a puzzle each day: `at` a time of day in their zone; not with `next_at` None."""

    at: time
    next_at: datetime | None


class PuzzleMailService:
    """The puzzles by mail of a database."""

    def __init__(self, database: Database, puzzles: Puzzles) -> None:
        self._database = database
        self._puzzles = puzzles

    async def find(self, account: str) -> PuzzleMails:
        """Return whether and when a person gets a puzzle each day."""
        async with self._database.read() as connection:
            row = await mails.find(connection, account)
        if row is None:
            return PuzzleMails(DEFAULT_TIME, None)
        return PuzzleMails(_time_of(row), None if row.next_at is None else from_millis(row.next_at))

    async def is_wanted(self, account: str, address: str, *, is_last: bool = False) -> bool:
        """Return whether a puzzle that was written for an address is still wanted there.

        With `is_last` it is the last one, with which they were switched off.
        """
        async with self._database.read() as connection:
            row = await mails.find(connection, account)
            is_on = row is not None and (is_last or row.next_at is not None)
            return is_on and await _find_address(connection, account) == address

    async def switch_on(self, person: Person, at: time | None = None, *, now: datetime) -> PuzzleMails:
        """Have a puzzle sent each day, by default at the time that was chosen last, else at DEFAULT_TIME.

        There is no second one on a day that has had one. Raises `puzzle_mail_no_address` for somebody to whom
        no mail is sent.
        """
        async with self._database.transaction() as connection:
            await people.save(connection, person.account, person.name, to_millis(now))
            if (await load_reach(connection, person.account)).address is None:
                raise Refusal("puzzle_mail_no_address")
            row = await mails.find(connection, person.account, lock=True)
            at = at or (DEFAULT_TIME if row is None else _time_of(row))
            preferences = (await load_preferences(connection, [person.account]))[person.account]
            next_at = next_time_of_day(preferences, at, now)
            last = None if row is None else row.day
            while last is not None and _day_of(preferences, next_at).isoformat() <= last:
                next_at = next_time_of_day(preferences, at, next_at)
            await mails.save(
                connection,
                person.account,
                minute=_minute_of(at),
                next_at=to_millis(next_at),
                unanswered=0,
            )
        return PuzzleMails(at, next_at)

    async def switch_off(self, account: str) -> None:
        """Have no puzzle sent any more each day."""
        async with self._database.transaction() as connection:
            row = await mails.find(connection, account, lock=True)
            if row is not None and row.next_at is not None:
                await mails.save(connection, account, minute=row.minute, next_at=None)

    async def ask(self, person: Person, choice: PuzzleChoice = ANY, *, now: datetime) -> StoredPuzzle | None:
        """Return a puzzle that a person asks for, and count it; None if they have tried all of them.

        One that was sent to them before comes again only if no other is left.
        Raises `too_many_puzzles_asked` after MAX_ASKED on a day.
        """
        while True:
            async with self._database.read() as connection:
                row = await mails.find(connection, person.account)
            puzzle = await self._choose_new(person.account, _mailed_to(row), choice)
            if puzzle is None or await self._count(person, puzzle.key, _mailed_to(row), now):
                return puzzle

    async def _count(self, person: Person, puzzle: str, mailed: Sequence[str], now: datetime) -> bool:
        """Count a puzzle that a person asks for; False if they were sent another since `mailed`."""
        day = now.astimezone(UTC).date().isoformat()
        async with self._database.transaction() as connection:
            await people.save(connection, person.account, person.name, to_millis(now))
            row = await mails.find(connection, person.account, lock=True)
            if _mailed_to(row) != mailed:
                return False
            asked = row.asked if row is not None and row.asked_on == day else 0
            if asked >= MAX_ASKED:
                raise Refusal("too_many_puzzles_asked", limit=MAX_ASKED)
            minute = _minute_of(DEFAULT_TIME) if row is None else row.minute
            await mails.save(
                connection,
                person.account,
                minute=minute,
                asked_on=day,
                asked=asked + 1,
                mailed=_add_mailed(row, puzzle),
            )
        return True

    async def write_due(self, *, now: datetime) -> int:
        """Write at most BATCH_SIZE of the mails that are due, the longest waiting first; return how many.

        Raises ExceptionGroup if some could not be written; they are tried again next time.
        """
        async with self._database.read() as connection:
            due = await mails.list_due(connection, to_millis(now), BATCH_SIZE)
        written = 0

        async def write(row: PuzzleMailRow) -> None:
            nonlocal written
            written += await self._write(row, now)

        await for_each(due, write)
        return written

    async def _write(self, row: PuzzleMailRow, now: datetime) -> bool:
        """Write a mail that is due, unless another process does; return whether this one did."""
        async with self._database.read() as connection:
            preferences = (await load_preferences(connection, [row.person]))[row.person]
        day, next_at = _last_day(row, preferences, now)
        is_wanted = row.day is None or row.day < day.isoformat()
        puzzle = await self._choose(row, day) if is_wanted else None
        async with self._database.transaction() as connection:
            # First, as whoever erases or joins them does: the letter refers to them.
            await personal_data.lock_person(connection, row.person, completely=False)
            locked = await mails.find(connection, row.person, lock=True)
            if locked is None or locked.next_at != row.next_at:
                return False
            if locked.mailed != row.mailed:
                return False  # perhaps this puzzle: the next run chooses again
            address = await _find_address(connection, row.person)
            if puzzle is None or address is None:
                await mails.save(connection, row.person, minute=row.minute, next_at=to_millis(next_at))
                return False
            unanswered = locked.unanswered + 1
            is_last = unanswered >= MAX_UNANSWERED
            await mails.save(
                connection,
                row.person,
                minute=row.minute,
                next_at=None if is_last else to_millis(next_at),
                day=day.isoformat(),
                unanswered=unanswered,
                mailed=_add_mailed(locked, puzzle.key),
            )
            return await write_letter(
                connection,
                LetterKind.PUZZLE,
                address,
                account=row.person,
                details={"puzzle": puzzle.key, "is_last": int(is_last)},
                lifetime=LIFETIME,
                now=now,
            )

    async def _choose(self, row: PuzzleMailRow, day: date) -> StoredPuzzle | None:
        """Return the puzzle of a day, or another if the person was sent it, tried it or played its match."""
        account, mailed = row.person, _mailed_to(row)
        daily = await self._puzzles.daily(day)
        if daily is None:
            return None
        is_known = (
            daily.key[:SEEN_LENGTH] in mailed
            or await self._puzzles.find_attempt(daily.key, account) is not None
            or await self._puzzles.find_match(daily.key, account) is not None
        )
        return await self._choose_new(account, mailed) if is_known else daily

    async def _choose_new(
        self, account: str, mailed: Sequence[str], choice: PuzzleChoice = ANY
    ) -> StoredPuzzle | None:
        """Return a puzzle that was not sent to a person, else any; None if they have tried all of them."""
        new = await self._puzzles.next(account, choice, seen=mailed)
        return new or await self._puzzles.next(account, choice)


async def _find_address(connection: Connection, account: str) -> str | None:
    """Return where a person gets mail now; None if they do not."""
    found = await notices.list_choices(connection, [account])
    if not found or found[0].is_closed:
        return None
    return (await load_reach(connection, account)).address


def _mailed_to(row: PuzzleMailRow | None) -> tuple[str, ...]:
    """Return the beginnings of the keys of the puzzles that were sent to a person, the oldest first."""
    text = "" if row is None else row.mailed or ""
    return tuple(text[at : at + SEEN_LENGTH] for at in range(0, len(text), SEEN_LENGTH))


def _add_mailed(row: PuzzleMailRow | None, key: str) -> str:
    beginning = key[:SEEN_LENGTH]
    others = [one for one in _mailed_to(row) if one != beginning]
    return "".join([*others, beginning][-MAX_MAILED:])


def _minute_of(at: time) -> int:
    return at.hour * 60 + at.minute


def _time_of(row: PuzzleMailRow) -> time:
    return time(*divmod(row.minute, 60))


def _day_of(preferences: Preferences, due: datetime) -> date:
    return local_time(preferences.zone, due).date()


def _last_day(row: PuzzleMailRow, preferences: Preferences, now: datetime) -> tuple[date, datetime]:
    """Return the last day whose mail is due, in the person's time zone, and when the following one is."""
    at, due = _time_of(row), from_millis(row.next_at or 0)
    due = max(due, now - _LAST)
    while (following := next_time_of_day(preferences, at, due)) <= now:
        due = following
    return _day_of(preferences, due), following
