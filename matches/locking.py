"""A match that is locked for a change, and the hooks that run inside its transaction."""

# ruff: noqa: ARG002 - the hooks of the base class do nothing with their arguments

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from time import perf_counter
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from engine import GAMES, get_game
from engine.game import Outcome
from matches.clocks.uptime import OUTAGE_THRESHOLD, service_time
from matches.computer.accounts import is_computer
from matches.errors import NoBoard, NotInMatch, Refusal, StaleBoard
from matches.hook_events import NO_CHANGES, join_columns
from matches.notices.values import parse_choice
from matches.platforms import NO_PLACE, WEB, list_told_privately, platform_of
from matches.posting.announcements import GRACE, announce, announce_to_players
from matches.times import to_millis
from matches.updates import DIRECT, AnnouncementKind, MatchUpdate
from matches.values import EMPTY_DETAILS, MatchId, MatchState, Person, encode_revision
from matches.view_builder import (
    RecentMoves,
    build_current_view,
    build_recent_moves,
    fetch_match,
    seats_from_row,
    with_correction,
)
from metrics import Stage
from storage.match import matches
from storage.match.matches import MatchRow
from storage.people import people

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Mapping, Sequence
    from datetime import datetime

    from engine.game import Game, Position
    from matches.hook_events import ConditionalReply, MatchEnded, MatchStarted, MovesTakenBack, TurnPlayed
    from matches.match_view import MatchView
    from matches.notices.values import NoticeChoice
    from matches.updates import Announcement
    from matches.values import Seat
    from matches.view_builder import Seats
    from storage import Connection, Database
    from storage.statements import Columns


_OF_SEAT = ("name", "preferences", "notices")  # columns of a row that follow the person to the other seat
_ROW_COLUMNS = frozenset(field.name for field in fields(MatchRow))  # other columns are never read


class MatchHooks:
    """A feature that takes part when a match changes, inside the transaction of that change.

    Every hook of this base class does nothing; features override some. The hooks that return columns run
    before the change is written, while `locked.row` is unchanged; their columns go into the statement that
    writes the change, and no two features may return the same column in one call. The others run afterwards
    and may send statements of their own.
    """

    async def on_start(self, connection: Connection, started: MatchStarted) -> Columns:
        """Return columns of a new match."""
        return NO_CHANGES

    def on_pick(self, locked: LockedMatch) -> Columns:
        """Return columns for the first of two picks, made by `locked.person`."""
        return NO_CHANGES

    def on_reveal(self, locked: LockedMatch, mover: str | None) -> Columns:
        """Return columns for the second of two picks; `mover` is the account that moves first."""
        return NO_CHANGES

    def on_turn(self, locked: LockedMatch, turn: TurnPlayed) -> Columns:
        """Return columns for moves, whether or not they end the match."""
        return NO_CHANGES

    def on_end(self, locked: LockedMatch, end: MatchEnded) -> Columns:
        """Return columns for an end. If moves end the match, `on_turn` is called before."""
        return NO_CHANGES

    def on_takeback(self, locked: LockedMatch, takeback: MovesTakenBack) -> Columns:
        """Return columns for moves that are taken back."""
        return NO_CHANGES

    def on_clock_restart(self, locked: LockedMatch) -> Columns:
        """Return columns for a clock that resumes or gets more time without a turn being played."""
        return NO_CHANGES

    async def reply(self, locked: LockedMatch, turn: TurnPlayed) -> ConditionalReply | None:
        """Return a reply to play at once after a complete turn, or None."""
        return None

    async def after_end(self, locked: LockedMatch, end: MatchEnded) -> None:
        """Act on an end that was written."""

    async def after_correction(self, locked: LockedMatch, end: MatchEnded) -> None:
        """Act on a corrected result that was written."""

    async def on_announced(self, locked: LockedMatch, announcement: Announcement) -> None:
        """Act on a public announcement that was written. Called last."""


