"""Refusals about matches against the computer."""

# ruff: noqa: N818 - refusals are named by their cause

from __future__ import annotations

from matches.errors import MatchError


class LevelUnknown(MatchError):
    """The computer has no such level. Values: level, levels."""

    key = "level_unknown"


class TooManyComputerMatches(MatchError):
    """The person plays as many matches against the computer as are allowed at once. Values: limit."""

    key = "too_many_computer_matches"


class ComputerNeverLate(MatchError):
    """The opponent is the computer, against which time is neither claimed nor given. Values: match, name."""

    key = "computer_never_late"
