"""What ends or hurries games other than moves: the end date, withdrawal, vacations that are too long.

Each works on one match at a time, which it locks; the game's row follows by the hooks.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from engine.game import Outcome
from matches.clocks.rows import clock_columns, clock_from_row
from matches.hook_events import MatchEnded, join_columns
from matches.times import from_millis, to_millis
from matches.tournaments.hooks import decide
from matches.tournaments.results import DRAW, Decision, EntrantId, GameState
from matches.tournaments.values import MAX_VACATION, WARNINGS_BEFORE, Withdrawal
from matches.updates import AnnouncementKind
from matches.values import EndReason, MatchId, MatchState
from storage.tournament import games, tournaments

if TYPE_CHECKING:
    from datetime import datetime

    from matches.locking import LockedMatch, MatchLocker
    from matches.tournaments.records import Records
    from storage import Database
    from storage.tournament.rows import GameRow

NO_GRACE = timedelta(0)
_OWN_DOING = (Withdrawal.LEFT, Withdrawal.LOST_CLOCKS)


class Closing:
    """Ends matches of tournaments that the players do not end."""

    def __init__(self, database: Database, locker: MatchLocker) -> None:
        self._database = database
        self._locker = locker

    async def close_games(self, records: Records, now: datetime) -> bool:
        """Do for each game what is due; return whether anything was."""
        is_any, millis = False, to_millis(now)
        for game in records.games:
            is_forfeited = _is_left_running(records, game)
            is_late = game.ends_at is not None and game.ends_at <= millis
            if is_forfeited or (game.state == GameState.OPEN and is_late and game.assess_at is None):
                await self._end(records, game, now, is_forfeited=is_forfeited)
            elif game.state == GameState.WAITING and game.answer_by is None and is_late:
                await self._draw_waiting(game, millis)
            elif game.state == GameState.OPEN and _count_warnings(game, now) > game.warnings:
                await self._warn(game, now)
            else:
                continue
            is_any = True
        return await self._limit_vacations(records, now) or is_any

    async def _end(self, records: Records, game: GameRow, now: datetime, *, is_forfeited: bool) -> None:
        """End a match: by its end date, or because a player was withdrawn."""
        async with self._locker.lock(MatchId(game.match or 0), now) as locked:
            if locked.row.state != MatchState.OVER:
                if is_forfeited:
                    await _forfeit(locked, records, game)
                else:
                    outcome = Outcome.DRAW if locked.row.position is None else None
                    await locked.end(MatchEnded(outcome, EndReason.ADJUDICATED))
                    if outcome is not None:
                        await _announce(locked, AnnouncementKind.ADJUDICATED)
            if game.state == GameState.ANNULLED:
                await games.change(locked.connection, game.id, ended_at=locked.now)

    async def _draw_waiting(self, game: GameRow, now: int) -> None:
        """Give half a point each for a game that could not begin before the end date."""
        async with self._database.transaction() as connection:
            columns = decide((DRAW, DRAW), Decision.ADJUDICATED)
            waiting = (GameState.WAITING,)
            await games.change_if(connection, game.id, waiting, ended_at=now, news_at=now, **columns)

    async def _warn(self, game: GameRow, now: datetime) -> None:
        """Tell both players when their match ends."""
        async with self._locker.lock(MatchId(game.match or 0), now) as locked:
            current = await games.get(locked.connection, game.id)
            count = _count_warnings(game, now)
            if current is None or current.warnings >= count or locked.row.state == MatchState.OVER:
                return
            await games.change(locked.connection, game.id, warnings=count)
            await _announce(locked, AnnouncementKind.ENDS_SOON, {"ends": game.ends_at or 0})

    async def _limit_vacations(self, records: Records, now: datetime) -> bool:
        """Let the clocks run of those whose vacations were longer in this stage than they may be."""
        stage, millis = records.stage, to_millis(now)
        if stage is None:
            return False
        accounts = {one.account: one for one in records.active}
        async with self._database.read() as connection:
            rows = await tournaments.list_vacations(connection, accounts, stage.starts_at)
        used = dict.fromkeys(accounts, 0)
        for account, began, ended in rows:
            used[account] += max(0, (ended or millis) - max(began, stage.starts_at))
        limit = MAX_VACATION // timedelta(milliseconds=1)
        away = {accounts[account].id for account, began, ended in rows if ended is None}
        spent = {accounts[account].id for account, time in used.items() if time >= limit} & away
        is_any = False
        for game in records.games:
            if game.state == GameState.OPEN and game.match is not None and spent & {game.first, game.second}:
                names = [records.entrants[EntrantId(one)].account for one in spent]
                is_any = await self._spend_vacation(game.match, names, now) or is_any
        return is_any

    async def _spend_vacation(self, match: int, accounts: list[str], now: datetime) -> bool:
        async with self._locker.lock(MatchId(match), now) as locked:
            clock = clock_from_row(locked.row)
            if clock is None or locked.row.state == MatchState.OVER:
                return False
            away = [one for one in accounts if one in clock.on_vacation]
            for account in away:
                clock = clock.spend_vacation(account, locked.service_time)
            if away:
                columns = join_columns(hook.on_clock_restart(locked) for hook in locked.hooks)
                await locked.change(**clock_columns(clock), **columns)
            return bool(away)


async def _forfeit(locked: LockedMatch, records: Records, game: GameRow) -> None:
    """End a match that a withdrawn player loses; if both were withdrawn, nobody wins.

    Who leaves has resigned, so that nobody escapes a loss; who is withdrawn by others is not rated, so that
    no organiser wins by excluding an opponent.
    """
    players = [EntrantId(one) for one in (game.first, game.second) if one is not None]
    lost = [records.entrants[one] for one in players if records.has_left(one, game.stage)]
    locked.act_as(lost[0].account)
    outcome = locked.winning_outcome(locked.opponent) if len(lost) == 1 else None
    is_own = outcome is not None and lost[0].withdrawn in _OWN_DOING
    await locked.end(MatchEnded(outcome, EndReason.LEFT if is_own else EndReason.FORFEITED))
    await _announce(locked, AnnouncementKind.FORFEITED)


async def _announce(
    locked: LockedMatch, kind: AnnouncementKind, details: dict[str, str | int] | None = None
) -> None:
    players = tuple(seat.person for seat in locked.seats)
    await locked.announce(kind, players, details=details or {}, grace=NO_GRACE)


def _is_left_running(records: Records, game: GameRow) -> bool:
    """Return whether a match goes on that a withdrawn player has lost already."""
    if game.match is None:
        return False
    if game.state == GameState.ANNULLED:
        return game.ended_at is None
    is_left = any(records.has_left(one, game.stage) for one in (game.first, game.second))
    return game.state == GameState.OPEN and game.assess_at is None and is_left


def _count_warnings(game: GameRow, now: datetime) -> int:
    """Return how many warnings are due; what is too late before the beginning is left out."""
    if game.ends_at is None or game.opened_at is None or game.assess_at is not None:
        return 0
    ends_at, opened_at = from_millis(game.ends_at), from_millis(game.opened_at)
    due = [one for one in WARNINGS_BEFORE if opened_at < ends_at - one <= now]
    return len(due)
