"""Refusals about exclusions, blocks, and corrections of results."""

# ruff: noqa: N818 - refusals are named by their cause

from __future__ import annotations

from matches.errors import MatchError


class Excluded(MatchError):
    """The person is excluded from matches on this server."""

    key = "kept_out"


class OpponentExcluded(MatchError):
    """The opponent is excluded from matches on this server. Values: name."""

    key = "other_kept_out"


class YouBlockedOpponent(MatchError):
    """The person blocks the opponent. Values: name."""

    key = "you_blocked"


class OpponentBlockedYou(MatchError):
    """The opponent blocks the person. Values: name."""

    key = "other_blocked"


class SelfBlock(MatchError):
    """Nobody can block or exclude themselves."""

    key = "self_block"


class BotBlock(MatchError):
    """A bot account does not play, so it cannot be blocked. Values: name."""

    key = "bot_block"


class MatchNotOver(MatchError):
    """The match is under way, and not abandoned. Values: match, days (without a move, to end it)."""

    key = "match_not_over"


class InvalidReason(MatchError):
    """The reason of a correction is empty or too long. Values: limit (in characters)."""

    key = "why_refused"


class ResultUnchanged(MatchError):
    """The match already has that result. Values: match."""

    key = "result_stands"


class InvalidOutcome(MatchError):
    """The game has no such outcome. Values: outcome, sides."""

    key = "outcome_refused"
