"""Offers: one at a time in each match, for as long as nobody moves."""

# ruff: noqa: ARG002 - a hook is told more than it needs

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.errors import NoPendingOffer, OfferAlreadyPending, OfferDeclined, OwnOffer
from matches.hook_events import MatchEnded
from matches.locking import MatchHooks
from matches.offers.errors import (
    OfferAlreadyAnswered,
    OfferExpired,
    OfferRepeated,
    OfferUnknown,
    OpponentOfferPending,
    TooLateToAbort,
)
from matches.offers.kinds import apply_offer, check_offer_allowed
from matches.updates import AnnouncementKind
from matches.values import EndReason, MatchId, OfferId, OfferKind
from storage import offers

if TYPE_CHECKING:
    from datetime import datetime

    from matches.hook_events import MovesTakenBack, TurnPlayed
    from matches.locking import LockedMatch, MatchLocker
    from matches.offers.rematches import Rematches
    from matches.updates import ChallengeUpdate, MatchUpdate
    from matches.values import Challenge, Person
    from storage import Database
    from storage.offers import OfferRow
    from storage.statements import Columns

ACCEPTED, DECLINED = "accepted", "declined"


class OfferHooks(MatchHooks):
    """The offer that stands: it dies when a move is made, and with the match."""

    def on_turn(self, locked: LockedMatch, turn: TurnPlayed) -> Columns:
        """Let it die."""
        return {"standing": None}

    def on_end(self, locked: LockedMatch, end: MatchEnded) -> Columns:
        """Let it die."""
        return {"standing": None}

    def on_takeback(self, locked: LockedMatch, takeback: MovesTakenBack) -> Columns:
        """Let it die."""
        return {"standing": None}


