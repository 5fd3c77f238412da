"""One connection to a mailbox by IMAP. Everything here waits for the server, so call it in a thread.

Only a process that reads a mailbox imports this module, and with it imap-tools. Its method to set flags is
not used: it expunges the folder afterwards, and with it what others have marked as deleted.
"""

from __future__ import annotations

import socket
import ssl
from contextlib import contextmanager, suppress
from imaplib import IMAP4
from typing import TYPE_CHECKING, NoReturn

from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError, MailboxFolderSelectError, MailboxLoginError

from matches import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runtime.mail_settings import Mailbox

ANSWER_SECONDS = 20.0  # for one answer of the server
MAX_BYTES = 512 * 1024  # of a mail that are fetched; nobody types behind that
MAX_HEAD_BYTES = 64 * 1024


class MailboxUnavailable(OSError):  # noqa: N818 - named like StorageUnavailable
    """The mailbox cannot be read. The text never has a password, an address, or what the server said."""


class MailboxClient:
    """A connection to a folder. Every method raises MailboxUnavailable, and then the connection is over."""

    def __init__(self, mailbox: Mailbox, *, tls_context: ssl.SSLContext | None = None) -> None:
        """Connect, sign in, and open the folder. A server on this machine need not prove who it is."""
        self._mailbox = mailbox
        with _translated():
            self._connection = _connect(mailbox, tls_context or _make_context(mailbox))
        try:
            with _translated():
                self._sign_in()
        except BaseException:
            self.close()
            raise

    @property
    def validity(self) -> int:
        """The number that changes when the numbers of the mails become those of others."""
        found = self._connection.client.untagged_responses.get("UIDVALIDITY", [])
        return next((int(one) for one in found if isinstance(one, bytes)), 0)

    def list_unseen(self) -> list[int]:
        """Return the numbers of the mails that nobody has seen, the oldest first."""
        client = self._connection.client
        with _translated():
            while True:
                client.untagged_responses.pop("EXISTS", None)
                found = self._connection.uids("UNSEEN UNDELETED", charset=None)
                if "EXISTS" not in client.untagged_responses:  # else some came meanwhile
                    return sorted(map(int, found))

    def fetch_head(self, number: int) -> bytes | None:
        """Return the headers of a mail; None if it is gone."""
        return self._fetch(number, f"BODY.PEEK[HEADER]<0.{MAX_HEAD_BYTES}>")

    def fetch(self, number: int) -> bytes | None:
        """Return the beginning of a mail, at most MAX_BYTES; None if it is gone. It stays unseen."""
        return self._fetch(number, f"BODY.PEEK[]<0.{MAX_BYTES}>")

    def mark_seen(self, number: int, *, is_set_aside: bool = False) -> None:
        """Mark a mail as seen; one that is set aside also as flagged, for somebody to look at."""
        flags = r"(\Seen \Flagged)" if is_set_aside else r"(\Seen)"
        with _translated():
            status, _ = self._connection.client.uid("STORE", str(number), "+FLAGS.SILENT", flags)
            if status != "OK":
                raise MailboxUnavailable("the mailbox does not let mails be marked as seen")

    def wait(self, seconds: float) -> bool:
        """Wait until the folder changes, at most some seconds; return False if the server does not say."""
        if "IDLE" not in self._connection.client.capabilities:
            return False
        with _translated():
            self._connection.idle.wait(timeout=seconds)
        return True

    def cut(self) -> None:
        """End the connection at once; another thread that waits for the server then learns of it."""
        with suppress(OSError):
            self._connection.client.sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End the connection."""
        with suppress(OSError):
            self._connection.client.shutdown()

    def _fetch(self, number: int, part: str) -> bytes | None:
        with _translated():
            status, found = self._connection.client.uid("FETCH", str(number), f"({part})")
            if status != "OK":
                raise MailboxUnavailable("the mailbox does not let mails be read")
            return next((one[1] for one in found if isinstance(one, tuple)), None)

    def _sign_in(self) -> None:
        user, password, folder = self._mailbox.user, self._mailbox.password, self._mailbox.folder
        is_ascii = f"{user}{password}".isascii()
        (self._connection.login if is_ascii else self._connection.login_utf8)(user, password, folder)


def _connect(mailbox: Mailbox, tls_context: ssl.SSLContext) -> BaseMailBox:
    place = {"host": mailbox.host, "port": mailbox.port, "timeout": ANSWER_SECONDS}
    if mailbox.is_encrypted:
        return MailBox(**place, ssl_context=tls_context)
    if mailbox.is_here:
        return MailBoxUnencrypted(**place)
    return MailBoxStartTls(**place, ssl_context=tls_context)


def _make_context(mailbox: Mailbox) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if mailbox.is_here:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@contextmanager
def _translated() -> Iterator[None]:
    """Raise MailboxUnavailable for whatever goes wrong between us and the server."""
    try:
        yield
    except (MailboxUnavailable, StorageUnavailable):
        raise
    except (IMAP4.error, ImapToolsError, OSError, ValueError) as error:
        _raise_unavailable(error)


def _raise_unavailable(error: Exception) -> NoReturn:
    if isinstance(error, ssl.SSLError):
        reason = "the encryption of the mailbox cannot be trusted: check MAIL_IN"
    elif isinstance(error, MailboxFolderSelectError):
        reason = "the mailbox has no such folder: check MAIL_IN"
    elif isinstance(error, MailboxLoginError) or "AUTHENTICATIONFAILED" in str(error):
        reason = "the mailbox refuses the user or the password of MAIL_IN"
    else:
        reason = "the mailbox cannot be reached, or does not answer"
    raise MailboxUnavailable(reason) from None
