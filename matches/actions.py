"""What a player can do in a match now, so that every front end offers the same."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from matches.computer.accounts import is_computer
from matches.offers.kinds import possible_offers
from matches.values import MatchState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matches.clocks.values import MatchTime
    from matches.match_view import MatchView


class Action(StrEnum):
    """Something that a player does in a match. Which offers there are, :func:`possible_offers` says."""

    PICK = "pick"
    PLAY = "play"
    SAVE_LINES = "save_lines"  # conditional moves
    OFFER = "offer"
    ANSWER_OFFER = "answer_offer"
    WITHDRAW_OFFER = "withdraw_offer"
    RESIGN = "resign"
    ABORT = "abort"
    CLAIM = "claim"  # the win on time
    GIVE_TIME = "give_time"
    OFFER_PAUSE = "offer_pause"
    ANSWER_PAUSE = "answer_pause"
    WITHDRAW_PAUSE = "withdraw_pause"
    RESUME = "resume"
    REMATCH = "rematch"


def possible_actions(view: MatchView, account: str) -> frozenset[Action]:
    """Return what an account can do on the board of a view: nothing on an old one, or without a seat."""
    opponent = view.opponent(account)
    if opponent is None or not view.is_current:
        return frozenset()
    if view.state is MatchState.OVER:
        return frozenset({Action.REMATCH})
    possible = {Action.RESIGN}
    if any(person.account == account for person in view.waits_for):
        possible.add(Action.PICK if view.state is MatchState.CHOOSING else Action.PLAY)
    elif view.to_move is not None and is_between_people(view):
        possible.add(Action.SAVE_LINES)
    if view.is_abortable:
        possible.add(Action.ABORT)
    if possible_offers(view):
        possible.add(Action.OFFER)
    if view.pending_offer is not None:
        is_own = view.pending_offer.by.account == account
        possible.add(Action.WITHDRAW_OFFER if is_own else Action.ANSWER_OFFER)
    if view.time is not None and is_between_people(view):
        possible.update(_clock_actions(view.time, account, opponent.person.account))
    return frozenset(possible)


def is_between_people(view: MatchView) -> bool:
    """Return whether nobody plays the computer: it answers at once, and neither claims nor pauses."""
    return not any(is_computer(seat.person.account) for seat in view.seats)


def _clock_actions(time: MatchTime, account: str, opponent: str) -> Iterator[Action]:
    """Yield what a player can do about the clock, in a match against a person."""
    is_flagged = {seat.person.account: seat.flagged_at is not None for seat in time.seats}
    if is_flagged[opponent]:
        yield Action.CLAIM
    yield Action.GIVE_TIME
    if time.paused:
        yield Action.RESUME
    elif time.pause_offered_by is not None:
        is_own = time.pause_offered_by.account == account
        yield Action.WITHDRAW_PAUSE if is_own else Action.ANSWER_PAUSE
    elif not any(is_flagged.values()):
        yield Action.OFFER_PAUSE
