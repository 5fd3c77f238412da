"""Mails of a website on one's own machine, where no mail server is set: they are shown instead of sent."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from email.message import EmailMessage

    from i18n import Texts


class LogTransport:
    """Writes each mail to standard output, with a sentence that says that nobody got it."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    async def send(
        self,
        message: EmailMessage,
        address: str,
        *,
        envelope_sender: str | None = None,  # noqa: ARG002 - nothing comes back
    ) -> None:
        """Write the plain part of a mail. Never fails."""
        body = message.get_body(("plain",))
        text = "" if body is None else body.get_content()
        lines = (self._texts("mail.not_sent", address=address), str(message["Subject"]), "", text)
        sys.stdout.write("\n".join(lines) + "\n")
        sys.stdout.flush()

    async def close(self) -> None:
        """Do nothing."""
