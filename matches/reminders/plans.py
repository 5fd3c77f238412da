"""When a match is looked at for reminders: soon after anything has set somebody thinking."""

# ruff: noqa: ARG002 - a hook is told more than it needs

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.concerns import Concern

if TYPE_CHECKING:
    from matches.concerns import Begun, Columns, End, Turned, Undone
    from matches.holding import Held
    from storage import Connection

FIRST_LOOK = timedelta(minutes=1)  # who moves within it causes no work


class Planning(Concern):
    """Has a match looked at soon after its turn has changed, and no more when it is over."""

    async def begins(self, connection: Connection, begun: Begun) -> Columns:
        """Look soon."""
        return planned_anew(begun.now)

    def opened(self, held: Held, mover: str | None) -> Columns:
        """Look soon."""
        return planned_anew(held.now)

    def turned(self, held: Held, turned: Turned) -> Columns:
        """Look soon."""
        return planned_anew(held.now)

    def taken_back(self, held: Held, undone: Undone) -> Columns:
        """Look soon."""
        return planned_anew(held.now)

    def restarted(self, held: Held) -> Columns:
        """Look soon."""
        return planned_anew(held.now)

    def ended(self, held: Held, end: End) -> Columns:
        """Look no more."""
        return {"remind_at": None}


def planned_anew(now: int) -> Columns:
    """Give columns by which the reminders of a match begin anew."""
    look = now + FIRST_LOOK // timedelta(milliseconds=1)
    return {"remind_at": look, "reminded_at": now, "waits_since": now}
