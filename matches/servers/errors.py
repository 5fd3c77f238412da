"""Refusals about who may play with whom, and about correcting results."""

# ruff: noqa: N818 - these are refusals, named by what is the matter

from __future__ import annotations

from matches.errors import MatchError


class Excluded(MatchError):
    """Those who run this server keep this person out of matches here."""

    key = "kept_out"


class OpponentExcluded(MatchError):
    """Those who run this server keep the other person out of matches here. Values: name."""

    key = "other_kept_out"


class YouBlockedOpponent(MatchError):
    """This person has blocked the other. Values: name."""

    key = "you_blocked"


class OpponentBlockedYou(MatchError):
    """The other has blocked this person. Values: name."""

    key = "other_blocked"


class SelfBlock(MatchError):
    """Nobody blocks themself, nor keeps themself out of a server."""

    key = "self_block"


class BotBlock(MatchError):
    """An account that is no person plays with nobody, so there is nothing to block. Values: name."""

    key = "bot_block"


class MatchNotOver(MatchError):
    """The match goes on, so it has no result to correct. Values: match."""

    key = "match_not_over"


class InvalidReason(MatchError):
    """A correction needs a reason in words, and a short one. Values: limit (characters)."""

    key = "why_refused"


class ResultUnchanged(MatchError):
    """The match has that result already. Values: match."""

    key = "result_stands"


class InvalidOutcome(MatchError):
    """No outcome of that game. Values: outcome, sides."""

    key = "outcome_refused"
