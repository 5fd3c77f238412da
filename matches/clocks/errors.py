"""The refusals about time, as data."""

# ruff: noqa: N818 - these are refusals, named by what is the matter

from __future__ import annotations

from matches.errors import MatchError


class PaceUnreadable(MatchError):
    """The text is no pace. Values: text."""

    key = "pace_unreadable"


class PaceOutOfBounds(MatchError):
    """Times are too short, too long, or the most is less than the start. Values: shortest, longest."""

    key = "pace_out_of_bounds"
