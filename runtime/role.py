"""What a process does when several share a database: the setting ROLE."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Role(Enum):
    """The part of the work that a process does; ALL is everything that its command can do."""

    ALL = "all"
    BOT = "bot"  # interactions of Discord
    WEB = "web"  # the website
    WORKER = "worker"  # what is due without anybody asking, and the posts that no answer carried
    MAIL = "mail"  # mails, those that arrive and those that are sent

    @property
    def has_gateway(self) -> bool:
        """Whether the process opens sessions at Discord's gateway."""
        return self in {Role.ALL, Role.BOT}

    @property
    def runs_background(self) -> bool:
        """Whether the process does what is due without anybody asking."""
        return self in {Role.ALL, Role.WORKER}

    @property
    def receives_mail(self) -> bool:
        """Whether the process receives mail, if the installation does."""
        return self in {Role.ALL, Role.MAIL}

    @property
    def serves_web(self) -> bool:
        """Whether the process serves the website."""
        return self in {Role.ALL, Role.WEB}


def role_parser(*allowed: Role) -> Callable[[str], Role]:
    """Return a function that reads a role, one of those `allowed`, or raises ValueError."""

    def parse(text: str) -> Role:
        role = Role(text.strip().lower())
        if role not in allowed:
            raise ValueError("not a role of this process")
        return role

    return parse
