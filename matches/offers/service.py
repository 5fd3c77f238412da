"""Making and answering offers. A match has at most one pending offer, and any move withdraws it."""

# ruff: noqa: ARG002 - a hook need not use all its arguments

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from matches.computer.accounts import is_computer
from matches.computer.hooks import think_of_offer
from matches.errors import OfferPending, Refusal
from matches.hook_events import NO_CHANGES, MatchEnded
from matches.locking import MatchHooks
from matches.offers.kinds import apply_offer, check_offer_allowed, have_same_outcome, resolve_kind
from matches.updates import AnnouncementKind
from matches.values import EndReason, MatchId, OfferId, OfferKind
from matches.view_builder import load_announced_turns, with_announced_turns
from storage.match import offers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from matches.hook_events import MovesTakenBack, TurnPlayed
    from matches.locking import LockedMatch, MatchLocker
    from matches.updates import MatchUpdate
    from matches.values import Person
    from storage import Database
    from storage.match.offers import OfferRow
    from storage.statements import Columns

ACCEPTED, DECLINED, WITHDRAWN = "accepted", "declined", "withdrawn"


class OfferHooks(MatchHooks):
    """Withdraws the pending offer when a move is made or taken back, and at the end of the match."""

    def on_turn(self, locked: LockedMatch, turn: TurnPlayed) -> Columns:
        """Withdraw the offer once the turn is complete: an unfinished one concerns its player alone."""
        return {"pending_offer": None} if turn.is_complete else NO_CHANGES

    def on_end(self, locked: LockedMatch, end: MatchEnded) -> Columns:
        """Withdraw the offer."""
        return {"pending_offer": None}

    def on_takeback(self, locked: LockedMatch, takeback: MovesTakenBack) -> Columns:
        """Withdraw the offer."""
        return {"pending_offer": None}


