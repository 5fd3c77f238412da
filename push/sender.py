"""Sends the rows of the outbox that are for browsers, a few at a time.

A row is sent to each browser of its account. Which of them have it already is kept in the row, so that
another one that could not be reached is tried again alone. Only a process that is killed between a push and
the record of it repeats that push, with the same topic and id, by which its service and the browser know it.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import structlog

from matches import AnnouncementUnknown, StorageUnavailable
from matches.platforms import PUSH
from matches.posting.announcements import LEASE, retry_delay
from push.outcomes import Answer, Outcome
from runtime.pace import Pace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from datetime import datetime

    from matches import Announcement, Matches
    from matches.people.push_subscriptions import Browser
    from push.delivery import Push, Pusher
    from push.message import Message
    from runtime.steps import Steps

log = structlog.stdlib.get_logger(__name__)

INTERVAL_SECONDS = 3.0
RENEW_SECONDS = LEASE.total_seconds() / 3
MAX_ROWS = 16  # that are being sent
THREADS = 4
MAX_RETRY_DELAY = timedelta(minutes=5)  # a later notice about the same match waits for an earlier one
MAX_REQUESTED_DELAY = timedelta(hours=1)
REST = timedelta(seconds=30)  # of a service that did not answer
KEY_REST = timedelta(minutes=5)  # of one that refused our key, doubled with each refusal, up to the next
MAX_KEY_REST = timedelta(hours=1)
USE_INTERVAL = timedelta(hours=1)  # between two times that the last use of a browser is stored
DONE = "pushed"  # the detail of a row that names the browsers with which nothing is left to do


class PushSender:
    """Sends what is due. `compose` says what to show about an announcement, or None if it is obsolete.

    `make_pusher` is called when the first push is sent, in a thread; `now` returns the current time.
    """

    def __init__(
        self,
        matches: Matches,
        compose: Callable[[Announcement, datetime], Awaitable[Message | None]],
        make_pusher: Callable[[], Awaitable[Pusher]],
        now: Callable[[], datetime],
        pace: Pace | None = None,
    ) -> None:
        self._matches = matches
        self._compose = compose
        self._make_pusher = make_pusher
        self._now = now
        self._pusher: Pusher | None = None
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="push")
        self._starting = asyncio.Lock()
        self._pace = Pace() if pace is None else pace
        self._running: dict[str, tuple[Announcement, asyncio.Task[None]]] = {}
        self._resting: dict[str, datetime] = {}  # services, by host
        self._key_rests: dict[str, timedelta] = {}  # how long those rest that refused our key the last time

    @asynccontextmanager
    async def running(self, steps: Steps) -> AsyncIterator[None]:
        """Send what is due while the block runs. What is being sent at its end becomes due again."""
        loops = [
            asyncio.create_task(steps.repeat("push", self.send_due, INTERVAL_SECONDS)),
            asyncio.create_task(steps.repeat("push_claims", self.renew, RENEW_SECONDS)),
        ]
        try:
            yield
        finally:
            tasks = [*loops, *(task for _, task in self._running.values())]
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            self._threads.shutdown(wait=False, cancel_futures=True)

    async def send_due(self) -> None:
        """Send until nothing is due. Raises StorageUnavailable."""
        while await self._start_due() or self._running:
            tasks = [task for _, task in self._running.values()]
            await asyncio.wait(tasks, timeout=INTERVAL_SECONDS, return_when=asyncio.FIRST_COMPLETED)

    async def _start_due(self) -> int:
        """Start to send what is due, as far as there is room, and return how many rows were claimed."""
        async with self._starting:
            room = MAX_ROWS - len(self._running)
            if room <= 0:
                return 0
            claimed = await self._matches.announcements.claim_due(
                PUSH, now=self._now(), limit=room, busy=frozenset(self._running)
            )
            for one in claimed:
                task = asyncio.create_task(self._send_safely(one))
                self._running[one.destination] = (one, task)
                task.add_done_callback(partial(self._forget, one.destination))
            return len(claimed)

    def _forget(self, destination: str, _task: asyncio.Task[None]) -> None:
        del self._running[destination]

    async def renew(self) -> None:
        """Keep what is being sent from being taken over by another process. Raises StorageUnavailable."""
        if self._running:
            claimed = [one for one, _ in self._running.values()]
            await self._matches.announcements.renew(claimed, now=self._now())

    async def _send_safely(self, announcement: Announcement) -> None:
        try:
            await self._send(announcement)
        except StorageUnavailable as error:
            log.warning("push.storage", error=str(error))
        except AnnouncementUnknown:  # the data of its account were deleted meanwhile
            log.info("push.gone", announcement=announcement.id)
        except Exception:
            log.exception("push.failed", announcement=announcement.id)
            await self._postpone(announcement)

    async def _postpone(self, announcement: Announcement) -> None:
        """Try a row again later that has failed in a way nobody expected."""
        try:
            await self._matches.announcements.mark_failed(announcement.id, now=self._now())
        except (StorageUnavailable, AnnouncementUnknown) as error:
            log.warning("push.storage", error=str(error))

    async def _send(self, announcement: Announcement) -> None:
        """Send a row to the browsers that do not have it. Raises StorageUnavailable, AnnouncementUnknown."""
        now, outbox = self._now(), self._matches.announcements
        message = await self._compose(announcement, now)
        if message is None or (message.expires_at is not None and message.expires_at <= now):
            await outbox.discard(announcement.id, now=now)
            return
        done = str(announcement.details.get(DONE, "")).split()
        browsers = await self._matches.people.push.list_for(announcement.destination, now=now)
        waiting = [one for one in browsers if str(one.id) not in done]
        answers = await self._push_to_all(waiting, message, now)
        await self._record(announcement.destination, waiting, answers)
        done += [str(one.id) for one, answer in zip(waiting, answers, strict=True) if answer.outcome.is_final]
        open_answers = [one for one in answers if not one.outcome.is_final]
        if open_answers:
            delay = max(_delay(one, announcement.attempts) for one in open_answers)
            details = {**announcement.details, DONE: " ".join(done)}
            await outbox.mark_failed(announcement.id, now=self._now(), delay=delay, details=details)
        elif done:
            await outbox.mark_sent(announcement.id, PUSH, now=self._now())
        else:
            await outbox.discard(announcement.id, now=now)

    async def _push_to_all(
        self, browsers: Sequence[Browser], message: Message, now: datetime
    ) -> list[Answer]:
        if not browsers:
            return []
        if self._pusher is None:
            self._pusher = await self._make_pusher()
        push = self._pusher.wrap(message, now)
        return await asyncio.gather(*(self._push(self._pusher, one, push) for one in browsers))

    async def _push(self, pusher: Pusher, browser: Browser, push: Push) -> Answer:
        """Send one push, unless its service has not answered just now."""
        host = urlsplit(browser.endpoint).hostname or ""
        await self._pace.wait()
        if (answer := self._rest_of(host)) is not None:
            return answer
        loop = asyncio.get_running_loop()
        answer = await loop.run_in_executor(self._threads, pusher.send, browser, push)
        answer = self._let_rest(host, answer)
        self._report(host, answer)
        return answer

    def _rest_of(self, host: str) -> Answer | None:
        """Return the answer for a service that is left alone now."""
        left = self._resting.get(host, self._now()) - self._now()
        if left <= timedelta(0):
            return None
        seconds = left.total_seconds() if host in self._key_rests else None
        return Answer(Outcome.UNREACHED, "resting", seconds)

    def _let_rest(self, host: str, answer: Answer) -> Answer:
        """Leave a service alone for a while that did not answer, or refused our key; return the answer.

        All pushes of a service are refused with the same key, so one in a while is enough to see whether it
        accepts the key again.
        """
        now = self._now()
        is_new = self._resting.get(host, now) <= now  # several pushes can be on their way at once
        self._resting = {name: until for name, until in self._resting.items() if until > now}
        if answer.outcome is Outcome.KEY_REFUSED:
            if is_new:
                self._key_rests[host] = min(2 * self._key_rests.get(host, KEY_REST / 2), MAX_KEY_REST)
                self._resting[host] = now + self._key_rests[host]
            left = self._resting.get(host, now) - now
            return replace(answer, retry_seconds=left.total_seconds())
        self._key_rests.pop(host, None)
        if answer.outcome is Outcome.UNREACHED:
            self._resting[host] = now + REST
        return answer

    def _report(self, host: str, answer: Answer) -> None:
        """Count what became of a push, and log what is not as it should be; never an endpoint."""
        self._matches.metrics.count_push(answer.outcome.value)
        if answer.outcome is Outcome.SENT:
            log.debug("push.sent", host=host)
        elif answer.outcome is Outcome.GONE:
            log.info("push.browser_gone", host=host, reason=answer.reason)
        elif answer.outcome in {Outcome.KEY_REFUSED, Outcome.REFUSED}:
            log.error("push.refused", outcome=answer.outcome.value, host=host, reason=answer.reason)
        else:
            log.warning("push.postponed", outcome=answer.outcome.value, host=host, reason=answer.reason)

    async def _record(self, account: str, browsers: Sequence[Browser], answers: Sequence[Answer]) -> None:
        """Forget the browsers that are gone, and record now and then that others are in use."""
        found = list(zip(browsers, answers, strict=True))
        gone = [one.id for one, answer in found if answer.outcome is Outcome.GONE]
        if gone:
            await self._matches.people.push.remove(account, gone)
        now = self._now()
        used = [
            one.id
            for one, answer in found
            if answer.outcome is Outcome.SENT and (one.used_at is None or one.used_at + USE_INTERVAL <= now)
        ]
        if used:
            await self._matches.people.push.mark_used(used, now=now)


def _delay(answer: Answer, attempts: int) -> timedelta:
    """Return the time until a push is tried again: what its service asks for, within limits."""
    if answer.retry_seconds is None:
        return min(retry_delay(attempts), MAX_RETRY_DELAY)
    return timedelta(seconds=min(max(answer.retry_seconds, 1), MAX_REQUESTED_DELAY.total_seconds()))
