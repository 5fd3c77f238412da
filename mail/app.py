"""Runs the sending of mail in a process that does background work, and the receiving where it is set up."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import structlog

from engine import GAMES
from i18n.readers import ReaderTexts
from mail.context import MailContext
from mail.letters import LetterSource
from mail.log_transport import LogTransport
from mail.message import Sender
from mail.notices import NoticeSource
from mail.reply_addresses import ReplyAddresses
from mail.sender import MailSender
from matches.platforms import MAIL

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from datetime import datetime

    from engine.game import Game
    from i18n import Texts
    from mail.links import Links
    from mail.transport import Transport
    from matches import Matches
    from metrics.monitor import Monitor
    from runtime.mail_settings import MailSettings
    from runtime.pace import Pace
    from runtime.steps import Steps

log = structlog.stdlib.get_logger(__name__)

CHECK_SECONDS = 5.0  # between two looks for what other processes wrote, and for what becomes due
MANY_SECONDS = 0.2  # in which many commits cause one look
LONGEST_PAUSE = (
    300.0  # seconds between two attempts while the mail server is away; the first is CHECK_SECONDS
)
TIDY_SECONDS = 3600.0
STOP_SECONDS = 3.0  # for mails that are being sent when the process ends
OWN_MACHINE = "Rayuela <rayuela@localhost>"  # the sender of mails that are only shown


def choose_transport(settings: MailSettings, texts: Texts, *, is_own_machine: bool) -> Transport | None:
    """Return what mail goes by; None if this installation has none.

    Without a mail server the mails of a website on one's own machine are written to standard output.
    """
    if settings.sends_mail:
        from mail.smtp_transport import SmtpTransport  # noqa: PLC0415 - only here, for its memory

        return SmtpTransport(settings)
    if settings.mail_url is not None or settings.mail_from is not None:
        log.warning("mail.settings_incomplete", needed=["MAIL_URL", "MAIL_FROM"])
        return None
    return LogTransport(texts) if is_own_machine else None


@asynccontextmanager
async def serve(
    matches: Matches,
    settings: MailSettings,
    links: Links,
    secret: str,
    *,
    transport: Transport | None,
    steps: Steps,
    now: Callable[[], datetime],
    receives: bool = False,
    games: Mapping[str, Game] = GAMES,
    texts: Texts | None = None,
    check_seconds: float = CHECK_SECONDS,
    pace: Pace | None = None,
) -> AsyncIterator[None]:
    """Send mails while the block runs: those of this process at once, those of others within seconds.

    `links` lead to the website and `secret` is its secret. Nothing happens without a `transport`
    (:func:`choose_transport`). With `receives` mails are received too, if the settings say from where; raises
    ListenerUnavailable. `steps` counts and logs failures, such as a mail server that is away. `pace` is how
    fast mails are sent.
    """
    if transport is None:
        yield
        return
    sender = Sender(settings.mail_from or OWN_MACHINE)
    texts = ReaderTexts.of_folders() if texts is None else texts
    replies = None if settings.mail_reply_to is None else ReplyAddresses(settings.mail_reply_to, secret)
    context = MailContext(matches, games, texts.plain, links, secret, sender, now, replies)
    runner = _Runner(context, transport, steps, check_seconds, pace)
    with matches.on_commit(runner.wake):
        async with runner.running(), _receiving(context, settings, steps, receives=receives):
            yield


@asynccontextmanager
async def _receiving(
    context: MailContext, settings: MailSettings, steps: Steps, *, receives: bool
) -> AsyncIterator[None]:
    """Receive mails while the block runs. A process that receives none has nothing of this in memory."""
    if not receives or settings.mail_in is None or context.replies is None:
        yield
        return
    from mail.receiving.receiver import Receiver  # noqa: PLC0415
    from mail.receiving.service import receiving  # noqa: PLC0415

    receiver = Receiver(context, context.replies, authserv_id=settings.mail_authserv_id)
    async with receiving(receiver, settings.mail_in, steps):
        yield


class _Runner:
    """Looks for mails again and again; less often while the mail server is away."""

    def __init__(
        self,
        context: MailContext,
        transport: Transport,
        steps: Steps,
        check_seconds: float,
        pace: Pace | None,
    ) -> None:
        self._context = context
        self._steps = steps
        self._check_seconds = self._pause = check_seconds
        sources = (LetterSource(context), NoticeSource(context))
        self._sender = MailSender(sources, transport, context.matches.metrics, pace)
        self._woken = asyncio.Event()
        self._is_stopping = asyncio.Event()

    def wake(self) -> None:
        """Look soon, unless the mail server is away."""
        self._woken.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run while the block does; what is being sent then is finished, but for STOP_SECONDS at most."""
        sending = asyncio.create_task(self._run())
        tidying = asyncio.create_task(self._steps.repeat("mail_letters_deleted", self._tidy, TIDY_SECONDS))
        try:
            yield
        finally:
            self._sender.stop()
            self._is_stopping.set()
            await asyncio.wait({sending}, timeout=STOP_SECONDS)
            for task in (sending, tidying):
                task.cancel()
            await asyncio.wait({sending, tidying})

    async def _run(self) -> None:
        while not self._is_stopping.is_set():
            self._woken.clear()
            await self._steps.run("puzzle_mails", self._write_puzzles)
            error = await self._steps.run("mail", self._sender.send_due)
            if error is None:
                self._pause = self._check_seconds
                await self._wait(self._woken, self._pause)
                await self._wait(self._is_stopping, MANY_SECONDS)
            else:
                await self._wait(self._is_stopping, self._pause)
                self._pause = min(2 * self._pause, LONGEST_PAUSE)

    async def _wait(self, event: asyncio.Event, seconds: float) -> None:
        """Wait for an event or the end, but not longer than some seconds."""
        waiting = [asyncio.ensure_future(one.wait()) for one in {event, self._is_stopping}]
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for one in waiting:
            one.cancel()
            with suppress(asyncio.CancelledError):
                await one

    async def _write_puzzles(self) -> None:
        await self._context.matches.puzzle_mails.write_due(now=self._context.now())

    async def _tidy(self) -> None:
        matches, now = self._context.matches, self._context.now()
        await matches.posting.letters.delete_old(now=now)
        await matches.people.mail_commands.delete_old(now=now)
        await matches.work.requests.forget_old(now=now)


def watch_mail(monitor: Monitor, matches: Matches, now: Callable[[], datetime]) -> None:
    """Have a monitor report how much mail waits."""

    async def report() -> None:
        backlog = await matches.work.backlogs.find(MAIL, now=now())
        if backlog is not None:
            letters = await matches.posting.letters.count_waiting(now=now())
            oldest = backlog.outbox_oldest.total_seconds()
            matches.metrics.set_gauges(
                {"mail_waiting": backlog.outbox_waiting + letters, "mail_oldest_seconds": oldest}
            )

    monitor.probes.append(report)
