"""Who may see a match on the website, and under which names.

Players always see their matches, with names. Everybody else sees what the server allows, and only while every
member of the server can see the place where the match is played.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from matches.computer.accounts import is_computer
from matches.personal_data.stand_ins import is_deleted

ANONYMOUS_NAME = "Anonymous"  # shown like any other name


class Audience(StrEnum):
    """Who may see a match or a challenge, besides the players."""

    PLAYERS = "players"  # nobody, for ever: it began where not everybody on the server could see it
    UNKNOWN = "unknown"  # nobody, until it is known whether everybody can see its place
    CLOSED = "closed"  # nobody, while it is played where not everybody can see it
    MEMBERS = "members"  # members of the server
    NAMES = "names"  # everybody, with names
    ALIASES = "aliases"  # everybody; people who are not members see aliases
    UNLISTED = "unlisted"  # everybody who opens its page, with names; it is in no list


PUBLIC = (Audience.NAMES, Audience.ALIASES)
SERVER_AUDIENCES = (Audience.MEMBERS, *PUBLIC)
"""What a server can choose for its matches, the most private first."""

OPEN_TO_ALL = (*PUBLIC, Audience.UNLISTED)
"""Those whose matches everybody can open, whether or not they are in lists."""


class ShownNames(StrEnum):
    """Which names of the players somebody sees."""

    REAL = "real"
    PUBLIC = "public"


@dataclass(frozen=True, slots=True)
class MatchAccess:
    """What decides who may see a match: its audience, its server, and the accounts of its players."""

    audience: Audience
    server: str
    accounts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who reads matches: their accounts, and the servers of which they are a member."""

    accounts: frozenset[str] = frozenset()
    servers: frozenset[str] = frozenset()

    def names_in(self, access: MatchAccess) -> ShownNames | None:
        """Return which names the reader sees in a match; None if the reader may not see it at all."""
        is_open = access.audience in SERVER_AUDIENCES
        if not self.accounts.isdisjoint(access.accounts) or (is_open and access.server in self.servers):
            return ShownNames.REAL
        return ShownNames.PUBLIC if access.audience in OPEN_TO_ALL else None


OUTSIDER = Reader()
"""Somebody who is not signed in."""


def choose_name(names: ShownNames, audience: str, account: str, name: str, alias: str | None) -> str:
    """Return the name under which a player is shown.

    `alias` is the player's choice for public pages: empty for none, None for the own name.
    """
    if names is ShownNames.REAL or is_computer(account) or is_deleted(account):
        return name
    if alias is None:
        return ANONYMOUS_NAME if audience == Audience.ALIASES else name
    return alias or ANONYMOUS_NAME
