"""Handing a mail over: what a transport does, and how it fails.

Three failures are told apart. The address does not take this mail, and never will; the mail can be tried
again later; nothing can be handed over at all, so that everything waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from email.message import EmailMessage


class MailRefused(Exception):  # noqa: N818 - an answer, not an error of ours
    """The mail server refuses the mail to this address for good; with `is_final` any mail, for ever."""

    def __init__(self, code: int, *, is_final: bool) -> None:
        super().__init__(f"refused with {code}")
        self.is_final = is_final


class MailDelayed(Exception):  # noqa: N818 - an answer, not an error of ours
    """The mail server does not take this mail now."""

    def __init__(self, code: int) -> None:
        super().__init__(f"put off with {code}")
        self.code = code


class MailUnavailable(OSError):  # noqa: N818 - named like StorageUnavailable
    """Nothing can be handed over: the server is away or silent, or the settings are wrong.

    The text never holds an address or a password. With `may_have_arrived` the server may have taken this mail
    all the same, and only its answer is missing.
    """

    def __init__(self, reason: str, *, may_have_arrived: bool = False) -> None:
        super().__init__(reason)
        self.may_have_arrived = may_have_arrived


class Transport(Protocol):
    """Hands mails over, several at once."""

    async def send(self, message: EmailMessage, address: str, *, envelope_sender: str | None = None) -> None:
        """Hand a mail to `address` over. Raises MailRefused, MailDelayed, MailUnavailable.

        What cannot be delivered comes back to `envelope_sender`, by default to the sender of all mails.
        """

    async def close(self) -> None:
        """Give back what is kept between mails, such as connections."""
