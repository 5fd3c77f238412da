"""The hooks that schedule the first check for reminders after a turn has changed."""

# ruff: noqa: ARG002 - a hook need not use all its arguments

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.hook_events import NO_CHANGES
from matches.locking import MatchHooks

if TYPE_CHECKING:
    from matches.hook_events import MatchEnded, MatchStarted, MovesTakenBack, TurnPlayed
    from matches.locking import LockedMatch
    from storage import Connection
    from storage.statements import Columns

FIRST_CHECK_DELAY = timedelta(minutes=1)  # a move within a minute causes no check


class ReminderHooks(MatchHooks):
    """Schedules a check soon after every change of turn, and none after the end."""

    async def on_start(self, connection: Connection, started: MatchStarted) -> Columns:
        """Schedule a check."""
        return reset_reminders(started.now)

    def on_reveal(self, locked: LockedMatch, mover: str | None) -> Columns:
        """Schedule a check."""
        return reset_reminders(locked.now)

    def on_turn(self, locked: LockedMatch, turn: TurnPlayed) -> Columns:
        """Schedule a check after a complete turn."""
        return reset_reminders(locked.now) if turn.is_complete else NO_CHANGES

    def on_takeback(self, locked: LockedMatch, takeback: MovesTakenBack) -> Columns:
        """Schedule a check."""
        return reset_reminders(locked.now)

    def on_clock_restart(self, locked: LockedMatch) -> Columns:
        """Schedule a check."""
        return reset_reminders(locked.now)

    def on_end(self, locked: LockedMatch, end: MatchEnded) -> Columns:
        """Schedule no further check."""
        return {"remind_at": None}


def reset_reminders(now: int) -> Columns:
    """Return the columns that restart the reminders of a match."""
    check_at = now + FIRST_CHECK_DELAY // timedelta(milliseconds=1)
    return {"remind_at": check_at, "reminded_at": now, "waits_since": now}
