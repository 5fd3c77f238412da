"""What else takes part when a match changes: in the same transaction, without the flow knowing what.

The flow of a match (:mod:`matches.match_start`, :mod:`matches.simultaneous_choice`, :mod:`matches.turns` and
:mod:`matches.locking`) tells every concern what happens. Most answer with columns, which go into the one
statement that the flow sends anyway; only a concern that has something of its own to read or write sends
statements, in the hooks that wait.
"""

# ruff: noqa: ARG002 - a hook is told more than one that does nothing needs

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from matches.view_builder import swaps_sides

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Outcome, Position
    from matches.locking import LockedMatch
    from matches.terms import Terms
    from matches.updates import Announcement
    from matches.values import EndReason, LoggedMove, Person
    from storage import Connection

Columns: TypeAlias = "Mapping[str, Any]"  # of the table of matches

NO_CHANGES: Columns = {}


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match that is about to be stored: its people by account, in the order of the game's first move.

    `mover` is the account to move, None while the simultaneous choice is pending.
    """

    terms: Terms
    first: str
    second: str
    mover: str | None
    now: int


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """Moves that `person` has made, from the board `before`. `is_complete`: their turn is over with them."""

    person: Person
    before: Position
    moves: tuple[LoggedMove, ...]
    is_complete: bool

    @property
    def position(self) -> Position:
        """The board now."""
        return self.moves[-1].position

    @property
    def is_swap(self) -> bool:
        """Whether the people have changed sides."""
        return swaps_sides(event for move in self.moves for event in move.events)


@dataclass(frozen=True, slots=True)
class MovesTakenBack:
    """Moves that are taken back: the accounts that made the complete `turn_accounts` among them, in order.

    `mover` is the account to move again.
    """

    turn_accounts: tuple[str, ...]
    mover: str


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """How a match ends; without an `outcome` nobody won and nothing is decided."""

    outcome: Outcome | None
    reason: EndReason


@dataclass(frozen=True, slots=True)
class ConditionalReply:
    """What `person`, who is to move, has settled beforehand: a turn, or, without texts, to resign."""

    person: Person
    move_texts: tuple[str, ...]


class MatchHooks:
    """Something that takes part in matches; every hook of this one does nothing.

    `held` is the match under its lock. Hooks that give columns are asked before these are written, so
    `held.row` is as it was; a column is given by one concern alone. Those that wait come after.
    """

    async def on_start(self, connection: Connection, started: MatchStarted) -> Columns:
        """Return columns of a new match."""
        return NO_CHANGES

    def check_allowed(self, locked: LockedMatch) -> None:
        """Refuse, by a MatchError, whatever `held.person` is about to do."""

    def on_pick(self, locked: LockedMatch) -> Columns:
        """Return columns for the first of two picks, made by `held.person`."""
        return NO_CHANGES

    def on_reveal(self, locked: LockedMatch, mover: str | None) -> Columns:
        """Return columns for the second of two picks.

        The board stands, and `mover` is the account to move.
        """
        return NO_CHANGES

    def on_turn(self, locked: LockedMatch, turn: TurnPlayed) -> Columns:
        """Return columns for moves, whether or not they end the match."""
        return NO_CHANGES

    def on_end(self, locked: LockedMatch, end: MatchEnded) -> Columns:
        """Return columns for an end, in addition to those for the moves that brought it about."""
        return NO_CHANGES

    def on_takeback(self, locked: LockedMatch, takeback: MovesTakenBack) -> Columns:
        """Return columns for moves that are taken back."""
        return NO_CHANGES

    def on_clock_restart(self, locked: LockedMatch) -> Columns:
        """Return columns for time that, other than by a turn, begins to run again, or runs longer."""
        return NO_CHANGES

    async def after_turn(self, locked: LockedMatch, turn: TurnPlayed) -> None:
        """Do what follows from moves, which are written now."""

    async def reply(self, locked: LockedMatch, turn: TurnPlayed) -> ConditionalReply | None:
        """Return what answers a complete turn at once; the first concern that has an answer is heard."""
        return None

    async def after_takeback(self, locked: LockedMatch) -> None:
        """Do what follows from moves being taken back, which is written now."""

    async def after_end(self, locked: LockedMatch, end: MatchEnded) -> None:
        """Do what follows from an end, which is written now."""

    async def after_correction(self, locked: LockedMatch, old_end: MatchEnded, end: MatchEnded) -> None:
        """Undo what followed from the end that `old_end`, and do what follows from another, written now.

        `held.person` runs the server and need not sit at the match.
        """

    async def on_announced(self, locked: LockedMatch, announcement: Announcement) -> None:
        """Do what follows from something's being announced to all, last of all."""


class CompositeHooks(MatchHooks):
    """Several concerns, asked in order."""

    def __init__(self, *hooks: MatchHooks) -> None:
        self._hooks = hooks

    async def on_start(self, connection: Connection, started: MatchStarted) -> Columns:
        """Ask all."""
        return _merge(*[await one.on_start(connection, started) for one in self._hooks])

    def check_allowed(self, locked: LockedMatch) -> None:
        """Ask all."""
        for one in self._hooks:
            one.check_allowed(locked)

    def on_pick(self, locked: LockedMatch) -> Columns:
        """Ask all."""
        return _merge(*(one.on_pick(locked) for one in self._hooks))

    def on_reveal(self, locked: LockedMatch, mover: str | None) -> Columns:
        """Ask all."""
        return _merge(*(one.on_reveal(locked, mover) for one in self._hooks))

    def on_turn(self, locked: LockedMatch, turn: TurnPlayed) -> Columns:
        """Ask all."""
        return _merge(*(one.on_turn(locked, turn) for one in self._hooks))

    def on_end(self, locked: LockedMatch, end: MatchEnded) -> Columns:
        """Ask all."""
        return _merge(*(one.on_end(locked, end) for one in self._hooks))

    def on_takeback(self, locked: LockedMatch, takeback: MovesTakenBack) -> Columns:
        """Ask all."""
        return _merge(*(one.on_takeback(locked, takeback) for one in self._hooks))

    def on_clock_restart(self, locked: LockedMatch) -> Columns:
        """Ask all."""
        return _merge(*(one.on_clock_restart(locked) for one in self._hooks))

    async def after_turn(self, locked: LockedMatch, turn: TurnPlayed) -> None:
        """Tell all."""
        for one in self._hooks:
            await one.after_turn(locked, turn)

    async def reply(self, locked: LockedMatch, turn: TurnPlayed) -> ConditionalReply | None:
        """Ask until one answers."""
        for one in self._hooks:
            answer = await one.reply(locked, turn)
            if answer is not None:
                return answer
        return None

    async def after_takeback(self, locked: LockedMatch) -> None:
        """Tell all."""
        for one in self._hooks:
            await one.after_takeback(locked)

    async def after_end(self, locked: LockedMatch, end: MatchEnded) -> None:
        """Tell all."""
        for one in self._hooks:
            await one.after_end(locked, end)

    async def after_correction(self, locked: LockedMatch, old_end: MatchEnded, end: MatchEnded) -> None:
        """Tell all."""
        for one in self._hooks:
            await one.after_correction(locked, old_end, end)

    async def on_announced(self, locked: LockedMatch, announcement: Announcement) -> None:
        """Tell all."""
        for one in self._hooks:
            await one.on_announced(locked, announcement)


def _merge(*parts: Columns) -> Columns:
    return {name: value for columns in parts for name, value in columns.items()}
