"""The settings of mail, which every process shares that sends or receives some, or offers to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from email.utils import parseaddr
from ipaddress import ip_address
from urllib.parse import SplitResult, unquote, urlsplit

from runtime.settings import EnvSettings, SettingsError, parse_matching, setting

DEFAULT_PORTS = {"smtp": 25, "smtps": 465}
IMAP_PORTS = {"imap": 143, "imaps": 993}
LMTP, LOCALHOST, INBOX, PUBLIC = "lmtp", "localhost", "INBOX", "public"
TOKEN_PLACE = "%{token}"  # noqa: S105 - where an address has what a mail was about
MAX_REPLY_NAME = 30  # characters before the @ besides the token, of 64
# Without what has a meaning in headers and URLs.
REPLY_ADDRESS = re.compile(r"[a-z0-9._=+-]*(%\{token\})?[a-z0-9._=+-]*@[a-z0-9]([a-z0-9.-]*[a-z0-9])?")
SERVER_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class LmtpListener:
    """Where a mail server on this machine, or in its private network, hands over what has arrived."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A folder of a mailbox at a server that speaks IMAP; `is_encrypted` from the beginning (TLS)."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    folder: str
    is_encrypted: bool

    @property
    def is_here(self) -> bool:
        """Whether the server is on this machine, so that nobody listens on the way to it."""
        return is_this_machine(self.host)


MailSource = LmtpListener | Mailbox


def is_this_machine(host: str) -> bool:
    """Return whether a host is this machine itself."""
    if host == LOCALHOST:
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


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


def _parse_mail_in(text: str) -> MailSource:
    """Return where mail comes from. Raises ValueError."""
    parts = urlsplit(text.strip())
    if parts.fragment or not parts.hostname or parts.port == 0 or not text.isprintable():
        raise ValueError("not the URL of a listener or a mailbox")
    return _parse_listener(parts) if parts.scheme == LMTP else _parse_mailbox(parts)


def _parse_listener(parts: SplitResult) -> LmtpListener:
    """Return an address to listen on: one that strangers reach only with ``?public``."""
    host, port = parts.hostname or "", parts.port
    if port is None or parts.path.strip("/") or parts.username or parts.query not in {"", PUBLIC}:
        raise ValueError("not an address to listen on")
    if host != LOCALHOST and parts.query != PUBLIC and _is_open(host):
        raise ValueError("an address that everybody can reach")
    return LmtpListener(host, port)


def _is_open(host: str) -> bool:
    """Return whether strangers may reach an address of this machine; raises ValueError for a name."""
    address = ip_address(host)
    return address.is_unspecified or not (address.is_loopback or address.is_private)


def _parse_mailbox(parts: SplitResult) -> Mailbox:
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if parts.scheme not in IMAP_PORTS or not user or not password or parts.query:
        raise ValueError("not a mailbox with user and password")
    return Mailbox(
        host=parts.hostname or "",
        port=parts.port or IMAP_PORTS[parts.scheme],
        user=user,
        password=password,
        folder=unquote(parts.path.strip("/")) or INBOX,
        is_encrypted=parts.scheme == "imaps",
    )


def _parse_reply_to(text: str) -> str:
    """Return an address, or one with TOKEN_PLACE before the @, in lower case. Raises ValueError."""
    address = text.strip().lower()
    name = address.partition("@")[0].replace(TOKEN_PLACE, "")
    is_complete = name.strip("._=+-") != "" or TOKEN_PLACE in address
    if REPLY_ADDRESS.fullmatch(address) is None or not is_complete or len(name) > MAX_REPLY_NAME:
        raise ValueError("not an address")
    return address


@dataclass(frozen=True, kw_only=True)
class MailSettings(EnvSettings):
    """Where mail is handed over, who it is from, and how it comes in.

    `mail_url` is ``smtps://user:password@host`` (TLS), or ``smtp://`` (TLS where the server offers it).
    `mail_in` is where this installation gets mail from, and `mail_reply_to` the address at which players
    write to it. `mail_authserv_id` is the name by which the mail server in front of us says in
    ``Authentication-Results`` what it found out about a sender.
    """

    mail_url: str | None = setting(_parse_mail_url, None, is_secret=True)
    mail_from: str | None = setting(_parse_mail_from, None)
    mail_in: MailSource | None = setting(_parse_mail_in, None, is_secret=True)
    mail_reply_to: str | None = setting(_parse_reply_to, None)
    mail_authserv_id: str | None = setting(parse_matching(SERVER_NAME), None)

    @property
    def sends_mail(self) -> bool:
        """Whether mail can be sent."""
        return self.mail_url is not None and self.mail_from is not None

    @property
    def mail_secrets(self) -> tuple[str, ...]:
        """What of these must never be logged."""
        password = self.mail_in.password if isinstance(self.mail_in, Mailbox) else None
        return tuple(secret for secret in (self.mail_url, password) if secret)


def check_mail_settings(settings: MailSettings) -> None:
    """Raise SettingsError for settings that are right one by one, but not together."""
    if settings.mail_in is None:
        return
    problems = []
    if settings.mail_reply_to is None:
        problems.append(("settings.mail_reply_to.missing", "MAIL_REPLY_TO"))
    if settings.mail_url is None:
        problems.append(("settings.mail_url.missing", "MAIL_URL"))
    if settings.mail_from is None:
        problems.append(("settings.mail_from.missing", "MAIL_FROM"))
    if problems:
        raise SettingsError(tuple(problems))
