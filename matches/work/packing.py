"""Packing of finished matches: what nobody needs any more goes, the game itself stays.

A match in progress keeps the position after every move. When it has been over for some time, its moves are
packed into one row without positions, which a replay gives back. Its clock and its announcements are deleted,
and its challenge, unless that says something that the match does not.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.times import to_millis
from matches.values import ChallengeState, MatchState
from storage.match import packed_logs
from storage.posting import outbox

if TYPE_CHECKING:
    from datetime import datetime

    from storage import Database

PACK_AFTER = timedelta(days=7)
DROP_AFTER = timedelta(days=30)  # what no front end has claimed
BATCH_SIZE = 5  # matches in one transaction, so that a turn waits a few milliseconds at most
BATCHES_AT_ONCE = 40
DROPPED_AT_ONCE = 200  # announcements


class Packing:
    """Packs the finished matches of a database, in the background.

    `delay` is how long after its end a match is packed.
    """

    def __init__(self, database: Database, delay: timedelta = PACK_AFTER) -> None:
        self._database = database
        self.delay = delay

    async def pack(self, *, now: datetime, batches: int = BATCHES_AT_ONCE) -> int:
        """Pack the matches that ended longer than the delay ago, at most `batches` batches; return how many.

        Each batch is a short transaction. Call it again while it returns more than 0. It may be called by
        several processes at once, and it may be killed: each match is packed once, completely or not at all.

        First it drops announcements whose turn is over and which no front end has claimed for DROP_AFTER, and
        copies for mail and push that were not sent for so long.
        """
        before, packed = to_millis(now - self.delay), 0
        await self._drop_unclaimed(now)
        for _ in range(batches):
            async with self._database.read() as connection:
                if not await packed_logs.has_unpacked(connection, before):
                    break
            async with self._database.transaction() as connection:
                packed += await packed_logs.pack(connection, before, BATCH_SIZE)
        return packed

    async def _drop_unclaimed(self, now: datetime) -> None:
        """Drop what is for a platform that nobody serves, so that it keeps no match from being packed."""
        async with self._database.read() as connection:
            before = to_millis(now - DROP_AFTER)
            unclaimed = await outbox.list_unclaimed(
                connection, before, MatchState.OVER, ChallengeState.OPEN, DROPPED_AT_ONCE
            )
        if unclaimed:
            async with self._database.transaction() as connection:
                await outbox.discard_unclaimed(connection, unclaimed, to_millis(now))
