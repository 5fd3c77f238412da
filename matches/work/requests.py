"""Requests of front ends that reach several processes: each is carried out once."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.times import to_millis
from matches.values import MatchId
from storage.work import requests

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from datetime import datetime

    from storage import Database
    from storage.work.requests import Request

MEMORY = timedelta(hours=1)  # Discord's interactions can be answered for 15 minutes
MAIL_MEMORY = timedelta(days=30)  # mail servers try again for five days, and mailboxes are restored


class Requests:
    """The requests that were carried out in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._swept_at: datetime | None = None

    def handle(
        self, request: int, *, now: datetime, is_shared: bool = True, memory: timedelta = MEMORY
    ) -> AbstractContextManager[Request]:
        """Name the request that is handled in a context; its id is unique for ever.

        The id of an interaction of Discord is positive, and tells when it was made; others are negative.

        The first change in it raises RequestRepeated if another process has carried out the same request;
        then nothing was changed. With `is_shared` False no other process can receive it, and only the row of
        its first announcement names it. It is remembered for `memory`.
        """
        return requests.current_request(
            request, to_millis(now + memory), is_shared=is_shared, needs_row=memory > MEMORY
        )

    async def is_done_elsewhere(self, request: Request) -> bool:
        """Return whether another process has carried out a request."""
        if request.is_recorded:
            return False
        async with self._database.read() as connection:
            return await requests.is_recorded(connection, request.id)

    async def find_match(self, request: int) -> MatchId | None:
        """Return the match that a request has started, until a week after its end; None if there is none."""
        async with self._database.read() as connection:
            match = await requests.find_match(connection, request)
        return None if match is None else MatchId(match)

    async def forget_old(self, *, now: datetime) -> None:
        """Forget requests that nobody can repeat any more. Does something once an hour."""
        if self._swept_at is not None and now - self._swept_at < MEMORY:
            return
        self._swept_at = now
        async with self._database.transaction() as connection:
            await requests.forget(connection, to_millis(now))
