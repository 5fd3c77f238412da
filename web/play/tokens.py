"""Signed tokens: those that give access to seats, for one match, some accounts, and until a certain time.

A token is given out in a link, which expires soon, and then stored in a cookie that scripts cannot read.
It is valid while the keys of its seats have the generations in it, that is until a key is rotated.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from itsdangerous import BadData, URLSafeSerializer

from matches import MatchId, derive_challenge_key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LINK_LIFETIME = timedelta(minutes=15)
COOKIE_LIFETIME = timedelta(days=30)
RENEWAL_INTERVAL = timedelta(days=1)  # between renewals of a cookie that is in use
MAX_TOKEN_LENGTH = 2000  # characters
MAX_COOKIE_LENGTH = 4000  # characters


class TokenPurpose(StrEnum):
    """What a token is used for; a token for one purpose is invalid for the others."""

    LINK = "seat.link"
    COOKIE = "seat.cookie"
    STARTER = "seat.starter"  # a cookie that shows the links of a local game again
    LIST = "seat.list"  # the list of a browser's seats; gives no access
    SIGN_IN = "sign_in"  # a sign-in that has begun
    MAIL = "mail.question"  # a code that was asked for
    PASSKEY = "passkey"  # a challenge that a passkey is to sign
    JOIN = "account.join"  # two accounts of somebody who has signed in to both
    MAIL_COMMAND = "mail_command"  # confirms what a mail asks for
    MAIL_STOP = "mail_stop"  # stops the mails to one address of an account
    INVITATION_STOP = "invitation_stop"  # refuses all further invitations to an address
    UNWATCH = "mail_unwatch"  # ends watching a match
    PUZZLE_STOP = "puzzle_stop"  # ends the puzzle of each day by mail


class InvalidToken(ValueError):  # noqa: N818 - a refusal, not a programming error
    """The text is not a token signed here for this purpose, or it has expired or was revoked."""


@dataclass(frozen=True, slots=True)
class SeatToken:
    """Access to the seat of one person at a match, or of both on a shared screen.

    `generations` holds for each account the generation of its seat key when the token was issued.
    """

    match: MatchId
    generations: tuple[tuple[str, int], ...]
    expires_at: datetime

    @property
    def accounts(self) -> tuple[str, ...]:
        """The accounts that the bearer may act for."""
        return tuple(account for account, _ in self.generations)


@dataclass(frozen=True, slots=True)
class SignInAttempt:
    """What a browser keeps while its user is at Discord to sign in.

    `state` and `verifier` tie Discord's answer to this browser; `return_path` is the page to go back to.
    `adds_to` is the account that Discord's is to be joined with; empty for signing in.
    """

    state: str
    verifier: str = field(repr=False)
    return_path: str
    adds_to: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class MailQuestion:
    """What a browser keeps while its user looks for a code in the mail of an address."""

    secret: str = field(repr=False)
    address: str
    return_path: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class PasskeyAttempt:
    """The challenge that a browser's passkey is to sign.

    `account` is the one that is to get a new passkey; empty for signing in.
    """

    challenge: str
    account: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class JoinAttempt:
    """Two accounts that a browser's user may join: both were signed in to, or have confirmed an address."""

    current: str
    other: str
    expires_at: datetime


Attempt: TypeAlias = SignInAttempt | MailQuestion | PasskeyAttempt | JoinAttempt
AttemptT = TypeVar("AttemptT", SignInAttempt, MailQuestion, PasskeyAttempt, JoinAttempt)
_PURPOSES: Mapping[type[Attempt], TokenPurpose] = MappingProxyType(
    {
        SignInAttempt: TokenPurpose.SIGN_IN,
        MailQuestion: TokenPurpose.MAIL,
        PasskeyAttempt: TokenPurpose.PASSKEY,
        JoinAttempt: TokenPurpose.JOIN,
    }
)


