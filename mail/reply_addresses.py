"""The addresses to which mails are answered: each says what a mail was about, and to whom it went.

``play+m2s-1f-abcdefghijklmnop@example.org`` is about match 100 at revision 51. The last part is a MAC of
these numbers and the account, with a key that follows from the secret of the website: nobody else can make
one. It shows what somebody answers, not who: quotations and forwarded mails contain it. All is in lower case,
because some mail servers change the case.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from dataclasses import dataclass
from datetime import UTC, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from matches.puzzles.values import PuzzleStep
from matches.values import ChallengeId, MatchId

if TYPE_CHECKING:
    from datetime import datetime

TOKEN_PLACE = "%{token}"  # noqa: S105 - where a pattern has the token, as other programs write it
WITHOUT_NAME = "play"  # the address without token, if the pattern has nothing else before the @
SEPARATORS = "+-=_."  # between a name and the token
MAC_BYTES = 10  # 80 bits, 16 characters
MAX_LOCAL_LENGTH = 64  # characters before the @, RFC 5321
LONGEST_TOKEN = 32  # characters, of a match with the largest numbers that are read, and of a puzzle
KEY_DIGITS, KEY_LENGTH = 13, 16  # of the key of a puzzle, in base 36 and in hexadecimal
JOIN_LIFETIME = timedelta(days=30)
_DAY = timedelta(days=1)
_NUMBER = "(0|[1-9a-z][0-9a-z]{0,%d})"
_ID, _REVISION, _DATE = _NUMBER % 5, _NUMBER % 6, _NUMBER % 3  # each fits its column
_TURN = _NUMBER % 3
_MAC = "([a-z2-7]{16})"
_MATCH = re.compile(f"m{_ID}-{_REVISION}-{_MAC}")
_MISTAKE = re.compile(f"t{_ID}-{_TURN}-{_MAC}")
_PUZZLE = re.compile(f"p([0-9a-z]{{13}})([0-9])-{_MAC}")
_CHALLENGE = re.compile(f"c{_ID}-{_MAC}")
_JOIN = re.compile(f"j{_DATE}-{_MAC}")
_BOUNCE = re.compile(f"b{_MAC}")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9.-]+")


@dataclass(frozen=True, slots=True)
class MatchToken:
    """Answers a mail about a match to one account; `revision` is that of the board that the mail showed."""

    match: MatchId
    revision: int
    mac: str


@dataclass(frozen=True, slots=True)
class MistakeToken:
    """Answers a mail that asks one account for a better turn than its `turn` in a finished match."""

    match: MatchId
    turn: int
    mac: str


@dataclass(frozen=True, slots=True)
class PuzzleToken:
    """Answers a mail that asks one account for the next turn of a puzzle."""

    step: PuzzleStep
    mac: str


@dataclass(frozen=True, slots=True)
class ChallengeToken:
    """Answers a mail about a challenge to one account."""

    challenge: ChallengeId
    mac: str


@dataclass(frozen=True, slots=True)
class JoinToken:
    """Answers a mail to an address that belongs to nobody yet; `day` counts days since 1970 UTC."""

    day: int
    mac: str

    def has_expired(self, now: datetime) -> bool:
        """Return whether JOIN_LIFETIME is over; also for a day that has not come yet."""
        return not 0 <= _day_of(now) - self.day <= JOIN_LIFETIME // _DAY


@dataclass(frozen=True, slots=True)
class BounceToken:
    """The envelope sender of a mail: what cannot be delivered comes back there."""

    mac: str


@dataclass(frozen=True, slots=True)
class Plain:
    """The address without token."""


Token = MatchToken | MistakeToken | PuzzleToken | ChallengeToken | JoinToken | BounceToken


class ReplyAddresses:
    """Makes and reads the addresses of an installation.

    `pattern` is an address, to whose name ``+`` and the token are added, or one with :data:`TOKEN_PLACE`
    before the @, such as ``mailbox-%{token}@example.org``. `secret` is that of the website. Raises ValueError
    for a pattern that makes no addresses.
    """

    def __init__(self, pattern: str, secret: str) -> None:
        name, _, domain = pattern.strip().lower().rpartition("@")
        local = name
        if TOKEN_PLACE not in local:
            local += f"+{TOKEN_PLACE}"
        self._before, _, self._after = local.partition(TOKEN_PLACE)
        self.domain = domain
        own = (self._before.rstrip(SEPARATORS) + self._after.lstrip(SEPARATORS)).strip(SEPARATORS)
        self.plain = f"{own or WITHOUT_NAME}@{domain}"
        self._key = hmac.digest(secret.encode(), b"mail reply addresses", sha256)
        longest = self._make("0" * LONGEST_TOKEN)
        is_short = len(longest.rpartition("@")[0]) <= MAX_LOCAL_LENGTH
        if not name or not is_short or _ADDRESS.fullmatch(longest) is None:
            raise ValueError("not an address, or one that is too long for tokens")

    def match_address(self, match: MatchId, revision: int, account: str) -> str:
        """Return where an account answers a mail about a match that shows the board of a revision."""
        mac = self._sign("m", account, match, revision)
        return self._make(f"m{_encode(match)}-{_encode(revision)}-{mac}")

    def mistake_address(self, match: MatchId, turn: int, account: str) -> str:
        """Return where an account answers a mail that asks for a better turn than one of a match."""
        return self._make(f"t{_encode(match)}-{_encode(turn)}-{self._sign('t', account, match, turn)}")

    def puzzle_address(self, step: PuzzleStep, account: str) -> str:
        """Return where an account answers a mail that asks for the next turn of a puzzle."""
        key, mac = _encode(int(step.key, 16)), self._sign("p", account, int(step.key, 16), step.found)
        return self._make(f"p{key:0>{KEY_DIGITS}}{step.found}-{mac}")

    def challenge_address(self, challenge: ChallengeId, account: str) -> str:
        """Return where an account answers a mail about a challenge."""
        return self._make(f"c{_encode(challenge)}-{self._sign('c', account, challenge)}")

    def join_address(self, address: str, *, now: datetime) -> str:
        """Return where whoever reads the mail of an address answers without an account, for JOIN_LIFETIME."""
        day = _day_of(now)
        return self._make(f"j{_encode(day)}-{self._sign('j', address.lower(), day)}")

    def bounce_address(self, address: str) -> str:
        """Return the envelope sender of mails to an address."""
        return self._make(f"b{self._sign('b', address.lower())}")

    def read(self, recipient: str) -> Token | Plain | None:
        """Return what an address says, None if it is none of these. The MAC is not checked."""
        local, _, domain = recipient.strip().lower().rpartition("@")
        if domain != self.domain or len(local) > MAX_LOCAL_LENGTH:
            return None
        if f"{local}@{domain}" == self.plain:
            return Plain()
        if not local.startswith(self._before) or not local.endswith(self._after):
            return None
        return _parse(local[len(self._before) : len(local) - len(self._after)])

    def is_valid(self, token: Token, who: str) -> bool:
        """Return whether this installation made a token, for an account or, without one, an address.

        Takes the same time whatever the MAC is. That the token of an invitation has expired is not checked.
        """
        match token:
            case MatchToken():
                expected = self._sign("m", who, token.match, token.revision)
            case MistakeToken():
                expected = self._sign("t", who, token.match, token.turn)
            case PuzzleToken():
                expected = self._sign("p", who, int(token.step.key, 16), token.step.found)
            case ChallengeToken():
                expected = self._sign("c", who, token.challenge)
            case JoinToken():
                expected = self._sign("j", who.lower(), token.day)
            case BounceToken():
                expected = self._sign("b", who.lower())
        return hmac.compare_digest(expected.encode(), token.mac.encode())

    def _make(self, token: str) -> str:
        return f"{self._before}{token}{self._after}@{self.domain}"

    def _sign(self, kind: str, who: str, *numbers: int) -> str:
        signed = " ".join((kind, *map(str, numbers), who))
        mac = hmac.digest(self._key, signed.encode(errors="replace"), sha256)
        return b32encode(mac[:MAC_BYTES]).decode().lower()


def _parse(text: str) -> Token | None:
    if found := _MATCH.fullmatch(text):
        return MatchToken(MatchId(int(found[1], 36)), int(found[2], 36), found[3])
    if found := _MISTAKE.fullmatch(text):
        return MistakeToken(MatchId(int(found[1], 36)), int(found[2], 36), found[3])
    if found := _PUZZLE.fullmatch(text):
        return PuzzleToken(PuzzleStep(f"{int(found[1], 36):0{KEY_LENGTH}x}", int(found[2])), found[3])
    if found := _CHALLENGE.fullmatch(text):
        return ChallengeToken(ChallengeId(int(found[1], 36)), found[2])
    if found := _JOIN.fullmatch(text):
        return JoinToken(int(found[1], 36), found[2])
    return BounceToken(found[1]) if (found := _BOUNCE.fullmatch(text)) else None


def _encode(number: int) -> str:
    digits = ""
    while True:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
        if not number:
            return digits


def _day_of(now: datetime) -> int:
    return int(now.astimezone(UTC).timestamp()) // int(_DAY.total_seconds())
