"""The hooks that take results of matches into their tournaments, in the transaction in which a match ends.

They write the row of the game alone, which follows the match in the order of locks. What else follows is done
by the sweep, which finds the game by its `news_at`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.clocks.rows import clock_from_row
from matches.locking import MatchHooks
from matches.tournaments.results import DRAW, LOSS, WIN, Decision, GameState
from matches.values import EndReason
from storage.tournament import games, tournaments

if TYPE_CHECKING:
    from matches.hook_events import MatchEnded
    from matches.locking import LockedMatch
    from storage.statements import Columns
    from storage.tournament.rows import GameRow

_OPEN = (GameState.OPEN,)  # the sweep may have annulled it since it was read
_DECISIONS = {
    EndReason.TIME: Decision.LOST_CLOCK,
    EndReason.FORFEITED: Decision.BY_DEFAULT,
    EndReason.LEFT: Decision.BY_DEFAULT,
    EndReason.ABORTED: Decision.BY_DEFAULT,
    EndReason.ADJUDICATED: Decision.ADJUDICATED,
}


class TournamentHooks(MatchHooks):
    """Writes results into the games of tournaments."""

    async def after_end(self, locked: LockedMatch, end: MatchEnded) -> None:
        """Decide the game of a match; one that its end date ended waits to be assessed."""
        game = await games.find_by_match(locked.connection, locked.row.id)
        if game is None or game.state != GameState.OPEN:
            return
        accounts = await _list_accounts(locked, game)
        moved = await games.find_last_moves(locked.connection, locked.row.id)
        columns: Columns = {
            "first_moved_at": moved.get(accounts[0]),
            "second_moved_at": moved.get(accounts[1]),
            "ended_at": locked.now,
            "news_at": locked.now,
        }
        if end.reason is EndReason.ADJUDICATED and end.outcome is None:
            await games.change_if(locked.connection, game.id, _OPEN, assess_at=locked.now, **columns)
            return
        points = _find_points(locked, end, accounts)
        decision = _DECISIONS.get(end.reason, Decision.PLAYED)
        if end.reason is EndReason.ABORTED and points == (LOSS, LOSS):
            decision = Decision.LOST_CLOCK
        await games.change_if(locked.connection, game.id, _OPEN, **decide(points, decision), **columns)

    async def after_correction(self, locked: LockedMatch, end: MatchEnded) -> None:
        """Change the result of a game as moderators have changed that of its match."""
        game = await games.find_by_match(locked.connection, locked.row.id)
        if game is None or game.state != GameState.OVER:
            return
        points = _find_points(locked, end, await _list_accounts(locked, game))
        columns = decide(points, Decision.CORRECTED)
        await games.change(locked.connection, game.id, news_at=locked.now, **columns)


def decide(points: tuple[int, int], decision: Decision) -> Columns:
    """Return the columns of a game that is over."""
    return {
        "state": GameState.OVER,
        "first_points": points[0],
        "second_points": points[1],
        "decision": decision,
        "assess_at": None,
    }


async def _list_accounts(locked: LockedMatch, game: GameRow) -> tuple[str, str]:
    """Return the accounts of both entrants, in the order of the game."""
    accounts = await tournaments.list_accounts(locked.connection, [game.first, game.second or 0])
    return accounts[game.first], accounts[game.second or 0]


def _find_points(locked: LockedMatch, end: MatchEnded, accounts: tuple[str, str]) -> tuple[int, int]:
    """Return the half points of a game.

    Whoever aborts it loses. Without an outcome nobody gets anything if both ran out of time or were
    withdrawn; a result that moderators removed is a draw.
    """
    if end.outcome is None:
        if end.reason is EndReason.ABORTED and not _are_both_out_of_time(locked):
            return _award(accounts, locked.opponent.account)
        return (DRAW, DRAW) if end.reason is EndReason.VOIDED else (LOSS, LOSS)
    winner = end.outcome.winner
    if winner is None:
        return DRAW, DRAW
    return _award(accounts, next(seat.person.account for seat in locked.seats if seat.side is winner))


def _award(accounts: tuple[str, str], winner: str) -> tuple[int, int]:
    return (WIN, LOSS) if winner == accounts[0] else (LOSS, WIN)


def _are_both_out_of_time(locked: LockedMatch) -> bool:
    clock = clock_from_row(locked.row)
    both = (locked.row.first, locked.row.second)
    return clock is not None and all(clock.is_out_of_time(one, locked.service_time) for one in both)