@dataclass(slots=True)
class LockedMatch:
    """A match whose row is locked by the current transaction. `row` follows the changes made.

    `person` is the acting player; `now` is in milliseconds since 1970 UTC.
    """

    connection: Connection
    row: MatchRow
    game: Game
    person: Person
    now: int
    hooks: Sequence[MatchHooks]
    outage: timedelta
    _board: Position | None = None

    @property
    def seats(self) -> Seats:
        """The current seats."""
        return seats_from_row(self.row, self.game)

    @property
    def opponent(self) -> Person:
        """The opponent of the acting player."""
        return next(seat.person for seat in self.seats if seat.person.account != self.person.account)

    @property
    def seat(self) -> Seat:
        """The seat of the acting player."""
        return next(seat for seat in self.seats if seat.person.account == self.person.account)

    @property
    def told_privately(self) -> tuple[str, ...]:
        """The players who get a copy of each announcement."""
        place = self.row.place if self.row.direct_since is None else NO_PLACE
        return list_told_privately(place, (self.row.first, self.row.second))

    @property
    def choices(self) -> dict[str, NoticeChoice]:
        """How the players want to be told, without those who are told as their platform does by default."""
        row = self.row
        stored = (
            (row.first, row.first_notices, row.first_preferences),
            (row.second, row.second_notices, row.second_preferences),
        )
        chosen = (one for one in stored if one[1] is not None or platform_of(one[0]) == WEB)
        return {account: parse_choice(account, *texts) for account, *texts in chosen}

    @property
    def service_time(self) -> int:
        """`now` in milliseconds of service time (see :mod:`matches.clocks.uptime`)."""
        return service_time(self.now, self.row.beat_at, self.row.lost, self.outage)

    def board(self) -> Position:
        """Return the current position. Raises `choice_pending` if there is none yet."""
        if self.row.position is None:
            raise NoBoard("choice_pending", match=self.row.id)
        if self._board is None:
            self._board = self.game.load(self.row.position)
        return self._board

    def act_as(self, account: str) -> None:
        """Make the player with this account the acting player."""
        self.person = next(seat.person for seat in self.seats if seat.person.account == account)

    def winning_outcome(self, person: Person) -> Outcome:
        """Return the outcome with which a player wins."""
        return Outcome(next(seat.side.value for seat in self.seats if seat.person.account == person.account))

    def check_revision(self, seen_revision: int | None, *valid_plies: int) -> None:
        """Raise StaleBoard unless the seen revision is None or that of one of the valid plies."""
        if seen_revision is not None and seen_revision not in (
            encode_revision(ply, self.row.takebacks) for ply in valid_plies
        ):
            raise StaleBoard(match=self.row.id)

    async def change(self, board: Position | None = None, **values: Any) -> None:
        """Write columns of the match and, with `board`, a new position and the account to move.

        Pass `position` as well if the position is already formatted. Raises StaleBoard if the stored ply is
        not the ply of `row`.
        """
        if board is not None:
            self._board = board
            first, second = values.get("first", self.row.first), values.get("second", self.row.second)
            mover = {self.game.sides[0]: first, self.game.sides[1]: second}
            if "position" not in values:
                values["position"] = str(board)
            values |= {"mover": board.to_move and mover[board.to_move]}
        if not await matches.update_if_at_ply(self.connection, self.row.id, self.row.ply, **values):
            raise StaleBoard(match=self.row.id)
        self.row = replace(
            self.row, **{name: value for name, value in values.items() if name in _ROW_COLUMNS}
        )
        if "first" in values:
            row = self.row
            self.row = replace(
                row,
                **{f"first_{name}": getattr(row, f"second_{name}") for name in _OF_SEAT},
                **{f"second_{name}": getattr(row, f"first_{name}") for name in _OF_SEAT},
            )

    async def reload(self) -> None:
        """Read the row again."""
        self.row = await fetch_match(self.connection, self.row.id)

    async def end(self, end: MatchEnded) -> None:
        """End the match other than by a move."""
        await self.change(
            state=MatchState.OVER,
            outcome=end.outcome,
            reason=end.reason,
            mover=None,
            changed_at=self.now,
            **join_columns(hook.on_end(self, end) for hook in self.hooks),
        )
        for hook in self.hooks:
            await hook.after_end(self, end)

    async def announce(
        self,
        kind: AnnouncementKind,
        recipients: tuple[Person, ...],
        first_ply: int | None = None,
        *,
        details: Mapping[str, str | int] = EMPTY_DETAILS,
        grace: timedelta = GRACE,
        only: str | None = None,
    ) -> Announcement:
        """Announce the match after its last complete turn, as :func:`announce_to_players` does.

        What the computer does is due at once.
        """
        own = await announce_to_players(
            self.connection,
            kind,
            (self.row.first, self.row.second),
            is_direct=self.row.direct_since is not None,
            only=only,
            choices=self.choices,
            is_over=self.row.state == MatchState.OVER,
            first_ply=first_ply,
            details=details,
            grace=timedelta(0) if is_computer(self.person.account) else grace,
            **self._subject(recipients),
        )
        for hook in self.hooks:
            await hook.on_announced(self, replace(own, to=None, details=details))
        return own

    async def announce_to(self, person: Person, kind: AnnouncementKind) -> None:
        """Write an announcement for one player only, due at once; none for the computer."""
        account = person.account
        if not is_computer(account):
            subject = self._subject((person,))
            await announce(
                self.connection, kind, **subject, details={DIRECT: 1}, grace=timedelta(0), to=account
            )

    def _subject(self, recipients: tuple[Person, ...]) -> dict[str, Any]:
        """Return the arguments of an announcement that say what it is about."""
        return {
            "match": self.row.id,
            "ply": self.row.turn_ply,
            "takebacks": self.row.takebacks,
            "by": self.person.account,
            "recipients": tuple(person.account for person in recipients),
            "server": self.row.server,
            "channel": self.row.place,
            "now": self.now,
        }

    async def load_turn_start(self) -> Position:
        """Return the position before the unfinished turn, which everybody sees. Raises `choice_pending`."""
        board = self.board()
        if self.row.ply == self.row.turn_ply:
            return board
        return (await self.load_view()).position or board

    async def load_view(self, recent: RecentMoves | None = None, readers: Collection[str] = ()) -> MatchView:
        """Return the current view for the accounts `readers`, or by default for everybody.

        `recent` are the recent moves if they are known already.
        """
        board = None if self.row.position is None else self.board()
        if recent is None:
            moves = await matches.list_recent_moves(self.connection, self.row.id, self.row.ply)
            recent = build_recent_moves(self.game, self.row, moves)
        view = build_current_view(self.row, self.game, board, recent, readers)
        return await with_correction(self.connection, view)

    async def make_update(
        self,
        announcement: Announcement | None,
        recent: RecentMoves | None = None,
        *,
        readers: Collection[str] = (),
    ) -> MatchUpdate:
        """Return the current view for `readers` together with the announcement of the change."""
        return MatchUpdate(match=await self.load_view(recent, readers), announcement=announcement)


