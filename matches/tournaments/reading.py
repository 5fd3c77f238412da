"""Views and lists of tournaments, with the names that their reader may see."""

from __future__ import annotations

import json
from asyncio import to_thread
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from matches.audience import Audience, ShownNames, choose_name
from matches.errors import Refusal
from matches.platforms import WEBSITE
from matches.times import from_millis, to_millis
from matches.tournaments.adjudication import SCALE
from matches.tournaments.divisions import find_returning
from matches.tournaments.entering import UNFINISHED_STATES, is_barred
from matches.tournaments.ladder import list_order, list_running
from matches.tournaments.pairing.ladder import list_opponents
from matches.tournaments.pairing.leagues import Move, mark_places
from matches.tournaments.reachable_places import find_reachable_places
from matches.tournaments.records import LARGE, UNFINISHED, load, load_blocks, parse_groups
from matches.tournaments.results import Decision, EntrantId, GameState
from matches.tournaments.settings import parse_games
from matches.tournaments.tables import build_rounds, list_group, list_places, list_table_games, make_table
from matches.tournaments.values import (
    LEAGUE_PAUSE,
    Act,
    EntrantView,
    GameView,
    GroupView,
    Kind,
    LogEntry,
    Rights,
    StageDates,
    StageState,
    StageView,
    TableRow,
    TournamentId,
    TournamentOfMatch,
    TournamentState,
    TournamentSummary,
    TournamentView,
    Win,
    Withdrawal,
)
from matches.values import MatchId, Person
from storage.tournament import games, tournaments

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from matches.audience import Reader
    from matches.tournaments.pairing.knock_out import Duel
    from matches.tournaments.records import Records
    from matches.tournaments.results import Blocks
    from storage import Database
    from storage.tournament.rows import EntrantRow, GameRow, LogRow, StageRow, SummaryRow


