"""Refusals about time."""

# ruff: noqa: N818 - refusals are named by their cause

from __future__ import annotations

from matches.errors import MatchError


class TimeControlUnreadable(MatchError):
    """The text is not a time control. Values: text."""

    key = "pace_unreadable"


class TimeControlOutOfBounds(MatchError):
    """A time is too short or too long, or the cap is below the start. Values: shortest, longest."""

    key = "pace_out_of_bounds"


class NoClock(MatchError):
    """The match has no clock. Values: match."""

    key = "no_clock"


class NotAbandoned(MatchError):
    """The match has a clock, or the opponent still has time. Values: match, name (the opponent's)."""

    key = "not_abandoned"


class TimeNotOver(MatchError):
    """The opponent still has time, or has moved meanwhile. Values: match, name (the opponent's)."""

    key = "time_not_over"


class TimeOver(MatchError):
    """A player is out of time, which has to be decided first. Values: match."""

    key = "time_over"


class TimeOverAgainstComputer(TimeOver):
    """The person is out of time against the computer, and has to move first. Values: match, name."""

    key = "time_over_to_computer"


class ExtraTimeOutOfBounds(MatchError):
    """The time to give is too short or too long. Values: least, most."""

    key = "gift_out_of_bounds"


class MatchPaused(MatchError):
    """The match is already paused. Values: match."""

    key = "match_paused"


class NotPaused(MatchError):
    """The match is not paused. Values: match."""

    key = "not_paused"


class PauseOffered(MatchError):
    """The person's offer to pause is already pending. Values: match."""

    key = "pause_offered"


class PauseDeclined(MatchError):
    """The person's offer to pause was declined; a move must come first. Values: match."""

    key = "pause_declined"


class NoPauseOffer(MatchError):
    """No offer to pause is pending, or a move has withdrawn it. Values: match."""

    key = "no_pause_offer"


class OwnPauseOffer(MatchError):
    """A person cannot answer their own offer. Values: match."""

    key = "own_pause_offer"


class AlreadyOnVacation(MatchError):
    """The person is already on vacation."""

    key = "vacation_under_way"


class NotOnVacation(MatchError):
    """The person is not on vacation."""

    key = "no_vacation"


class NoVacationDaysLeft(MatchError):
    """The person has used up their vacation days. Values: days (of a year), year."""

    key = "vacation_used_up"
