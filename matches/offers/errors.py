"""Refusals about offers, takebacks, rematches and aborts."""

# ruff: noqa: N818 - refusals are named by their cause

from __future__ import annotations

from matches.errors import MatchError


class OfferUnknown(MatchError):
    """There is no such offer. Values: offer."""

    key = "offer_unknown"


class OfferExpired(MatchError):
    """A move, or another offer of its maker, has withdrawn the offer. Values: match."""

    key = "offer_gone"


class OfferAlreadyAnswered(MatchError):
    """The offer was already answered. Values: match."""

    key = "offer_answered"


class OfferRepeated(MatchError):
    """The person has already made this offer on this board. Values: match."""

    key = "offer_repeated"


class OpponentOfferPending(MatchError):
    """The opponent's offer has to be answered first. Values: match, name (the opponent's)."""

    key = "offer_awaits"


class OpponentOffer(MatchError):
    """Only the opponent, who made the offer, can withdraw it. Values: match, name (the opponent's)."""

    key = "not_own_offer"


class NoDraws(MatchError):
    """The rules of this game have no draws. Values: match."""

    key = "no_draws"


class OutcomeFixedByRules(MatchError):
    """An end by agreement is not a draw here: the rules define the winner. Values: match."""

    key = "board_decides"


class TakebacksNotAllowed(MatchError):
    """The terms of the match exclude takebacks. Values: match."""

    key = "takebacks_excluded"


class NothingToTakeBack(MatchError):
    """The person has not moved yet. Values: match."""

    key = "nothing_to_take_back"


class TooLateToAbort(MatchError):
    """Both players have moved. Values: match."""

    key = "too_late_to_abort"


class RematchBeforeEnd(MatchError):
    """The match is not over. Values: match."""

    key = "match_goes_on"


class OpponentErased(MatchError):
    """The opponent's data were erased, so there is nobody to play again. Values: match."""

    key = "opponent_erased"


class RematchOffered(MatchError):
    """The person has already challenged the opponent to a rematch. Values: match."""

    key = "rematch_offered"


class RematchDeclined(MatchError):
    """The opponent has declined the person's challenge to a rematch. Values: match."""

    key = "rematch_declined"


class RematchAlreadyStarted(MatchError):
    """The rematch has already started. Values: match, rematch (its id)."""

    key = "rematch_taken"
