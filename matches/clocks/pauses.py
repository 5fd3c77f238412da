"""Pauses: one player offers, the opponent accepts, and either can resume."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.clocks.rows import clock_columns
from matches.clocks.timeouts import require_clock
from matches.computer.accounts import is_computer
from matches.errors import OfferPending, Refusal
from matches.hook_events import join_columns
from matches.terms import parse_terms
from matches.updates import AnnouncementKind

if TYPE_CHECKING:
    from datetime import datetime

    from matches.clocks.clock import Clock
    from matches.locking import LockedMatch, MatchLocker
    from matches.updates import MatchUpdate
    from matches.values import MatchId, Person


class Pauses:
    """The pauses of matches.

    A move withdraws an offer; one that was declined cannot be repeated before that. Moves can be made while a
    match is paused. All methods raise MatchUnknown, NotInMatch, `match_over`, `no_clock`.
    """

    def __init__(self, locker: MatchLocker) -> None:
        self._locker = locker

    async def offer(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Offer to pause the clock. Announced as PAUSE_OFFERED to the opponent.

        If the opponent's offer is pending, this accepts it (PAUSED); the computer accepts at once.

        Raises `match_paused`, `time_over`, `pause_pending`, `pause_declined`.
        """
        async with self._locker.lock_for(match, person, now) as locked:
            clock = _pausable_clock(locked)
            if clock.pause_offered_by == person.account:
                if clock.pause_declined:
                    raise Refusal("pause_declined", match=match)
                raise OfferPending("pause_pending", match=match)
            if clock.pause_offered_by is not None and not clock.pause_declined:
                return await _pause(locked, clock)
            if is_computer(locked.opponent.account):
                return await _pause(locked, clock)
            await locked.change(**clock_columns(clock.offer_pause(person.account)))
            return await locked.make_update(
                await locked.announce(AnnouncementKind.PAUSE_OFFERED, (locked.opponent,))
            )

    async def answer(self, match: MatchId, person: Person, *, accept: bool, now: datetime) -> MatchUpdate:
        """Accept (PAUSED) or decline (PAUSE_DECLINED) the opponent's offer to pause.

        Announced to the player who offered. Raises `match_paused`, `time_over`, `no_pause_offer`,
        `own_pause_offer`.
        """
        async with self._locker.lock_for(match, person, now) as locked:
            clock = _pausable_clock(locked)
            if clock.pause_offered_by is None or clock.pause_declined:
                raise Refusal("no_pause_offer", match=match)
            if clock.pause_offered_by == person.account:
                raise Refusal("own_pause_offer", match=match)
            if accept:
                return await _pause(locked, clock)
            await locked.change(**clock_columns(clock.decline_pause()))
            return await locked.make_update(
                await locked.announce(AnnouncementKind.PAUSE_DECLINED, (locked.opponent,))
            )

    async def withdraw(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Withdraw the person's own offer; it cannot be repeated before the next move.

        Announced as PAUSE_WITHDRAWN, notifying nobody. Raises `no_pause_offer`.
        """
        async with self._locker.lock_for(match, person, now) as locked:
            clock = require_clock(locked)
            if clock.pause_offered_by != person.account or clock.pause_declined or clock.paused:
                raise Refusal("no_pause_offer", match=match)
            await locked.change(**clock_columns(clock.decline_pause()))
            return await locked.make_update(await locked.announce(AnnouncementKind.PAUSE_WITHDRAWN, ()))

    async def resume(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Restart the clock of a paused match. Announced as RESUMED to the opponent.

        If the opponent is to move they then have at least a day, or the initial time if that is less.
        Raises `not_paused`.
        """
        async with self._locker.lock_for(match, person, now) as locked:
            clock, time_control = require_clock(locked), parse_terms(locked.row.terms).time_control
            if not clock.paused or time_control is None:
                raise Refusal("not_paused", match=match)
            resumed = clock.resume(person.account, time_control, locked.service_time)
            await locked.change(
                **clock_columns(resumed),
                **join_columns(hook.on_clock_restart(locked) for hook in locked.hooks),
            )
            return await locked.make_update(
                await locked.announce(AnnouncementKind.RESUMED, (locked.opponent,))
            )


def _pausable_clock(locked: LockedMatch) -> Clock:
    """Return the clock of a match that can be paused. Raises `no_clock`, `match_paused`, `time_over`."""
    clock = require_clock(locked)
    if clock.paused:
        raise Refusal("match_paused", match=locked.row.id)
    if any(clock.is_out_of_time(seat.person.account, locked.service_time) for seat in locked.seats):
        if is_computer(locked.opponent.account):
            raise Refusal("time_over_against_computer", match=locked.row.id, name=locked.opponent)
        raise Refusal("time_over", match=locked.row.id)
    return clock


async def _pause(locked: LockedMatch, clock: Clock) -> MatchUpdate:
    await locked.change(**clock_columns(clock.pause(locked.service_time)))
    return await locked.make_update(await locked.announce(AnnouncementKind.PAUSED, (locked.opponent,)))
