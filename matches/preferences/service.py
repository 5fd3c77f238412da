"""Reading and changing preferences."""

from __future__ import annotations

from dataclasses import replace
from datetime import time
from typing import TYPE_CHECKING, Any

from matches.preferences.quiet_hours import (
    after_quiet_hours,
    next_occurrence,
    parse_quiet_hours,
    resolve_time_zone,
)
from matches.preferences.values import DEFAULT_PREFERENCES, format_preferences, parse_preferences
from matches.times import to_millis
from matches.values import ACTIVE_STATES
from storage.people import follows, people, preferences
from storage.puzzle import mails, puzzles

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from matches.preferences.values import Preferences
    from matches.values import Person
    from storage import Connection, Database

DIGEST_TIME = time(9)  # in the person's time zone


class PreferenceService:
    """The preferences of the persons of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, account: str) -> Preferences:
        """Return a person's preferences, or the defaults."""
        async with self._database.read() as connection:
            return (await load_preferences(connection, [account]))[account]

    async def find_language(self, account: str, otherwise: str = "") -> str:
        """Return in which language somebody is told: the chosen one, `otherwise`, or that of their Discord.

        Of these the first that is not empty; empty if none is known.
        """
        async with self._database.read() as connection:
            chosen = (await load_preferences(connection, [account]))[account].language or otherwise
            return chosen or (await preferences.get_locale(connection, account))[1] or ""

    async def record_locale(self, account: str, locale: str) -> bool:
        """Keep the language of somebody's Discord, such as ``ja``; return False for an unknown account."""
        async with self._database.read() as connection:
            is_known, before = await preferences.get_locale(connection, account)
        if is_known and locale != before:
            async with self._database.transaction() as connection:
                await preferences.save_locale(connection, account, locale)
        return is_known

    async def change(self, person: Person, *, now: datetime, **values: Any) -> Preferences:
        """Change fields of :class:`matches.Preferences` and return the result.

        `zone` may be given in any spelling that :func:`resolve_time_zone` knows, `quiet` as text (see
        :func:`parse_quiet_hours`). Reminders of the current turn that the old preferences left out are not
        sent later. With `puzzles` switched off, the puzzles from the person's matches go.

        Raises `time_zone_unknown`, `quiet_hours_unreadable`, `invalid_reminder_times`.
        """
        if "zone" in values:
            values["zone"] = resolve_time_zone(values["zone"])
        if isinstance(values.get("quiet"), str):
            values["quiet"] = parse_quiet_hours(values["quiet"])
        async with self._database.transaction() as connection:
            # Locks the person's row, so that two concurrent changes are both kept.
            await people.save(connection, person.account, person.name, to_millis(now))
            before = (await load_preferences(connection, [person.account]))[person.account]
            after = replace(before, **values)
            if after != before:
                due = to_millis(next_digest_time(after, now))
                text = format_preferences(after)
                await preferences.save(connection, person.account, text, to_millis(now))
                await preferences.reset_reminders(connection, person.account, ACTIVE_STATES, to_millis(now))
                await follows.postpone(connection, person.account, due)
                await _postpone_puzzle(connection, person.account, after, now)
            if not after.puzzles and before.puzzles:
                await puzzles.withdraw_of_person(connection, person.account, to_millis(now))
            return after


async def load_preferences(connection: Connection, accounts: Iterable[str]) -> dict[str, Preferences]:
    """Return the preferences, or the defaults, of each of these persons."""
    unique_accounts = set(accounts)
    stored = await preferences.get(connection, unique_accounts)
    return {
        one: parse_preferences(stored[one]) if one in stored else DEFAULT_PREFERENCES
        for one in unique_accounts
    }


async def refuse_puzzles(connection: Connection, account: str, now: datetime) -> None:
    """Let no puzzles be made from the matches of a person, who is locked; those that there are go."""
    settings = (await load_preferences(connection, [account]))[account]
    text, millis = format_preferences(replace(settings, puzzles=False)), to_millis(now)
    await preferences.save(connection, account, text, millis)
    await puzzles.withdraw_of_person(connection, account, millis)


async def _postpone_puzzle(
    connection: Connection, account: str, settings: Preferences, now: datetime
) -> None:
    """Have the next puzzle by mail come at its time in the time zone and outside the quiet hours."""
    row = await mails.find(connection, account, lock=True)
    if row is not None and row.next_at is not None:
        due = next_time_of_day(settings, time(*divmod(row.minute, 60)), now)
        await mails.save(connection, account, minute=row.minute, next_at=to_millis(due))


def next_digest_time(settings: Preferences, now: datetime) -> datetime:
    """Return when the next digest of a person is due."""
    return next_time_of_day(settings, DIGEST_TIME, now)


def next_time_of_day(settings: Preferences, at: time, now: datetime) -> datetime:
    """Return the next `at` in a person's time zone, or the end of the quiet hours that have it."""
    return after_quiet_hours(settings.quiet, settings.zone, next_occurrence(at, settings.zone, now))
