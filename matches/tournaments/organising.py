"""What organisers do. Each act is logged with who did it and why, for all to see."""

from __future__ import annotations

import json
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.errors import Refusal
from matches.names import clean_line
from matches.platforms import NO_PLACE
from matches.servers.blocks import check_not_blocked
from matches.times import to_millis
from matches.tournaments.announcing import tell_all
from matches.tournaments.channel_posts import announce_in
from matches.tournaments.ending import cancel
from matches.tournaments.entering import UNFINISHED_STATES, join_in
from matches.tournaments.hooks import decide
from matches.tournaments.records import load_locked
from matches.tournaments.results import DRAW, LOSS, WIN, Decision, EntrantId, GameState
from matches.tournaments.settings import check_settings, format_settings
from matches.tournaments.values import (
    MAX_REASON_LENGTH,
    MIN_REASON_LENGTH,
    REPLACED_LATER,
    Act,
    TournamentId,
    TournamentState,
    Withdrawal,
)
from matches.tournaments.withdrawing import withdraw
from matches.updates import AnnouncementKind
from storage.people import blocks, people
from storage.tournament import games, tournaments

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Game
    from matches.tournaments.records import Records
    from matches.tournaments.values import Settings
    from matches.updates import Announcement
    from matches.values import Person
    from storage import Connection, Database
    from storage.statements import Columns
    from storage.tournament.rows import EntrantRow

MAX_ORGANISED = 5  # tournaments of one person at a time
MAX_CHANGES = 5
"""How often settings can be changed within :data:`CHANGES_WITHIN` once others have joined: they are told."""

CHANGES_WITHIN = timedelta(days=1)
_MILLISECOND = timedelta(milliseconds=1)
_RESULTS = ((WIN, LOSS), (DRAW, DRAW), (LOSS, WIN), (LOSS, LOSS))


