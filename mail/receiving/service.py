"""What a process does that receives mail: it takes mails in, and does what was confirmed by a click."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from metrics.address import bind
from runtime.mail_settings import LmtpListener

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mail.receiving.receiver import Receiver
    from runtime.mail_settings import MailSource
    from runtime.steps import Steps

CHECK_SECONDS = 2.0  # between two looks for clicks, which another process records


class ListenerUnavailable(Exception):  # noqa: N818 - an operating problem, not a programming error
    """The process cannot listen. `text_key` is the key of a sentence about `reason`, the system's error."""

    text_key = "starting.mail"

    def __init__(self, error: OSError) -> None:
        self.reason = str(error.strerror or error)
        super().__init__(self.reason)


@asynccontextmanager
async def receiving(receiver: Receiver, source: MailSource, steps: Steps) -> AsyncIterator[None]:
    """Receive mail from `source` while the block runs. Raises ListenerUnavailable."""
    looking = asyncio.create_task(steps.repeat("mail_confirmed", receiver.carry_out_confirmed, CHECK_SECONDS))
    try:
        async with _taking_in(receiver, source, steps):
            yield
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking


@asynccontextmanager
async def _taking_in(receiver: Receiver, source: MailSource, steps: Steps) -> AsyncIterator[None]:
    """Take mails in by what the settings name; only that is imported."""
    if not isinstance(source, LmtpListener):
        from mail.receiving.mailbox_reader import MailboxReader  # noqa: PLC0415

        async with MailboxReader(source, receiver, steps).reading():
            yield
        return
    from mail.receiving.lmtp import listening  # noqa: PLC0415

    try:
        listener = bind(source.host, source.port)
    except OSError as error:
        raise ListenerUnavailable(error) from error
    async with listening(receiver, listener):
        yield
