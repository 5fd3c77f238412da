"""The page of a player: name, ratings and results, as far as the player shows them; and their calendar."""

from __future__ import annotations

import secrets
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import Outcome
from matches.audience import PUBLIC
from matches.computer.accounts import ACCOUNT_PREFIX, without_computers
from matches.personal_data.stand_ins import is_deleted
from matches.platforms import WEBSITE, is_of_local_game
from matches.preferences.values import DEFAULT_PREFERENCES, ProfileAudience, parse_preferences
from matches.ratings.values import ResultCounts
from matches.times import from_millis
from matches.values import Person
from storage.match import results
from storage.people import profiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from engine.game import Game
    from matches.ratings.service import Ratings
    from matches.ratings.values import Standing
    from storage import Connection, Database
    from storage.people.profiles import ProfileRow

CALENDAR_KEY_BYTES = 24


@dataclass(frozen=True, slots=True)
class Profile:
    """What a reader sees of a player.

    `handle` is the name in the address of the page. `shown_name` is that in public matches; empty if it is
    the same, or if the player has chosen another for them: the page must not tell whose that is. `results`
    counts the player's public matches on the website against people, by game.
    """

    person: Person
    handle: str
    shown_name: str
    met_at: datetime
    audience: ProfileAudience
    standings: tuple[Standing, ...]
    results: Mapping[str, ResultCounts]


class Profiles:
    """The players' pages of a database."""

    def __init__(self, database: Database, games: Mapping[str, Game], ratings: Ratings) -> None:
        self._database = database
        self._games = games
        self._ratings = ratings

    async def load(self, account: str, reader: str | None, *, now: datetime) -> Profile | None:
        """Return the page of an account for the account `reader`, None for somebody who is not signed in.

        None if there is no such page, or if the reader may not see it: there is no telling which.
        """
        async with self._database.read() as connection:
            row = await profiles.get(connection, account)
            if row is None or row.handle is None or not _is_open(row, reader):
                return None
            counts = await self._count_results(connection, account)
        person = Person(account, row.name)
        return Profile(
            person=person,
            handle=row.handle,
            shown_name=person.name if row.alias is None and person.name != row.handle else "",
            met_at=from_millis(row.met_at),
            audience=_audience_of(row),
            standings=await self._ratings.standings(person, now=now),
            results=counts,
        )

    async def find_handles(self, shown: Iterable[Person], reader: str | None) -> dict[str, str]:
        """Return the names in the addresses of the pages of those who have one that the reader may see.

        `shown` are persons with the names that the reader sees: nobody is found behind an alias.
        """
        names = {one.account: one.name for one in shown if not is_of_local_game(one.account)}
        if not without_computers(names):
            return {}
        async with self._database.read() as connection:
            rows = await profiles.list_with_handle(connection, without_computers(names))
        return {
            row.account: row.handle
            for row in rows
            if row.handle is not None and row.name == names[row.account] and _is_open(row, reader)
        }

    async def _count_results(self, connection: Connection, account: str) -> dict[str, ResultCounts]:
        """Return the results of an account by game, that with the most matches first."""
        counts: defaultdict[str, ResultCounts] = defaultdict(ResultCounts)
        rows = await results.count_public(connection, account, WEBSITE, PUBLIC, ACCOUNT_PREFIX)
        for game, is_first, outcome, count in rows:
            winner, sides = Outcome(outcome).winner, self._games[game].sides if game in self._games else ()
            if sides:
                own = sides[0] if is_first else sides[1]
                score = 0.5 if winner is None else float(winner is own)
                counts[game] = counts[game].plus(score, count)
        return dict(sorted(counts.items(), key=lambda item: -item[1].played))


class Calendars:
    """The calendars of a database: whoever knows the secret address of one may read it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_key(self, account: str) -> str | None:
        """Return the secret in the address of a person's calendar; None if they have none."""
        async with self._database.read() as connection:
            return await profiles.get_calendar_key(connection, account)

    async def renew_key(self, account: str) -> str:
        """Make a calendar, or give the one there is another address; return the secret in it."""
        key = secrets.token_urlsafe(CALENDAR_KEY_BYTES)
        async with self._database.transaction() as connection:
            await profiles.save_calendar_key(connection, account, key)
        return key

    async def remove(self, account: str) -> None:
        """End a person's calendar: its address shows nothing any more."""
        async with self._database.transaction() as connection:
            await profiles.save_calendar_key(connection, account, None)

    async def find_account(self, key: str) -> str | None:
        """Return whose calendar has this secret in its address; None for nobody's."""
        async with self._database.read() as connection:
            return await profiles.find_by_calendar_key(connection, key)


def _audience_of(row: ProfileRow) -> ProfileAudience:
    stored = row.preferences
    return (DEFAULT_PREFERENCES if stored is None else parse_preferences(stored)).profile


def _is_open(row: ProfileRow, reader: str | None) -> bool:
    """Return whether a reader may see the page of a person with a name on the website."""
    if row.is_guest or row.closed_at or is_deleted(row.account):
        return False
    return row.account == reader or _is_shown(_audience_of(row), is_member=reader is not None)


def _is_shown(audience: ProfileAudience, *, is_member: bool) -> bool:
    return audience is ProfileAudience.EVERYBODY or (audience is ProfileAudience.MEMBERS and is_member)
