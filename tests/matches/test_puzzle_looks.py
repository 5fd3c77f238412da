"""Looks for puzzles in analysed matches: only public ones, one process at a time, after everything else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from matches import AnalysisStatus, PuzzleLook
from matches.game_analysis import service
from storage.tables import MATCHES
from tests.matches.scenario import ALICE, NOON, SERVER, later
from tests.matches.test_game_analysis import RESULT, as_finished, finished_match
from tests.matches.test_records import OPENING

if TYPE_CHECKING:
    from matches import Matches, MatchId, Replay
    from storage import Database

COMPLETE = replace(RESULT, status=AnalysisStatus.COMPLETE)


async def set_audience(database: Database, match: MatchId | None, audience: str) -> None:
    async with database.transaction() as connection:
        await connection.execute(update(MATCHES).where(MATCHES.c.id == match).values(audience=audience))


async def analyse(matches: Matches, replay: Replay) -> None:
    await matches.game_analyses.request(replay, ALICE, now=NOON)
    job = await matches.game_analyses.claim(now=NOON)
    assert job is not None
    await matches.game_analyses.save(job.id, COMPLETE, now=NOON)


async def analysed_match(database: Database, matches: Matches, audience: str = "names") -> Replay:
    replay = await finished_match(matches)
    await set_audience(database, replay.match, audience)
    await analyse(matches, replay)
    return replay


async def claim(matches: Matches, **after: float) -> PuzzleLook:
    look = await matches.game_analyses.claim_look(now=later(**after))
    assert look is not None
    return look


async def test_look_goes_on_where_it_was_and_ends(database: Database, matches: Matches) -> None:
    analyses = matches.game_analyses
    replay = await analysed_match(database, matches, "aliases")
    assert await analyses.get(replay) == COMPLETE
    look = await claim(matches)
    assert (look.match, look.replay, look.analysis, look.number, look.found) == (
        replay.match,
        replay,
        COMPLETE,
        0,
        0,
    )
    assert await analyses.claim_look(now=NOON + service.LEASE / 2) is None  # another process
    assert await claim(matches, minutes=2) == look  # that of a killed process
    await analyses.save_look(look, 7, 2, now=NOON)
    assert await analyses.get(replay) == COMPLETE
    look = await claim(matches)
    assert (look.number, look.found) == (7, 2)
    await analyses.save_look(look, None, 2, now=NOON)
    assert await analyses.get(replay) == COMPLETE
    assert not await analyses.has_work(now=later(days=1))


@pytest.mark.parametrize("audience", ["players", "unknown", "closed", "members", "unlisted"])
async def test_nobody_looks_into_matches_that_not_everybody_can_see(
    database: Database, matches: Matches, audience: str
) -> None:
    await analysed_match(database, matches, audience)
    assert not await matches.game_analyses.has_work(now=later(days=1))


async def test_look_ends_when_the_match_becomes_private(database: Database, matches: Matches) -> None:
    analyses = matches.game_analyses
    replay = await analysed_match(database, matches)
    await set_audience(database, replay.match, "members")
    assert await analyses.claim_look(now=NOON) is None
    assert not await analyses.has_work(now=later(days=1))
    assert await analyses.get(replay) == COMPLETE


async def test_nobody_looks_into_records(matches: Matches) -> None:
    data = as_finished(OPENING, 4)
    await analyse(matches, await matches.records.import_record(data, ALICE, server=SERVER, now=NOON))
    assert not await matches.game_analyses.has_work(now=later(days=1))


async def test_analyses_go_before_looks(database: Database, matches: Matches) -> None:
    await analysed_match(database, matches)
    newer = await finished_match(matches)
    await matches.game_analyses.request(newer, ALICE, now=later(hours=1))
    job = await matches.game_analyses.claim(now=later(hours=1))
    assert job is not None
    assert job.replay.match == newer.match
    assert await matches.game_analyses.claim(now=later(hours=1)) is None
    assert (await claim(matches, hours=1)).replay.turns[-1].result is not None
