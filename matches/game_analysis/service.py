"""Requests for analyses, and the work on them in small steps by any number of processes.

A row is leased while a process works on it, and released after each step, so a killed process loses one
step, and the newest requests get their first result before older ones are refined.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.audience import PUBLIC
from matches.errors import Refusal
from matches.game_analysis.values import (
    AnalysisId,
    AnalysisJob,
    AnalysisStatus,
    GameAnalysis,
    PuzzleLook,
    format_analysis,
    parse_analysis,
    parse_look,
)
from matches.records.from_match import replay_from_history
from matches.times import to_millis
from matches.values import MatchId, MatchState, RecordId
from storage.match import game_analyses, matches
from storage.people import people

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from engine.game import Position
    from matches.records.imports import ImportedRecords
    from matches.records.values import Replay
    from matches.values import Person
    from matches.views import Views
    from storage import Connection, Database
    from storage.match.game_analyses import AnalysisRow

DAY = timedelta(days=1)
LEASE = timedelta(minutes=1)
MAX_REQUESTS_PER_DAY = 20  # per person
MAX_VISITOR_REQUESTS_PER_DAY = 100  # of all visitors without an account together
MAX_TURNS = 500
OPENING_TURNS = 6  # of a match; other games may share a board before the end of the last one by chance
RECENT_PLIES = 3


class GameAnalyses:
    """The analyses of a database, one for each finished match and imported record, shared by all readers.

    The front end decides who may see a game: whoever may see its replay may see its analysis.
    """

    def __init__(self, database: Database, views: Views, records: ImportedRecords) -> None:
        self._database = database
        self._views = views
        self._records = records

    async def get(self, replay: Replay) -> GameAnalysis | None:
        """Return the analysis of a game as far as it is, or None if nobody has requested it."""
        row = await self._find(replay)
        return None if row is None else _parse(row)

    async def request(self, replay: Replay, person: Person | None, *, now: datetime) -> GameAnalysis:
        """Request the analysis of a game, and return it as far as it is. `person` is None for a visitor.

        One that was impossible is tried again: a worker may have a kernel now. One that an earlier version
        has made is made again.

        Raises `game_not_finished`, `game_too_long`, `game_under_way`, `too_many_analyses`,
        `too_many_visitor_analyses`.
        """
        if not can_be_analysed(replay):
            raise Refusal("game_not_finished")
        if replay.turn_count > MAX_TURNS:
            raise Refusal("game_too_long", limit=MAX_TURNS, size=replay.turn_count)
        row = await self._find(replay)
        existing = None if row is None else _parse(row)
        if existing is not None and existing.status is not AnalysisStatus.IMPOSSIBLE:
            return existing
        async with self._database.read() as connection:
            await check_not_under_way(connection, replay.game, [turn.position for turn in replay.turns])
        async with self._database.transaction() as connection:
            await _check_limit(connection, person, now)
            if person is not None:
                await people.save(connection, person.account, person.name, to_millis(now))
            await game_analyses.add(
                connection,
                match=replay.match,
                record=replay.record,
                by=None if person is None else person.account,
                replaced_text=None if row is None else row.text,
                now=to_millis(now),
            )
        return GameAnalysis(AnalysisStatus.WAITING)

    async def has_work(self, *, now: datetime) -> bool:
        """Return whether :meth:`claim` or :meth:`claim_look` would find something."""
        async with self._database.read() as connection:
            return await game_analyses.any_due(connection, to_millis(now))

    async def claim(self, *, now: datetime) -> AnalysisJob | None:
        """Return an analysis to work on, leased for a minute; None if there is nothing to do.

        The caller ends with :meth:`save` or :meth:`give_up`. Two processes never get the same one.
        """
        if not await self.has_work(now=now):
            return None
        async with self._database.transaction() as connection:
            row = await game_analyses.claim(connection, to_millis(now), to_millis(now + LEASE))
        if row is None:
            return None
        known = _parse(row)
        return AnalysisJob(
            AnalysisId(row.id),
            await self._load_replay(row),
            () if known is None else known.assessments,
            () if known is None else known.turning_points,
        )

    async def save(self, analysis: AnalysisId, result: GameAnalysis, *, now: datetime) -> None:
        """Store the result of a step, and release the analysis, or close it if it is complete.

        In a match that everybody can see, puzzles are looked for then (see :meth:`claim_look`).
        """
        async with self._database.transaction() as connection:
            is_complete = result.status is AnalysisStatus.COMPLETE
            is_open = not is_complete or await game_analyses.is_of_match(connection, analysis, PUBLIC)
            await game_analyses.save(
                connection,
                analysis,
                text=format_analysis(result, (0, 0) if is_complete and is_open else None),
                simulations=game_analyses.COMPLETE if is_complete else result.simulations,
                work_at=to_millis(now) if is_open else None,
            )

    async def claim_look(self, *, now: datetime) -> PuzzleLook | None:
        """Return a match in which to look for puzzles, leased for a minute; None if there is none.

        The caller ends with :meth:`save_look`. A look takes longer than a minute only where the machine has
        much other work; if it is then carried out twice, the same puzzles are found.
        """
        if not await self.has_work(now=now):
            return None
        async with self._database.transaction() as connection:
            row = await game_analyses.claim(
                connection, to_millis(now), to_millis(now + LEASE), is_complete=True
            )
            if row is None:
                return None
            known, look = _parse(row), parse_look(row.text)
            is_public = await game_analyses.is_of_match(connection, row.id, PUBLIC)
            if not is_public or known is None or look is None:
                await game_analyses.save(
                    connection, row.id, text=row.text or "", simulations=game_analyses.COMPLETE, work_at=None
                )
                return None
        replay = await self._load_replay(row)
        return PuzzleLook(AnalysisId(row.id), MatchId(row.match or 0), replay, known, *look)

    async def save_look(self, look: PuzzleLook, number: int | None, found: int, *, now: datetime) -> None:
        """Release a look, which goes on after the turn `number`, or close it if that is None."""
        async with self._database.transaction() as connection:
            await game_analyses.save(
                connection,
                look.id,
                text=format_analysis(look.analysis, None if number is None else (number, found)),
                simulations=game_analyses.COMPLETE,
                work_at=None if number is None else to_millis(now),
            )

    async def give_up(self, analysis: AnalysisId) -> None:
        """Note that the computer cannot analyse this game; it is tried again when somebody requests it."""
        async with self._database.transaction() as connection:
            await game_analyses.save(connection, analysis, text="", simulations=0, work_at=None)

    async def _find(self, replay: Replay) -> AnalysisRow | None:
        async with self._database.read() as connection:
            return await game_analyses.find(connection, match=replay.match, record=replay.record)

    async def _load_replay(self, row: AnalysisRow) -> Replay:
        if row.record is not None:
            return await self._records.replay(RecordId(row.record), None)
        return replay_from_history(await self._views.history(MatchId(row.match or 0)))


def can_be_analysed(replay: Replay) -> bool:
    """Return whether a game is over and has a turn."""
    return replay.turns[-1].result is not None and replay.turn_count > 0


async def check_not_under_way(connection: Connection, game: str, positions: Iterable[Position | str]) -> None:
    """Raise `game_under_way` if a match is at one of these positions, or was a few moves ago.

    So nobody has a game analysed that equals a match under way, continues it, or ends shortly before it, from
    any start and in any order of moves. The boards of an opening do not count.
    """
    texts = [str(one) for one in positions]
    if await matches.has_position_under_way(
        connection, game, texts, MatchState.PLAYING, OPENING_TURNS, RECENT_PLIES
    ):
        raise Refusal("game_under_way")


async def _check_limit(connection: Connection, person: Person | None, now: datetime) -> None:
    account = None if person is None else person.account
    count = await game_analyses.count_since(connection, account, to_millis(now - DAY))
    if person is None and count >= MAX_VISITOR_REQUESTS_PER_DAY:
        raise Refusal("too_many_visitor_analyses", limit=MAX_VISITOR_REQUESTS_PER_DAY)
    if person is not None and count >= MAX_REQUESTS_PER_DAY:
        raise Refusal("too_many_analyses", limit=MAX_REQUESTS_PER_DAY)


def _parse(row: AnalysisRow) -> GameAnalysis | None:
    return parse_analysis(row.text, is_open=row.work_at is not None)
