"""The clock as it takes part in a match: it runs for whoever is to act, and rests when all is over."""

# ruff: noqa: ARG002 - a hook is told more than it needs

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.clocks.clock import new_clock
from matches.clocks.reading import clock_of, columns_of, service_time
from matches.clocks.uptime import lost_time
from matches.concerns import NOTHING, Concern
from matches.terms import read_terms
from storage import vacations

if TYPE_CHECKING:
    from matches.clocks.clock import Clock
    from matches.concerns import Begun, Columns, End, Turned, Undone
    from matches.holding import Held
    from matches.terms import Pace
    from storage import Connection


class Ticking(Concern):
    """Keeps the clocks of matches. A move that comes late counts for as long as no sweep has decided."""

    async def begins(self, connection: Connection, begun: Begun) -> Columns:
        """Set a clock where a pace was agreed on; while the fists are closed both people's time runs."""
        pace, people = begun.terms.pace, (begun.first, begun.second)
        if pace is None:
            return NOTHING
        away = await vacations.away(connection, people) if begun.terms.vacation else ()
        now = begun.now - await lost_time(connection)
        clock = new_clock(pace, people, tuple(away))
        return columns_of(clock.run(people if begun.mover is None else (begun.mover,), now))

    def picked(self, held: Held) -> Columns:
        """Stop the time of whoever has picked."""
        clock, pace = _ticking(held)
        if clock is None or pace is None:
            return NOTHING
        return columns_of(clock.done(held.person.account, pace, service_time(held)))

    def opened(self, held: Held, mover: str | None) -> Columns:
        """Start the time of whoever moves first."""
        clock, pace = _ticking(held)
        if clock is None or pace is None:
            return NOTHING
        now = service_time(held)
        return columns_of(clock.done(held.person.account, pace, now).run(_those(mover), now))

    def turned(self, held: Held, turned: Turned) -> Columns:
        """Pass the time on when a turn is complete; with any move an offer to pause is void."""
        clock, pace = _ticking(held)
        if clock is None or pace is None:
            return NOTHING
        if not turned.complete:
            return columns_of(clock.stirred()) if clock.offer else NOTHING
        now = service_time(held)
        return columns_of(clock.done(turned.person.account, pace, now).run(_those(_next(held, turned)), now))

    def ended(self, held: Held, end: End) -> Columns:
        """Let nobody's flag fall any more."""
        return {"deadline": None} if held.row.clock else NOTHING

    def taken_back(self, held: Held, undone: Undone) -> Columns:
        """Let the time of whoever is to move again run, without what the turns had added."""
        clock, pace = _ticking(held)
        if clock is None or pace is None:
            return NOTHING
        return columns_of(clock.back(undone.turns, undone.mover, pace, service_time(held)))


def _ticking(held: Held) -> tuple[Clock | None, Pace | None]:
    clock = clock_of(held.row)
    return clock, None if clock is None else read_terms(held.row.terms).pace


def _those(mover: str | None) -> tuple[str, ...]:
    return () if mover is None else (mover,)


def _next(held: Held, turned: Turned) -> str | None:
    """Give the account to move after a turn."""
    side = turned.position.to_move
    if side is None:
        return None
    people = (held.row.second, held.row.first) if turned.swapped else (held.row.first, held.row.second)
    return people[0] if side == held.game.sides[0] else people[1]
