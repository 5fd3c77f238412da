"""Refusals about conditional moves."""

# ruff: noqa: N818 - refusals are named by their cause

from __future__ import annotations

from matches.errors import MatchError


class IsYourTurn(MatchError):
    """It is the person's turn, so they can play instead. Values: match."""

    key = "own_turn"


class LineMustEndWithOwnMove(MatchError):
    """A line must end with the person's own turn, or with resigning. Values: match."""

    key = "no_answer"


class IncompleteTurn(MatchError):
    """A turn of a line lacks moves of its set-up run. Values: match, due, given."""

    key = "turn_cut_short"


class LineTooLong(MatchError):
    """A line, or all lines of a match together, have too many turns. Values: match, limit."""

    key = "line_too_long"


class LineAfterGameEnd(MatchError):
    """A line continues after the end of the game. Values: match."""

    key = "line_beyond_end"


class LineUnknown(MatchError):
    """No such line is saved, or not any more. Values: match."""

    key = "line_unknown"
