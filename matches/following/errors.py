"""The refusals about following, as data."""

# ruff: noqa: N818 - these are refusals, named by what is the matter

from __future__ import annotations

from matches.errors import MatchError


class TooManyFollowed(MatchError):
    """So many matches are followed already. Values: limit."""

    key = "too_many_followed"


class NotFollowed(MatchError):
    """This match is not followed. Values: match."""

    key = "not_followed"
