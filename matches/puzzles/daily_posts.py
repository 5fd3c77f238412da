"""The daily puzzle of servers: where and when it is posted, what was posted, and who has solved it there.

A post is claimed for LEASE and written down before it is sent (`begin`). Whoever claims one of which that is
known, but not that it was sent, looks for it first. So each day is posted once, whatever is killed; after an
outage only the last day is.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Self

from matches.personal_data.stand_ins import is_deleted
from matches.posting.announcements import NO_GRACE, announce
from matches.preferences.quiet_hours import local_time, next_occurrence, resolve_time_zone, tzinfo_of
from matches.times import from_millis, to_millis
from matches.updates import AnnouncementKind
from storage.people import people, personal_data
from storage.puzzle import daily_posts

if TYPE_CHECKING:
    from matches.values import Person
    from storage import Database
    from storage.puzzle.daily_posts import DailyPlaceRow

LEASE = timedelta(minutes=2)  # after which a post that failed is tried again, by any process
MAX_SOLVERS = 10  # names in a post
MAX_REFUSED = 3  # days in a row on which Discord refuses the post; then it is switched off


@dataclass(frozen=True, slots=True)
class DailyPlace:
    """The channel in which a server gets the daily puzzle, and at which time of day in which time zone."""

    server: str
    channel: str
    at: time
    zone: str
    next_at: datetime

    @classmethod
    def from_row(cls, row: DailyPlaceRow) -> Self:
        """Return the place of a row."""
        return cls(row.server, row.place, _time_of(row), row.zone, from_millis(row.next_at))


@dataclass(frozen=True, slots=True)
class PastPost:
    """The last known post of a server: the key of its puzzle, and the post as the front end has it."""

    day: date
    puzzle: str
    post: str


@dataclass(frozen=True, slots=True)
class DuePost:
    """A claimed post of a server for a `day`.

    `uncertain` is the day of a post that was begun and may have been sent, `uncertain_since` the time before
    which it was not; `last` is the last one that is known.
    """

    server: str
    channel: str
    day: date
    uncertain: date | None
    uncertain_since: datetime
    last: PastPost | None
    row: DailyPlaceRow


class DailyPosts:
    """The daily puzzles of the servers of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, server: str) -> DailyPlace | None:
        """Return where a server gets the daily puzzle; None if it gets none."""
        async with self._database.read() as connection:
            row = await daily_posts.find(connection, server)
        return None if row is None else DailyPlace.from_row(row)

    async def switch_on(
        self, server: str, channel: str, at: time, zone: str, *, by: Person, now: datetime
    ) -> DailyPlace:
        """Have the daily puzzle posted in a channel, at a time of day, from the next one on.

        `by` is told if it has to be switched off. `zone` may be in any spelling that
        :func:`resolve_time_zone` knows. A day that was posted, or perhaps is being posted, is not posted
        again. Raises `time_zone_unknown`.
        """
        zone = resolve_time_zone(zone)
        async with self._database.transaction() as connection:
            await people.save(connection, by.account, by.name, to_millis(now))
            await people.ensure_server(connection, server, to_millis(now))
            row = await daily_posts.find(connection, server, lock=True)
            day = None if row is None else row.posting or row.day
            next_at = next_occurrence(at, zone, now)
            while day is not None and local_time(zone, next_at).date().isoformat() <= day:
                next_at = next_occurrence(at, zone, next_at)
            minute = at.hour * 60 + at.minute
            await daily_posts.save(
                connection,
                server,
                place=channel,
                minute=minute,
                zone=zone,
                next_at=to_millis(next_at),
                by=by.account,
            )
        return DailyPlace(server, channel, at, zone, next_at)

    async def switch_off(self, server: str) -> None:
        """Have no daily puzzle posted any more on a server."""
        async with self._database.transaction() as connection:
            await daily_posts.remove(connection, server)

    async def lose(
        self, due: DuePost, *, is_forbidden: bool, server_name: str, channel_name: str, now: datetime
    ) -> None:
        """Switch a daily puzzle off whose channel is gone or, with `is_forbidden`, takes no posts.

        Whoever has set it is told. Nothing happens if it was set again meanwhile, or in another channel.
        """
        async with self._database.transaction() as connection:
            if due.row.by is not None:  # first, as whoever erases or joins them does
                await personal_data.lock_person(connection, due.row.by, completely=False)
            row = await daily_posts.find(connection, due.server, lock=True)
            if row is None or (row.place, row.by) != (due.channel, due.row.by):
                return
            await daily_posts.remove(connection, due.server)
            if row.by is not None and not is_deleted(row.by):
                await announce(
                    connection,
                    AnnouncementKind.DAILY_PUZZLE_OFF,
                    by=row.by,
                    recipients=(row.by,),
                    to=row.by,
                    server=due.server,
                    channel=due.channel,
                    now=to_millis(now),
                    grace=NO_GRACE,
                    details={
                        "is_forbidden": int(is_forbidden),
                        "server_name": server_name,
                        "name": channel_name,
                    },
                )

    async def record_refused(self, due: DuePost) -> bool:
        """Record that a claimed post was refused, and would be again: the next day's is tried.

        Return whether that was so MAX_REFUSED times in a row; not if the place was changed meanwhile.
        """
        async with self._database.transaction() as connection:
            is_own = await daily_posts.end_refused(connection, due.row, _next_after(due.row, due.day))
        return is_own and due.row.failures + 1 >= MAX_REFUSED

    async def claim_due(self, *, now: datetime) -> DuePost | None:
        """Claim a post that is due, for LEASE; None if none is."""
        async with self._database.read() as connection:
            if not await daily_posts.is_any_due(connection, to_millis(now)):
                return None
        async with self._database.transaction() as connection:
            row = await daily_posts.claim_due(connection, to_millis(now), to_millis(now + LEASE))
        if row is None:
            return None
        uncertain = None if row.posting is None else date.fromisoformat(row.posting)
        return DuePost(
            row.server,
            row.place,
            _day_due(row, now),
            uncertain,
            from_millis(row.next_at),
            _last_post(row),
            row,
        )

    async def begin(self, due: DuePost) -> bool:
        """Record that a claimed post is about to be sent. Return False if it is another process's by now."""
        async with self._database.transaction() as connection:
            return await daily_posts.set_posting(connection, due.row, due.day.isoformat())

    async def record(self, due: DuePost, day: date, puzzle: str, post: str) -> None:
        """Record that the puzzle of a day was posted; nothing happens if the place was changed since."""
        next_at, text = _next_after(due.row, day), day.isoformat()
        async with self._database.transaction() as connection:
            if await daily_posts.end_claim(connection, due.server, text, next_at):
                await daily_posts.save_post(connection, due.server, day=text, puzzle=puzzle, post=post)

    async def skip(self, due: DuePost) -> None:
        """Record that nothing is posted on the day of a post that was begun: there is no puzzle."""
        async with self._database.transaction() as connection:
            next_at = _next_after(due.row, due.day)
            await daily_posts.end_claim(connection, due.server, due.day.isoformat(), next_at)

    async def record_try(self, server: str, day: date, person: Person, *, now: datetime) -> None:
        """Record that a person opens the puzzle of a day from its post on a server.

        Nothing happens if a later one was posted, or if the server gets none any more.
        """
        async with self._database.transaction() as connection:
            await people.save(connection, person.account, person.name, to_millis(now))
            row = await daily_posts.find(connection, server, lock=True)
            if row is not None and day.isoformat() >= (row.day or ""):
                await daily_posts.add_try(connection, server, day.isoformat(), person.account, person.name)

    async def list_solvers(self, server: str, last: PastPost) -> tuple[list[str], int]:
        """Return the names of MAX_SOLVERS who solved a posted puzzle at the first attempt, and the number.

        Only those count who opened it from that post; the names are those on the server.
        """
        async with self._database.read() as connection:
            return await daily_posts.list_solvers(
                connection, server, last.day.isoformat(), last.puzzle, MAX_SOLVERS
            )


def _time_of(row: DailyPlaceRow) -> time:
    return time(*divmod(row.minute, 60))


def _day_due(row: DailyPlaceRow, now: datetime) -> date:
    """Return the last day, in the time zone of a place, whose post is due."""
    due = from_millis(row.next_at)
    while (following := next_occurrence(_time_of(row), row.zone, due)) <= now:
        due = following
    return local_time(row.zone, due).date()


def _next_after(row: DailyPlaceRow, day: date) -> int:
    """Return when the post of the day after `day` is due, in milliseconds."""
    posted_at = datetime.combine(day, _time_of(row), tzinfo_of(row.zone))
    return to_millis(next_occurrence(_time_of(row), row.zone, posted_at))


def _last_post(row: DailyPlaceRow) -> PastPost | None:
    if row.day is None or row.puzzle is None or row.post is None:
        return None
    return PastPost(date.fromisoformat(row.day), row.puzzle, row.post)
