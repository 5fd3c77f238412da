"""Starting and ending stages: all of it in one transaction, from what is stored.

The same records lead to the same pairs: what is drawn follows from one number, stored when the tournament was
made. So it does not matter how often a process is killed, or how many try.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from matches.challenge_limits import load_ratings, rating_number
from matches.computer.accounts import is_computer
from matches.options import find_game
from matches.times import from_millis, to_millis
from matches.tournaments import divisions
from matches.tournaments.announcing import tell_all
from matches.tournaments.ending import cancel, finish, log
from matches.tournaments.fields import count_rounds, fill_odd_place, form_groups, game_row, pair_group
from matches.tournaments.pairing import knock_out
from matches.tournaments.pairing.drawing import draw_seeds, seed_by_rating
from matches.tournaments.records import UNFINISHED, Groups, is_unfinished, load, load_blocks
from matches.tournaments.results import EntrantId
from matches.tournaments.tables import build_rounds, find_winners
from matches.tournaments.values import (
    LEAGUE_PAUSE,
    MIN_ENTRANTS,
    Act,
    Kind,
    StageState,
    TournamentState,
)
from matches.updates import AnnouncementKind
from storage.tournament import games as games_storage
from storage.tournament import tournaments

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from engine.game import Game
    from matches.tournaments.records import Records
    from storage import Connection
    from storage.tournament.rows import EntrantRow, GameRow, StageRow

MAX_DELAY = timedelta(days=1)
"""How much later than planned a stage can begin without ending later."""

_BY_RATING = (Kind.SWISS, Kind.KNOCK_OUT, Kind.LADDER)


@dataclass(frozen=True, slots=True)
class Stages:
    """The steps from stage to stage. Each method works inside a transaction that has locked the tournament.

    Each returns whether anything was changed; then the records are to be loaded again.
    """

    games: Mapping[str, Game]

    async def advance(self, connection: Connection, records: Records, now: datetime) -> bool:
        """Start the tournament, end or start a stage, or end the tournament, if it is time."""
        if records.state is TournamentState.OPEN:
            if records.settings.starts_at > now:
                return False
            await self._start(connection, records, now)
            return True
        stage = records.stage
        if records.state is not TournamentState.RUNNING or stage is None:
            return False
        if stage.state != StageState.OVER:
            return await self._try_to_end(connection, records, stage, now)
        if not _is_pause_over(records, stage, now):
            return False
        await self._go_on(connection, records, now)
        return True

    async def _start(self, connection: Connection, records: Records, now: datetime) -> None:
        """Begin the first stage, or cancel the tournament if too few have joined."""
        millis = to_millis(now)
        if len(records.active) < MIN_ENTRANTS:
            await cancel(connection, records, millis)
            return
        records = await fill_odd_place(connection, records, 1, millis)
        await self._seed(connection, records, millis)
        rounds = count_rounds(records)
        await tournaments.change(connection, records.id, state=TournamentState.RUNNING, rounds=rounds)
        await log(connection, records, Act.STARTED, millis, {"draw": records.draw})
        asked = records.settings.rounds
        if asked is not None and rounds is not None and rounds < asked:
            await log(connection, records, Act.SHORTENED, millis, {"asked": asked, "rounds": rounds})
        await self._start_stage(connection, await load(connection, records.id), 1, now)

    async def _seed(self, connection: Connection, records: Records, now: int) -> None:
        """Write ratings, and seeds by rating where the strongest should meet late, else drawn."""
        accounts = [one.account for one in records.active]
        names = sorted({one.game for one in records.settings.games})
        rated = await load_ratings(connection, accounts, names)
        ratings = {
            EntrantId(one.id): round(
                sum(rating_number(rated, one.account, game) for game in names) / len(names)
            )
            for one in records.active
        }
        if records.settings.kind in _BY_RATING:
            seeds = seed_by_rating(ratings, records.draw)
        else:
            seeds = draw_seeds(ratings, records.draw)
        is_ladder = records.settings.kind is Kind.LADDER
        for entrant, seed in seeds.items():
            await tournaments.change_entrant(
                connection,
                entrant,
                seed=seed,
                rating=ratings[entrant],
                rank=seed if is_ladder else None,
                idle_since=now if is_ladder else None,
            )

    async def _try_to_end(
        self, connection: Connection, records: Records, stage: StageRow, now: datetime
    ) -> bool:
        """End the stage if all its games are over, or only one entrant is left; close it on its date."""
        millis, kind = to_millis(now), records.settings.kind
        persons = [one for one in records.active if not is_computer(one.account)]
        unfinished = [one for one in records.games_in(stage.number) if is_unfinished(one)]
        if len(persons) < 2 and kind is not Kind.LADDER:
            if unfinished:
                return await _end_now(connection, unfinished, millis)
            winners = [EntrantId(one.id) for one in persons]
            await self._end_stage(connection, records, stage, millis)
            await finish(connection, await load(connection, records.id), millis, winners)
            return True
        if kind is Kind.KNOCK_OUT and await _add_third_games(connection, records, stage, millis):
            return True
        is_late = stage.ends_at <= millis
        if not unfinished and (is_late or kind not in (Kind.LEAGUE, Kind.LADDER)):
            await self._end_stage(connection, records, stage, millis)
            return True
        if is_late and stage.state == StageState.RUNNING:
            await tournaments.change_stage(connection, records.id, stage.number, state=StageState.CLOSING)
            return True
        return False

    async def _end_stage(self, connection: Connection, records: Records, stage: StageRow, now: int) -> None:
        await tournaments.change_stage(
            connection, records.id, stage.number, state=StageState.OVER, ended_at=now
        )
        await log(connection, records, Act.STAGE_ENDED, now, {"stage": stage.number})
        if records.settings.kind is Kind.LEAGUE:
            await divisions.end_season(connection, records, stage, now)

    async def _go_on(self, connection: Connection, records: Records, now: datetime) -> None:
        """Start the next stage, or end the tournament after the last."""
        stage, kind = records.stage, records.settings.kind
        number = 0 if stage is None else stage.number
        is_last = records.row.rounds is not None and number >= records.row.rounds
        if kind is Kind.KNOCK_OUT:
            rounds = build_rounds(records, number)
            is_last = is_last or knock_out.find_winner(rounds) is not None
        if is_last or not await self._start_stage(connection, records, number + 1, now):
            await finish(connection, records, to_millis(now), find_winners(records))

    async def _start_stage(
        self, connection: Connection, records: Records, number: int, now: datetime
    ) -> bool:
        """Store the groups and games of a stage and tell the entrants; False if nobody is left to play."""
        if records.settings.kind is Kind.LEAGUE and number > 1:
            await divisions.readmit(connection, records)
            records = await load(connection, records.id)
        millis = to_millis(now)
        if records.settings.kind is Kind.SWISS and number > 1:
            records = await fill_odd_place(connection, records, number, millis)
        groups = form_groups(records, number)
        if sum(map(len, groups)) < 2:
            return False
        ends_at = to_millis(_find_begin(records, now) + records.settings.length)
        rules = {one.game: find_game(self.games, one.game).rules_version for one in records.settings.games}
        await tournaments.add_stage(
            connection,
            tournament=records.id,
            number=number,
            state=StageState.RUNNING,
            starts_at=millis,
            ends_at=ends_at,
            groups=json.dumps(groups),
            rules=json.dumps(rules),
        )
        blocks = await load_blocks(connection, records)
        rows: list[dict[str, Any]] = []
        for division, group in enumerate(groups, 1):
            pairings = await pair_group(records, number, group, blocks)
            rows += [game_row(records, number, division, one, millis, ends_at) for one in pairings]
        await games_storage.add_all(connection, rows)
        await log(connection, records, Act.STAGE_STARTED, millis, {"stage": number, "ends": ends_at})
        await _tell_start(connection, records, groups, number, ends_at, millis)
        return True


async def _end_now(connection: Connection, unfinished: Iterable[GameRow], now: int) -> bool:
    """Let games end now that would go on; return whether there were any."""
    late = [
        one.id for one in unfinished if one.state in UNFINISHED and (one.ends_at is None or one.ends_at > now)
    ]
    for number in late:
        await games_storage.change(connection, number, ends_at=now)
    return bool(late)


async def _add_third_games(connection: Connection, records: Records, stage: StageRow, now: int) -> bool:
    """Add the third games of duels that are equal after two; after the end date the seed decides."""
    if stage.ends_at <= now:
        return False
    rounds = build_rounds(records, stage.number - 1)
    duels = [one for one in rounds[stage.number - 1] if one.needs_third]
    pairings = [knock_out.pair_third_game(duel, records.draw) for duel in duels]
    rows = [game_row(records, stage.number, 1, one, now, stage.ends_at) for one in pairings]
    await games_storage.add_all(connection, rows)
    return bool(rows)


async def _tell_start(
    connection: Connection, records: Records, groups: Groups, number: int, ends_at: int, now: int
) -> None:
    placed = {one: division for division, group in enumerate(groups, 1) for one in group}
    told: Iterable[EntrantRow] = [records.entrants[one] for one in placed]

    def describe(entrant: EntrantRow) -> dict[str, str | int]:
        return {"division": placed[EntrantId(entrant.id)]} if len(groups) > 1 else {}

    public: dict[str, str | int] = {"what": records.settings.kind, "stage": number, "ends": ends_at}
    await tell_all(connection, records, AnnouncementKind.STAGE_STARTED, told, describe, public, now)


def _find_begin(records: Records, now: datetime) -> datetime:
    """Return from when the length of a stage that begins now counts: a late sweep does not move its end.

    After a long outage it counts from the day before.
    """
    due, stage = records.settings.starts_at, records.stage
    if stage is not None:
        is_league = records.settings.kind is Kind.LEAGUE
        due = from_millis(stage.ends_at) + (LEAGUE_PAUSE if is_league else timedelta())
    return min(now, max(due, now - MAX_DELAY))


def _is_pause_over(records: Records, stage: StageRow, now: datetime) -> bool:
    is_last = records.row.rounds is not None and stage.number >= records.row.rounds
    if records.settings.kind is not Kind.LEAGUE or is_last:
        return True
    return now >= from_millis(stage.ends_at) + LEAGUE_PAUSE
