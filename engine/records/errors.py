"""What can be wrong with the text of a record; every error says where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.game import GameError

if TYPE_CHECKING:
    from engine.game import Position


class TextLocation(NamedTuple):
    """A place in a text: line and column, both from 1, a column being one character."""

    line: int
    column: int


class RecordError(GameError):
    """A text that is no record, or a record that does not hold together.

    `location` is where, `reason` why, `text` the part of the text concerned. The message says all of it.
    """

    def __init__(
        self, reason: str, location: TextLocation, *, text: str = "", position: Position | None = None
    ) -> None:
        super().__init__(reason, text=text, position=position)
        self.location = location

    def __str__(self) -> str:
        return f"Line {self.location.line}, column {self.location.column}: {self.reason}"


class RecordSyntaxError(RecordError):
    """The text is not written as records are: headers in brackets, then numbered turns, then the result."""


class RecordHeaderError(RecordError):
    """A header is missing, comes twice, or says what cannot be."""


class RecordMoveError(RecordError):
    """A move cannot be played where it stands; `reason` is the game's own, `position` the one before it."""


class RecordResultError(RecordError):
    """The result is not the one that the moves and the reason given lead to."""


class RecordSizeError(RecordError):
    """The text is longer, or has more of something, than is read."""
