"""Offers: one at a time in each match, for as long as nobody moves."""

# ruff: noqa: ARG002 - a hook is told more than it needs

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.concerns import Concern, End
from matches.errors import NoOffer, OfferDeclined, OfferStands, OwnOffer
from matches.offers.errors import (
    OfferAnswered,
    OfferAwaits,
    OfferGone,
    OfferRepeated,
    OfferUnknown,
    TooLateToAbort,
)
from matches.offers.kinds import carry_out, refuse_kind
from matches.steps import AnnouncementKind
from matches.values import MatchId, OfferId, OfferKind, Reason
from storage import offers, results

if TYPE_CHECKING:
    from datetime import datetime

    from matches.asked import Challenge
    from matches.concerns import Columns, Turned, Undone
    from matches.holding import Held, Holder
    from matches.offers.rematches import Rematches
    from matches.steps import ChallengeStep, Turn
    from matches.values import Person
    from storage import Store
    from storage.offers import OfferRow

ACCEPTED, DECLINED = "accepted", "declined"


class Offering(Concern):
    """The offer that stands: it dies when a move is made, and with the match."""

    def turned(self, held: Held, turned: Turned) -> Columns:
        """Let it die."""
        return {"standing": None}

    def ended(self, held: Held, end: End) -> Columns:
        """Let it die."""
        return {"standing": None}

    def taken_back(self, held: Held, undone: Undone) -> Columns:
        """Let it die."""
        return {"standing": None}


class Offers:
    """What the two people of a match offer each other, over one store.

    As in :class:`matches.Matches` every method takes `now`, and refusals are MatchErrors.
    """

    def __init__(self, store: Store, holder: Holder, rematches: Rematches) -> None:
        self._store = store
        self._holder = holder
        self._rematches = rematches

    async def make(
        self, match: MatchId, person: Person, kind: OfferKind, *, stamp: int | None = None, now: datetime
    ) -> Turn:
        """Offer something. Announced as OFFERED, calling the other.

        Where the other offers the same already this accepts it, and is announced as that; but what each would
        take back is not the same. The person's own offer of another kind gives way. It dies when a move is
        made; on one board each kind can be offered once. `stamp` is that of the board which the person saw.

        Raises MatchUnknown, NotInMatch, MatchOver, FistsClosed, StaleBoard, OfferStands, OfferDeclined,
        OfferRepeated, OfferAwaits, and by kind CannotAgree; NoDraws, BoardDecides; TakebacksExcluded,
        NothingToTakeBack.
        """
        async with self._holder.hold(match, person, now) as held:
            await refuse_kind(held, kind, person.account)
            held.refuse_stale(stamp, held.row.ply)
            standing = await _standing(held)
            if standing is not None and standing.by != person.account:
                if standing.kind == kind and kind is not OfferKind.TAKEBACK:
                    return await _accept(held, standing)
                raise OfferAwaits(match=match, name=held.other.name)
            await _refuse_repeated(held, kind)
            return await _make(held, kind)

    async def answer(self, offer: OfferId, person: Person, *, accept: bool, now: datetime) -> Turn:
        """Accept or decline the other's offer.

        Announced as AGREED (the match is over), TAKEN_BACK (calling whoever is to move again) or REFUSED; the
        first and the last call whoever offered.

        Raises OfferUnknown, NotInMatch, MatchOver, OfferAnswered, OfferGone, OwnOffer.
        """
        async with self._store.reading() as connection:
            row = await offers.get(connection, offer)
        if row is None:
            raise OfferUnknown(offer=offer)
        async with self._holder.hold(MatchId(row.match), person, now) as held:
            row = await offers.get(held.connection, offer) or row
            if row.answer is not None:
                raise OfferAnswered(match=row.match)
            if held.row.standing != offer:
                raise OfferGone(match=row.match)
            return await _answer(held, row, accept=accept)

    async def answer_end(
        self, match: MatchId, person: Person, *, accept: bool, stamp: int | None, now: datetime
    ) -> Turn:
        """Accept or decline whatever offer to end stands. Raises as :meth:`answer` does, and NoOffer."""
        async with self._holder.hold(match, person, now) as held:
            held.board()
            row = await _standing(held)
            if row is None or row.kind != OfferKind.END:
                raise NoOffer(match=match)
            held.refuse_stale(stamp, held.row.ply)
            return await _answer(held, row, accept=accept)

    async def abort(self, match: MatchId, person: Person, *, now: datetime) -> Turn:
        """Give a match up before both have moved: nobody wins, and it counts for nothing.

        Announced as ABORTED, calling the other. Raises MatchUnknown, NotInMatch, MatchOver, TooLateToAbort.
        """
        async with self._holder.hold(match, person, now) as held:
            if await results.movers(held.connection, match) > 1:
                raise TooLateToAbort(match=match)
            await held.end(End(None, Reason.ABORTED))
            return await held.turn(await held.announce(AnnouncementKind.ABORTED, (held.other,)))

    async def rematch(
        self, match: MatchId, person: Person, *, server: str, place: str, now: datetime
    ) -> ChallengeStep | Challenge:
        """Challenge the other to play a finished match of `server` again, with sides changed.

        The terms are the same; closed fists are closed again, chance decides anew. Announced as CHALLENGED in
        `place`. Where the other has challenged to that already this does nothing and gives that challenge, to
        be accepted.

        Raises MatchUnknown, NotInMatch, MatchGoesOn, RematchOffered, RematchDeclined, RematchTaken,
        TooManyChallenges, OptionRefused.
        """
        return await self._rematches.rematch(match, person, server, place, now)


async def _standing(held: Held) -> OfferRow | None:
    return None if held.row.standing is None else await offers.get(held.connection, held.row.standing)


async def _refuse_repeated(held: Held, kind: OfferKind) -> None:
    row, account = held.row, held.person.account
    for made in await offers.on_board(held.connection, row.id, row.ply, row.takebacks):
        if (made.by, made.kind) == (account, kind):
            if made.id == row.standing:
                raise OfferStands(match=row.id)
            raise (OfferRepeated if made.answer is None else OfferDeclined)(match=row.id)


async def _make(held: Held, kind: OfferKind) -> Turn:
    row = held.row
    number = await offers.add(
        held.connection, row.id, kind, held.person.account, row.ply, row.takebacks, held.now
    )
    await held.change(standing=number)
    await held.reload()
    return await _tell(held, AnnouncementKind.OFFERED, (held.other,), number, kind)


async def _answer(held: Held, row: OfferRow, *, accept: bool) -> Turn:
    if row.by == held.person.account:
        raise OwnOffer(match=row.match)
    if accept:
        return await _accept(held, row)
    await offers.answer(held.connection, row.id, DECLINED, held.now)
    await held.change(standing=None)
    return await _tell(held, AnnouncementKind.REFUSED, (held.other,), row.id, OfferKind(row.kind))


async def _accept(held: Held, row: OfferRow) -> Turn:
    """Do what the other has offered."""
    await offers.answer(held.connection, row.id, ACCEPTED, held.now)
    kind = await carry_out(held, OfferKind(row.kind), row.by)
    return await _tell(held, kind, (held.other,), row.id, OfferKind(row.kind))


async def _tell(
    held: Held, kind: AnnouncementKind, whom: tuple[Person, ...], offer: int, what: OfferKind
) -> Turn:
    return await held.turn(await held.announce(kind, whom, details={"offer": offer, "what": what.value}))
