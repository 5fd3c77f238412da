"""Deletion of what was kept long enough, in small transactions."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from matches.audience import SERVER_AUDIENCES, Audience
from matches.times import to_millis
from matches.updates import AnnouncementKind
from matches.values import ACTIVE_STATES, ChallengeState
from matches.work.each import for_each
from storage.people import moderation, personal_data
from storage.posting import audiences

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
    from datetime import datetime, timedelta

    from matches.personal_data.values import RetentionPeriods
    from storage import Connection, Database

T = TypeVar("T")

BATCH_SIZE = 200  # rows in one transaction
# Private announcements that nothing refers to later, even while their match is in progress.
_PASSING_KINDS = (
    AnnouncementKind.REMINDED,
    AnnouncementKind.DIGEST,
    AnnouncementKind.DAILY_PUZZLE_OFF,
    AnnouncementKind.REACHED,
    AnnouncementKind.UNREACHED,
)
_CLOSED_STATES = (ChallengeState.DECLINED, ChallengeState.WITHDRAWN, ChallengeState.EXPIRED)


class Retention:
    """The deletions of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def delete_old(self, periods: RetentionPeriods, now: datetime) -> None:
        """Delete messages, challenges, lines, names of requesters and closed reports older than `periods`.

        Raises ExceptionGroup if some of these could not be deleted; they are tried again next time.
        """

        async def forget_requests() -> None:
            async with self._database.transaction() as connection:
                await personal_data.forget_requests(connection, to_millis(now - periods.requests))

        async def delete_reports() -> None:
            async with self._database.transaction() as connection:
                await moderation.delete_reports(connection, to_millis(now - periods.reports))

        async with self._database.read() as connection:
            old_messages = await personal_data.list_old_messages(
                connection, to_millis(now - periods.messages), ACTIVE_STATES, _PASSING_KINDS
            )
            challenges = await personal_data.list_old_challenges(
                connection, to_millis(now - periods.challenges), _CLOSED_STATES
            )
            lines = await personal_data.list_old_lines(connection, to_millis(now - periods.lines))
        deletions: tuple[Callable[[], Awaitable[None]], ...] = (
            partial(self._delete, personal_data.delete_announcements, old_messages),
            partial(self._delete, personal_data.delete_challenges, challenges),
            partial(self._delete, personal_data.delete_lines, lines),
            forget_requests,
            delete_reports,
        )
        await for_each(deletions, lambda delete: delete())

    async def list_left_servers(
        self,
        platform: str,
        present: Collection[str],
        is_reached: Callable[[str], bool],
        period: timedelta,
        now: datetime,
    ) -> tuple[str, ...]:
        """Note in which servers of a platform the bot is; return those where it has not been for `period`."""
        async with self._database.read() as connection:
            servers_of_platform = await personal_data.list_servers(connection, platform)
        known = {one: left_at for one, left_at in servers_of_platform.items() if is_reached(one)}
        back = [one for one, left_at in known.items() if left_at is not None and one in present]
        gone = [one for one, left_at in known.items() if left_at is None and one not in present]
        if back or gone:
            async with self._database.transaction() as connection:
                for servers, left_at in ((back, None), (gone, to_millis(now))):
                    for batch in _batches(servers):
                        await personal_data.set_left_at(connection, batch, left_at)
        due = to_millis(now - period)
        return tuple(
            one
            for one, left_at in known.items()
            if one not in present and left_at is not None and left_at <= due
        )

    async def erase_server(self, server: str) -> None:
        """Delete what belongs to a server and not to players."""
        async with self._database.transaction() as connection:
            await audiences.replace_in_server(
                connection, server, SERVER_AUDIENCES, Audience.CLOSED, ChallengeState.OPEN
            )
            await personal_data.erase_server(connection, server, _CLOSED_STATES)

    async def _delete(
        self, delete: Callable[[Connection, Sequence[int]], Awaitable[None]], ids: list[int]
    ) -> None:
        for batch in _batches(ids):
            async with self._database.transaction() as connection:
                await delete(connection, batch)


def _batches(values: Collection[T]) -> Iterator[list[T]]:
    remaining = iter(values)
    while batch := list(islice(remaining, BATCH_SIZE)):
        yield batch
