"""What a process does when several share a database: the setting ROLE."""

from __future__ import annotations

from enum import Enum


class Role(Enum):
    """The part of the work that a process does; ALL is everything that its command can do."""

    ALL = "all"
    BOT = "bot"  # interactions of Discord
    WEB = "web"  # the website
    WORKER = "worker"  # what is due without anybody asking, and the posts that no answer carried

    @property
    def has_gateway(self) -> bool:
        """Whether the process opens sessions at Discord's gateway."""
        return self in {Role.ALL, Role.BOT}

    @property
    def runs_background(self) -> bool:
        """Whether the process does what is due without anybody asking."""
        return self in {Role.ALL, Role.WORKER}

    @property
    def serves_web(self) -> bool:
        """Whether the process serves the website."""
        return self in {Role.ALL, Role.WEB}


def parse_role(value: object) -> object:
    """Return the role that a setting names. Raises ValueError."""
    return Role(value.strip().lower()) if isinstance(value, str) else value
