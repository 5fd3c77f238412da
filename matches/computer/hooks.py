"""The hooks that note in a match whether the computer has to do something."""

# ruff: noqa: ARG002 - a hook need not use all its arguments

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from matches.clocks.hooks import next_mover
from matches.clocks.rows import clock_from_row
from matches.computer.accounts import ADAPTIVE, computer_level, is_computer
from matches.computer.adaptive import load_strength
from matches.hook_events import NO_CHANGES
from matches.locking import MatchHooks
from matches.terms import format_terms
from matches.values import MatchState

if TYPE_CHECKING:
    from matches.hook_events import MatchEnded, MatchStarted, MovesTakenBack, TurnPlayed
    from matches.locking import LockedMatch
    from storage import Connection
    from storage.match.matches import MatchRow
    from storage.statements import Columns


class ComputerHooks(MatchHooks):
    """Writes `think_at`: the time of the change that the computer has to answer, or None.

    At the start it also writes into the terms how strong an adaptive computer plays.
    """

    async def on_start(self, connection: Connection, started: MatchStarted) -> Columns:
        """Ask for the first move, or for a pick before the person can make one."""
        players = (started.first, started.second)
        acts = any(map(is_computer, players)) if started.mover is None else is_computer(started.mover)
        columns: Columns = {"think_at": started.now} if acts else NO_CHANGES
        if ADAPTIVE in map(computer_level, players):
            person = next(account for account in players if not is_computer(account))
            strength = await load_strength(connection, person, started.server, started.game)
            columns = {**columns, "terms": format_terms(replace(started.terms, strength=strength))}
        return columns

    def on_pick(self, locked: LockedMatch) -> Columns:
        """Ask for the computer's pick, unless this is it."""
        if not _plays(locked.row):
            return NO_CHANGES
        return {"think_at": None if is_computer(locked.person.account) else locked.now}

    def on_reveal(self, locked: LockedMatch, mover: str | None) -> Columns:
        """Ask for the first move."""
        return _next_thought(locked, mover)

    def on_turn(self, locked: LockedMatch, turn: TurnPlayed) -> Columns:
        """Ask for an answer to a complete turn of the person."""
        if not turn.is_complete or not _plays(locked.row):
            return NO_CHANGES
        return _next_thought(locked, next_mover(locked, turn))

    def on_end(self, locked: LockedMatch, end: MatchEnded) -> Columns:
        """Ask for nothing more."""
        return {"think_at": None} if _plays(locked.row) else NO_CHANGES

    def on_takeback(self, locked: LockedMatch, takeback: MovesTakenBack) -> Columns:
        """Ask for another move if it is the computer's turn again."""
        return _next_thought(locked, takeback.mover)

    def on_clock_restart(self, locked: LockedMatch) -> Columns:
        """Ask again for what the computer did not do during a pause."""
        return _next_thought(locked, locked.row.mover)


def think_of_offer(locked: LockedMatch, *, is_open: bool) -> Columns:
    """Return the columns that ask for an answer to the offer of `locked.person`, or for the move that is due.

    The latter if the offer is the computer's own, or declined or withdrawn, and not `is_open` any more.
    """
    if is_open and _plays(locked.row) and not is_computer(locked.person.account):
        return {"think_at": locked.now}
    return _next_thought(locked, locked.row.mover)


def owed_by(row: MatchRow) -> str | None:
    """Return the account of the computer that has to do something in a match, or None.

    That is a pick, a move, or an answer to an offer; nothing while the match is paused.
    """
    if row.state == MatchState.CHOOSING:
        seats = ((row.first, row.first_picked), (row.second, row.second_picked))
        return next((account for account, picked in seats if is_computer(account) and not picked), None)
    if row.state != MatchState.PLAYING:
        return None
    clock = clock_from_row(row)
    if clock is not None and clock.paused:
        return None
    if is_computer(row.mover):
        return row.mover
    if row.pending_offer is None or is_computer(row.offer_by):
        return None
    return next((account for account in (row.first, row.second) if is_computer(account)), None)


def _plays(row: MatchRow) -> bool:
    return is_computer(row.first) or is_computer(row.second)


def _next_thought(locked: LockedMatch, mover: str | None) -> Columns:
    if not _plays(locked.row):
        return NO_CHANGES
    return {"think_at": locked.now if is_computer(mover) else None}
