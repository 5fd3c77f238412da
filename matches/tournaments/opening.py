"""Matches that begin: as many for each player as the tournament and the sum of all tournaments allow."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from engine import get_game
from matches.computer.accounts import is_computer
from matches.match_start import NewMatch, begin_match
from matches.options import add_random_options
from matches.platforms import NO_PLACE
from matches.terms import TimeControl, format_terms
from matches.times import to_millis
from matches.tournaments.hooks import decide
from matches.tournaments.pairing.knock_out import GAMES
from matches.tournaments.pairing.round_robin import choose_games_to_open
from matches.tournaments.records import plain_game
from matches.tournaments.results import DRAW, Decision, GameState
from matches.tournaments.values import MAX_OPEN, Kind, StageState
from matches.visibility import decide_audience
from storage.people import blocks
from storage.posting import threads
from storage.tournament import games, tournaments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from engine.game import Game
    from matches.locking import MatchHooks
    from matches.terms import Terms
    from matches.tournaments.records import Records
    from storage import Connection, Database
    from storage.tournament.rows import GameRow

ALL_OPEN_AFTER = timedelta(days=30)
"""From then on all games of a stage are open, if :data:`MAX_OPEN` allows it; in short ones after a third."""

BATCH_SIZE = 20  # games begun in one transaction
_MINUTE = timedelta(minutes=1)


class Opening:
    """Begins the matches of waiting games."""

    def __init__(self, database: Database, games: Mapping[str, Game], hooks: Sequence[MatchHooks]) -> None:
        self._database = database
        self._games = games
        self._hooks = hooks

    async def open_games(self, records: Records, now: datetime) -> bool:
        """Begin the games that can be played now; return whether there were any."""
        chosen = await self._choose(records, now)
        for start in range(0, len(chosen), BATCH_SIZE):
            async with self._database.transaction() as connection:
                await tournaments.lock(connection, records.id)
                for number in chosen[start : start + BATCH_SIZE]:
                    await self._open(connection, records, number, now)
        return bool(chosen)

    async def _choose(self, records: Records, now: datetime) -> list[int]:
        stage = records.stage
        if stage is None or stage.state != StageState.RUNNING or stage.ends_at <= to_millis(now):
            return []
        rows = [one for one in records.games if one.stage == stage.number and one.answer_by is None]
        waiting = [plain_game(one) for one in rows if not _has_withdrawn(records, one)]
        is_limited = records.settings.kind in (Kind.ROUND_ROBIN, Kind.LEAGUE)
        if to_millis(now - min(ALL_OPEN_AFTER, records.settings.length / 3)) >= stage.starts_at:
            is_limited = False
        limit = records.settings.games_at_once if is_limited else None
        found = choose_games_to_open(waiting, limit=limit)
        accounts = {number: records.entrants[number].account for one in found for number in one.players}
        async with self._database.read() as connection:
            busy = Counter(await games.count_open(connection, set(accounts.values()), GameState.OPEN))
        chosen = []
        for one in found:
            players = [accounts[number] for number in one.players]
            if all(is_computer(each) or busy[each] < MAX_OPEN for each in players):
                busy.update(players)
                chosen.append(one.id)
        return chosen

    async def _open(self, connection: Connection, records: Records, number: int, now: datetime) -> None:
        game = await games.get(connection, number)
        if game is None or game.state != GameState.WAITING or game.second is None:
            return
        accounts = await tournaments.list_accounts(connection, [game.first, game.second])
        first, second = accounts[game.first], accounts[game.second]
        if first == second or await blocks.find_blockers_between(connection, first, second):
            columns = decide((DRAW, DRAW), Decision.BLOCKED)
            await games.change(connection, number, ended_at=to_millis(now), **columns)
            return
        await begin_game(connection, records, game, (first, second), self._games, self._hooks, now)


async def begin_game(
    connection: Connection,
    records: Records,
    game: GameRow,
    players: tuple[str, str],
    all_games: Mapping[str, Game],
    hooks: Sequence[MatchHooks],
    now: datetime,
) -> int:
    """Begin the match of a game, under the rules with which its stage began; return its number.

    It is played in the channel of the tournament's server, as long as the bot is there.
    """
    settings, stage = records.settings, records.stages[game.stage - 1]
    setup = settings.games[game.setup % len(settings.games)]
    rules = get_game(setup.game, json.loads(stage.rules)[setup.game], all_games)
    is_left = await tournaments.is_left(connection, settings.server)
    channel = NO_PLACE if is_left else settings.channel
    if channel:
        await threads.reopen(connection, channel)
    new = NewMatch(
        game=rules,
        options=add_random_options(rules, setup.options),
        first=players[0],
        second=players[1],
        by=players[0],
        also_told=players,
        server=settings.server,
        channel=channel,
        terms=format_terms(_terms(records, game)),
        audience=await decide_audience(connection, settings.server, channel),
        details={"tournament": records.id, "name": settings.name},
    )
    match = (await begin_match(connection, new, to_millis(now), hooks)).match.id
    ends_at = stage.ends_at if game.ends_at is None else game.ends_at
    await games.change(
        connection,
        game.id,
        state=GameState.OPEN,
        match=match,
        opened_at=to_millis(now),
        ends_at=ends_at,
        answer_by=None,
    )
    return match


def _terms(records: Records, game: GameRow) -> Terms:
    """Return the terms of a game; the third one of a duel has half the time in the bank."""
    terms, control = records.settings.terms, records.settings.time_control
    if records.settings.kind is not Kind.KNOCK_OUT or game.number <= GAMES:
        return terms
    cap = None if control.cap is None else _halve(control.cap)
    increment = _halve(control.increment) if control.is_per_move else control.increment
    shorter = TimeControl(_halve(control.initial), min(increment, cap or increment), cap)
    return replace(terms, time_control=shorter)


def _halve(duration: timedelta) -> timedelta:
    return max(duration // 2 // _MINUTE * _MINUTE, timedelta(minutes=5)) if duration else duration


def _has_withdrawn(records: Records, game: GameRow) -> bool:
    return any(records.is_withdrawn(one) for one in (game.first, game.second))
