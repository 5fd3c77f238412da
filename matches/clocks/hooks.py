"""The hooks that run the clocks of matches."""

# ruff: noqa: ARG002 - a hook need not use all its arguments

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.clocks.clock import new_clock
from matches.clocks.rows import clock_columns, clock_from_row
from matches.clocks.uptime import OUTAGE_THRESHOLD, service_time
from matches.computer.accounts import without_computers
from matches.hook_events import NO_CHANGES
from matches.locking import MatchHooks
from matches.terms import parse_terms
from storage.match import clocks, vacations

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from matches.clocks.clock import Clock
    from matches.hook_events import MatchEnded, MatchStarted, MovesTakenBack, TurnPlayed
    from matches.locking import LockedMatch
    from matches.terms import TimeControl
    from storage import Connection
    from storage.statements import Columns


class ClockHooks(MatchHooks):
    """Runs clocks. A move after the deadline still counts as long as no sweep has noticed it.

    The computer's clock never runs: nobody wins because a worker was stopped.
    """

    def __init__(self, outage: timedelta = OUTAGE_THRESHOLD) -> None:
        self._outage = outage

    async def on_start(self, connection: Connection, started: MatchStarted) -> Columns:
        """Start the clock, if the terms have one; during a simultaneous choice for both players."""
        time_control, accounts = started.terms.time_control, (started.first, started.second)
        if time_control is None:
            return NO_CHANGES
        on_vacation = (
            await vacations.find_active(connection, accounts) if started.terms.vacation_stops_clock else ()
        )
        beat_at = await clocks.last_heartbeat(connection, started.server)
        now = service_time(started.now, beat_at, 0, self._outage)
        clock = new_clock(time_control, accounts, tuple(on_vacation))
        to_act = accounts if started.mover is None else (started.mover,)
        return clock_columns(clock.start_for(without_computers(to_act), now))

    def on_pick(self, locked: LockedMatch) -> Columns:
        """Stop the time of the player who picked."""
        person = locked.person.account
        return _change_clock(locked, lambda clock, control, now: clock.complete_turn(person, control, now))

    def on_reveal(self, locked: LockedMatch, mover: str | None) -> Columns:
        """Start the time of the player who moves first."""
        return _complete_turn(locked, locked.person.account, mover)

    def on_turn(self, locked: LockedMatch, turn: TurnPlayed) -> Columns:
        """Start the next player's time after a complete turn, and withdraw an offer to pause."""
        if not turn.is_complete:
            return NO_CHANGES
        return _complete_turn(locked, turn.person.account, next_mover(locked, turn))

    def on_end(self, locked: LockedMatch, end: MatchEnded) -> Columns:
        """Remove the deadline."""
        return {"deadline": None} if locked.row.clock else NO_CHANGES

    def on_takeback(self, locked: LockedMatch, takeback: MovesTakenBack) -> Columns:
        """Start the time of the player to move again, without the increments of the undone turns."""
        turns, mover = takeback.turn_accounts, takeback.mover
        return _change_clock(locked, lambda clock, control, now: clock.take_back(turns, mover, control, now))


def _change_clock(locked: LockedMatch, change: Callable[[Clock, TimeControl, int], Clock]) -> Columns:
    """Return the columns of the match's clock, if it has one, after a change at the current service time."""
    clock, time_control = clock_from_row(locked.row), parse_terms(locked.row.terms).time_control
    if clock is None or time_control is None:
        return NO_CHANGES
    return clock_columns(change(clock, time_control, locked.service_time))


def _complete_turn(locked: LockedMatch, person: str, mover: str | None) -> Columns:
    """Return the columns after a player's turn or pick; then the time of `mover` runs."""
    to_act = () if mover is None else without_computers((mover,))
    return _change_clock(
        locked,
        lambda clock, control, now: clock.complete_turn(person, control, now).start_for(to_act, now),
    )


def next_mover(locked: LockedMatch, turn: TurnPlayed) -> str | None:
    """Return the account to move after a turn, or None if the game is over."""
    side = turn.position.to_move
    if side is None:
        return None
    accounts = (
        (locked.row.second, locked.row.first) if turn.is_swap else (locked.row.first, locked.row.second)
    )
    return accounts[0] if side == locked.game.sides[0] else accounts[1]
