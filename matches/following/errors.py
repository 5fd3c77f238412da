"""Refusals about following."""

# ruff: noqa: N818 - refusals are named by their cause

from __future__ import annotations

from matches.errors import MatchError


class TooManyFollowed(MatchError):
    """The person already follows the maximum of matches. Values: limit."""

    key = "too_many_followed"


class NotFollowed(MatchError):
    """The person does not follow this match. Values: match."""

    key = "not_followed"
