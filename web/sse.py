"""What happens in matches, handed on to everybody who watches: a stream of events to each.

A stream holds no queue: whoever falls behind gets all that they missed as one event. What this process
commits is heard at once; for what others commit, the database is glanced at while anybody watches.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from matches import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from matches import Matches, MatchFingerprint, MatchId
    from web.cache import CachedMatch, MatchCache

log = structlog.stdlib.get_logger(__name__)

POLL_SECONDS = 0.5
# Whoever made a change is still being answered, and that goes first; spectators have a little time.
DEBOUNCE_SECONDS = 0.05
# Streams are woken in groups, with the loop's other work in between.
WAKE_BATCH = 16
BATCH_PAUSE_SECONDS = 0.002


@dataclass(slots=True, eq=False)
class Subscriber:
    """One open stream of a match: how that stands, as far as it has been told, and the bell that wakes it."""

    cached: CachedMatch
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait(self, seconds: float) -> bool:
        """Wait until something has happened, at most `seconds`; tell whether it has."""
        has_changed = await _wait_event(self.changed, seconds)
        self.changed.clear()
        return has_changed


class Broadcaster:
    """Watches the matches that anybody watches."""

    def __init__(
        self,
        matches: Matches,
        cache: MatchCache,
        now: Callable[[], datetime],
        *,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._matches = matches
        self._cache = cache
        self._now = now
        self._poll_seconds = poll_seconds
        self._subscribers: dict[MatchId, dict[Subscriber, None]] = {}
        self._fingerprints: dict[MatchId, MatchFingerprint] = {}
        self._changed = asyncio.Event()
        self.is_closing = False

    async def run(self) -> None:
        """Watch until cancelled; a failure is logged and tried again."""
        with self._matches.on_commit(self._changed.set):
            while True:
                try:
                    await self._wait_for_change()
                    await self._poll()
                except StorageUnavailable as error:
                    log.warning("live.storage", error=str(error))
                except Exception:
                    log.exception("live.failed")

    def close(self) -> None:
        """End every stream."""
        self.is_closing = True
        for subscribers in self._subscribers.values():
            for subscriber in subscribers:
                subscriber.changed.set()

    @contextmanager
    def subscribe(self, cached: CachedMatch) -> Iterator[Subscriber]:
        """Have somebody watch a match for the block, from how it is `cached` now."""
        subscriber, match = Subscriber(cached), cached.view.id
        subscribers = self._subscribers.setdefault(match, {})
        subscribers[subscriber] = None
        self._changed.set()
        try:
            yield subscriber
        finally:
            del subscribers[subscriber]
            if not subscribers:
                del self._subscribers[match]
                self._fingerprints.pop(match, None)

    async def _wait_for_change(self) -> None:
        """Wait for a change of our own, or, while anybody watches, until it is time to look."""
        if self._subscribers:
            await _wait_event(self._changed, self._poll_seconds)
        else:
            await self._changed.wait()
        if self._changed.is_set():
            await asyncio.sleep(DEBOUNCE_SECONDS)
            self._changed.clear()

    async def _poll(self) -> None:
        if not self._subscribers:
            return
        fingerprints = await self._matches.public_queries.get_fingerprints(tuple(self._subscribers))
        changed = [
            match
            for match, fingerprint in fingerprints.items()
            if self._fingerprints.get(match) != fingerprint
        ]
        self._fingerprints = dict(fingerprints)
        for match in changed:
            await self._wake(match, await self._cache.get_at(match, fingerprints[match]))

    async def _wake(self, match: MatchId, cached: CachedMatch) -> None:
        for index, subscriber in enumerate(tuple(self._subscribers.get(match, ())), start=1):
            subscriber.cached = cached
            subscriber.changed.set()
            if index % WAKE_BATCH == 0:
                await asyncio.sleep(BATCH_PAUSE_SECONDS)


async def _wait_event(event: asyncio.Event, seconds: float) -> bool:
    """Wait for a bell, at most `seconds`; tell whether it has rung."""
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