class Offers:
    """The offers of a database, and aborts."""

    def __init__(self, database: Database, locker: MatchLocker) -> None:
        self._database = database
        self._locker = locker

    async def make(
        self,
        match: MatchId,
        person: Person,
        kind: OfferKind,
        *,
        seen_revision: int | None = None,
        now: datetime,
    ) -> MatchUpdate:
        """Make an offer. Announced as OFFERED to the opponent.

        An offer to end where the rules do not say who wins is one of a draw, if the game has draws. If the
        opponent has an offer with the same outcome pending, this accepts it; takebacks would undo other
        moves. The person's own pending offer of another kind is withdrawn. Each kind can be offered once on
        each board. `seen_revision` is the board revision that the person saw.

        The computer accepts a takeback at once: then this is announced as TAKEN_BACK to the person.

        Raises MatchUnknown, NotInMatch, `match_over`, `choice_pending`, StaleBoard, `offer_pending`,
        `offer_declined`, `offer_repeated`, `opponent_offer_pending`, and by kind `no_end_by_agreement`;
        `no_draws`, `outcome_fixed_by_rules`; `takebacks_not_allowed`, `nothing_to_take_back`.
        """
        async with self._locker.lock_for(match, person, now) as locked:
            kind = resolve_kind(locked, kind)
            first_undone = await check_offer_allowed(locked, kind, person.account)
            locked.check_revision(seen_revision, locked.row.turn_ply)
            pending = await _load_pending_offer(locked)
            if pending is not None and pending.by != person.account:
                if have_same_outcome(locked, OfferKind(pending.kind), kind):
                    return await _accept(locked, pending)
                raise Refusal("opponent_offer_pending", match=match, name=locked.opponent)
            await _check_not_repeated(locked, kind)
            if kind is OfferKind.TAKEBACK and is_computer(locked.opponent.account):
                return await _apply_at_once(locked, kind)
            return await _make(locked, kind, first_undone)

    async def withdraw(self, offer: OfferId, person: Person, *, now: datetime) -> MatchUpdate:
        """Withdraw the person's own pending offer. Announced as OFFER_WITHDRAWN, notifying nobody.

        Raises `offer_unknown`, NotInMatch, `match_over`, `offer_answered`, `offer_expired`, `not_own_offer`.
        """
        async with self._lock_pending(offer, person, now) as (locked, row):
            if row.by != person.account:
                raise Refusal("not_own_offer", match=row.match, name=locked.opponent)
            await offers.record_answer(locked.connection, row.id, WITHDRAWN, locked.now)
            await locked.change(pending_offer=None, **think_of_offer(locked, is_open=False))
            await locked.reload()
            return await _announce(locked, AnnouncementKind.OFFER_WITHDRAWN, (), row.id, OfferKind(row.kind))

    async def answer(self, offer: OfferId, person: Person, *, accept: bool, now: datetime) -> MatchUpdate:
        """Accept or decline the opponent's offer.

        Announced to the player who made the offer, as AGREED (the match is over), TAKEN_BACK or
        OFFER_DECLINED.

        Raises `offer_unknown`, NotInMatch, `match_over`, `offer_answered`, `offer_expired`, `own_offer`.
        """
        async with self._lock_pending(offer, person, now) as (locked, row):
            return await _answer(locked, row, accept=accept)

    @asynccontextmanager
    async def _lock_pending(
        self, offer: OfferId, person: Person, now: datetime
    ) -> AsyncIterator[tuple[LockedMatch, OfferRow]]:
        """Lock the match of a pending offer. Raises `offer_unknown`, `offer_answered`, `offer_expired`."""
        async with self._database.read() as connection:
            row = await offers.get(connection, offer)
        if row is None:
            raise Refusal("offer_unknown", offer=offer)
        async with self._locker.lock_for(MatchId(row.match), person, now) as locked:
            row = await offers.get(locked.connection, offer) or row
            if row.answer in {ACCEPTED, DECLINED}:
                raise Refusal("offer_answered", match=row.match)
            if row.answer is not None or locked.row.pending_offer != offer:
                raise Refusal("offer_expired", match=row.match)
            yield locked, row

    async def answer_end(
        self, match: MatchId, person: Person, *, accept: bool, seen_revision: int | None = None, now: datetime
    ) -> MatchUpdate:
        """Accept or decline the pending offer to end. `seen_revision` is the board of the offer.

        Raises MatchUnknown, NotInMatch, `match_over`, `choice_pending`, StaleBoard, `no_offer`, `own_offer`.
        """
        async with self._locker.lock_for(match, person, now) as locked:
            locked.board()
            row = await _load_pending_offer(locked)
            if row is None or row.kind != OfferKind.END:
                raise Refusal("no_offer", match=match)
            locked.check_revision(seen_revision, locked.row.turn_ply)
            return await _answer(locked, row, accept=accept)

    async def abort(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Abort a match before both players have moved: it has no result and is not rated.

        Announced as ABORTED to the opponent. Raises MatchUnknown, NotInMatch, `match_over`,
        `too_late_to_abort`.
        """
        async with self._locker.lock_for(match, person, now) as locked:
            if not (await locked.load_view()).is_abortable:
                raise Refusal("too_late_to_abort", match=match)
            await locked.end(MatchEnded(None, EndReason.ABORTED))
            return await locked.make_update(
                await locked.announce(AnnouncementKind.ABORTED, (locked.opponent,))
            )


async def _load_pending_offer(locked: LockedMatch) -> OfferRow | None:
    offer = locked.row.pending_offer
    return None if offer is None else await offers.get(locked.connection, offer)


async def _check_not_repeated(locked: LockedMatch, kind: OfferKind) -> None:
    row, account = locked.row, locked.person.account
    for earlier in await offers.list_on_board(locked.connection, row.id, row.turn_ply, row.takebacks):
        if (earlier.by, earlier.kind) == (account, kind):
            if earlier.id == row.pending_offer:
                raise OfferPending("offer_pending", match=row.id)
            raise Refusal("offer_declined" if earlier.answer == DECLINED else "offer_repeated", match=row.id)


async def _make(locked: LockedMatch, kind: OfferKind, first_undone: int | None) -> MatchUpdate:
    row = locked.row
    number = await offers.add(
        locked.connection, row.id, kind, locked.person.account, row.turn_ply, row.takebacks, locked.now
    )
    await locked.change(pending_offer=number, **think_of_offer(locked, is_open=True))
    await locked.reload()
    if first_undone is None:
        return await _announce(locked, AnnouncementKind.OFFERED, (locked.opponent,), number, kind)
    details = {"offer": number, "what": kind.value, "undoes": 1}
    announcement = await locked.announce(
        AnnouncementKind.OFFERED, (locked.opponent,), first_undone, details=details
    )
    update = await locked.make_update(announcement)
    undone = await load_announced_turns(locked.connection, locked.game, locked.row, announcement)
    return replace(update, match=with_announced_turns(update.match, undone))


async def _apply_at_once(locked: LockedMatch, kind: OfferKind) -> MatchUpdate:
    """Carry out an offer that needs no answer. The player who made it is told, as if it had been accepted."""
    row = locked.row
    number = await offers.add(
        locked.connection, row.id, kind, locked.person.account, row.turn_ply, row.takebacks, locked.now
    )
    await offers.record_answer(locked.connection, number, ACCEPTED, locked.now)
    announced = await apply_offer(locked, kind, locked.person.account)
    return await _announce(locked, announced, (locked.person,), number, kind)


async def _answer(locked: LockedMatch, row: OfferRow, *, accept: bool) -> MatchUpdate:
    if row.by == locked.person.account:
        raise Refusal("own_offer", match=row.match)
    if accept:
        return await _accept(locked, row)
    await offers.record_answer(locked.connection, row.id, DECLINED, locked.now)
    await locked.change(pending_offer=None, **think_of_offer(locked, is_open=False))
    return await _announce(
        locked, AnnouncementKind.OFFER_DECLINED, (locked.opponent,), row.id, OfferKind(row.kind)
    )


async def _accept(locked: LockedMatch, row: OfferRow) -> MatchUpdate:
    """Accept the opponent's offer."""
    await offers.record_answer(locked.connection, row.id, ACCEPTED, locked.now)
    kind = await apply_offer(locked, OfferKind(row.kind), row.by)
    return await _announce(locked, kind, (locked.opponent,), row.id, OfferKind(row.kind))


async def _announce(
    locked: LockedMatch,
    kind: AnnouncementKind,
    recipients: tuple[Person, ...],
    offer: int,
    offer_kind: OfferKind,
) -> MatchUpdate:
    return await locked.make_update(
        await locked.announce(kind, recipients, details={"offer": offer, "what": offer_kind.value})
    )
