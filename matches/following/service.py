"""Following matches: begun and ended by hand, and what is told to those who follow."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from matches.announcements import announce
from matches.concerns import Concern
from matches.errors import MatchOver
from matches.following.errors import NotFollowed, TooManyFollowed
from matches.following.values import Followed, Interest, News, read_news, write_news
from matches.people.hours import awake
from matches.people.settings import chosen, morning
from matches.reading import fetch
from matches.steps import AnnouncementKind
from matches.times import millis, moment
from matches.values import MatchId, MatchState
from matches.views import summary
from storage import follows, matches, outbox, people

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from matches.holding import Held
    from matches.people.values import Preferences
    from matches.steps import Announcement
    from matches.values import Person
    from storage import Connection, Store
    from storage.follows import FollowRow

LIMIT = 25  # matches that one person follows
MOST = 50  # people whose digests are written in one transaction
TURNS = frozenset(
    {
        AnnouncementKind.STARTED,
        AnnouncementKind.REVEALED,
        AnnouncementKind.TURN,
        AnnouncementKind.TAKEN_BACK,
    }
)


class Following:
    """Who follows which matches of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def follow(self, match: MatchId, person: Person, interest: Interest, *, now: datetime) -> None:
        """Have a person told of a match from now on, in this interest, whatever the interest was before.

        Raises MatchUnknown, MatchOver, TooManyFollowed.
        """
        async with self._store.writing() as connection:
            row = await fetch(connection, match)
            if row.state == MatchState.OVER:
                raise MatchOver(match=match)
            await people.remember(connection, person.account, person.name, millis(now))
            if await follows.count(connection, person.account, but=match) >= LIMIT:
                raise TooManyFollowed(limit=LIMIT)
            settings = (await chosen(connection, [person.account]))[person.account]
            due = millis(morning(settings, now)) if interest is Interest.DAILY else None
            await follows.put(connection, match, person.account, interest, due, millis(now))

    async def leave(self, match: MatchId, account: str, *, now: datetime) -> None:
        """Have a person told no more of a match. Raises NotFollowed."""
        async with self._store.writing() as connection:
            if not await follows.remove(connection, account, match):
                raise NotFollowed(match=match)
            await outbox.drop_all(connection, match, account, millis(now))

    async def followed(self, account: str) -> tuple[Followed, ...]:
        """Give what a person follows, in the order of the matches."""
        async with self._store.reading() as connection:
            rows = await follows.of_person(connection, account)
            listed = await matches.of_numbers(connection, [row.match for row in rows])
        found = {row.id: summary(row) for row in listed}
        return tuple(Followed(Interest(row.interest), found[row.match]) for row in rows)

    async def digest(self, *, now: datetime) -> int:
        """Announce as DIGEST what is due by now, to each person at once; give how many that were."""
        count = 0
        while True:
            looked, told = await self._look(now)
            count += told
            if looked < MOST:
                return count

    async def _look(self, now: datetime) -> tuple[int, int]:
        async with self._store.reading() as connection:
            if not await follows.any_due(connection, millis(now)):
                return 0, 0
        async with self._store.writing() as connection:
            rows = await follows.claim(connection, millis(now), MOST)
            settings = await chosen(connection, (row.person for row in rows))
            told = [
                await _digest(connection, account, list(mine), settings[account], now)
                for account, mine in groupby(rows, key=lambda row: row.person)
            ]
        return len(told), sum(told)


class Telling(Concern):
    """Tells those who follow a match what is told to all."""

    async def told(self, held: Held, announcement: Announcement) -> None:
        """Announce it to each follower, but to whoever brought it about."""
        if not held.row.followed:
            return
        is_over = held.row.state == MatchState.OVER
        interests = {Interest.TURNS} if announcement.kind in TURNS else set()
        interests |= {Interest.TURNS, Interest.END} if is_over else set()
        rows = await follows.of_match(held.connection, held.row.id) if interests else []
        readers = [row.person for row in rows if row.interest in interests and row.person != announcement.by]
        settings = await chosen(held.connection, readers) if readers else {}
        for account in readers:
            await _copy(held, announcement, account, settings[account])
        if is_over:
            await follows.end(held.connection, held.row.id, (Interest.TURNS, Interest.END))


def news_of(announcement: Announcement) -> tuple[News, ...]:
    """Give what a DIGEST tells."""
    return read_news(str(announcement.details["news"]))


async def _copy(held: Held, announcement: Announcement, account: str, settings: Preferences) -> None:
    """Write an announcement again, for one person, in their waking hours."""
    now = moment(held.now)
    await announce(
        held.connection,
        announcement.kind,
        match=announcement.match,
        ply=announcement.ply,
        takebacks=announcement.takebacks,
        first_ply=announcement.first_ply,
        by=announcement.by,
        whom=(account,),
        to=account,
        server=announcement.server,
        place=announcement.place,
        now=held.now,
        grace=awake(settings.quiet, settings.zone, now) - now,
        details=announcement.details,
    )


async def _digest(
    connection: Connection, account: str, rows: Sequence[FollowRow], settings: Preferences, now: datetime
) -> bool:
    """Write what has happened in the matches of one person; say whether anything has."""
    due = millis(morning(settings, now))
    for row in rows:
        if row.state == MatchState.OVER:
            await follows.remove(connection, account, row.match)
        else:
            await follows.told(connection, account, row.match, row.now_ply, due)
    fresh = [row for row in rows if row.now_ply != row.ply or row.state == MatchState.OVER]
    if not fresh:
        return False
    news = tuple(News(match=MatchId(row.match), since=row.ply, ply=row.now_ply) for row in fresh)
    await announce(
        connection,
        AnnouncementKind.DIGEST,
        by=account,
        whom=(account,),
        to=account,
        server="",
        place="",
        now=millis(now),
        grace=awake(settings.quiet, settings.zone, now) - now,
        details={"news": write_news(news)},
    )
    return True
