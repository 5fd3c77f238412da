"""Calls several hooks in order and joins the columns that they return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.locking import MatchHooks

if TYPE_CHECKING:
    from matches.hook_events import ConditionalReply, MatchEnded, MatchStarted, MovesTakenBack, TurnPlayed
    from matches.locking import LockedMatch
    from matches.updates import Announcement
    from storage import Connection
    from storage.statements import Columns


class CompositeHooks(MatchHooks):
    """Several hooks, called in order. Two of them must not return the same column in one call."""

    def __init__(self, *hooks: MatchHooks) -> None:
        self._hooks = hooks
        self._repliers = [hook for hook in hooks if type(hook).reply is not MatchHooks.reply]
        self._announced = [hook for hook in hooks if type(hook).on_announced is not MatchHooks.on_announced]

    async def on_start(self, connection: Connection, started: MatchStarted) -> Columns:
        """Join the columns of all hooks."""
        return _merge(*[await hook.on_start(connection, started) for hook in self._hooks])

    def on_pick(self, locked: LockedMatch) -> Columns:
        """Join the columns of all hooks."""
        return _merge(*(hook.on_pick(locked) for hook in self._hooks))

    def on_reveal(self, locked: LockedMatch, mover: str | None) -> Columns:
        """Join the columns of all hooks."""
        return _merge(*(hook.on_reveal(locked, mover) for hook in self._hooks))

    def on_turn(self, locked: LockedMatch, turn: TurnPlayed) -> Columns:
        """Join the columns of all hooks."""
        return _merge(*(hook.on_turn(locked, turn) for hook in self._hooks))

    def on_end(self, locked: LockedMatch, end: MatchEnded) -> Columns:
        """Join the columns of all hooks."""
        return _merge(*(hook.on_end(locked, end) for hook in self._hooks))

    def on_takeback(self, locked: LockedMatch, takeback: MovesTakenBack) -> Columns:
        """Join the columns of all hooks."""
        return _merge(*(hook.on_takeback(locked, takeback) for hook in self._hooks))

    def on_clock_restart(self, locked: LockedMatch) -> Columns:
        """Join the columns of all hooks."""
        return _merge(*(hook.on_clock_restart(locked) for hook in self._hooks))

    async def reply(self, locked: LockedMatch, turn: TurnPlayed) -> ConditionalReply | None:
        """Return the first reply; the hooks after it are not called."""
        for hook in self._repliers:
            reply = await hook.reply(locked, turn)
            if reply is not None:
                return reply
        return None

    async def after_end(self, locked: LockedMatch, end: MatchEnded) -> None:
        """Call all hooks."""
        for hook in self._hooks:
            await hook.after_end(locked, end)

    async def on_announced(self, locked: LockedMatch, announcement: Announcement) -> None:
        """Call all hooks."""
        for hook in self._announced:
            await hook.on_announced(locked, announcement)


def _merge(*parts: Columns) -> Columns:
    """Join columns of several hooks. Raises ValueError if two hooks return the same column."""
    merged: dict[str, object] = {}
    for columns in parts:
        clashes = merged.keys() & columns.keys()
        if clashes:
            raise ValueError(f"Two hooks return the columns {', '.join(sorted(clashes))}.")
        merged |= columns
    return merged