class Organising:
    """The acts of organisers, described in :class:`matches.tournaments.service.Tournaments`."""

    def __init__(self, database: Database, all_games: Mapping[str, Game]) -> None:
        self._database = database
        self._games = all_games

    async def create(self, settings: Settings, by: Person, *, now: datetime) -> TournamentId:
        """Create a tournament."""
        settings = check_settings(settings, self._games, now)
        async with self._database.transaction() as connection:
            return await _create_in(connection, settings, by, now)

    async def create_in_channel(self, settings: Settings, by: Person, *, now: datetime) -> Announcement:
        """Create a tournament and announce it in its channel."""
        settings, millis = check_settings(settings, self._games, now), to_millis(now)
        async with self._database.transaction() as connection:
            number = await _create_in(connection, settings, by, now)
            return await announce_in(
                connection, number, by.account, settings.server, settings.channel, millis
            )

    async def announce(
        self, tournament: TournamentId, by: Person, server: str, channel: str, *, now: datetime
    ) -> Announcement:
        """Announce a tournament in a channel."""
        millis = to_millis(now)
        async with self._database.transaction() as connection:
            await people.save(connection, by.account, by.name, millis)
            row = (await load_locked(connection, tournament)).row
            await people.ensure_server(connection, server, millis)
            if row.server == server and row.place == NO_PLACE:  # its channel was lost
                await tournaments.change(connection, tournament, place=channel)
            return await announce_in(connection, tournament, by.account, server, channel, millis)

    async def change(
        self,
        tournament: TournamentId,
        settings: Settings,
        by: Person,
        *,
        reason: str,
        is_moderator: bool,
        now: datetime,
    ) -> None:
        """Change the settings before the start."""
        settings, millis = check_settings(settings, self._games, now), to_millis(now)
        async with self._database.transaction() as connection:
            records, reason = await _begin(connection, tournament, by, reason, is_moderator, now)
            is_same = (settings.kind, settings.server) == (records.settings.kind, records.settings.server)
            if records.state is not TournamentState.OPEN or not is_same:
                raise Refusal("tournament_started")
            columns = _format_columns(settings)
            if all(getattr(records.row, name) == value for name, value in columns.items()):
                return  # sent twice
            told = [one for one in records.active if one.account != by.account]
            if (
                told
                and await tournaments.count_logged(
                    connection, tournament, Act.CHANGED, millis - CHANGES_WITHIN // _MILLISECOND
                )
                >= MAX_CHANGES
            ):
                raise Refusal("tournament_changed_often", limit=MAX_CHANGES)
            starts_at = to_millis(settings.starts_at)
            await tournaments.change(connection, tournament, **columns, work_at=starts_at)
            public: dict[str, str | int] = {"starts": starts_at}
            if starts_at != records.row.starts_at:
                public["before"] = records.row.starts_at
            await _log(connection, tournament, Act.CHANGED, by, millis, reason, details=public)
            kind = AnnouncementKind.TOURNAMENT_CHANGED
            records = await load_locked(connection, tournament)
            await tell_all(connection, records, kind, told, lambda _entrant: {}, public, millis)

    async def exclude(
        self,
        tournament: TournamentId,
        entrant: EntrantId,
        by: Person,
        *,
        reason: str,
        is_moderator: bool,
        now: datetime,
    ) -> None:
        """Exclude an entrant."""
        async with self._database.transaction() as connection:
            records, reason = await _begin(connection, tournament, by, reason, is_moderator, now)
            found, why = _require(records, entrant), Withdrawal.EXCLUDED
            await withdraw(connection, records, found, why, to_millis(now), by=by.account, reason=reason)

    async def replace(
        self,
        tournament: TournamentId,
        entrant: EntrantId,
        person: Person,
        by: Person,
        *,
        reason: str,
        is_moderator: bool,
        now: datetime,
    ) -> EntrantId:
        """Have somebody take the place of an entrant, from the next stage on."""
        millis = to_millis(now)
        async with self._database.transaction() as connection:
            records, reason = await _begin(connection, tournament, by, reason, is_moderator, now)
            if records.stage is not None and records.settings.kind not in REPLACED_LATER:
                raise Refusal("tournament_not_replaceable")
            found = _require(records, entrant)
            if person.account in [one.account for one in records.active]:
                raise Refusal("tournament_not_replaceable")
            if person.account in await blocks.find_blockers_between(connection, by.account, person.account):
                raise Refusal("blocked_by_opponent", name=person)
            await withdraw(
                connection, records, found, Withdrawal.EXCLUDED, millis, by=by.account, reason=reason
            )
            records = await load_locked(connection, tournament)
            new = await join_in(connection, records, person, is_member=True, is_replacement=True, now=now)
            await _log(connection, tournament, Act.REPLACED, by, millis, reason, about=person.account)
            return new

    async def correct(
        self,
        tournament: TournamentId,
        game: int,
        points: tuple[int, int],
        by: Person,
        *,
        reason: str,
        is_moderator: bool,
        now: datetime,
    ) -> None:
        """Change the half points of a game; pairs that were made with the old ones stay."""
        async with self._database.transaction() as connection:
            records, reason = await _begin(connection, tournament, by, reason, is_moderator, now)
            row = next((one for one in records.games if one.id == game and one.second), None)
            if row is None:
                raise Refusal("tournament_game_unknown")
            players = [records.entrants[EntrantId(one)].account for one in (row.first, row.second or 0)]
            if by.account in players:
                raise Refusal("own_match_corrected", match=row.match or 0)
            if row.state != GameState.OVER:
                raise Refusal("tournament_game_open")
            if points not in _RESULTS:
                raise Refusal("tournament_points")
            before = (row.first_points, row.second_points)
            if points == before:
                raise Refusal("result_unchanged", match=row.match or 0)
            columns = decide(points, Decision.CORRECTED)
            await games.change(connection, game, news_at=to_millis(now), **columns)
            details: dict[str, str | int] = {
                "game": game,
                "before": f"{before[0]}-{before[1]}",
                "after": f"{points[0]}-{points[1]}",
            }
            millis = to_millis(now)
            await _log(connection, tournament, Act.CORRECTED, by, millis, reason, details=details)

    async def end_early(
        self, tournament: TournamentId, by: Person, *, reason: str, is_moderator: bool, now: datetime
    ) -> None:
        """Cancel a tournament before the start; afterwards its present stage is the last, and ends now."""
        millis = to_millis(now)
        async with self._database.transaction() as connection:
            records, reason = await _begin(connection, tournament, by, reason, is_moderator, now)
            await _log(connection, tournament, Act.ENDED_EARLY, by, millis, reason)
            stage = records.stage
            if stage is None:
                await cancel(connection, records, millis)
                return
            ends_at = min(stage.ends_at, millis)
            await tournaments.change_stage(connection, tournament, stage.number, ends_at=ends_at)
            await tournaments.change(connection, tournament, rounds=stage.number, work_at=millis)
            for game in records.unfinished():
                await games.change(connection, game.id, ends_at=min(game.ends_at or millis, millis))


