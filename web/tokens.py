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

LINK_LIFETIME = timedelta(minutes=15)
COOKIE_LIFETIME = timedelta(days=30)
MAX_TOKEN_LENGTH = 2000  # characters of anything that can be a key


class TokenPurpose(StrEnum):
    """What a key may be used for; one made for the one is nothing to the other."""

    LINK = "seat.link"
    COOKIE = "seat.cookie"


class InvalidToken(ValueError):  # noqa: N818 - a no to a person, not a fault
    """The text is no key of ours, or its time is over."""


@dataclass(frozen=True, slots=True)
class SeatToken:
    """Lets whoever holds it sit for one person, or on one screen for both, at one match.

    `generations` holds, by account, the number of the seat's lock that the key is made for.
    """

    match: MatchId
    generations: tuple[tuple[str, int], ...]
    expires_at: datetime

    @property
    def accounts(self) -> tuple[str, ...]:
        """Whom it lets one sit for."""
        return tuple(account for account, _ in self.generations)


class TokenSigner:
    """Signs keys and reads them back."""

    def __init__(self, secret: str) -> None:
        self._signers = {
            purpose: URLSafeSerializer(secret, salt=purpose.value, signer_kwargs={"digest_method": sha256})
            for purpose in TokenPurpose
        }

    def sign(self, token: SeatToken, purpose: TokenPurpose) -> str:
        """Return a key as a text for addresses and cookies."""
        return self._signers[purpose].dumps(
            [token.match, dict(token.generations), int(token.expires_at.timestamp())]
        )

    def verify(self, text: str, purpose: TokenPurpose, now: datetime) -> SeatToken:
        """Read a key. Raises InvalidToken for anything that was not signed here for this, or is too old."""
        try:
            token = _token_from_payload(self._signers[purpose].loads(text[:MAX_TOKEN_LENGTH]), now)
        except (BadData, TypeError, ValueError, AttributeError) as error:
            raise InvalidToken("no key") from error
        if token.expires_at <= now:
            raise InvalidToken("its time is over")
        return token

    def with_expiry(self, token: SeatToken, expires_at: datetime) -> SeatToken:
        """Return the same key for longer."""
        return replace(token, expires_at=expires_at)


def _token_from_payload(payload: Any, now: datetime) -> SeatToken:
    match, generations, expires_at = payload
    return SeatToken(
        match=MatchId(int(match)),
        generations=tuple((str(account), int(number)) for account, number in generations.items()),
        expires_at=datetime.fromtimestamp(expires_at, now.tzinfo),
    )
