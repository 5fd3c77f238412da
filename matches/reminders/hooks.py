"""When a match is looked at for reminders: soon after anything has set somebody thinking."""

# ruff: noqa: ARG002 - a hook is told more than it needs

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.locking import MatchHooks

if TYPE_CHECKING:
    from matches.hook_events import MatchEnded, MatchStarted, MovesTakenBack, TurnPlayed
    from matches.locking import LockedMatch
    from storage import Connection
    from storage.statements import Columns

FIRST_CHECK_DELAY = timedelta(minutes=1)  # who moves within it causes no work


class ReminderHooks(MatchHooks):
    """Has a match looked at soon after its turn has changed, and no more when it is over."""

    async def on_start(self, connection: Connection, started: MatchStarted) -> Columns:
        """Look soon."""
        return reset_reminders(started.now)

    def on_reveal(self, locked: LockedMatch, mover: str | None) -> Columns:
        """Look soon."""
        return reset_reminders(locked.now)

    def on_turn(self, locked: LockedMatch, turn: TurnPlayed) -> Columns:
        """Look soon."""
        return reset_reminders(locked.now)

    def on_takeback(self, locked: LockedMatch, takeback: MovesTakenBack) -> Columns:
        """Look soon."""
        return reset_reminders(locked.now)

    def on_clock_restart(self, locked: LockedMatch) -> Columns:
        """Look soon."""
        return reset_reminders(locked.now)

    def on_end(self, locked: LockedMatch, end: MatchEnded) -> Columns:
        """Look no more."""
        return {"remind_at": None}


def reset_reminders(now: int) -> Columns:
    """Return columns by which the reminders of a match begin anew."""
    check_at = now + FIRST_CHECK_DELAY // timedelta(milliseconds=1)
    return {"remind_at": check_at, "reminded_at": now, "waits_since": now}
