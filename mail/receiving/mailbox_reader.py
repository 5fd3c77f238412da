"""Reads a mailbox by IMAP: told by the server that something came, and by a look every minute in any case.

A mail is marked as seen only after the commit. One that always fails is set aside after some tries: seen and
flagged, so that somebody looks at it, and it keeps no other from being read. Mails to other addresses of the
same mailbox stay as they are.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeVar

import structlog

from mail.receiving.mailbox_client import MailboxClient, MailboxUnavailable
from mail.receiving.outcomes import Outcome
from matches import StorageUnavailable

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Callable

    from mail.receiving.receiver import Receiver
    from runtime.mail_settings import Mailbox
    from runtime.steps import Steps

log = structlog.stdlib.get_logger(__name__)

T = TypeVar("T")

LOOK_SECONDS = 60.0  # between two looks; IDLE lasts no longer, since servers end it quietly after minutes
BUSY_SECONDS = 1.0  # the same after a mail: the next one may have come before the server watched the folder
POLL_SECONDS = 20.0  # between two looks where the server has no IDLE
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before a new connection
OVERDUE_SECONDS = 300.0  # without a successful look
MAX_TRIES = 5  # of a mail that makes the program fail


class MailboxReader:
    """Reads one folder. `look_seconds` and `poll_seconds` are the times between two looks."""

    def __init__(
        self,
        mailbox: Mailbox,
        receiver: Receiver,
        steps: Steps,
        *,
        tls_context: ssl.SSLContext | None = None,
        look_seconds: float = LOOK_SECONDS,
        poll_seconds: float = POLL_SECONDS,
        first_pause: float = FIRST_PAUSE,
    ) -> None:
        self._mailbox = mailbox
        self._receiver = receiver
        self._steps = steps
        self._tls_context = tls_context
        self._look_seconds = look_seconds
        self._poll_seconds = poll_seconds
        self._first_pause = self._pause = first_pause
        self._thread = ThreadPoolExecutor(1, "mailbox")
        self._client: MailboxClient | None = None
        self._validity = 0
        self._others: set[int] = set()  # mails to other addresses
        self._tries: Counter[int] = Counter()
        self._was_busy = False
        self._is_stopping = asyncio.Event()
        self._looked_at = asyncio.get_running_loop().time()

    @property
    def look_age(self) -> float:
        """How many seconds ago the mailbox was looked into with success."""
        return asyncio.get_running_loop().time() - self._looked_at

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[None]:
        """Read while the block runs; the mail that is being received then is finished."""
        running = asyncio.create_task(self._run())
        watching = asyncio.create_task(
            self._steps.repeat("mailbox_overdue", self._check_age, self._look_seconds)
        )
        try:
            yield
        finally:
            watching.cancel()
            self._is_stopping.set()
            if self._client is not None:
                self._client.cut()
            await asyncio.wait({running, watching})
            self._thread.shutdown(wait=False)

    async def look(self) -> None:
        """Receive what nobody has seen. Raises MailboxUnavailable, StorageUnavailable."""
        client, tried = await self._get_client(), set[int]()
        while not self._is_stopping.is_set():
            unseen = await self._in_thread(client.list_unseen)
            new = [one for one in unseen if one not in self._others | tried]
            if not new:
                break
            for number in new:
                if self._is_stopping.is_set():
                    return
                tried.add(number)
                await self._receive(client, number)
        self._was_busy = bool(tried)
        self._looked_at = asyncio.get_running_loop().time()

    async def _run(self) -> None:
        while not self._is_stopping.is_set():
            error = await self._steps.run("mailbox", self._look_and_wait)
            if error is None:
                self._pause = self._first_pause
                continue
            await self._close()
            await self._sleep(self._pause)
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
        await self._close()

    async def _look_and_wait(self) -> None:
        try:
            await self.look()
            client, seconds = await self._get_client(), self._look_seconds
            if self._was_busy:
                seconds = min(seconds, BUSY_SECONDS)
            if not self._is_stopping.is_set() and not await self._in_thread(lambda: client.wait(seconds)):
                await self._sleep(self._poll_seconds)
        except MailboxUnavailable:
            if not self._is_stopping.is_set():  # else the connection was cut on purpose
                raise

    async def _check_age(self) -> None:
        """Raise MailboxUnavailable if the last look with success was long ago: an alarm for the operator."""
        if self.look_age > OVERDUE_SECONDS:
            raise MailboxUnavailable(f"the mailbox was last read {self.look_age:.0f} s ago")

    async def _receive(self, client: MailboxClient, number: int) -> None:
        try:
            outcome = await self._receive_one(client, number)
        except (MailboxUnavailable, StorageUnavailable):
            raise
        except Exception:
            self._tries[number] += 1
            is_set_aside = self._tries[number] >= MAX_TRIES
            log.exception("mail.unreceived", number=number, is_set_aside=is_set_aside)
            if is_set_aside:
                await self._in_thread(lambda: client.mark_seen(number, is_set_aside=True))
            return
        if outcome is Outcome.NOT_OURS:
            self._others.add(number)
        elif outcome is not None:
            await self._in_thread(lambda: client.mark_seen(number))

    async def _receive_one(self, client: MailboxClient, number: int) -> Outcome | None:
        head = await self._in_thread(lambda: client.fetch_head(number))
        if head is None:
            return None
        if not await self._receiver.is_ours(head):
            return Outcome.NOT_OURS
        raw = await self._in_thread(lambda: client.fetch(number))
        return None if raw is None else await self._receiver.receive(raw)

    async def _get_client(self) -> MailboxClient:
        if self._client is None:
            self._client = await self._in_thread(
                lambda: MailboxClient(self._mailbox, tls_context=self._tls_context)
            )
            if self._client.validity != self._validity:
                self._validity = self._client.validity
                self._others.clear()
                self._tries.clear()
        return self._client

    async def _close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await self._in_thread(client.close)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def _sleep(self, seconds: float) -> None:
        """Wait for the end, but not longer than some seconds."""
        waiting = asyncio.ensure_future(self._is_stopping.wait())
        await asyncio.wait({waiting}, timeout=seconds)
        waiting.cancel()
