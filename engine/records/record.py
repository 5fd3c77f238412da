"""The record of one match as a value."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engine import GAMES, get_game
from engine.game import GameError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Game, OptionValue, Outcome, Position

PLAYED: Final = "played"
"""The reason of a result that follows from the rules of the game."""

RESIGNED: Final = "resigned"
"""The reason of a result if the loser resigned."""

AGREED: Final = "agreed"
"""The reason of a result if the players agreed to end (see `Position.agreed_outcome`)."""

OLD_TIME_CONTROL: Final = "Pace"
"""How the header TimeControl was named in earlier records."""

KNOWN_HEADERS: Final = (
    *("Game", "Rules", "Options", "Start", "Began", "Ended", "TimeControl", "Result", "Reason"),
    OLD_TIME_CONTROL,
)
"""The headers of the format; there is also one for each side of the game."""

_NAME = re.compile(r"[A-Z][A-Za-z0-9]{0,39}")
_REASON = re.compile(r"[a-z][a-z-]{0,39}")
_MOVE = re.compile(r"[^\s{}\[\]\"\\]{1,200}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?")


@dataclass(frozen=True, slots=True)
class RecordEntry:
    """One numbered turn: the canonical text of a move, and a comment ("" for none)."""

    move: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One match. Optional texts are "" where they are unknown.

    Creating a record raises GameError for values that the format cannot express. The moves are not checked.

    Attributes:
        options: All options, with random values and the result of a simultaneous choice.
        entries: The turns in order.
        start: The line of the first position if the match did not begin as its options say, else "".
        players: The names of the players at the beginning, in the order of the game's sides. A swap exchanges
            them from there on.
        began: A day such as 2026-11-20 or a moment such as 2026-11-20T19:30:00Z (see :func:`format_moment`).
        ended: The same for the end of the match.
        time_control: Free text.
        result: The result, or None if the match is not finished.
        reason: A word such as :data:`PLAYED`; "" without a result.
        comment: The comment before the first move.
        other_headers: Names and values of headers that the format does not define.
        games: The games that the record may be of, by name.

    """

    game: str
    rules_version: int
    options: Mapping[str, OptionValue] = field(hash=False)
    entries: tuple[RecordEntry, ...] = ()
    start: str = ""
    players: tuple[str, str] = ("", "")
    began: str = ""
    ended: str = ""
    time_control: str = ""
    result: Outcome | None = None
    reason: str = ""
    comment: str = ""
    other_headers: tuple[tuple[str, str], ...] = ()
    games: Mapping[str, Game] = field(default_factory=lambda: GAMES, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))
        sides = [side.capitalize() for side in self.rules.sides]
        names = [name for name, _ in self.other_headers]
        for name in names:
            _require(is_header_name(name) and name not in {*KNOWN_HEADERS, *sides}, "bad_name", name)
        _require(len(set(names)) == len(names), "header_twice", names)
        for date in (self.began, self.ended):
            _require(not date or is_date(date), "bad_date", date)
        _require(not self.reason or is_reason(self.reason), "bad_reason", self.reason)
        for entry in self.entries:
            _require(_MOVE.fullmatch(entry.move) is not None, "bad_move", entry.move)
        free_texts = (
            self.start,
            *self.players,
            self.time_control,
            self.comment,
            *(value for _, value in self.other_headers),
        )
        for text in (*free_texts, *(entry.comment for entry in self.entries)):
            _require(is_encodable(text), "surrogate", text)

    @property
    def rules(self) -> Game:
        """The game under the rules version of the record. Raise UnknownGameError."""
        return get_game(self.game, self.rules_version, self.games)

    @property
    def first_position(self) -> Position:
        """The first position. Raise GameError if the options or `start` are not valid."""
        return self.rules.load(self.start) if self.start else self.rules.initial_position(**self.options)

    def positions(self) -> Iterator[Position]:
        """Yield the first position and the one after each entry. Raise GameError at an illegal move."""
        position = self.first_position
        yield position
        for entry in self.entries:
            position = position.play(position.parse(entry.move))
            yield position


def format_moment(moment: datetime) -> str:
    """Return an aware `moment` in the form of a record: UTC, to the second."""
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def is_header_name(text: str) -> bool:
    """Return whether `text` can be the name of a header."""
    return _NAME.fullmatch(text) is not None


def is_reason(text: str) -> bool:
    """Return whether `text` can be the reason of a result: one word in lower case."""
    return _REASON.fullmatch(text) is not None


def is_date(text: str) -> bool:
    """Return whether `text` is a valid day, or a moment with time."""
    if not _DATE.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_encodable(text: str) -> bool:
    """Return whether `text` can be encoded as UTF-8: it has no unpaired surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _require(condition: bool, key: str, found: object) -> None:
    if not condition:
        raise GameError(f"record.{key}", {"found": ascii(found)})
