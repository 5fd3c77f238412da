"""The settings of outgoing mail, which every process shares that sends some or offers to."""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import parseaddr
from urllib.parse import urlsplit

from runtime.settings import EnvSettings, setting

DEFAULT_PORTS = {"smtp": 25, "smtps": 465}


def _parse_mail_url(text: str) -> str:
    """Return the URL of an SMTP server. Raises ValueError."""
    parts = urlsplit(text.strip())
    is_plain = parts.path.strip("/") == "" and not parts.query and not parts.fragment
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname or not is_plain or parts.port == 0:
        raise ValueError("not the URL of an SMTP server")
    return text.strip()


def _parse_mail_from(text: str) -> str:
    """Return a sender such as ``Rayuela <play@example.org>``. Raises ValueError."""
    _, address = parseaddr(text)
    local, _, domain = address.rpartition("@")
    if not local or not domain or len(text) > 200 or not text.isprintable():
        raise ValueError("not an address")
    return text.strip()


@dataclass(frozen=True, kw_only=True)
class MailSettings(EnvSettings):
    """Where mail is handed over, and who it is from.

    `mail_url` is ``smtps://user:password@host`` (TLS), or ``smtp://`` (TLS where the server offers it).
    """

    mail_url: str | None = setting(_parse_mail_url, None, is_secret=True)
    mail_from: str | None = setting(_parse_mail_from, None)

    @property
    def sends_mail(self) -> bool:
        """Whether mail can be sent."""
        return self.mail_url is not None and self.mail_from is not None
