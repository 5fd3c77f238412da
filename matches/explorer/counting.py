"""Counting of games for the opening explorer, in the background, each exactly once.

The column `explored` of a match says what is counted of it, and changes in the transaction that changes the
counts. Partial indexes list the matches where it is not what it should be: those that are over and public and
have not been looked at, those that are no longer public, and those whose result was corrected. So a database
of before is filled by the same steps that count a new game; several processes share them, and a killed one
goes on.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.game import Outcome
from matches.audience import PUBLIC
from matches.computer.accounts import is_computer
from matches.explorer.lines import MAX_MOVES, build_line
from matches.explorer.values import NOT_COUNTED, Players, Result, decode_counted, encode_counted
from matches.locking import MatchHooks
from matches.ratings.values import decode_rating
from matches.values import UNRATED_REASONS, MatchState
from storage.match import explorer
from storage.match.explorer import ExplorerMoveRow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Game
    from matches.explorer.lines import OpeningLine
    from matches.hook_events import MatchEnded
    from matches.locking import LockedMatch
    from storage import Connection, Database
    from storage.match.explorer import ExploredMatchRow

BATCH_SIZE = 5  # matches in one transaction, so that a turn waits a few milliseconds at most
BATCHES_AT_ONCE = 10


class ExplorerHooks(MatchHooks):
    """Has a match counted again when its result is corrected."""

    async def after_correction(self, locked: LockedMatch, end: MatchEnded) -> None:  # noqa: ARG002
        """Mark the match; the next step of the sweep counts it again."""
        await explorer.mark_stale(locked.connection, locked.row.id)


class OpeningCounts:
    """Counts the public games of a database."""

    def __init__(self, database: Database, games: Mapping[str, Game]) -> None:
        self._database = database
        self._games = games

    async def count(self, *, batches: int = BATCHES_AT_ONCE) -> int:
        """Make the counts agree with some of the matches, at most `batches` batches; return with how many.

        Each batch is a short transaction. Call it again while it returns more than 0.
        """
        done = 0
        for _ in range(batches):
            async with self._database.read() as connection:
                due = await explorer.list_due(connection, BATCH_SIZE)
            if not due:
                break
            done += await self._count_batch(due[:BATCH_SIZE])
        return done

    async def _count_batch(self, due: Sequence[int]) -> int:
        async with self._database.read() as connection:
            rows = await explorer.list_matches(connection, due)
            texts = await explorer.list_first_moves(connection, due, MAX_MOVES)
        # The moves of a match that is over never change, so nothing is locked while they are played.
        lines = await asyncio.to_thread(
            lambda: {row.id: build_line(row, texts[row.id], self._games) for row in rows}
        )
        async with self._database.transaction() as connection:
            locked = await explorer.lock_due(connection, due)
            await self._update_counts(connection, locked, lines)
        return len(locked)

    async def _update_counts(
        self,
        connection: Connection,
        locked: Sequence[ExploredMatchRow],
        lines: Mapping[int, OpeningLine | None],
    ) -> None:
        removed = [row for row in locked if row.explored is not None]
        added = [row for row in locked if row.explored is None]
        ratings = await explorer.list_ratings(connection, [row.id for row in added])
        starts, explored = Counter[tuple[str, str]](), dict[int, int | None]()
        rows = dict[tuple[int, str, int], ExplorerMoveRow]()
        for match in added:
            line = lines[match.id]
            counted = None if line is None else self._decide(match, ratings.get(match.id, []))
            explored[match.id] = NOT_COUNTED if counted is None else encode_counted(*counted)
            if line is not None and counted is not None:
                starts[match.game, line.options] += 1
                _add_line(rows, match.id, line, *counted)
        taken = defaultdict[int, dict[tuple[int, str, int], ExplorerMoveRow]](dict)
        for match in removed:
            line, code = lines[match.id], match.explored
            explored[match.id] = None
            if line is not None and code is not None and code >= 0:
                starts[match.game, line.options] -= 1
                _add_line(taken[match.id], match.id, line, *decode_counted(code))
        await explorer.add_starts(connection, starts)
        for number, found in taken.items():
            await explorer.subtract_moves(connection, number, found.values())
        await explorer.add_moves(connection, rows.values())
        await explorer.set_explored(connection, explored)

    def _decide(self, match: ExploredMatchRow, ratings: Sequence[int]) -> tuple[Players, Result] | None:
        """Return who played and the result; None for a match that does not count.

        It counts if it is over and public, and the players decided it.
        """
        if (
            match.state != MatchState.OVER
            or match.audience not in PUBLIC
            or match.outcome is None
            or match.reason in UNRATED_REASONS
        ):
            return None
        winner = Outcome(match.outcome).winner
        first = self._games[match.game].sides[0]
        if winner is None:
            result = Result.DRAWN
        else:
            result = Result.WON_BY_FIRST if winner is first else Result.WON_BY_SECOND
        if is_computer(match.first) or is_computer(match.second):
            return Players.COMPUTER, result
        if not ratings:
            return Players.UNRATED, result
        mean = decode_rating(sum(ratings) // len(ratings), 0, 0)
        return Players.of_rating(mean.rating), result


def _add_line(
    rows: dict[tuple[int, str, int], ExplorerMoveRow],
    match: int,
    line: OpeningLine,
    players: Players,
    result: Result,
) -> None:
    """Add the moves of a game to those of others, by their keys."""
    won, drawn, lost = (int(result is one) for one in Result)
    for position, move in line.moves:
        key = position, move, int(players)
        known = rows.get(key)
        if known is None:
            rows[key] = ExplorerMoveRow(*key, won, drawn, lost, match, None)
            continue
        rows[key] = replace(
            known,
            won_by_first=known.won_by_first + won,
            drawn=known.drawn + drawn,
            won_by_second=known.won_by_second + lost,
            latest=match,
            previous=known.latest,
        )
