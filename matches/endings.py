"""Ends that people bring about: resigning, and agreeing to end."""

# ruff: noqa: ARG002 - a hook is told more than it needs

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.concerns import Concern, End
from matches.errors import CannotAgree, NoOffer, OfferDeclined, OfferStands, OwnOffer
from matches.values import AnnouncementKind, Reason

if TYPE_CHECKING:
    from datetime import datetime

    from engine.game import Outcome
    from matches.concerns import Columns, Turned
    from matches.holding import Held, Holder
    from matches.values import MatchId, Person, Turn


class Agreement(Concern):
    """The offer to end: it dies when a move is made, and with the match."""

    def turned(self, held: Held, turned: Turned) -> Columns:
        """Let it die, and what was declined be offered again."""
        return {"offer": None, "offer_declined": False}

    def ended(self, held: Held, end: End) -> Columns:
        """Let it die."""
        return {"offer": None}


class Endings:
    """The ends of matches."""

    def __init__(self, holder: Holder) -> None:
        self._holder = holder

    async def resign(self, match: MatchId, person: Person, now: datetime) -> Turn:
        """Let the other side win."""
        async with self._holder.hold(match, person, now) as held:
            return await _end(held, held.win(held.other), Reason.RESIGNED)

    async def offer(self, match: MatchId, person: Person, seen_ply: int | None, now: datetime) -> Turn:
        """Offer to end by agreement, or accept the offer that stands."""
        async with self._holder.hold(match, person, now) as held:
            outcome = held.board().agreed_outcome
            held.refuse_stale(seen_ply, held.row.ply)
            if outcome is None:
                raise CannotAgree(match=match)
            if held.row.offer == person.account:
                raise (OfferDeclined if held.row.offer_declined else OfferStands)(match=match)
            if held.row.offer is not None and not held.row.offer_declined:
                return await _end(held, outcome, Reason.AGREED)
            await held.change(offer=person.account, offer_declined=False)
            return await held.turn(await held.announce(AnnouncementKind.OFFERED, (held.other,)))

    async def answer(
        self, match: MatchId, person: Person, *, accept: bool, seen_ply: int | None, now: datetime
    ) -> Turn:
        """Accept or decline the other's offer to end."""
        async with self._holder.hold(match, person, now) as held:
            outcome = held.board().agreed_outcome
            if held.row.offer is None or held.row.offer_declined or outcome is None:
                raise NoOffer(match=match)
            held.refuse_stale(seen_ply, held.row.ply)
            if held.row.offer == person.account:
                raise OwnOffer(match=match)
            if accept:
                return await _end(held, outcome, Reason.AGREED)
            await held.change(offer_declined=True)
            return await held.turn(await held.announce(AnnouncementKind.REFUSED, (held.other,)))


async def _end(held: Held, outcome: Outcome, reason: Reason) -> Turn:
    await held.end(End(outcome, reason))
    kind = AnnouncementKind.RESIGNED if reason is Reason.RESIGNED else AnnouncementKind.AGREED
    return await held.turn(await held.announce(kind, (held.other,)))
