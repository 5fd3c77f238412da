"""Saving, changing and reading conditional moves."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from engine import get_game
from matches.conditionals.future_board import FutureBoard, find_line, insert_line
from matches.conditionals.tree import format_tree, parse_tree, remove_line
from matches.conditionals.values import ConditionalMoves, LossNotice, LossReason
from matches.errors import NoBoard, NotInMatch, Refusal
from matches.times import to_millis
from matches.values import MatchId, MatchState, encode_revision
from matches.view_builder import fetch_match, load_position_after, seats_from_row
from storage.match import conditionals, matches

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from datetime import datetime

    from engine.game import Game, Position
    from matches.conditionals.tree import Line, Tree
    from matches.locking import LockedMatch, MatchLocker
    from matches.values import Person
    from storage import Connection, Database
    from storage.match.conditionals import ConditionalMovesRow
    from storage.match.matches import MatchRow

LEASE = timedelta(minutes=1)


class Conditionals:
    """The conditional moves of a database, each visible only to its owner."""

    def __init__(self, database: Database, locker: MatchLocker, games: Mapping[str, Game]) -> None:
        self._database = database
        self._locker = locker
        self._games = games

    async def get(self, match: MatchId, person: Person) -> ConditionalMoves:
        """Return a person's conditional moves in a match.

        Raises MatchUnknown, NotInMatch, `match_over`, `choice_pending`.
        """
        async with self._database.read() as connection:
            row = await fetch_match(connection, match)
            if person.account not in (row.first, row.second):
                raise NotInMatch(match=match)
            if row.state == MatchState.OVER:
                raise Refusal("match_over", match=match)
            return await _load(connection, row, get_game(row.game, row.rules_version, self._games), person)

    async def add_line(
        self, match: MatchId, person: Person, line: Line, *, seen_revision: int, now: datetime
    ) -> ConditionalMoves:
        """Save a line that starts from the last announced board; `seen_revision` is its revision.

        It must end with the person's own turn and replaces another reply at the same place.

        Raises MatchUnknown, NotInMatch, `match_over`, `choice_pending`, StaleBoard, `is_your_turn`,
        `line_without_answer`, `line_too_long`, `line_after_game_end`, `incomplete_turn`, TooManyMoves,
        MoveRefused.
        """
        return await self.add_lines(match, person, (line,), seen_revision=seen_revision, now=now)

    async def add_lines(
        self, match: MatchId, person: Person, lines: Sequence[Line], *, seen_revision: int, now: datetime
    ) -> ConditionalMoves:
        """Save several lines as :meth:`add_line` does: all of them, or none."""
        async with self._lock_for_change(match, person, seen_revision, now) as (locked, saved):
            tree = saved.tree
            for line in lines:
                tree = insert_line(saved.board, tree, line)
            return await _save(locked, saved, tree)

    async def remove_line(
        self, match: MatchId, person: Person, line: Line, *, seen_revision: int, now: datetime
    ) -> ConditionalMoves:
        """Remove the turn at the end of a line and everything after it.

        Raises as :meth:`add_line` does, and `line_unknown`.
        """
        async with self._lock_for_change(match, person, seen_revision, now) as (locked, saved):
            stored_line = find_line(saved.board, saved.tree, line)
            if not stored_line:
                raise Refusal("line_unknown", match=match)
            return await _save(locked, saved, remove_line(saved.tree, stored_line))

    async def clear(self, match: MatchId, person: Person, *, now: datetime) -> None:
        """Remove all of a person's conditional moves. Raises MatchUnknown, NotInMatch, `match_over`."""
        async with self._locker.lock_for(match, person, now) as locked:
            await conditionals.remove(locked.connection, match, person.account)

    async def claim_notices(self, platform: str, *, now: datetime, limit: int = 20) -> tuple[LossNotice, ...]:
        """Lease the due notices of invalidated conditional moves on a platform for a minute, at most `limit`.

        A notice is due again unless :meth:`mark_notified` or :meth:`mark_unreachable` is called.
        """
        async with self._database.read() as connection:
            if not await conditionals.any_notice_due(connection, f"{platform}:", to_millis(now)):
                return ()
        async with self._database.transaction() as connection:
            lease = LEASE // timedelta(milliseconds=1)
            rows = await conditionals.claim_due_notices(
                connection, f"{platform}:", to_millis(now), lease, limit
            )
        return tuple(notice for notice in map(_notice_from_row, rows) if notice)

    async def mark_notified(self, notice: LossNotice) -> None:
        """Record that the person was notified."""
        async with self._database.transaction() as connection:
            await conditionals.delete_loss_notice(connection, notice.match, notice.recipient, notice.revision)

    async def mark_unreachable(self, notice: LossNotice) -> None:
        """Record that the person cannot be notified; :meth:`get` returns the notice until they are."""
        async with self._database.transaction() as connection:
            await conditionals.mark_notice_undeliverable(
                connection, notice.match, notice.recipient, notice.revision
            )

    @asynccontextmanager
    async def _lock_for_change(
        self, match: MatchId, person: Person, seen_revision: int, now: datetime
    ) -> AsyncIterator[tuple[LockedMatch, ConditionalMoves]]:
        async with self._locker.lock_for(match, person, now) as locked:
            saved = await _load(locked.connection, locked.row, locked.game, person)
            locked.check_revision(seen_revision, locked.row.turn_ply)
            if not saved.can_edit:
                raise Refusal("is_your_turn", match=match)
            yield locked, saved


async def _load(connection: Connection, row: MatchRow, game: Game, person: Person) -> ConditionalMoves:
    position = await _last_announced_board(connection, row, game)
    seat = next(seat for seat in seats_from_row(row, game) if seat.person.account == person.account)
    board = FutureBoard(row.id, position, seat.side)
    stored = await conditionals.get(connection, row.id, person.account)
    is_current = stored is not None and stored.lost is None and stored.ply == row.turn_ply
    return ConditionalMoves(
        match=MatchId(row.id),
        revision=encode_revision(row.turn_ply, row.takebacks),
        board=board,
        tree=parse_tree(stored.tree) if stored is not None and is_current else (),
        can_edit=position.to_move is not None and not board.is_own_turn,
        loss=None if stored is None else _notice_from_row(stored),
    )


async def _last_announced_board(connection: Connection, row: MatchRow, game: Game) -> Position:
    """Return the position before the unfinished turn, which only its maker knows."""
    if row.position is None:
        raise NoBoard("choice_pending", match=row.id)
    if row.ply == row.turn_ply:
        return game.load(row.position)
    moves = await matches.list_recent_moves(connection, row.id, row.turn_ply)
    return load_position_after(game, row, moves)


async def _save(locked: LockedMatch, saved: ConditionalMoves, tree: Tree) -> ConditionalMoves:
    account = locked.person.account
    if tree:
        await conditionals.save(
            locked.connection,
            saved.match,
            account,
            ply=locked.row.turn_ply,
            position=str(saved.board.position),
            tree=format_tree(tree),
            changed_at=locked.now,
            lost=None,
            due_at=None,
            attempts=0,
        )
    else:
        await conditionals.remove(locked.connection, saved.match, account)
    if not locked.row.has_conditional_moves:
        await locked.change(has_conditional_moves=True)
    return await _load(locked.connection, locked.row, locked.game, locked.person)


def _notice_from_row(row: ConditionalMovesRow) -> LossNotice | None:
    if row.lost is None:
        return None
    return LossNotice(MatchId(row.match), row.person, LossReason(row.lost), row.ply, row.attempts)
