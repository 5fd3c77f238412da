"""The trees of a store: kept, changed and shown for the person alone whose they are."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from engine import find
from matches.conditionals.ahead import Ahead, known_line, with_line
from matches.conditionals.errors import LineUnknown, OwnTurn
from matches.conditionals.tree import read, without, written
from matches.conditionals.values import Lost, Notice, Settled
from matches.errors import FistsClosed, MatchOver, NotInMatch
from matches.reading import fetch, first_board, read_seats
from matches.stamps import write_stamp
from matches.times import millis
from matches.values import MatchId, MatchState
from storage import conditionals, matches

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from engine.game import Game, Position
    from matches.conditionals.tree import Line, Tree
    from matches.holding import Held, Holder
    from matches.values import Person
    from storage import Connection, Store
    from storage.conditionals import ConditionalRow
    from storage.matches import MatchRow

LEASE = timedelta(minutes=1)


class Conditionals:
    """What people settle beforehand: if the other plays this, I answer that. Nobody else ever sees it."""

    def __init__(self, store: Store, holder: Holder) -> None:
        self._store = store
        self._holder = holder

    async def of(self, match: MatchId, person: Person) -> Settled:
        """Give what a person has settled in a match.

        Raises MatchUnknown, NotInMatch, MatchOver, FistsClosed.
        """
        async with self._store.reading() as connection:
            row = await fetch(connection, match)
            if person.account not in (row.first, row.second):
                raise NotInMatch(match=match)
            if row.state == MatchState.OVER:
                raise MatchOver(match=match)
            return await _settled(connection, row, find(row.game, row.rules_version), person)

    async def keep(
        self, match: MatchId, person: Person, line: Line, *, seen_ply: int, now: datetime
    ) -> Settled:
        """Settle a line from the last board that everybody knows; `seen_ply` is its stamp.

        It must end with the person's own turn. Another answer at the same place gives way to it.

        Raises MatchUnknown, NotInMatch, MatchOver, FistsClosed, StaleBoard, OwnTurn, NoAnswer, LineTooLong,
        LineBeyondEnd, TurnCutShort, TooManyMoves, MoveRefused.
        """
        async with self._changing(match, person, seen_ply, now) as (held, settled):
            return await _keep(held, settled, with_line(settled.board, settled.tree, line))

    async def remove(
        self, match: MatchId, person: Person, line: Line, *, seen_ply: int, now: datetime
    ) -> Settled:
        """Settle no more what stands at the end of a line, and all that follows it.

        Raises as :meth:`keep` does, and LineUnknown.
        """
        async with self._changing(match, person, seen_ply, now) as (held, settled):
            known = known_line(settled.board, settled.tree, line)
            if not known:
                raise LineUnknown(match=match)
            return await _keep(held, settled, without(settled.tree, known))

    async def clear(self, match: MatchId, person: Person, *, now: datetime) -> None:
        """Settle nothing more. Raises MatchUnknown, NotInMatch, MatchOver."""
        async with self._holder.hold(match, person, now) as held:
            await conditionals.forget(held.connection, match, person.account)

    async def notices(self, *, now: datetime, limit: int = 20) -> tuple[Notice, ...]:
        """Take the notices that are due, at most `limit`, for telling; each is leased for a minute.

        It comes back unless :meth:`noticed` or :meth:`unreached` is called.
        """
        async with self._store.reading() as connection:
            if not await conditionals.any_due(connection, millis(now)):
                return ()
        async with self._store.writing() as connection:
            lease = LEASE // timedelta(milliseconds=1)
            rows = await conditionals.claim(connection, millis(now), lease, limit)
        return tuple(notice for notice in map(_notice, rows) if notice)

    async def noticed(self, notice: Notice) -> None:
        """Record that the person was told."""
        async with self._store.writing() as connection:
            await conditionals.forget_loss(connection, notice.match, notice.whom, notice.stamp)

    async def unreached(self, notice: Notice) -> None:
        """Record that the person cannot be told just so; :meth:`of` gives the notice until they are."""
        async with self._store.writing() as connection:
            await conditionals.silence_loss(connection, notice.match, notice.whom, notice.stamp)

    @asynccontextmanager
    async def _changing(
        self, match: MatchId, person: Person, seen_ply: int, now: datetime
    ) -> AsyncIterator[tuple[Held, Settled]]:
        async with self._holder.hold(match, person, now) as held:
            settled = await _settled(held.connection, held.row, held.game, person)
            held.refuse_stale(seen_ply, held.row.turn_ply)
            if not settled.waits:
                raise OwnTurn(match=match)
            yield held, settled


async def _settled(connection: Connection, row: MatchRow, game: Game, person: Person) -> Settled:
    position = await _known_board(connection, row, game)
    seat = next(seat for seat in read_seats(row, game) if seat.person.account == person.account)
    board = Ahead(row.id, position, seat.side)
    found = await conditionals.get(connection, row.id, person.account)
    fits = found is not None and found.lost is None and found.ply == row.turn_ply
    return Settled(
        match=MatchId(row.id),
        stamp=write_stamp(row.turn_ply, row.takebacks),
        board=board,
        tree=read(found.tree) if found is not None and fits else (),
        waits=position.to_move is not None and not board.own,
        lost=None if found is None else _notice(found),
    )


async def _known_board(connection: Connection, row: MatchRow, game: Game) -> Position:
    """Give the board as it was before a run under way, of which nobody but its maker knows."""
    if row.position is None:
        raise FistsClosed(match=row.id)
    if row.ply == row.turn_ply:
        return game.load(row.position)
    if row.turn_ply == 0:
        return first_board(game, row)
    moves = await matches.recent_moves(connection, row.id, row.turn_ply)
    return game.load(moves[-1].position)


async def _keep(held: Held, settled: Settled, tree: Tree) -> Settled:
    account = held.person.account
    if tree:
        await conditionals.put(
            held.connection,
            settled.match,
            account,
            ply=held.row.turn_ply,
            position=str(settled.board.position),
            tree=written(tree),
            changed_at=held.now,
            lost=None,
            due_at=None,
            attempts=0,
        )
    else:
        await conditionals.forget(held.connection, settled.match, account)
    if not held.row.foreseen:
        await held.change(foreseen=True)
    return await _settled(held.connection, held.row, held.game, held.person)


def _notice(row: ConditionalRow) -> Notice | None:
    if row.lost is None:
        return None
    return Notice(MatchId(row.match), row.person, Lost(row.lost), row.ply, row.attempts)
