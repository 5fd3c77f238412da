"""The kinds of offer: when each is possible, and what accepting it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Outcome
from matches.errors import Refusal
from matches.hook_events import MatchEnded
from matches.offers.takebacks import check_takeback_allowed, take_back
from matches.updates import AnnouncementKind
from matches.values import EndReason, MatchState, OfferKind

if TYPE_CHECKING:
    from matches.locking import LockedMatch
    from matches.match_view import MatchView


def possible_offers(view: MatchView) -> tuple[OfferKind, ...]:
    """Return the kinds of offer to show to the players of a match.

    Empty without a position, after the end and while an offer is pending. A draw is included only if the
    rules do not define the result of an end by agreement; END covers the other case. Whether a certain player
    has a move to take back is checked only when they offer it.
    """
    position = view.position
    if view.state is not MatchState.PLAYING or position is None or view.pending_offer is not None:
        return ()
    possible = {
        OfferKind.END: position.agreed_outcome is not None,
        OfferKind.DRAW: position.agreed_outcome is None and position.game.allows_draws,
        OfferKind.TAKEBACK: view.terms.takebacks_allowed and bool(view.last_turn),
    }
    return tuple(kind for kind, is_possible in possible.items() if is_possible)


async def check_offer_allowed(locked: LockedMatch, kind: OfferKind, account: str) -> int | None:
    """Return the first ply that the offer would undo, None for an offer that undoes nothing.

    Raises `no_end_by_agreement`, `no_draws`, `outcome_fixed_by_rules`, `takebacks_not_allowed`,
    `nothing_to_take_back`, `choice_pending`.
    """
    locked.board()
    if kind is OfferKind.TAKEBACK:
        return await check_takeback_allowed(locked, account) + 1
    _agreed_outcome(locked, kind)
    return None


def resolve_kind(locked: LockedMatch, kind: OfferKind) -> OfferKind:
    """Return DRAW for END where the rules do not say who wins but the game has draws, else `kind`."""
    position = locked.board()
    is_draw = position.agreed_outcome is None and locked.game.allows_draws
    return OfferKind.DRAW if kind is OfferKind.END and is_draw else kind


def have_same_outcome(locked: LockedMatch, first: OfferKind, second: OfferKind) -> bool:
    """Return whether two allowed offers would end the match with the same outcome."""
    if OfferKind.TAKEBACK in {first, second}:
        return False
    return _agreed_outcome(locked, first) is _agreed_outcome(locked, second)


async def apply_offer(locked: LockedMatch, kind: OfferKind, account: str) -> AnnouncementKind:
    """Carry out an accepted offer of `account`; return the kind of its announcement."""
    if kind is OfferKind.TAKEBACK:
        await take_back(locked, account)
        return AnnouncementKind.TAKEN_BACK
    await locked.end(MatchEnded(_agreed_outcome(locked, kind), EndReason.AGREED))
    return AnnouncementKind.AGREED


def _agreed_outcome(locked: LockedMatch, kind: OfferKind) -> Outcome:
    """Return the outcome of an agreed end or draw.

    Raises `no_end_by_agreement`, `outcome_fixed_by_rules`, `no_draws`.
    """
    fixed_outcome = locked.board().agreed_outcome
    if kind is OfferKind.END:
        if fixed_outcome is None:
            raise Refusal("no_end_by_agreement", match=locked.row.id)
        return fixed_outcome
    if fixed_outcome not in (None, Outcome.DRAW):
        raise Refusal("outcome_fixed_by_rules", match=locked.row.id)
    if not locked.game.allows_draws:
        raise Refusal("no_draws", match=locked.row.id)
    return Outcome.DRAW
