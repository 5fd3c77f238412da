"""Challenges on a ladder, and how results, silence and idleness change its order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from matches.errors import Refusal
from matches.times import from_millis, to_millis
from matches.tournaments.announcing import public_name, tell_one
from matches.tournaments.entering import require_entrant
from matches.tournaments.hooks import decide
from matches.tournaments.opening import begin_game
from matches.tournaments.pairing.ladder import (
    TIME_TO_ANSWER,
    LadderRefusal,
    apply_win,
    check_challenge,
    drop_idle,
    list_idle,
)
from matches.tournaments.records import UNFINISHED, load_blocks, load_locked
from matches.tournaments.results import LOSS, WIN, Decision, EntrantId, GameState
from matches.tournaments.values import GAME_LENGTH_ON_LADDER, Act, Kind, StageState
from matches.updates import AnnouncementKind
from matches.values import MatchId
from storage.tournament import games, tournaments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from engine.game import Game
    from matches.locking import MatchHooks
    from matches.tournaments.records import Records
    from matches.tournaments.values import TournamentId
    from matches.values import Person
    from storage import Connection, Database
    from storage.tournament.rows import GameRow

_REFUSALS = {
    LadderRefusal.NOT_IN_LADDER: "not_entrant",
    LadderRefusal.NOT_ABOVE: "ladder_too_far",
    LadderRefusal.TOO_FAR: "ladder_too_far",
    LadderRefusal.HAS_SENT: "ladder_busy",
    LadderRefusal.HAS_RECEIVED: "ladder_opponent_busy",
    LadderRefusal.BLOCKED: "ladder_blocked",
}


class Ladder:
    """Challenges, described in :class:`matches.tournaments.service.Tournaments`."""

    def __init__(
        self, database: Database, all_games: Mapping[str, Game], hooks: Sequence[MatchHooks]
    ) -> None:
        self._database = database
        self._games = all_games
        self._hooks = hooks

    async def challenge(
        self, tournament: TournamentId, person: Person, entrant: EntrantId, *, setup: int, now: datetime
    ) -> int:
        """Challenge somebody up to three places above, once; the challenger has the second side."""
        async with self._database.transaction() as connection:
            records = await load_locked(connection, tournament)
            stage = records.stage
            is_running = stage is not None and stage.state == StageState.RUNNING
            if records.settings.kind is not Kind.LADDER or not is_running:
                raise Refusal("not_ladder")
            own = require_entrant(records, person.account)
            for game in records.games:
                if (game.first, game.second) == (entrant, own.id) and game.state == GameState.WAITING:
                    return game.id  # sent twice
            refusal = check_challenge(
                list_order(records),
                EntrantId(own.id),
                entrant,
                running=list_running(records),
                blocks=await load_blocks(connection, records),
            )
            if refusal is not None:
                raise Refusal(_REFUSALS[refusal])
            answer_by = to_millis(now + TIME_TO_ANSWER)
            number = await games.add(
                connection,
                tournament=tournament,
                stage=1,
                division=1,
                round=1,
                number=1 + len(records.games),
                setup=setup % len(records.settings.games),
                first=entrant,
                second=own.id,
                state=GameState.WAITING,
                answer_by=answer_by,
            )
            name = public_name(records, own)
            details: dict[str, str | int] = {"game": number, "player": name, "until": answer_by}
            told, kind = records.entrants[entrant].account, AnnouncementKind.LADDER_CHALLENGED
            await tell_one(connection, records, kind, told, details, to_millis(now), by=own.account)
            return number

    async def answer(
        self, tournament: TournamentId, game: int, person: Person, *, accept: bool, now: datetime
    ) -> MatchId | None:
        """Accept a challenge, or decline it as if it were lost."""
        async with self._database.transaction() as connection:
            records = await load_locked(connection, tournament)
            own, millis = require_entrant(records, person.account), to_millis(now)
            row = next((one for one in records.games if one.id == game), None)
            if row is None or row.first != own.id or row.second is None:
                raise Refusal("tournament_game_unknown")
            if accept and row.state == GameState.OPEN and row.match is not None:
                return MatchId(row.match)  # sent twice
            if row.state != GameState.WAITING or row.answer_by is None or row.answer_by <= millis:
                raise Refusal("ladder_answered")
            if not accept:
                await _lose_unanswered(connection, records, row, millis)
                await tournaments.change(connection, tournament, work_at=millis)
                return None
            ends_at = min(to_millis(now + GAME_LENGTH_ON_LADDER), records.stages[0].ends_at)
            await games.change(connection, game, ends_at=ends_at)
            row = await games.get(connection, game) or row
            players = (own.account, records.entrants[EntrantId(row.second or 0)].account)
            match = await begin_game(connection, records, row, players, self._games, self._hooks, now)
            for one in (row.first, row.second or 0):
                await tournaments.change_entrant(connection, one, idle_since=millis)
            return MatchId(match)


async def update_ladder(connection: Connection, records: Records, now: datetime) -> bool:
    """Take results, challenges without an answer and idleness into the order; return whether it changed.

    Inside a transaction that has locked the tournament.
    """
    stage, millis = records.stage, to_millis(now)
    if records.settings.kind is not Kind.LADDER or stage is None or stage.state == StageState.OVER:
        return False
    is_any, order = await _end_unanswered(connection, records, stage.ends_at, millis), list_order(records)
    news = [one for one in records.games if one.news_at is not None and one.state == GameState.OVER]
    for game in sorted(news, key=lambda one: one.ended_at or 0):
        if game.first_points != game.second_points and game.second is not None:
            both = (EntrantId(game.first), EntrantId(game.second))
            winner, loser = both if game.first_points == WIN else both[::-1]
            order = apply_win(order, winner, loser)
    order, has_dropped = await _drop_idle(connection, records, order, now)
    for rank, one in enumerate(order, 1):
        if records.entrants[one].rank != rank:
            await tournaments.change_entrant(connection, one, rank=rank)
            is_any = True
    return is_any or has_dropped


async def _end_unanswered(connection: Connection, records: Records, ends_at: int, now: int) -> bool:
    """Decide challenges that nobody answered in time; those on the end date count for nobody."""
    is_any = False
    for game in records.games:
        if game.state != GameState.WAITING or game.answer_by is None:
            continue
        if ends_at <= now:
            await games.change(connection, game.id, state=GameState.ANNULLED, ended_at=now)
        elif game.answer_by <= now:
            await _lose_unanswered(connection, records, game, now)
        else:
            continue
        is_any = True
    return is_any


async def _drop_idle(
    connection: Connection, records: Records, order: tuple[EntrantId, ...], now: datetime
) -> tuple[tuple[EntrantId, ...], bool]:
    """Return the order after those went down who began no game for long, and whether anybody did."""
    busy, millis = {one for pair in list_running(records) for one in pair}, to_millis(now)
    played = _list_last_ends(records)
    last = {
        EntrantId(one.id): from_millis(max(one.idle_since or one.joined_at, played.get(EntrantId(one.id), 0)))
        for one in records.active
        if EntrantId(one.id) not in busy
    }
    idle = list_idle(last, now)
    if idle:
        order = drop_idle(order, idle)
        for one in sorted(idle):
            await tournaments.change_entrant(connection, one, idle_since=millis)
            await tournaments.log(
                connection,
                tournament=records.id,
                made_at=millis,
                act=Act.DROPPED,
                about=records.entrants[one].account,
                reason="",
                details=json.dumps({"place": order.index(one) + 1}),
            )
    return order, bool(idle)


def _list_last_ends(records: Records) -> dict[EntrantId, int]:
    """Return when the last game of each entrant was over that they did not lose by default."""
    found: dict[EntrantId, int] = {}
    for row, game in zip(records.games, records.plain_games, strict=True):
        for one in game.players:
            if game.decision is not Decision.BY_DEFAULT or game.points_of(one):
                found[one] = max(found.get(one, 0), row.ended_at or 0)
    return found


def list_order(records: Records) -> tuple[EntrantId, ...]:
    """Return the entrants of a ladder, the first place first."""
    ranked = [one for one in records.active if one.rank is not None]
    return tuple(EntrantId(one.id) for one in sorted(ranked, key=lambda one: one.rank or 0))


def list_running(records: Records) -> tuple[tuple[EntrantId, EntrantId], ...]:
    """Return the challenges that are open or being played, as challenger and challenged."""
    return tuple(
        (EntrantId(one.second), EntrantId(one.first))
        for one in records.games
        if one.state in UNFINISHED and one.second is not None
    )


async def _lose_unanswered(connection: Connection, records: Records, game: GameRow, now: int) -> None:
    """Give a challenge that was declined, or not answered, to the challenger, who is told so."""
    columns = decide((LOSS, WIN), Decision.BY_DEFAULT)
    await games.change(connection, game.id, ended_at=now, news_at=now, answer_by=None, **columns)
    challenged = records.entrants[EntrantId(game.first)]
    challenger = records.entrants[EntrantId(game.second or 0)].account
    kind, details = AnnouncementKind.LADDER_UNANSWERED, {"player": public_name(records, challenged)}
    await tell_one(connection, records, kind, challenger, dict(details), now, by=challenged.account)
