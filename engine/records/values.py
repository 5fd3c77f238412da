"""A record: one match as a value."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engine import find
from engine.records.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Game, Outcome, Position, Setting

PLAYED: Final = "played"
"""The reason of a result that the rules of the game came to."""

RESIGNED: Final = "resigned"
"""The reason of a result by which the winner's adversary gave up."""

AGREED: Final = "agreed"
"""The reason of a result that both people agreed to and that the game knows for that case."""

FIXED: Final = ("Game", "Rules", "Options", "Start", "Began", "Ended", "Pace", "Result", "Reason")
"""The headers that the format knows, besides one for each side of the game."""

_NAME = re.compile(r"[A-Z][A-Za-z0-9]{0,39}")
_REASON = re.compile(r"[a-z][a-z-]{0,39}")
_MOVE = re.compile(r"[^\s{}\[\]\"\\]{1,200}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?")


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered turn: a move in its canonical text, and what is said of it ("" for nothing)."""

    move: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One match.

    `options` are complete, with what was drawn and settled. `start` is the line of the first position where
    the match did not begin as its options say, else "". `people` are the names of those who sat at the
    sides when it began, in order of the first move ("" for unknown); a swap exchanges them from there on.
    `began` and `ended` are a day like 2026-11-20 or a moment like 2026-11-20T19:30:00Z (see :func:`stamp`),
    `pace` is free text, each "" for unknown. `result` is None while the match goes on; `reason` is a word
    such as :data:`PLAYED`, "" without a result. `comment` is said before the first move. `others` are
    headers whose names the format does not know.

    Raises ValueError for what the format cannot hold. Whether the moves can be played is not checked.
    """

    game: str
    rules_version: int
    options: Mapping[str, Setting] = field(hash=False)
    entries: tuple[Entry, ...] = ()
    start: str = ""
    people: tuple[str, str] = ("", "")
    began: str = ""
    ended: str = ""
    pace: str = ""
    result: Outcome | None = None
    reason: str = ""
    comment: str = ""
    others: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))
        sides = [side.capitalize() for side in self.rules.sides]
        names = [name for name, _ in self.others]
        for name in names:
            _require(is_name(name) and name not in {*FIXED, *sides}, Reason.BAD_NAME, name)
        _require(len(set(names)) == len(names), Reason.TWICE, names)
        for date in (self.began, self.ended):
            _require(not date or is_date(date), Reason.BAD_DATE, date)
        _require(not self.reason or is_reason(self.reason), Reason.BAD_REASON, self.reason)
        for entry in self.entries:
            _require(_MOVE.fullmatch(entry.move) is not None, Reason.BAD_MOVE, entry.move)
        said = (self.start, *self.people, self.pace, self.comment, *(value for _, value in self.others))
        for text in (*said, *(entry.comment for entry in self.entries)):
            _require(is_text(text), Reason.NOT_TEXT, text)

    @property
    def rules(self) -> Game:
        """The game under the version of its rules that was played. Raises UnknownGameError."""
        return find(self.game, self.rules_version)

    @property
    def first(self) -> Position:
        """The first position. Raises GameError where the options or `start` give none."""
        return self.rules.load(self.start) if self.start else self.rules.start(**self.options)

    def positions(self) -> Iterator[Position]:
        """Give the first position, then the one after each entry. Raises GameError at a refused move."""
        position = self.first
        yield position
        for entry in self.entries:
            position = position.play(position.parse(entry.move))
            yield position


def stamp(moment: datetime) -> str:
    """Give an aware moment as a record writes it, in universal time to the second."""
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def is_name(text: str) -> bool:
    """Tell whether `text` can be the name of a header."""
    return _NAME.fullmatch(text) is not None


def is_reason(text: str) -> bool:
    """Tell whether `text` can be the reason of a result: one word in small letters."""
    return _REASON.fullmatch(text) is not None


def is_date(text: str) -> bool:
    """Tell whether `text` is a day of the calendar, or a moment of one."""
    if not _DATE.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_text(text: str) -> bool:
    """Tell whether `text` can be encoded: it holds no half of a surrogate pair."""
    return not any("\ud800" <= sign <= "\udfff" for sign in text)


def _require(holds: bool, reason: Reason, found: object) -> None:
    if not holds:
        raise ValueError(reason.say(found=ascii(found)))
