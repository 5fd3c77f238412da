"""The settings of people: read, and changed one at a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import time
from typing import TYPE_CHECKING, Any

from matches.people.hours import awake, find_zone, next_time, read_quiet
from matches.people.values import USUAL, read_preferences, write_preferences
from matches.times import millis
from matches.values import UNDER_WAY
from storage import follows, people, preferences

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from matches.people.values import Preferences
    from matches.values import Person
    from storage import Connection, Store

MORNING = time(9)  # when a digest comes, on the person's own clock


class People:
    """The settings of the people of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def preferences(self, account: str) -> Preferences:
        """Give what a person has chosen, or what is usual."""
        async with self._store.reading() as connection:
            return (await chosen(connection, [account]))[account]

    async def change(self, person: Person, *, now: datetime, **values: Any) -> Preferences:
        """Change fields of :class:`matches.Preferences`, and give what then holds.

        `zone` is found however it is typed, and `quiet` may be text (see :func:`read_quiet`). What has been
        left out so far of a turn's reminders is not made up for.

        Raises ZoneUnknown, QuietUnreadable, StepsRefused.
        """
        if "zone" in values:
            values["zone"] = find_zone(values["zone"])
        if isinstance(values.get("quiet"), str):
            values["quiet"] = read_quiet(values["quiet"])
        async with self._store.writing() as connection:
            # This locks the person's row, so that of two changes at once neither is lost.
            await people.remember(connection, person.account, person.name, millis(now))
            before = (await chosen(connection, [person.account]))[person.account]
            after = replace(before, **values)
            if after != before:
                await _put(connection, person, after, now)
            return after


async def chosen(connection: Connection, accounts: Iterable[str]) -> dict[str, Preferences]:
    """Give what each of these people has chosen, or what is usual."""
    sought = set(accounts)
    texts = await preferences.get(connection, sought)
    return {one: read_preferences(texts[one]) if one in texts else USUAL for one in sought}


def morning(settings: Preferences, now: datetime) -> datetime:
    """Give when the next digest of somebody comes."""
    return awake(settings.quiet, settings.zone, next_time(MORNING, settings.zone, now))


async def _put(connection: Connection, person: Person, after: Preferences, now: datetime) -> None:
    """Write settings, and what follows from them: when the person is reminded, and has their digest."""
    await preferences.put(connection, person.account, write_preferences(after), millis(now))
    await preferences.plan_anew(connection, person.account, UNDER_WAY, millis(now))
    await follows.postpone(connection, person.account, millis(morning(after, now)))
