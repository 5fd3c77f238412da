"""The settings of notifications of browsers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import parseaddr

from runtime.mail_settings import MailSettings
from runtime.settings import setting

HOST = re.compile(r"(\*\.)?[a-z0-9][a-z0-9.-]*", re.ASCII)


def _parse_hosts(text: str) -> tuple[str, ...]:
    """Return host names, which may begin with ``*.``, from a list with commas. Raises ValueError."""
    hosts = tuple(part.strip().lower() for part in text.split(","))
    if not all(map(HOST.fullmatch, hosts)):
        raise ValueError("not names of hosts")
    return hosts


@dataclass(frozen=True, kw_only=True)
class PushSettings(MailSettings):
    """`push_hosts` are services besides those of the known browsers; they may be in a private network."""

    push_hosts: tuple[str, ...] = setting(_parse_hosts, ())


def find_contact(mail_from: str | None, public_url: str | None) -> str | None:
    """Return how services can reach the operator, which each push names; None if no push is possible.

    Apple refuses pushes without the mail address of a real domain or the address of a website.
    """
    if mail_from is not None:
        return f"mailto:{parseaddr(mail_from)[1]}"
    return public_url if (public_url or "").startswith("https://") else None
