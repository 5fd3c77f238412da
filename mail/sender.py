"""Sends what waits: a few mails at once, each claimed before and recorded after.

A process that dies between the answer of the mail server and its record sends the mail again, with the same
Message-ID. Nothing can avoid that over SMTP.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

import structlog

from mail.transport import MailDelayed, MailRefused, MailUnavailable
from matches import StorageUnavailable
from metrics import MailOutcome
from runtime.pace import Pace

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
    from email.message import EmailMessage

    from mail.transport import Transport
    from metrics import Metrics

log = structlog.stdlib.get_logger(__name__)

AT_ONCE = 3
RENEWAL_SECONDS = 3.0


class Job(Protocol):
    """A claimed mail. `address` is known once it was built; `kind` is its label in figures and logs."""

    kind: str
    address: str

    @property
    def envelope_sender(self) -> str | None:
        """Where the mail comes back if it cannot be delivered; None for the sender of all mails."""

    async def build(self) -> EmailMessage | None:
        """Return the mail, None if there is nothing to say any more."""

    async def finish(self, *, is_sent: bool) -> None:
        """Record that the mail was sent, or that it is not to be sent."""

    async def refuse(self, *, is_final: bool) -> None:
        """Record that the address does not take it."""

    async def postpone(self, *, is_failed: bool, may_have_arrived: bool = False) -> None:
        """Make it due again: after a failure later, otherwise at once.

        With `may_have_arrived` only the answer to it is missing, so it must be recognized if it comes again.
        """


class Source(Protocol):
    """Mails of one sort that wait in the database."""

    async def claim(self) -> Sequence[Job]:
        """Claim some that are due, the longest waiting first."""

    async def renew(self, jobs: Sequence[Job]) -> None:
        """Keep other processes from claiming them."""


class MailSender:
    """Sends the mails of several sources, the first source first."""

    def __init__(
        self,
        sources: Sequence[Source],
        transport: Transport,
        metrics: Metrics,
        pace: Pace | None = None,
    ) -> None:
        self._sources = sources
        self._transport = transport
        self._metrics = metrics
        self._pace = Pace() if pace is None else pace
        self._is_stopping = False

    def stop(self) -> None:
        """Begin no more mails; what is being sent is finished."""
        self._is_stopping = True

    async def send_due(self) -> None:
        """Send all that is due. Raises MailUnavailable, then what is left stays due; StorageUnavailable."""
        try:
            while not self._is_stopping and await self._send_some():
                pass
        finally:
            await self._transport.close()

    async def _send_some(self) -> bool:
        """Send some mails of the first source that has any, and return whether one had."""
        for source in self._sources:
            jobs = await source.claim()
            if jobs:
                await self._send_all(source, jobs)
                return True
        return False

    async def _send_all(self, source: Source, jobs: Sequence[Job]) -> None:
        waiting, failures = deque(jobs), list[Exception]()

        async def work() -> None:
            while waiting and not failures and not self._is_stopping:
                await self._pace.wait()
                if not waiting or self._is_stopping:
                    return
                job = waiting.popleft()
                try:
                    await self._send(job)
                except (MailUnavailable, StorageUnavailable) as error:
                    failures.append(error)

        async with _repeating(lambda: source.renew(jobs)):
            await asyncio.gather(*(work() for _ in range(min(AT_ONCE, len(jobs)))))
            for job in waiting:
                await job.postpone(is_failed=False)
        for failure in failures:
            raise failure

    async def _send(self, job: Job) -> None:
        """Send one mail and record what became of it. Raises MailUnavailable, StorageUnavailable."""
        try:
            message = await job.build()
        except StorageUnavailable:
            raise
        except Exception:
            log.exception("mail.unbuilt", kind=job.kind)
            self._count(job, MailOutcome.FAILED)
            await job.postpone(is_failed=True)
            return
        if message is None:
            await job.finish(is_sent=False)
            return
        try:
            await self._transport.send(message, job.address, envelope_sender=job.envelope_sender)
        except MailRefused as error:
            self._count(job, MailOutcome.REFUSED, str(error))
            await job.refuse(is_final=error.is_final)
        except MailDelayed as error:
            self._count(job, MailOutcome.FAILED, str(error))
            await job.postpone(is_failed=True)
        except MailUnavailable as error:
            self._count(job, MailOutcome.FAILED)
            await job.postpone(is_failed=True, may_have_arrived=error.may_have_arrived)
            raise
        else:
            self._count(job, MailOutcome.SENT)
            await job.finish(is_sent=True)

    def _count(self, job: Job, outcome: MailOutcome, reason: str = "") -> None:
        self._metrics.count_mail(job.kind, outcome)
        log.info("mail.tried", kind=job.kind, outcome=outcome.value, reason=reason)


@asynccontextmanager
async def _repeating(renew: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Renew claims every RENEWAL_SECONDS while the block runs; a failure to is logged."""

    async def run() -> None:
        while True:
            await asyncio.sleep(RENEWAL_SECONDS)
            try:
                await renew()
            except StorageUnavailable as error:
                log.warning("mail.unrenewed", error=str(error))

    task = asyncio.create_task(run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})
