"""What cannot be posted about a tournament, because its channel is lost: its entrants are told privately."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.computer.accounts import without_computers
from matches.personal_data.stand_ins import is_deleted
from matches.platforms import NO_PLACE, find_way
from matches.posting.announcements import announce_to_players
from matches.times import to_millis
from matches.updates import AnnouncementKind
from storage.posting import outbox
from storage.tournament import tournaments

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from matches.updates import Announcement
    from storage import Connection


_FOR_READERS = (AnnouncementKind.TOURNAMENT_ANNOUNCED, AnnouncementKind.TOURNAMENT_UPDATED)
"""What is for those who read the channel, and tells entrants nothing."""


async def tell_privately(
    connection: Connection, announcement: Announcement, grace: timedelta, now: datetime
) -> None:
    """Tell the entrants of the announcement's platform in private, also what comes later.

    If it is the tournament's own channel, its matches have no place from now on. Calling it twice is
    harmless.
    """
    tournament, millis = announcement.tournament or 0, to_millis(now)
    await tournaments.lock(connection, tournament)
    if await tournaments.find_place(connection, tournament) == announcement.channel:
        await tournaments.change(connection, tournament, place=NO_PLACE)
    row = await outbox.get(connection, announcement.id)
    if row is None or row.sent_at is not None:
        return
    await outbox.discard(connection, announcement.id, millis)
    if announcement.kind in _FOR_READERS:
        return
    is_over = announcement.kind is AnnouncementKind.TOURNAMENT_OVER
    entrants = await tournaments.list_entrants(connection, tournament)
    accounts = without_computers(
        one.account
        for one in entrants
        if (is_over or one.withdrawn is None)
        and not is_deleted(one.account)
        and find_way(one.account) == announcement.platform
    )
    for account in dict.fromkeys(accounts):
        await announce_to_players(
            connection,
            announcement.kind,
            [account],
            is_direct=True,
            choices={},  # copies by mail and push were written with the post
            tournament=tournament,
            by=account,
            recipients=(account,),
            server=announcement.server,
            channel=NO_PLACE,
            details=dict(announcement.details),
            grace=grace,
            now=millis,
        )
