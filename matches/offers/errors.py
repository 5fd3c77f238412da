"""Refusals about offers, takebacks, rematches and matches given up early."""

# ruff: noqa: N818 - these are refusals, named by what is the matter

from __future__ import annotations

from matches.errors import MatchError


class OfferUnknown(MatchError):
    """There is no such offer. Values: offer."""

    key = "offer_unknown"


class OfferExpired(MatchError):
    """The offer died: somebody has moved since, or its maker has offered something else. Values: match."""

    key = "offer_gone"


class OfferAlreadyAnswered(MatchError):
    """The offer was answered already. Values: match."""

    key = "offer_answered"


class OfferRepeated(MatchError):
    """This person has offered that on this very board already. Values: match."""

    key = "offer_repeated"


class OpponentOfferPending(MatchError):
    """The other's offer has to be answered first. Values: match, name (whose it is)."""

    key = "offer_awaits"


class NoDraws(MatchError):
    """The rules of this game know no draw. Values: match."""

    key = "no_draws"


class OutcomeFixedByRules(MatchError):
    """An end by agreement is no draw here: the rules say who wins then. Values: match."""

    key = "board_decides"


class TakebacksNotAllowed(MatchError):
    """The people have agreed that no move is taken back. Values: match."""

    key = "takebacks_excluded"


class NothingToTakeBack(MatchError):
    """This person has not moved yet. Values: match."""

    key = "nothing_to_take_back"


class TooLateToAbort(MatchError):
    """Both people have moved. Values: match."""

    key = "too_late_to_abort"


class RematchBeforeEnd(MatchError):
    """The match is not over. Values: match."""

    key = "match_goes_on"


class RematchOffered(MatchError):
    """This person has challenged the other to a rematch already. Values: match."""

    key = "rematch_offered"


class RematchDeclined(MatchError):
    """The other has declined this person's challenge to a rematch. Values: match."""

    key = "rematch_declined"


class RematchAlreadyStarted(MatchError):
    """The rematch has begun already. Values: match, rematch (its number)."""

    key = "rematch_taken"