class TokenSigner:
    """Signs and verifies tokens."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._signers = {
            purpose: URLSafeSerializer(secret, salt=purpose.value, signer_kwargs={"digest_method": sha256})
            for purpose in TokenPurpose
        }

    def sign(self, token: SeatToken, purpose: TokenPurpose) -> str:
        """Return a token as text for URLs and cookies."""
        return self._signers[purpose].dumps(
            [token.match, dict(token.generations), int(token.expires_at.timestamp())]
        )

    def verify(self, text: str, purpose: TokenPurpose, now: datetime) -> SeatToken:
        """Return the token. Raises InvalidToken if it was not signed for this purpose or has expired."""
        try:
            token = _token_from_payload(self._signers[purpose].loads(text[:MAX_TOKEN_LENGTH]), now)
        except (BadData, TypeError, ValueError, AttributeError) as error:
            raise InvalidToken("malformed or not signed here") from error
        if token.expires_at <= now:
            raise InvalidToken("expired")
        return token

    def sign_list(self, numbers: list[list[int]]) -> str:
        """Return lists of numbers as text for a cookie."""
        return self._signers[TokenPurpose.LIST].dumps(numbers)

    def verify_list(self, text: str) -> list[list[int]]:
        """Return lists of numbers. Raises InvalidToken if they were not signed here."""
        try:
            numbers: list[list[int]] = self._signers[TokenPurpose.LIST].loads(text[:MAX_COOKIE_LENGTH])
        except BadData as error:
            raise InvalidToken("malformed or not signed here") from error
        return numbers

    def sign_mail_stop(self, account: str, address: str) -> str:
        """Return as text for a URL what stops the mails to an address of an account; it never expires."""
        return self._signers[TokenPurpose.MAIL_STOP].dumps([account, _digest(address)])

    def verify_mail_stop(self, text: str) -> tuple[str, Callable[[str], bool]]:
        """Return the account, and a function that tells whether an address is meant. Raises InvalidToken."""
        try:
            account, digest = self._signers[TokenPurpose.MAIL_STOP].loads(text[:MAX_TOKEN_LENGTH])
        except (BadData, TypeError, ValueError) as error:
            raise InvalidToken("malformed or not signed here") from error
        return str(account), lambda address: _digest(address) == digest

    def sign_mail_command(self, command: int) -> str:
        """Return as text for a URL what confirms a command that came by mail; the command itself expires."""
        return self._signers[TokenPurpose.MAIL_COMMAND].dumps(command)

    def verify_mail_command(self, text: str) -> int:
        """Return the command. Raises InvalidToken."""
        try:
            return int(self._signers[TokenPurpose.MAIL_COMMAND].loads(text[:MAX_TOKEN_LENGTH]))
        except (BadData, TypeError, ValueError) as error:
            raise InvalidToken("malformed or not signed here") from error

    def sign_invitation_stop(self, digest: str) -> str:
        """Return as text for a URL what refuses invitations to the address of a digest; it never expires."""
        return self._signers[TokenPurpose.INVITATION_STOP].dumps(digest)

    def verify_invitation_stop(self, text: str) -> str:
        """Return the digest of the address. Raises InvalidToken."""
        try:
            return str(self._signers[TokenPurpose.INVITATION_STOP].loads(text[:MAX_TOKEN_LENGTH]))
        except BadData as error:
            raise InvalidToken("malformed or not signed here") from error

    def sign_unwatch(self, account: str, match: MatchId | None) -> str:
        """Return as text for a URL what ends watching a match, or all with None; it never expires."""
        return self._signers[TokenPurpose.UNWATCH].dumps([account, match or 0])

    def verify_unwatch(self, text: str) -> tuple[str, MatchId | None]:
        """Return the account, and the match or None for all. Raises InvalidToken."""
        try:
            account, match = self._signers[TokenPurpose.UNWATCH].loads(text[:MAX_TOKEN_LENGTH])
        except (BadData, TypeError, ValueError) as error:
            raise InvalidToken("malformed or not signed here") from error
        return str(account), MatchId(int(match)) if match else None

    def sign_puzzle_stop(self, account: str) -> str:
        """Return as text for a URL what ends the puzzles by mail of an account; it never expires."""
        return self._signers[TokenPurpose.PUZZLE_STOP].dumps(account)

    def verify_puzzle_stop(self, text: str) -> str:
        """Return the account. Raises InvalidToken."""
        try:
            return str(self._signers[TokenPurpose.PUZZLE_STOP].loads(text[:MAX_TOKEN_LENGTH]))
        except BadData as error:
            raise InvalidToken("malformed or not signed here") from error

    def sign_attempt(self, attempt: Attempt) -> str:
        """Return something that has begun as text for a cookie."""
        *texts, expires_at = (getattr(attempt, one.name) for one in fields(attempt))
        return self._signers[_PURPOSES[type(attempt)]].dumps([*texts, int(expires_at.timestamp())])

    def verify_attempt(self, kind: type[AttemptT], text: str, now: datetime) -> AttemptT:
        """Return what has begun. Raises InvalidToken if it was not signed here or has expired."""
        try:
            *texts, expires_at = self._signers[_PURPOSES[kind]].loads(text[:MAX_COOKIE_LENGTH])
        except (BadData, TypeError, ValueError) as error:
            raise InvalidToken("malformed or not signed here") from error
        make: Callable[..., AttemptT] = kind
        attempt = make(*texts, datetime.fromtimestamp(expires_at, now.tzinfo))
        if attempt.expires_at <= now:
            raise InvalidToken("expired")
        return attempt

    def challenge_key(self, challenge: int) -> str:
        """Return the key in the link of a challenge by link."""
        return derive_challenge_key(self._secret, challenge)

    def has_challenge_key(self, challenge: int, key: str) -> bool:
        """Return whether `key` is the one of a challenge."""
        return hmac.compare_digest(self.challenge_key(challenge).encode(), key.encode())

    def with_expiry(self, token: SeatToken, expires_at: datetime) -> SeatToken:
        """Return the token with another time of expiry."""
        return replace(token, expires_at=expires_at)


def _digest(address: str) -> str:
    """Return what stands for a mail address in a URL."""
    return sha256(address.encode()).hexdigest()[:16]


def _token_from_payload(payload: Any, now: datetime) -> SeatToken:
    match, generations, expires_at = payload
    return SeatToken(
        match=MatchId(int(match)),
        generations=tuple((str(account), int(number)) for account, number in generations.items()),
        expires_at=datetime.fromtimestamp(expires_at, now.tzinfo),
    )
