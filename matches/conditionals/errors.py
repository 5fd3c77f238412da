"""The refusals about what is settled beforehand, as data."""

# ruff: noqa: N818 - these are refusals, named by what is the matter

from __future__ import annotations

from matches.errors import MatchError


class IsYourTurn(MatchError):
    """The person is to move, so there is nothing to wait for: they can play. Values: match."""

    key = "own_turn"


class LineMustEndWithOwnMove(MatchError):
    """A line must end with the person's own turn, or with resigning. Values: match."""

    key = "no_answer"


class IncompleteTurn(MatchError):
    """A turn of a line lacks moves of its run. Values: match, due, given."""

    key = "turn_cut_short"


class LineTooLong(MatchError):
    """A line, or all lines of a match together, hold more turns than are kept. Values: match, limit."""

    key = "line_too_long"


class LineAfterGameEnd(MatchError):
    """A line goes on where the game, or the match by resigning, is over. Values: match."""

    key = "line_beyond_end"


class LineUnknown(MatchError):
    """Nothing is settled for that line, or not any more. Values: match."""

    key = "line_unknown"
