"""Threads that are opened for matches: noted, tidied while a match goes on, archived at its end."""

# ruff: noqa: ARG002 - every method is told the time, also those that do not need it

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.announcements import read_announcement
from matches.steps import AnnouncementKind
from matches.times import millis
from matches.values import MatchState
from storage import threads

if TYPE_CHECKING:
    from datetime import datetime

    from matches.steps import Announcement
    from matches.values import MatchId
    from storage import Store
    from storage.threads import ThreadRow

# What shows a board on which somebody is called to move.
BOARDS = (
    AnnouncementKind.STARTED,
    AnnouncementKind.REVEALED,
    AnnouncementKind.TURN,
    AnnouncementKind.TAKEN_BACK,
)


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread that was opened for a match: its own place, and the one that it was opened in."""

    place: str
    server: str
    parent: str


@dataclass(frozen=True, slots=True)
class Posted:
    """An announcement and the reference that the front end gave for its post."""

    announcement: Announcement
    post: str


class Threads:
    """The threads of a store. That there are such places is all that is known of them here."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def opened(self, place: str, server: str, parent: str, *, now: datetime) -> None:
        """Note that a thread stands; it may be noted already."""
        async with self._store.writing() as connection:
            await threads.add(connection, place, server, parent, millis(now))

    async def move(self, match: MatchId, place: str, *, now: datetime) -> None:
        """Have a match in another place, because the one that was meant cannot be had."""
        async with self._store.writing() as connection:
            await threads.move(connection, match, place)

    async def lost(self, place: str, *, now: datetime) -> bool:
        """Have all matches of a thread that is gone go on where it was opened; say whether there are any."""
        async with self._store.writing() as connection:
            thread = await threads.get(connection, place)
            if thread is None:
                return False
            found = await threads.matches_in(connection, place)
            for match in found:
                await threads.move(connection, match, thread.parent)
            await threads.archive(connection, place, millis(now))
            return bool(found)

    async def superseded(self, *, now: datetime, limit: int = 10) -> tuple[Posted, ...]:
        """Give posts in open threads that still call somebody to a board that is no longer the latest."""
        async with self._store.reading() as connection:
            rows = await threads.superseded(connection, BOARDS, MatchState.OVER, limit)
        return tuple(Posted(read_announcement(row), row.post or "") for row in rows)

    async def tidied(self, announcement: Announcement, *, now: datetime) -> None:
        """Note that the posts of a match up to this announcement's call nobody any more."""
        async with self._store.writing() as connection:
            await threads.tidied(connection, announcement.match or 0, announcement.id)

    async def done(self, *, now: datetime, limit: int = 10) -> tuple[Thread, ...]:
        """Give open threads where every match is over and everything is told."""
        async with self._store.reading() as connection:
            return tuple(_read(row) for row in await threads.done(connection, MatchState.OVER, limit))

    async def archived(self, place: str, *, now: datetime) -> None:
        """Note that a thread was archived."""
        async with self._store.writing() as connection:
            await threads.archive(connection, place, millis(now))


def _read(row: ThreadRow) -> Thread:
    return Thread(row.place, row.server, row.parent)
