"""What else takes part when a match changes: in the same transaction, without the flow knowing what.

The flow of a match (:mod:`matches.starts`, :mod:`matches.fists`, :mod:`matches.turns` and
:mod:`matches.holding`) tells every concern what happens. Most answer with columns, which go into the one
statement that the flow sends anyway; only a concern that has something of its own to read or write sends
statements, in the hooks that wait.
"""

# ruff: noqa: ARG002 - a hook is told more than one that does nothing needs

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from matches.reading import swaps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Outcome, Position
    from matches.holding import Held
    from matches.steps import Announcement
    from matches.terms import Terms
    from matches.values import Person, Played, Reason
    from storage import Connection

Columns: TypeAlias = "Mapping[str, Any]"  # of the table of matches

NOTHING: Columns = {}


@dataclass(frozen=True, slots=True)
class Begun:
    """A match that is about to be stored: its people by account, in the order of the game's first move.

    `mover` is the account to move, None where the fists are still closed.
    """

    terms: Terms
    first: str
    second: str
    mover: str | None
    now: int


@dataclass(frozen=True, slots=True)
class Turned:
    """Moves that `person` has made, from the board `before`. `complete`: their turn is over with them."""

    person: Person
    before: Position
    moves: tuple[Played, ...]
    complete: bool

    @property
    def position(self) -> Position:
        """The board now."""
        return self.moves[-1].position

    @property
    def swapped(self) -> bool:
        """Whether the people have changed sides."""
        return swaps(event for move in self.moves for event in move.events)


@dataclass(frozen=True, slots=True)
class Undone:
    """Moves that are taken back: the accounts that made the complete `turns` among them, in order.

    `mover` is the account to move again.
    """

    turns: tuple[str, ...]
    mover: str


@dataclass(frozen=True, slots=True)
class End:
    """How a match ends; without an `outcome` nobody won and nothing is decided."""

    outcome: Outcome | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class Reply:
    """What `person`, who is to move, has settled beforehand: a turn, or, without texts, to resign."""

    person: Person
    texts: tuple[str, ...]


class Concern:
    """Something that takes part in matches; every hook of this one does nothing.

    `held` is the match under its lock. Hooks that give columns are asked before these are written, so
    `held.row` is as it was; a column is given by one concern alone. Those that wait come after.
    """

    async def begins(self, connection: Connection, begun: Begun) -> Columns:
        """Give columns of a new match."""
        return NOTHING

    def admits(self, held: Held) -> None:
        """Refuse, by a MatchError, whatever `held.person` is about to do."""

    def picked(self, held: Held) -> Columns:
        """Give columns for the first of two picks, made by `held.person`."""
        return NOTHING

    def opened(self, held: Held, mover: str | None) -> Columns:
        """Give columns for the second of two picks: the board stands, and `mover` is the account to move."""
        return NOTHING

    def turned(self, held: Held, turned: Turned) -> Columns:
        """Give columns for moves, whether or not they end the match."""
        return NOTHING

    def ended(self, held: Held, end: End) -> Columns:
        """Give columns for an end, in addition to those for the moves that brought it about."""
        return NOTHING

    def taken_back(self, held: Held, undone: Undone) -> Columns:
        """Give columns for moves that are taken back."""
        return NOTHING

    def restarted(self, held: Held) -> Columns:
        """Give columns for time that, other than by a turn, begins to run again, or runs longer."""
        return NOTHING

    async def after_turn(self, held: Held, turned: Turned) -> None:
        """Do what follows from moves, which are written now."""

    async def reply(self, held: Held, turned: Turned) -> Reply | None:
        """Give what answers a complete turn at once; the first concern that has an answer is heard."""
        return None

    async def after_taken_back(self, held: Held) -> None:
        """Do what follows from moves being taken back, which is written now."""

    async def after_end(self, held: Held, end: End) -> None:
        """Do what follows from an end, which is written now."""

    async def after_correction(self, held: Held, was: End, end: End) -> None:
        """Undo what followed from the end that `was`, and do what follows from another, written now.

        `held.person` runs the server and need not sit at the match.
        """

    async def told(self, held: Held, announcement: Announcement) -> None:
        """Do what follows from something's being announced to all, last of all."""


class Concerns(Concern):
    """Several concerns, asked in order."""

    def __init__(self, *concerns: Concern) -> None:
        self._concerns = concerns

    async def begins(self, connection: Connection, begun: Begun) -> Columns:
        """Ask all."""
        return _merged(*[await one.begins(connection, begun) for one in self._concerns])

    def admits(self, held: Held) -> None:
        """Ask all."""
        for one in self._concerns:
            one.admits(held)

    def picked(self, held: Held) -> Columns:
        """Ask all."""
        return _merged(*(one.picked(held) for one in self._concerns))

    def opened(self, held: Held, mover: str | None) -> Columns:
        """Ask all."""
        return _merged(*(one.opened(held, mover) for one in self._concerns))

    def turned(self, held: Held, turned: Turned) -> Columns:
        """Ask all."""
        return _merged(*(one.turned(held, turned) for one in self._concerns))

    def ended(self, held: Held, end: End) -> Columns:
        """Ask all."""
        return _merged(*(one.ended(held, end) for one in self._concerns))

    def taken_back(self, held: Held, undone: Undone) -> Columns:
        """Ask all."""
        return _merged(*(one.taken_back(held, undone) for one in self._concerns))

    def restarted(self, held: Held) -> Columns:
        """Ask all."""
        return _merged(*(one.restarted(held) for one in self._concerns))

    async def after_turn(self, held: Held, turned: Turned) -> None:
        """Tell all."""
        for one in self._concerns:
            await one.after_turn(held, turned)

    async def reply(self, held: Held, turned: Turned) -> Reply | None:
        """Ask until one answers."""
        for one in self._concerns:
            answer = await one.reply(held, turned)
            if answer is not None:
                return answer
        return None

    async def after_taken_back(self, held: Held) -> None:
        """Tell all."""
        for one in self._concerns:
            await one.after_taken_back(held)

    async def after_end(self, held: Held, end: End) -> None:
        """Tell all."""
        for one in self._concerns:
            await one.after_end(held, end)

    async def after_correction(self, held: Held, was: End, end: End) -> None:
        """Tell all."""
        for one in self._concerns:
            await one.after_correction(held, was, end)

    async def told(self, held: Held, announcement: Announcement) -> None:
        """Tell all."""
        for one in self._concerns:
            await one.told(held, announcement)


def _merged(*given: Columns) -> Columns:
    return {name: value for columns in given for name, value in columns.items()}