class Reading:
    """Reads tournaments. The methods are described in :class:`matches.tournaments.service.Tournaments`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def view(
        self,
        tournament: TournamentId,
        reader: Reader,
        *,
        stage: int | None,
        now: datetime,
    ) -> TournamentView:
        """Return a tournament as a reader sees it."""
        async with self._database.read() as connection:
            records = await load(connection, tournament)
            log = await tournaments.list_log(connection, tournament)
            is_ladder = records.settings.kind is Kind.LADDER
            blocks: Blocks = await load_blocks(connection, records) if is_ladder else frozenset()
            winners = await tournaments.list_winners(connection, tournament, 0)
        names = _find_names(records, reader)
        if names is None:
            raise Refusal("tournament_unknown")
        build = partial(_build_view, records, log, reader, names, stage, blocks, winners, now)
        return await to_thread(build) if len(records.entrants) > LARGE else build()

    async def list(
        self,
        reader: Reader,
        *,
        states: tuple[TournamentState, ...],
        server: str | None,
        before: TournamentId | None,
        limit: int,
    ) -> tuple[TournamentSummary, ...]:
        """Return the tournaments that a reader may see, the newest first."""
        visible = {WEBSITE, *reader.servers}
        servers = visible if server is None else visible & {server}
        async with self._database.read() as connection:
            rows = await tournaments.list_summaries(connection, states, servers, before, limit)
        return tuple(map(_summary, rows))

    async def list_of(self, account: str) -> tuple[TournamentSummary, ...]:
        """Return the open and running tournaments of a person."""
        async with self._database.read() as connection:
            rows = await tournaments.list_summaries_of(connection, account, UNFINISHED_STATES)
        return tuple(map(_summary, rows))

    async def list_wins(self, account: str) -> tuple[Win, ...]:
        """Return the first places of a person in tournaments that everybody can see."""
        async with self._database.read() as connection:
            rows = await tournaments.list_wins(connection, account, WEBSITE)
        return tuple(
            Win(TournamentId(one.tournament), one.name, Kind(one.kind), one.stage, from_millis(one.won_at))
            for one in rows
        )

    async def find_by_match(self, match: MatchId) -> TournamentOfMatch | None:
        """Return to which tournament a match belongs."""
        async with self._database.read() as connection:
            game = await games.find_by_match(connection, match)
            row = None if game is None else await tournaments.get(connection, game.tournament)
            if game is None or row is None:
                return None
            found = await tournaments.list_accounts(connection, [game.first])
        return TournamentOfMatch(
            tournament=TournamentId(row.id),
            name=row.name,
            stage=game.stage,
            game=game.id,
            ends_at=_time(game.ends_at),
            decision=None if game.decision is None else Decision(game.decision),
            chances=None if game.chances is None else game.chances / SCALE,
            assessed=found[game.first],
        )


@dataclass(frozen=True, slots=True)
class _Names:
    """The names that a reader sees: those of others, and always the own one."""

    shown: ShownNames
    own: frozenset[str]

    def person(self, account: str, name: str, alias: str | None) -> Person:
        """Return a person under the name that the reader sees."""
        shown = ShownNames.REAL if account in self.own else self.shown
        return Person(account, choose_name(shown, Audience.NAMES, account, name, alias))


def _find_names(records: Records, reader: Reader) -> _Names | None:
    """Return which names a reader sees; None for a server's tournament of which they are no member.

    Members of a server know each other; in a tournament that is open to all, everybody sees public names.
    """
    if not records.settings.is_of_server:
        return _Names(ShownNames.PUBLIC, reader.accounts)
    accounts = {records.row.by, *(one.account for one in records.entrants.values())}
    is_known = reader.accounts & accounts or records.row.server in reader.servers
    return _Names(ShownNames.REAL, reader.accounts) if is_known else None


def _build_view(
    records: Records,
    log: Sequence[LogRow],
    reader: Reader,
    names: _Names,
    stage: int | None,
    blocks: Blocks,
    winners: Sequence[int],
    now: datetime,
) -> TournamentView:
    row = records.row
    shown = _choose_stage(records, stage)
    groups = () if shown is None else parse_groups(shown.groups)
    division = {one: number for number, group in enumerate(groups, 1) for one in group}
    is_league = records.settings.kind is Kind.LEAGUE
    own = [one for one in records.active if one.account in reader.accounts]
    return TournamentView(
        id=records.id,
        settings=records.settings,
        state=records.state,
        organiser=names.person(row.by, row.by_name, row.by_alias),
        made_at=from_millis(row.made_at),
        entrants=tuple(
            _entrant(one, names, division.get(EntrantId(one.id), 0) if is_league else 0)
            for one in records.entrants.values()
        ),
        stages=tuple(map(_dates, records.stages)),
        stage=None if shown is None else StageView(_dates(shown), _build_groups(records, shown)),
        log=tuple(_entry(one, names) for one in log),
        rounds=row.rounds,
        ends_at=_find_end(records),
        ended_at=_time(row.ended_at),
        me=EntrantId(own[0].id) if own else None,
        winners=tuple(map(EntrantId, winners)),
        bracket=_build_bracket(records),
        rights=_find_rights(records, reader, own[0] if own else None, blocks, now),
    )


def _build_bracket(records: Records) -> tuple[tuple[Duel, ...], ...]:
    if records.settings.kind is not Kind.KNOCK_OUT or records.stage is None:
        return ()
    return build_rounds(records, sum(one.state == StageState.OVER for one in records.stages))


def _choose_stage(records: Records, number: int | None) -> StageRow | None:
    if number is None:
        return records.stage
    if not 0 < number <= len(records.stages):
        raise Refusal("tournament_unknown")
    return records.stages[number - 1]


def _build_groups(records: Records, stage: StageRow) -> tuple[GroupView, ...]:
    count = len(parse_groups(stage.groups))
    return tuple(
        GroupView(
            number=number,
            table=_build_table(records, stage.number, number, count),
            games=tuple(map(_game, records.games_in(stage.number, number))),
        )
        for number in range(1, count + 1)
    )


def _build_table(records: Records, stage: int, division: int, count: int) -> tuple[TableRow, ...]:
    kind = records.settings.kind
    if kind in (Kind.LADDER, Kind.KNOCK_OUT):
        return _build_order(records, stage)
    rows = make_table(records, stage, division)
    entrants = records.entrants_at_end(list_group(records, stage, division), stage)
    table_games = list_table_games(records, stage, division)
    left = max(0, (records.row.rounds or stage) - stage) if kind is Kind.SWISS else 0
    reachable = find_reachable_places(entrants, table_games, rows, rounds_left=left)
    marks = (
        mark_places(len(rows), is_highest=division == 1, is_lowest=division == count)
        if kind is Kind.LEAGUE
        else (Move.STAY,) * len(rows)
    )
    remaining = Counter(player for one in table_games if one.state in UNFINISHED for player in one.players)
    return tuple(
        TableRow(
            place=row.place,
            entrant=row.entrant,
            points=row.points,
            played=row.games,
            remaining=left * (not row.is_withdrawn) + remaining[row.entrant],
            tie_break=None if row.above_next is None else row.above_next.rule.value,
            best=reachable[row.entrant].best,
            worst=reachable[row.entrant].worst,
            is_promoted=mark is Move.UP,
            is_relegated=mark is Move.DOWN,
        )
        for row, mark in zip(rows, marks, strict=True)
    )


def _build_order(records: Records, stage: int) -> tuple[TableRow, ...]:
    """Return a ladder or the field of a knock-out by places, with the points of all games until then."""
    played, left, points = Counter[EntrantId](), Counter[EntrantId](), Counter[EntrantId]()
    for game in records.plain_games:
        if game.stage > stage:
            continue
        for one in game.players:
            played[one] += game.points is not None
            left[one] += game.state is GameState.OPEN
            points[one] += game.points_of(one) or 0
    places = sorted(list_places(records).items(), key=lambda item: item[1])
    return tuple(
        TableRow(place, one, points[one], played[one], left[one], None, 1, len(places))
        for one, place in places
    )


def _find_end(records: Records) -> datetime | None:
    """Return when the tournament ends at the latest."""
    stage, rounds = records.stage, records.row.rounds
    if stage is None or rounds is None:
        return None
    left = max(0, rounds - stage.number)
    pause = LEAGUE_PAUSE if records.settings.kind is Kind.LEAGUE else timedelta()
    return from_millis(stage.ends_at) + left * (records.settings.length + pause)


def _find_rights(
    records: Records, reader: Reader, own: EntrantRow | None, blocks: Blocks, now: datetime
) -> Rights:
    settings, stage = records.settings, records.stage
    is_unfinished = records.state in UNFINISHED_STATES
    is_late = settings.kind in (Kind.LEAGUE, Kind.LADDER) and records.state is TournamentState.RUNNING
    former = [one for one in records.entrants.values() if one.account in reader.accounts]
    returning = find_returning(former)
    is_new = not any(is_barred(settings.kind, one.withdrawn) for one in former)
    is_ladder = settings.kind is Kind.LADDER and own is not None and stage is not None
    is_running = is_ladder and stage is not None and stage.state == StageState.RUNNING
    number = EntrantId(0) if own is None else EntrantId(own.id)
    return Rights(
        can_join=own is None and is_new and (records.state is TournamentState.OPEN or is_late),
        can_leave=own is not None and is_unfinished,
        can_manage=records.row.by in reader.accounts and is_unfinished,
        can_challenge=list_opponents(
            list_order(records), number, running=list_running(records), blocks=blocks
        )
        if is_running
        else (),
        can_answer=tuple(
            one.id
            for one in records.games
            if one.first == number and one.answer_by is not None and one.answer_by > to_millis(now)
        ),
        can_register=settings.kind is Kind.LEAGUE
        and is_unfinished
        and returning is not None
        and not returning.is_registered,
    )


def _entrant(row: EntrantRow, names: _Names, division: int) -> EntrantView:
    return EntrantView(
        id=EntrantId(row.id),
        person=names.person(row.account, row.name, row.alias),
        joined_at=from_millis(row.joined_at),
        seed=row.seed,
        rating=row.rating,
        division=division,
        withdrawn=None if row.withdrawn is None else Withdrawal(row.withdrawn),
        withdrawn_at=_time(row.withdrawn_at),
        was_warned=row.was_warned,
        is_registered=row.is_registered,
    )


def _game(row: GameRow) -> GameView:
    points = None if row.first_points is None else (row.first_points, row.second_points or 0)
    return GameView(
        id=row.id,
        first=EntrantId(row.first),
        second=None if row.second is None else EntrantId(row.second),
        state=GameState(row.state),
        round=row.round,
        number=row.number,
        setup=row.setup,
        points=points,
        decision=None if row.decision is None else Decision(row.decision),
        match=None if row.match is None else MatchId(row.match),
        opened_at=_time(row.opened_at),
        ended_at=_time(row.ended_at),
        ends_at=_time(row.ends_at),
        answer_by=_time(row.answer_by),
        chances=None if row.chances is None else row.chances / SCALE,
    )


def _dates(row: StageRow) -> StageDates:
    return StageDates(
        number=row.number,
        state=StageState(row.state),
        starts_at=from_millis(row.starts_at),
        ends_at=from_millis(row.ends_at),
        ended_at=_time(row.ended_at),
    )


def _entry(row: LogRow, names: _Names) -> LogEntry:
    by, about = row.by, row.about
    return LogEntry(
        at=from_millis(row.made_at),
        act=Act(row.act),
        by=None if by is None else names.person(by, row.by_name or "", row.by_alias),
        about=None if about is None else names.person(about, row.about_name or "", row.about_alias),
        reason=row.reason,
        details={} if row.details is None else json.loads(row.details),
    )


def _summary(row: SummaryRow) -> TournamentSummary:
    return TournamentSummary(
        id=TournamentId(row.id),
        name=row.name,
        kind=Kind(row.kind),
        state=TournamentState(row.state),
        games=parse_games(row.settings),
        entrants=row.entrants,
        starts_at=from_millis(row.starts_at),
        server=row.server,
        stage=row.stage or 0,
        stage_ends_at=_time(row.stage_ends_at),
        ended_at=_time(row.ended_at),
    )


def _time(millis: int | None) -> datetime | None:
    return None if millis is None else from_millis(millis)