async def _create_in(connection: Connection, settings: Settings, by: Person, now: datetime) -> TournamentId:
    millis = to_millis(now)
    await people.save(connection, by.account, by.name, millis)
    if await people.is_guest(connection, by.account):
        raise Refusal("guest_only_computer")
    await check_not_blocked(connection, settings.server, by, None)
    if await tournaments.count_of(connection, by.account, UNFINISHED_STATES) >= MAX_ORGANISED:
        raise Refusal("too_many_tournaments", limit=MAX_ORGANISED)
    await people.ensure_server(connection, settings.server, millis)
    number = await tournaments.add(
        connection,
        by=by.account,
        server=settings.server,
        kind=settings.kind,
        state=TournamentState.OPEN,
        made_at=millis,
        draw=secrets.randbelow(10**9),
        work_at=to_millis(settings.starts_at),
        **_format_columns(settings),
    )
    await _log(connection, number, Act.CREATED, by, millis)
    return TournamentId(number)


def _format_columns(settings: Settings) -> Columns:
    """Return the columns of what an organiser can change."""
    return {
        "name": settings.name,
        "place": settings.channel,
        "settings": format_settings(settings),
        "starts_at": to_millis(settings.starts_at),
    }


async def _begin(
    connection: Connection,
    tournament: TournamentId,
    by: Person,
    reason: str,
    is_moderator: bool,
    now: datetime,
) -> tuple[Records, str]:
    """Lock a tournament for an act of its organiser; return it with the reason cleaned."""
    reason = clean_line(reason)
    if not MIN_REASON_LENGTH <= len(reason) <= MAX_REASON_LENGTH:
        raise Refusal("tournament_reason", least=MIN_REASON_LENGTH, most=MAX_REASON_LENGTH)
    records = await load_locked(connection, tournament)
    if records.row.by != by.account and not is_moderator:
        raise Refusal("not_organiser")
    if records.state not in UNFINISHED_STATES:
        raise Refusal("tournament_over")
    await people.save(connection, by.account, by.name, to_millis(now))
    await tournaments.change(connection, tournament, work_at=to_millis(now))
    return records, reason


def _require(records: Records, entrant: EntrantId) -> EntrantRow:
    found = records.entrants.get(entrant)
    if found is None or found.withdrawn is not None:
        raise Refusal("not_entrant")
    return found


async def _log(
    connection: Connection,
    tournament: int,
    act: Act,
    by: Person,
    now: int,
    reason: str = "",
    *,
    about: str | None = None,
    details: Mapping[str, str | int] | None = None,
) -> None:
    await tournaments.log(
        connection,
        tournament=tournament,
        made_at=now,
        act=act,
        by=by.account,
        about=about,
        reason=reason,
        details=json.dumps(dict(details)) if details else None,
    )
