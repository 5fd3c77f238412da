"""Threads opened for matches: recorded, and archived when their matches are over."""

# ruff: noqa: ARG002 - every method takes `now`, also those that do not need it yet

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.times import to_millis
from matches.values import MatchState
from storage.posting import threads

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from matches.values import MatchId
    from storage import Database


@dataclass(frozen=True, slots=True)
class MatchThread:
    """A thread opened for a match: its own channel id, and that of the channel in which it was opened."""

    channel: str
    server: str
    parent: str


class MatchThreads:
    """The threads of a database. Channels are opaque ids here."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record_opened(self, channel: str, server: str, parent: str, *, now: datetime) -> None:
        """Record a thread; it may be recorded already."""
        async with self._database.transaction() as connection:
            await threads.add(connection, channel, server, parent, to_millis(now))

    async def list_parents(self, channels: Collection[str]) -> dict[str, str]:
        """Return the channels in which those of `channels` that are threads of matches were opened."""
        async with self._database.read() as connection:
            return {row.place: row.parent for row in await threads.list_by_channels(connection, channels)}

    async def move_match(self, match: MatchId, channel: str, *, now: datetime) -> None:
        """Move a match to another channel, because the intended one is not available."""
        async with self._database.transaction() as connection:
            await threads.move_match(connection, match, channel)

    async def list_finished(
        self, platform: str, *, now: datetime, limit: int = 10
    ) -> tuple[MatchThread, ...]:
        """Return open threads of a platform in which every match is over and everything is announced."""
        async with self._database.read() as connection:
            return tuple(
                MatchThread(row.place, row.server, row.parent)
                for row in await threads.list_finished(connection, platform, MatchState.OVER, limit)
            )

    async def mark_archived(self, channel: str, *, now: datetime) -> None:
        """Record that a thread was archived."""
        async with self._database.transaction() as connection:
            await threads.mark_archived(connection, channel, to_millis(now))
