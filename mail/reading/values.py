"""The values that reading a mail returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

Paragraphs = tuple[tuple[str, ...], ...]
"""What a person typed: paragraphs of lines, without empty lines."""


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """A mail as far as it is read; everything has a limit, and nothing in it is checked.

    `from_address` is empty unless there is exactly one header From with exactly one address. `recipients` are
    the addresses of Delivered-To, X-Original-To, To and Cc, in this order. Addresses are in lower case.
    `headers` has the values by the name in lower case, topmost first, each on one line and not decoded.
    `text` is what the text part says, at most `mail.reading.parsing.MAX_TEXT` characters. `report` is the
    machine-readable part of a delivery report, and `returned` the first mail that is attached.
    """

    message_id: str = ""
    from_address: str = ""
    from_name: str = ""
    recipients: tuple[str, ...] = ()
    in_reply_to: tuple[str, ...] = ()
    subject: str = ""
    date: datetime | None = None
    headers: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    content_type: str = "text/plain"
    text: str = ""
    report: str = ""
    returned: IncomingMail | None = None


@dataclass(frozen=True, slots=True)
class OwnMail:
    """What mails of ours look like, so that a quotation of them is not taken for something typed.

    `addresses` are the addresses that a reply may quote: the plain one and the one that the mail went to.
    Their domains count too. `names` are the names that mail programs show for us. `sent_lines` are the lines
    of mails that we sent to this address; in their order, because mail programs wrap lines anew.
    """

    addresses: tuple[str, ...]
    names: tuple[str, ...] = ()
    sent_lines: Collection[str] = ()


class Sender(Enum):
    """What is known about who sent a mail."""

    CONFIRMED = "confirmed"  # From is an address of the player, and its domain vouches for the mail
    UNPROVEN = "unproven"  # From is an address of the player, but nothing proves or disproves it
    FORGED = "forged"  # another From, or the domain of From disowns the mail


@dataclass(frozen=True, slots=True)
class Ignored:
    """A mail of a machine, which must never be answered; `reason` is for the log."""

    reason: str


@dataclass(frozen=True, slots=True)
class BounceReport:
    """A report that a mail of ours was not delivered, to `address` if the report names one.

    A hard bounce is final: the address does not exist or refuses mail. Whether the report is genuine is not
    checked here.
    """

    address: str | None
    is_hard: bool


class CommandName(StrEnum):
    """A command that can be typed into a mail; :mod:`mail.reading.vocabulary` has its spellings."""

    RESIGN = "resign"
    DRAW = "draw"
    END = "end"
    TAKEBACK = "takeback"
    ACCEPT = "accept"
    DECLINE = "decline"
    CLAIM = "claim"
    ABORT = "abort"
    BOARD = "board"
    GAMES = "games"
    IF = "if"
    NOTE = "note"
    PAUSE = "pause"
    RESUME = "resume"
    VACATION = "vacation"
    HINT = "hint"
    STOP = "stop"
    HELP = "help"
    CHALLENGE = "challenge"
    PLAY = "play"
    JOIN = "join"
    REMATCH = "rematch"
    WITHDRAW = "withdraw"
    GIVE = "give"
    START = "start"
    WATCH = "watch"
    UNWATCH = "unwatch"
    MISTAKES = "mistakes"
    PUZZLE = "puzzle"
    SOLUTION = "solution"


@dataclass(frozen=True, slots=True)
class Play:
    """A turn: the canonical texts of its moves, and the line that was typed.

    Every move is legal after the ones before it on the board that was given. Without a board the one word is
    a pick of a simultaneous choice.
    """

    words: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command with what follows it, such as ``7 days``; `is_sure` if ``yes`` follows what asks back."""

    name: CommandName
    argument: str = ""
    is_sure: bool = False


class UnclearReason(Enum):
    """Why nothing is done with what was typed."""

    EMPTY = "empty"  # nothing was typed
    NO_WORDS = "no_words"  # the first line is neither a move nor a command
    SEVERAL_MOVES = "several_moves"  # a further line has a move too
    ILLEGAL = "illegal"  # the first line is a move that is not legal now
    AMBIGUOUS = "ambiguous"  # the first line is a move that can mean several
    BAD_ARGUMENT = "bad_argument"  # a command whose argument is missing or has another form


@dataclass(frozen=True, slots=True)
class Unclear:
    """Nothing is done, and the sender is asked once; `text` is the first line that was typed."""

    reason: UnclearReason
    text: str = ""


Words = Play | Command | Unclear
