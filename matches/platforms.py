"""The platforms on which people and places are: every address begins with the name of its platform.

Addresses are accounts, servers and channels, such as ``discord:123`` or ``web:table``. A front end claims,
lists and tidies only what is for its own platform.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.computer.accounts import is_computer, without_computers
from matches.personal_data.stand_ins import is_deleted

if TYPE_CHECKING:
    from collections.abc import Iterable

DISCORD = "discord"
WEB = "web"
MAIL = "mail"
PUSH = "push"  # notifications of browsers

WEBSITE = f"{WEB}:site"
"""The server and the channel of challenges and matches between people that began on a public website."""

NO_PLACE = ""
"""The server and the channel of a match that is played nowhere: each player is told privately."""


def platform_of(address: str) -> str:
    """Return the platform of an address; empty for :data:`NO_PLACE`."""
    return address.partition(":")[0]


def is_of_local_game(account: str) -> bool:
    """Return whether an account is a player's of one local game, such as ``web:HEX:1``, and nobody's else."""
    return platform_of(account) == WEB and account.count(":") > 1


WAYS = (DISCORD, WEB)
"""Every platform that :func:`find_way` can return for somebody who has signed in."""


def find_way(account: str) -> str:
    """Return the platform on which a person is told what concerns them alone.

    That of their account until people can choose another; only this function decides it, so that the choice,
    once it is stored, has one place to be read.
    """
    return platform_of(account)


def needs_no_sending(platform: str, account: str | None) -> bool:
    """Return whether nothing is sent there, privately to `account` or, with None, in a place.

    Pages of the website show every match as it is now, and nobody reads what is for a deleted person.
    """
    return platform == WEB or (account is not None and is_deleted(account))


def list_told_privately(place: str, players: Iterable[str]) -> tuple[str, ...]:
    """Return who of a match gets a copy of each announcement: who is not told on the platform of its place.

    `place` is :data:`NO_PLACE` for a match that has none. Nobody is about a match against the computer on the
    website, which answers at once on the page that its player looks at.
    """
    here, accounts = platform_of(place), tuple(players)
    if here == WEB and any(map(is_computer, accounts)):
        return ()
    persons = without_computers(accounts)
    # Without a place its copies are all that there is of an announcement, so a deleted person gets one too.
    return tuple(one for one in persons if not place or (find_way(one) != here and not is_deleted(one)))
