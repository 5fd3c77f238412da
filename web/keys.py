"""Keys to seats: signed texts that say which match, which people, and until when.

A key is handed out in a link that is good for a short time, and then kept in a cookie that no script
reads. It fits as long as the locks of its seats have the numbers that it was made for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any

from itsdangerous import BadData, URLSafeSerializer

from matches import MatchId

LINK_LASTS = timedelta(minutes=15)
COOKIE_LASTS = timedelta(days=30)
LONGEST = 2000  # characters of anything that can be a key


class Purpose(StrEnum):
    """What a key may be used for; one made for the one is nothing to the other."""

    LINK = "seat.link"
    COOKIE = "seat.cookie"


class KeyRefused(ValueError):  # noqa: N818 - a no to a person, not a fault
    """The text is no key of ours, or its time is over."""


@dataclass(frozen=True, slots=True)
class Key:
    """Lets whoever holds it sit for one person, or on one screen for both, at one match.

    `locks` holds, by account, the number of the seat's lock that the key is made for.
    """

    match: MatchId
    locks: tuple[tuple[str, int], ...]
    until: datetime

    @property
    def accounts(self) -> tuple[str, ...]:
        """Whom it lets one sit for."""
        return tuple(account for account, _ in self.locks)


class Keyring:
    """Signs keys and reads them back."""

    def __init__(self, secret: str) -> None:
        self._signers = {
            purpose: URLSafeSerializer(secret, salt=purpose.value, signer_kwargs={"digest_method": sha256})
            for purpose in Purpose
        }

    def write(self, key: Key, purpose: Purpose) -> str:
        """Give a key as a text for addresses and cookies."""
        return self._signers[purpose].dumps([key.match, dict(key.locks), int(key.until.timestamp())])

    def read(self, text: str, purpose: Purpose, now: datetime) -> Key:
        """Read a key. Raises KeyRefused for anything that was not signed here for this, or is too old."""
        try:
            found = _key(self._signers[purpose].loads(text[:LONGEST]), now)
        except (BadData, TypeError, ValueError, AttributeError) as error:
            raise KeyRefused("no key") from error
        if found.until <= now:
            raise KeyRefused("its time is over")
        return found

    def extended(self, key: Key, until: datetime) -> Key:
        """Give the same key for longer."""
        return replace(key, until=until)


def _key(content: Any, now: datetime) -> Key:
    match, locks, until = content
    return Key(
        match=MatchId(int(match)),
        locks=tuple((str(account), int(number)) for account, number in locks.items()),
        until=datetime.fromtimestamp(until, now.tzinfo),
    )