class MatchLocker:
    """Locks matches, one change at a time for each match."""

    def __init__(
        self,
        database: Database,
        hooks: Sequence[MatchHooks],
        games: Mapping[str, Game] = GAMES,
        outage: timedelta = OUTAGE_THRESHOLD,
    ) -> None:
        self._database = database
        self._outage = outage
        self._hooks = hooks
        self._games = games
        self._mutexes: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def lock_for(self, match: MatchId, person: Person, now: datetime) -> AsyncIterator[LockedMatch]:
        """Lock a match that is not over for one of its players; commit at the end of the block.

        Raises MatchUnknown, NotInMatch, `match_over`, StorageUnavailable.
        """
        async with self.lock(match, now, short=True) as locked:
            if person.account not in (locked.row.first, locked.row.second):
                raise NotInMatch(match=match)
            locked.person = person
            if locked.row.state == MatchState.OVER:
                raise Refusal("match_over", match=match)
            if locked.seat.person.name != person.name:
                await people.save(locked.connection, person.account, person.name, locked.now)
                await locked.reload()
            yield locked

    @asynccontextmanager
    async def lock(self, match: MatchId, now: datetime, *, short: bool = False) -> AsyncIterator[LockedMatch]:
        """Lock a match for the system, whether or not it is over; the acting player is the first seat's.

        `short` promises that nothing but a few rows found by their keys is read and written.
        Raises MatchUnknown, StorageUnavailable.
        """
        asked_at = perf_counter()
        mutex = self._mutexes.setdefault(match, asyncio.Lock())
        async with mutex, self._database.transaction(short=short) as connection:
            locked = await self.lock_in(connection, match, now)
            self._database.metrics.observe(Stage.MATCH_LOCK, perf_counter() - asked_at)
            yield locked

    async def lock_in(self, connection: Connection, match: MatchId, now: datetime) -> LockedMatch:
        """Lock a match as :meth:`lock` does, inside an open transaction until it ends.

        To avoid deadlocks, lock several matches in the order of their ids. Raises MatchUnknown.
        """
        row = await fetch_match(connection, match, lock=True)
        person = Person(row.first, row.first_name)
        game = get_game(row.game, row.rules_version, self._games)
        return LockedMatch(connection, row, game, person, to_millis(now), self._hooks, self._outage)
