"""Pauses: one person offers, the other accepts, and either has the match go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.clocks.errors import (
    MatchPaused,
    NoPauseOffer,
    NotPaused,
    OwnPauseOffer,
    PauseDeclined,
    PauseOffered,
    TimeOver,
)
from matches.clocks.flags import clock_or_refusal
from matches.clocks.reading import columns_of, service_time
from matches.steps import AnnouncementKind
from matches.terms import read_terms

if TYPE_CHECKING:
    from datetime import datetime

    from matches.clocks.clock import Clock
    from matches.holding import Held, Holder
    from matches.steps import Turn
    from matches.values import MatchId, Person


class Pauses:
    """The pauses of matches."""

    def __init__(self, holder: Holder) -> None:
        self._holder = holder

    async def offer(self, match: MatchId, person: Person, now: datetime) -> Turn:
        """Offer a pause, or accept the other's offer."""
        async with self._holder.hold(match, person, now) as held:
            clock = _running(held)
            if clock.offer == person.account:
                raise (PauseDeclined if clock.declined else PauseOffered)(match=match)
            if clock.offer is not None and not clock.declined:
                return await _pause(held, clock)
            await held.change(**columns_of(clock.offered(person.account)))
            return await held.turn(await held.announce(AnnouncementKind.PAUSE_OFFERED, (held.other,)))

    async def answer(self, match: MatchId, person: Person, *, accept: bool, now: datetime) -> Turn:
        """Accept or decline the other's offer."""
        async with self._holder.hold(match, person, now) as held:
            clock = _running(held)
            if clock.offer is None or clock.declined:
                raise NoPauseOffer(match=match)
            if clock.offer == person.account:
                raise OwnPauseOffer(match=match)
            if accept:
                return await _pause(held, clock)
            await held.change(**columns_of(clock.refused()))
            return await held.turn(await held.announce(AnnouncementKind.PAUSE_REFUSED, (held.other,)))

    async def resume(self, match: MatchId, person: Person, now: datetime) -> Turn:
        """Have time go on."""
        async with self._holder.hold(match, person, now) as held:
            clock, pace = clock_or_refusal(held), read_terms(held.row.terms).pace
            if not clock.paused or pace is None:
                raise NotPaused(match=match)
            resumed = clock.resume(person.account, pace, service_time(held))
            await held.change(**columns_of(resumed), **held.concerns.restarted(held))
            return await held.turn(await held.announce(AnnouncementKind.RESUMED, (held.other,)))


def _running(held: Held) -> Clock:
    """Give the clock of a match that can be paused."""
    clock = clock_or_refusal(held)
    if clock.paused:
        raise MatchPaused(match=held.row.id)
    if clock.fell or any(end <= service_time(held) for end in clock.ends.values()):
        raise TimeOver(match=held.row.id)
    return clock


async def _pause(held: Held, clock: Clock) -> Turn:
    await held.change(**columns_of(clock.pause(service_time(held))))
    return await held.turn(await held.announce(AnnouncementKind.PAUSED, (held.other,)))
