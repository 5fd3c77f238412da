"""Notifies the open event streams when their match changes.

Streams have no queue: a client that falls behind receives everything that it missed as one event. Commits of
this process are noticed at once, and so are turns of other processes while the database announces them (see
:mod:`web.match.listening`). For everything else the database is polled while there are subscribers.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from i18n.readers import reading_in
from matches.work.each import for_each

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from matches import Matches, MatchFingerprint, MatchId
    from runtime.steps import Steps
    from web.match.cache import CachedMatch, MatchCache

POLL_SECONDS = 0.5
SLOW_POLL_SECONDS = 5.0  # while changes are announced
# The response to the player who made the change goes first.
DEBOUNCE_SECONDS = 0.05
# Streams are woken in batches so that other tasks of the event loop run in between.
WAKE_BATCH = 16
BATCH_PAUSE_SECONDS = 0.002


@dataclass(slots=True, eq=False)
class Subscriber:
    """One open stream: the current state of its match, and the event that wakes it."""

    cached: CachedMatch
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait(self, seconds: float) -> bool:
        """Wait for a change for at most `seconds`; return whether there was one."""
        has_changed = await _wait_event(self.changed, seconds)
        self.changed.clear()
        return has_changed


class Broadcaster:
    """Watches all matches that have subscribers."""

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
        self._changed = asyncio.Event()
        self.is_listening = False
        self.is_closing = False

    async def run(self, steps: Steps) -> None:
        """Watch until cancelled; after an error the next change or poll tries again."""
        with self._matches.on_commit(self._changed.set):
            while True:
                await self._wait_for_change()
                await steps.run("live", self._poll)

    def close(self) -> None:
        """End every stream."""
        self.is_closing = True
        for subscribers in self._subscribers.values():
            for subscriber in subscribers:
                subscriber.changed.set()

    def start_listening(self) -> None:
        """Rely on :meth:`hear` from now on; what was changed before is looked for once more."""
        self.is_listening = True
        self._changed.set()

    def stop_listening(self) -> None:
        """Poll as before."""
        self.is_listening = False
        self._changed.set()

    def hear(self, match: MatchId) -> None:
        """Look at a match that was changed, if anybody watches it."""
        if match in self._subscribers:
            self._changed.set()

    @contextmanager
    def subscribe(self, cached: CachedMatch) -> Iterator[Subscriber]:
        """Subscribe to a match while the block runs, starting from its state in `cached`."""
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

    async def _wait_for_change(self) -> None:
        """Wait for a commit of this process or, while there are subscribers, until the next poll."""
        if self._subscribers:
            seconds = SLOW_POLL_SECONDS if self.is_listening else self._poll_seconds
            await _wait_event(self._changed, seconds)
        else:
            await self._changed.wait()
        if self._changed.is_set():
            await asyncio.sleep(DEBOUNCE_SECONDS)
            self._changed.clear()

    async def _poll(self) -> None:
        """Wake the subscribers whose match is not in the state that they have.

        One that cannot be given the new state is tried again at the next poll, and keeps no other waiting.
        Raises StorageUnavailable, ExceptionGroup.
        """
        if self._subscribers:
            fingerprints = await self._matches.public_queries.get_fingerprints(tuple(self._subscribers))
            await for_each(fingerprints.items(), lambda found: self._wake(*found))

    async def _wake(self, match: MatchId, fingerprint: MatchFingerprint) -> None:
        outdated = [one for one in self._subscribers.get(match, ()) if one.cached.fingerprint != fingerprint]
        for index, subscriber in enumerate(outdated, start=1):
            with reading_in(subscriber.cached.language):
                subscriber.cached = await self._cache.get_at(match, fingerprint, subscriber.cached.names)
            subscriber.changed.set()
            if index % WAKE_BATCH == 0:
                await asyncio.sleep(BATCH_PAUSE_SECONDS)


async def _wait_event(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event for at most `seconds`; return whether it was set."""
    try:
        async with asyncio.timeout(seconds):
            return await event.wait()
    except TimeoutError:
        return False
