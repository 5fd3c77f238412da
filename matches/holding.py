"""One match held for a change: its lock, its transaction, its row, and the person who acts."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from engine import find
from engine.game import Outcome
from matches.announcements import GRACE, announce
from matches.errors import FistsClosed, MatchOver, NotInMatch, StaleBoard
from matches.reading import Recent, fetch, read_recent, read_seats, read_view, with_correction
from matches.stamps import write_stamp
from matches.steps import AnnouncementKind, Turn
from matches.times import millis
from matches.values import NO_DETAILS, MatchId, MatchState, Person
from storage import matches, people
from storage.matches import MatchRow

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from datetime import datetime, timedelta

    from engine.game import Game, Position
    from matches.concerns import Concerns, End
    from matches.reading import Seats
    from matches.steps import Announcement
    from matches.values import Seat
    from storage import Connection, Store


_READ = frozenset(field.name for field in fields(MatchRow))  # other columns are written only


@dataclass(slots=True)
class Held:
    """A match that nobody else changes while this is held. `row` follows the changes made."""

    connection: Connection
    row: MatchRow
    game: Game
    person: Person
    now: int
    concerns: Concerns
    _board: Position | None = None

    @property
    def seats(self) -> Seats:
        """The seats as they are now."""
        return read_seats(self.row, self.game)

    @property
    def other(self) -> Person:
        """The person across the board."""
        return next(seat.person for seat in self.seats if seat.person.account != self.person.account)

    @property
    def seat(self) -> Seat:
        """The seat of the person who acts."""
        return next(seat for seat in self.seats if seat.person.account == self.person.account)

    def board(self) -> Position:
        """Give the board. Raises FistsClosed where there is none."""
        if self.row.position is None:
            raise FistsClosed(match=self.row.id)
        if self._board is None:
            self._board = self.game.load(self.row.position)
        return self._board

    def act_as(self, account: str) -> None:
        """Let what follows be done by another of the two people."""
        self.person = next(seat.person for seat in self.seats if seat.person.account == account)

    def win(self, person: Person) -> Outcome:
        """Give the outcome by which a person at the board wins."""
        return Outcome(next(seat.side.value for seat in self.seats if seat.person.account == person.account))

    def refuse_over(self) -> None:
        """Raise MatchOver where nothing can be done any more."""
        if self.row.state == MatchState.OVER:
            raise MatchOver(match=self.row.id)

    def refuse_stale(self, seen: int | None, *valid: int) -> None:
        """Raise StaleBoard where the stamp that was seen is that of none of the valid plies."""
        if seen is not None and seen not in (write_stamp(ply, self.row.takebacks) for ply in valid):
            raise StaleBoard(match=self.row.id, seen=seen, ply=self.row.ply)

    async def change(self, board: Position | None = None, **values: Any) -> None:
        """Write columns of the match, and a new board with whose turn it is there.

        `position` may hold the line of that board, where it is written already.

        Raises StaleBoard if the match is no longer at the ply that was read.
        """
        if board is not None:
            self._board = board
            first, second = values.get("first", self.row.first), values.get("second", self.row.second)
            mover = {self.game.sides[0]: first, self.game.sides[1]: second}
            values.setdefault("position", str(board))
            values |= {"mover": board.to_move and mover[board.to_move]}
        if not await matches.change(self.connection, self.row.id, self.row.ply, **values):
            raise StaleBoard(match=self.row.id, seen=self.row.ply, ply=self.row.ply)
        self.row = replace(self.row, **{name: value for name, value in values.items() if name in _READ})
        if "first" in values:
            self.row = replace(self.row, first_name=self.row.second_name, second_name=self.row.first_name)

    async def reload(self) -> None:
        """Read the row again."""
        self.row = await fetch(self.connection, self.row.id)

    async def end(self, end: End) -> None:
        """End the match, other than by a move."""
        await self.change(
            state=MatchState.OVER,
            outcome=end.outcome,
            reason=end.reason,
            mover=None,
            changed_at=self.now,
            **self.concerns.ended(self, end),
        )
        await self.concerns.after_end(self, end)

    async def announce(
        self,
        kind: AnnouncementKind,
        whom: tuple[Person, ...],
        first_ply: int | None = None,
        *,
        details: Mapping[str, str | int] = NO_DETAILS,
        grace: timedelta = GRACE,
    ) -> Announcement:
        """Write what is to be told of the match as it now stands."""
        announcement = await announce(
            self.connection,
            kind,
            match=self.row.id,
            ply=self.row.ply,
            takebacks=self.row.takebacks,
            first_ply=first_ply,
            by=self.person.account,
            whom=tuple(person.account for person in whom),
            server=self.row.server,
            place=self.row.place,
            now=self.now,
            details=details,
            grace=grace,
        )
        await self.concerns.told(self, announcement)
        return announcement

    async def recent(self) -> Recent:
        """Read the latest moves."""
        moves = await matches.recent_moves(self.connection, self.row.id, self.row.ply)
        return read_recent(self.game, self.row, moves)

    async def turn(self, announcement: Announcement | None, recent: Recent | None = None) -> Turn:
        """Give the match as it now stands, with what is to be told."""
        board = None if self.row.position is None else self.board()
        view = read_view(self.row, self.game, board, await self.recent() if recent is None else recent)
        return Turn(match=await with_correction(self.connection, view), announcement=announcement)


class Holder:
    """Holds matches for changes, one change at a time for each match."""

    def __init__(self, store: Store, concerns: Concerns) -> None:
        self._store = store
        self._concerns = concerns
        self._locks: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def hold(self, match: MatchId, person: Person, now: datetime) -> AsyncIterator[Held]:
        """Hold a match for a person who sits at it; the transaction is committed at the end.

        Raises MatchUnknown, NotInMatch, MatchOver, StorageUnavailable.
        """
        async with self.attend(match, now) as held:
            if person.account not in (held.row.first, held.row.second):
                raise NotInMatch(match=match)
            held.person = person
            held.refuse_over()
            self._concerns.admits(held)
            await _rename(held)
            yield held

    @asynccontextmanager
    async def attend(self, match: MatchId, now: datetime) -> AsyncIterator[Held]:
        """Hold a match for nobody in particular, over or not: whoever has the first seat stands in.

        Raises MatchUnknown, StorageUnavailable.
        """
        lock = self._locks.setdefault(match, asyncio.Lock())
        async with lock, self._store.writing() as connection:
            yield await self.within(connection, match, now)

    async def within(self, connection: Connection, match: MatchId, now: datetime) -> Held:
        """Hold a match as in :meth:`attend`, in a transaction under way, until that ends.

        Whoever holds several takes them in the order of their numbers. Raises MatchUnknown.
        """
        row = await fetch(connection, match, lock=True)
        person = Person(row.first, row.first_name)
        return Held(connection, row, find(row.game, row.rules_version), person, millis(now), self._concerns)


async def _rename(held: Held) -> None:
    """Note a person's new name."""
    if held.seat.person.name != held.person.name:
        await people.remember(held.connection, held.person.account, held.person.name, held.now)
        await held.reload()
