"""Refusals of analyses."""

# ruff: noqa: N818 - refusals are named by their cause

from __future__ import annotations

from matches.errors import MatchError


class GameNotFinished(MatchError):
    """Only finished games are analysed, so that nobody gets help during a match."""

    key = "game_not_finished"


class GameTooLong(MatchError):
    """The game has too many turns to be analysed. Values: limit, size."""

    key = "game_too_long"


class TooManyAnalyses(MatchError):
    """The person has requested the maximum of analyses within a day. Values: limit."""

    key = "too_many_analyses"


class TooManyVisitorAnalyses(MatchError):
    """Visitors without an account have requested the maximum of analyses within a day. Values: limit."""

    key = "too_many_visitor_analyses"
