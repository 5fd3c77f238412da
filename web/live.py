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

    from matches import Matches, MatchId, Pulse
    from web.shelf import Shelf, Shown

log = structlog.stdlib.get_logger(__name__)

GLANCE_SECONDS = 0.5
# Whoever made a change is still being answered, and that goes first; spectators have a little time.
SETTLE_SECONDS = 0.05
# Streams are woken in groups, with the loop's other work in between.
GROUP = 16
BREATH_SECONDS = 0.002


@dataclass(slots=True, eq=False)
class Watcher:
    """One open stream of a match: how that stands, as far as it has been told, and the bell that wakes it."""

    shown: Shown
    bell: asyncio.Event = field(default_factory=asyncio.Event)

    async def news(self, seconds: float) -> bool:
        """Wait until something has happened, at most `seconds`; tell whether it has."""
        has_rung = await _rung(self.bell, seconds)
        self.bell.clear()
        return has_rung


class Live:
    """Watches the matches that anybody watches."""

    def __init__(
        self,
        matches: Matches,
        shelf: Shelf,
        now: Callable[[], datetime],
        *,
        seconds: float = GLANCE_SECONDS,
    ) -> None:
        self._matches = matches
        self._shelf = shelf
        self._now = now
        self._seconds = seconds
        self._watchers: dict[MatchId, dict[Watcher, None]] = {}
        self._pulses: dict[MatchId, Pulse] = {}
        self._stirred = asyncio.Event()
        self.closing = False

    async def run(self) -> None:
        """Watch until cancelled; a failure is logged and tried again."""
        with self._matches.heard(self._stirred.set):
            while True:
                try:
                    await self._pause()
                    await self._glance()
                except StorageUnavailable as error:
                    log.warning("live.storage", error=str(error))
                except Exception:
                    log.exception("live.failed")

    def close(self) -> None:
        """End every stream."""
        self.closing = True
        for watchers in self._watchers.values():
            for watcher in watchers:
                watcher.bell.set()

    @contextmanager
    def watching(self, shown: Shown) -> Iterator[Watcher]:
        """Have somebody watch a match for the block, from how it is `shown` now."""
        watcher, match = Watcher(shown), shown.view.id
        mine = self._watchers.setdefault(match, {})
        mine[watcher] = None
        self._stirred.set()
        try:
            yield watcher
        finally:
            del mine[watcher]
            if not mine:
                del self._watchers[match]
                self._pulses.pop(match, None)

    async def _pause(self) -> None:
        """Wait for a change of our own, or, while anybody watches, until it is time to look."""
        if self._watchers:
            await _rung(self._stirred, self._seconds)
        else:
            await self._stirred.wait()
        if self._stirred.is_set():
            await asyncio.sleep(SETTLE_SECONDS)
            self._stirred.clear()

    async def _glance(self) -> None:
        if not self._watchers:
            return
        pulses = await self._matches.pulses(tuple(self._watchers), now=self._now())
        changed = [match for match, pulse in pulses.items() if self._pulses.get(match) != pulse]
        self._pulses = dict(pulses)
        for match in changed:
            await self._wake(match, await self._shelf.at(match, pulses[match]))

    async def _wake(self, match: MatchId, shown: Shown) -> None:
        for index, watcher in enumerate(tuple(self._watchers.get(match, ())), start=1):
            watcher.shown = shown
            watcher.bell.set()
            if index % GROUP == 0:
                await asyncio.sleep(BREATH_SECONDS)


async def _rung(bell: asyncio.Event, seconds: float) -> bool:
    """Wait for a bell, at most `seconds`; tell whether it has rung."""
    try:
        async with asyncio.timeout(seconds):
            return await bell.wait()
    except TimeoutError:
        return False
