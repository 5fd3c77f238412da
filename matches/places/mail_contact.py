"""Players who are told by mail alone, and whose address does not take mails any more.

No time runs for them, as for players whose direct messages do not arrive: until they play, or see their board
(:meth:`matches.places.service.Places.record_contact`). Whoever has stopped the mails does lose time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.clocks.rows import clock_columns, clock_from_row
from matches.notices.copies import load_choices, load_reach
from matches.notices.values import NoticeKind, Way
from matches.updates import AnnouncementKind
from matches.values import ACTIVE_STATES, MatchId
from storage.match import matches

if TYPE_CHECKING:
    from datetime import datetime

    from matches.locking import MatchLocker
    from storage import Connection, Database


class MailContact:
    """The contact by mail with the players of a database."""

    def __init__(self, database: Database, locker: MatchLocker) -> None:
        self._database = database
        self._locker = locker

    async def lose_all(self, account: str, *, now: datetime) -> None:
        """Call :meth:`lose` for every match of an account that is not over."""
        async with self._database.read() as connection:
            rows = await matches.list_for_person(connection, account, None, ACTIVE_STATES)
        for row in rows:
            await self.lose(account, MatchId(row.id), now=now)

    async def lose(self, account: str, match: MatchId, *, now: datetime) -> None:
        """Stop the clock of a match that waits for a player who cannot be told; their opponent is told.

        The time of this turn is given back. Does nothing if there is another way to tell the player, or if no
        time runs for them.
        """
        async with self._database.read() as connection:
            if not await _is_out_of_reach(connection, account):
                return
        async with self._locker.lock(match, now) as locked:
            clock = clock_from_row(locked.row)
            if clock is None or account not in clock.deadlines or account in clock.unreached:
                return
            since = clock.deadlines[account] - clock.remaining[account]
            await locked.change(**clock_columns(clock.lose_contact(account, since)))
            locked.act_as(account)
            await locked.announce_to(locked.opponent, AnnouncementKind.UNREACHED)


async def _is_out_of_reach(connection: Connection, account: str) -> bool:
    """Return whether a person is told of their turns by mail alone, and no address takes mails any more."""
    reach = await load_reach(connection, account)
    if not reach.failed_addresses:
        return False
    ways = (await load_choices(connection, [account]))[account].ways[NoticeKind.TURN]
    return Way.MAIL in ways and not ways & reach.ways
