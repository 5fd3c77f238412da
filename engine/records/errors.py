"""Errors in the text of a record; each has a location."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.game import GameError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Position
    from engine.sentences import RefusalValue


class TextLocation(NamedTuple):
    """A line and a column in a text, both from 1; a column is one character."""

    line: int
    column: int


class RecordError(GameError):
    """The text is not a record, or its parts contradict each other.

    `location` is where the error is, and `text` is the part of the record that is wrong. The message of the
    exception is the location and the reason.
    """

    def __init__(
        self,
        key: str,
        values: Mapping[str, RefusalValue],
        location: TextLocation,
        *,
        text: str = "",
        position: Position | None = None,
        vocabulary: str = "",
    ) -> None:
        super().__init__(key, values, text=text, position=position, vocabulary=vocabulary)
        self.location = location

    def __str__(self) -> str:
        return f"Line {self.location.line}, column {self.location.column}: {self.reason}"


class RecordSyntaxError(RecordError):
    """The text does not have the form of a record: headers in brackets, numbered turns, the result."""


class RecordHeaderError(RecordError):
    """A header is missing, occurs twice or has an invalid value."""


class RecordMoveError(RecordError):
    """A move is not legal; `reason` is that of the game and `position` is the one before the move."""


class RecordResultError(RecordError):
    """The result does not follow from the moves and the reason."""


class RecordSizeError(RecordError):
    """The text is too long, or has too many headers or turns."""
