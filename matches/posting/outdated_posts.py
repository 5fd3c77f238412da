"""Public posts that still ask for a move although a newer board of their match was posted."""

# ruff: noqa: ARG002 - every method takes `now`, also those that do not need it yet

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.posting.announcements import announcement_from_row
from matches.updates import AnnouncementKind
from storage.posting import outdated_posts

if TYPE_CHECKING:
    from datetime import datetime

    from matches.updates import Announcement
    from storage import Database

# Announcements whose posts ask a player to act.
ASKING_KINDS = (
    AnnouncementKind.CHOOSING,
    AnnouncementKind.STARTED,
    AnnouncementKind.REVEALED,
    AnnouncementKind.TURN,
    AnnouncementKind.TAKEN_BACK,
    AnnouncementKind.MOVED,
    AnnouncementKind.OFFERED,
    AnnouncementKind.PAUSE_OFFERED,
    AnnouncementKind.FLAGGED,
)


@dataclass(frozen=True, slots=True)
class PostedAnnouncement:
    """An announcement and the front end's reference to its post."""

    announcement: Announcement
    post: str


class OutdatedPosts:
    """The outdated posts of a database. Each is listed until it is marked, also after a restart."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, platform: str, *, now: datetime, limit: int = 100) -> tuple[PostedAnnouncement, ...]:
        """Return a platform's outdated posts without a mark, oldest first; none in archived threads."""
        async with self._database.read() as connection:
            rows = await outdated_posts.list_outdated(connection, platform, ASKING_KINDS, limit)
        return tuple(PostedAnnouncement(announcement_from_row(row), row.post or "") for row in rows)

    async def find_offer(self, answer: Announcement) -> PostedAnnouncement | None:
        """Return the offer that was declined or withdrawn in this announcement; None if it was not posted."""
        async with self._database.read() as connection:
            row = await outdated_posts.find_before(
                connection, answer.match or 0, AnnouncementKind.OFFERED, answer.id
            )
        if row is None:
            return None
        return PostedAnnouncement(announcement_from_row(row), row.post or "")

    async def mark_edited(self, announcement: Announcement, *, now: datetime) -> None:
        """Record that the posts of a match up to this announcement need no edit any more."""
        async with self._database.transaction() as connection:
            await outdated_posts.mark_edited(connection, announcement.match or 0, announcement.id)
