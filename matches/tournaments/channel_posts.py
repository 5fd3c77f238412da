"""The posts with which a tournament is announced in channels, and keeping them true.

A post is a row of the outbox (TOURNAMENT_ANNOUNCED). What changes the tournament, in whatever way, writes a
row for each of its posts (TOURNAMENT_UPDATED), whose sending is an edit; those of earlier edits are deleted.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.posting.announcements import announce
from matches.updates import AnnouncementKind
from storage.tournament import posts

if TYPE_CHECKING:
    from matches.updates import Announcement
    from storage import Connection

DELAY = timedelta(seconds=5)
"""How long an edit waits, so that several who join at once need one."""

MAX_POSTS = 5
"""So many posts of a tournament are kept true, the newest ones."""

POST = "post"
"""The detail that names the post to edit."""


async def announce_in(
    connection: Connection, tournament: int, by: str, server: str, channel: str, now: int
) -> Announcement:
    """Announce a tournament in a channel."""
    return await announce(
        connection,
        AnnouncementKind.TOURNAMENT_ANNOUNCED,
        tournament=tournament,
        by=by,
        recipients=(),
        server=server,
        channel=channel,
        now=now,
    )


async def outdate_posts(connection: Connection, tournament: int, now: int) -> None:
    """Have the newest posts of a tournament edited soon, inside the transaction that changes it."""
    announced, updated = AnnouncementKind.TOURNAMENT_ANNOUNCED, AnnouncementKind.TOURNAMENT_UPDATED
    for row in await posts.list_sent(connection, tournament, announced, MAX_POSTS):
        details = {POST: row.post or ""}
        if not await posts.is_waiting(connection, tournament, updated, json.dumps(details)):
            await posts.delete_sent(connection, tournament, updated, json.dumps(details))
            await announce(
                connection,
                updated,
                tournament=tournament,
                by=row.by,
                recipients=(),
                server=row.server,
                channel=row.place,
                now=now,
                grace=DELAY,
                details=details,
            )
