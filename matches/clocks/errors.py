"""The refusals about time, as data."""

# ruff: noqa: N818 - these are refusals, named by what is the matter

from __future__ import annotations

from matches.errors import MatchError


class TimeControlUnreadable(MatchError):
    """The text is no pace. Values: text."""

    key = "pace_unreadable"


class TimeControlOutOfBounds(MatchError):
    """Times are too short, too long, or the most is less than the start. Values: shortest, longest."""

    key = "pace_out_of_bounds"


class NoClock(MatchError):
    """No clock runs in this match: no pace was agreed on. Values: match."""

    key = "no_clock"


class TimeNotOver(MatchError):
    """The other's time is not over, or they have moved since. Values: match, name (the other's)."""

    key = "time_not_over"


class TimeOver(MatchError):
    """Somebody's time is over, and that comes first. Values: match."""

    key = "time_over"


class ExtraTimeOutOfBounds(MatchError):
    """Too little or too much time to give. Values: least, most."""

    key = "gift_out_of_bounds"


class MatchPaused(MatchError):
    """The match is paused already. Values: match."""

    key = "match_paused"


class NotPaused(MatchError):
    """The match is not paused. Values: match."""

    key = "not_paused"


class PauseOffered(MatchError):
    """This person's offer to pause stands already. Values: match."""

    key = "pause_offered"


class PauseDeclined(MatchError):
    """This person's offer to pause was declined; a move must come first. Values: match."""

    key = "pause_declined"


class NoPauseOffer(MatchError):
    """No offer to pause stands, or it died with a move. Values: match."""

    key = "no_pause_offer"


class OwnPauseOffer(MatchError):
    """Nobody answers their own offer. Values: match."""

    key = "own_pause_offer"


class AlreadyOnVacation(MatchError):
    """This person is on vacation already."""

    key = "vacation_under_way"


class NotOnVacation(MatchError):
    """This person is not on vacation."""

    key = "no_vacation"


class NoVacationDaysLeft(MatchError):
    """No day of vacation is left this year. Values: days (that a year has), year."""

    key = "vacation_used_up"
