"""What each kind of offer needs, and what accepting it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Outcome
from matches.concerns import End
from matches.errors import CannotAgree
from matches.offers.errors import BoardDecides, NoDraws
from matches.offers.takebacks import refuse_takeback, take_back
from matches.steps import AnnouncementKind
from matches.values import OfferKind, Reason

if TYPE_CHECKING:
    from matches.holding import Held


async def refuse_kind(held: Held, kind: OfferKind, account: str) -> None:
    """Raise the refusal of an offer that `account` cannot make on this board.

    One of CannotAgree, NoDraws, BoardDecides, TakebacksExcluded, NothingToTakeBack, or FistsClosed.
    """
    held.board()
    if kind is OfferKind.TAKEBACK:
        await refuse_takeback(held, account)
    else:
        _outcome(held, kind)


async def carry_out(held: Held, kind: OfferKind, account: str) -> AnnouncementKind:
    """Do what `account` has offered and the other accepts; give how it is announced."""
    if kind is OfferKind.TAKEBACK:
        await take_back(held, account)
        return AnnouncementKind.TAKEN_BACK
    await held.end(End(_outcome(held, kind), Reason.AGREED))
    return AnnouncementKind.AGREED


def _outcome(held: Held, kind: OfferKind) -> Outcome:
    """Give what an agreed end comes to. Where the rules say that themselves, a draw is one by them only."""
    ruled = held.board().agreed_outcome
    if kind is OfferKind.END:
        if ruled is None:
            raise CannotAgree(match=held.row.id)
        return ruled
    if ruled not in (None, Outcome.DRAW):
        raise BoardDecides(match=held.row.id)
    if not held.game.draws:
        raise NoDraws(match=held.row.id)
    return Outcome.DRAW
