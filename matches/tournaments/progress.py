"""What the sweep does in one tournament, step by step, until nothing is due.

What decides pairs is one transaction. Matches begin and end in others, one after the other, each of which is
found again from what is stored if the process dies.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.times import from_millis, to_millis
from matches.tournaments.closing import Closing
from matches.tournaments.ending import update_wins
from matches.tournaments.ladder import update_ladder
from matches.tournaments.opening import Opening
from matches.tournaments.records import load_locked
from matches.tournaments.stages import Stages
from matches.tournaments.values import LEAGUE_PAUSE, TournamentState
from matches.tournaments.withdrawing import decide_left, withdraw_for_lost_clocks, withdraw_gone
from storage.tournament import games, tournaments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from engine.game import Game
    from matches.locking import MatchHooks, MatchLocker
    from matches.tournaments.adjudication import Adjudication
    from matches.tournaments.records import Records
    from matches.tournaments.values import TournamentId
    from storage import Connection, Database

LOOK_AGAIN = timedelta(hours=1)
"""A running tournament is looked at so often, also if nothing seems to be due."""

MAX_STEPS = 100  # of one sweep in one tournament; the next one goes on


class Progress:
    """Takes tournaments further."""

    def __init__(
        self,
        database: Database,
        all_games: Mapping[str, Game],
        locker: MatchLocker,
        hooks: Sequence[MatchHooks],
        adjudication: Adjudication,
    ) -> None:
        self._database = database
        self._stages = Stages(all_games)
        self._opening = Opening(database, all_games, hooks)
        self._closing = Closing(database, locker)
        self._adjudication = adjudication

    async def work(self, tournament: TournamentId, now: datetime) -> None:
        """Do what is due in a tournament, and note when to look again once nothing is left.

        Until then it is due: whoever follows a killed process goes on at once.
        """
        for _ in range(MAX_STEPS):
            records = await self._step(tournament, now)
            if records is not None:
                await self._note_next(records, now)
                return

    async def _step(self, tournament: TournamentId, now: datetime) -> Records | None:
        """Do a part of what is due; return the records once there was nothing."""
        async with self._database.transaction() as connection:
            records = await load_locked(connection, tournament)
            if await self._decide(connection, records, now):
                return None
        if records.state is not TournamentState.RUNNING:
            return records
        is_any = await self._closing.close_games(records, now)
        is_any = await self._adjudication.decide_late(records, now) or is_any
        is_any = await self._opening.open_games(records, now) or is_any
        return None if is_any else records

    async def _note_next(self, records: Records, now: datetime) -> None:
        """Note when to look again, unless somebody wants it earlier since the records were loaded."""
        if records.row.work_at is not None:
            async with self._database.transaction() as connection:
                next_at = _find_next(records, now)
                await tournaments.move_work(connection, records.id, records.row.work_at, next_at)

    async def _decide(self, connection: Connection, records: Records, now: datetime) -> bool:
        """Take in what happened, and start and end stages; return whether there is more to do."""
        millis = to_millis(now)
        news = {one.id: one.news_at for one in records.games if one.news_at is not None}
        await update_wins(connection, records, millis)
        if records.state in (TournamentState.OVER, TournamentState.CANCELLED):
            await games.settle(connection, news)
            return False
        if await withdraw_gone(connection, records, millis):
            return True
        is_any = await withdraw_for_lost_clocks(connection, records, millis)
        is_any = await update_ladder(connection, records, now) or is_any
        if news:
            await games.settle(connection, news)
            await tournaments.change(connection, records.id, work_at=millis)
            return True
        if is_any or await decide_left(connection, records, millis):
            return True
        return await self._stages.advance(connection, records, now)


def _find_next(records: Records, now: datetime) -> int:
    """Return when to look at a tournament again."""
    times = [now + LOOK_AGAIN]
    if records.state is TournamentState.OPEN:
        times = [records.settings.starts_at]
    elif records.stage is not None:
        ends_at = from_millis(records.stage.ends_at)
        times += [ends_at, ends_at + LEAGUE_PAUSE]
    times += [from_millis(one.answer_by) for one in records.games if one.answer_by is not None]
    return to_millis(min(one for one in times if one > now))