class Offers:
    """What the two people of a match offer each other, over one store.

    As in :class:`matches.Matches` every method takes `now`, and refusals are MatchErrors.
    """

    def __init__(self, database: Database, locker: MatchLocker, rematches: Rematches) -> None:
        self._database = database
        self._locker = locker
        self._rematches = rematches

    async def make(
        self,
        match: MatchId,
        person: Person,
        kind: OfferKind,
        *,
        seen_revision: int | None = None,
        now: datetime,
    ) -> MatchUpdate:
        """Offer something. Announced as OFFERED, calling the other.

        Where the other offers the same already this accepts it, and is announced as that; but what each would
        take back is not the same. The person's own offer of another kind gives way. It dies when a move is
        made; on one board each kind can be offered once. `seen_revision` is that of the board which the
        person saw.

        Raises MatchUnknown, NotInMatch, MatchOver, ChoicePending, StaleBoard, OfferAlreadyPending,
        OfferDeclined, OfferRepeated, OpponentOfferPending, and by kind NoEndByAgreement; NoDraws,
        OutcomeFixedByRules; TakebacksNotAllowed, NothingToTakeBack.
        """
        async with self._locker.lock_for(match, person, now) as locked:
            await check_offer_allowed(locked, kind, person.account)
            locked.check_revision(seen_revision, locked.row.ply)
            pending = await _pending_offer(locked)
            if pending is not None and pending.by != person.account:
                if pending.kind == kind and kind is not OfferKind.TAKEBACK:
                    return await _accept(locked, pending)
                raise OpponentOfferPending(match=match, name=locked.opponent.name)
            await _check_not_repeated(locked, kind)
            return await _make(locked, kind)

    async def answer(self, offer: OfferId, person: Person, *, accept: bool, now: datetime) -> MatchUpdate:
        """Accept or decline the other's offer.

        Announced as AGREED (the match is over), TAKEN_BACK (calling whoever is to move again) or REFUSED; the
        first and the last call whoever offered.

        Raises OfferUnknown, NotInMatch, MatchOver, OfferAlreadyAnswered, OfferExpired, OwnOffer.
        """
        async with self._database.read() as connection:
            row = await offers.get(connection, offer)
        if row is None:
            raise OfferUnknown(offer=offer)
        async with self._locker.lock_for(MatchId(row.match), person, now) as locked:
            row = await offers.get(locked.connection, offer) or row
            if row.answer is not None:
                raise OfferAlreadyAnswered(match=row.match)
            if locked.row.standing != offer:
                raise OfferExpired(match=row.match)
            return await _answer(locked, row, accept=accept)

    async def answer_end(
        self, match: MatchId, person: Person, *, accept: bool, seen_revision: int | None = None, now: datetime
    ) -> MatchUpdate:
        """Accept or decline whatever offer to end stands.

        Raises as :meth:`answer` does, and NoPendingOffer.
        """
        async with self._locker.lock_for(match, person, now) as locked:
            locked.board()
            row = await _pending_offer(locked)
            if row is None or row.kind != OfferKind.END:
                raise NoPendingOffer(match=match)
            locked.check_revision(seen_revision, locked.row.ply)
            return await _answer(locked, row, accept=accept)

    async def abort(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Return a match up before both have moved: nobody wins, and it counts for nothing.

        Announced as ABORTED, calling the other. Raises MatchUnknown, NotInMatch, MatchOver, TooLateToAbort.
        """
        async with self._locker.lock_for(match, person, now) as locked:
            if not (await locked.load_view()).is_abortable:
                raise TooLateToAbort(match=match)
            await locked.end(MatchEnded(None, EndReason.ABORTED))
            return await locked.make_update(
                await locked.announce(AnnouncementKind.ABORTED, (locked.opponent,))
            )

    async def rematch(
        self, match: MatchId, person: Person, *, server: str, channel: str, now: datetime
    ) -> ChallengeUpdate | Challenge:
        """Challenge the other to play a finished match of `server` again, with sides changed.

        The terms are the same; closed fists are closed again, chance decides anew. Announced as CHALLENGED in
        `channel`. Where the other has challenged to that already this does nothing and gives that challenge,
        to be accepted.

        Raises MatchUnknown, NotInMatch, RematchBeforeEnd, RematchOffered, RematchDeclined,
        RematchAlreadyStarted, TooManyChallenges, InvalidOption.
        """
        return await self._rematches.rematch(match, person, server, channel, now)


async def _pending_offer(locked: LockedMatch) -> OfferRow | None:
    return None if locked.row.standing is None else await offers.get(locked.connection, locked.row.standing)


async def _check_not_repeated(locked: LockedMatch, kind: OfferKind) -> None:
    row, account = locked.row, locked.person.account
    for earlier in await offers.list_on_board(locked.connection, row.id, row.ply, row.takebacks):
        if (earlier.by, earlier.kind) == (account, kind):
            if earlier.id == row.standing:
                raise OfferAlreadyPending(match=row.id)
            raise (OfferRepeated if earlier.answer is None else OfferDeclined)(match=row.id)


async def _make(locked: LockedMatch, kind: OfferKind) -> MatchUpdate:
    row = locked.row
    number = await offers.add(
        locked.connection, row.id, kind, locked.person.account, row.ply, row.takebacks, locked.now
    )
    await locked.change(standing=number)
    await locked.reload()
    return await _announce(locked, AnnouncementKind.OFFERED, (locked.opponent,), number, kind)


async def _answer(locked: LockedMatch, row: OfferRow, *, accept: bool) -> MatchUpdate:
    if row.by == locked.person.account:
        raise OwnOffer(match=row.match)
    if accept:
        return await _accept(locked, row)
    await offers.record_answer(locked.connection, row.id, DECLINED, locked.now)
    await locked.change(standing=None)
    return await _announce(
        locked, AnnouncementKind.OFFER_DECLINED, (locked.opponent,), row.id, OfferKind(row.kind)
    )


async def _accept(locked: LockedMatch, row: OfferRow) -> MatchUpdate:
    """Do what the other has offered."""
    await offers.record_answer(locked.connection, row.id, ACCEPTED, locked.now)
    kind = await apply_offer(locked, OfferKind(row.kind), row.by)
    return await _announce(locked, kind, (locked.opponent,), row.id, OfferKind(row.kind))


async def _announce(
    locked: LockedMatch, kind: AnnouncementKind, whom: tuple[Person, ...], offer: int, offer_kind: OfferKind
) -> MatchUpdate:
    return await locked.make_update(
        await locked.announce(kind, whom, details={"offer": offer, "what": offer_kind.value})
    )
