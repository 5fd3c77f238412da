"""A stored analysis of a finished match, made without a search."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from matches import AnalysisStatus, Assessment, GameAnalysis, TurningPoint

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from matches import Matches, MatchId, Person, Replay


async def store_analysis(
    matches: Matches,
    match: MatchId,
    person: Person | None,
    *,
    status: AnalysisStatus = AnalysisStatus.COMPLETE,
    losses: Mapping[int, float] = MappingProxyType({2: 0.2}),
    now: datetime,
) -> GameAnalysis:
    """Request the analysis of a match and store one; `losses` are those of its turning points."""
    replay = await matches.replay(match, now=now)
    await matches.game_analyses.request(replay, person, now=now)
    job = await matches.game_analyses.claim(now=now)
    if job is None or job.replay.match != match:
        raise LookupError(f"the analysis of match {match} is not the next one")
    waves = (0.5, 0.55, 0.75, 0.7, 0.72, 0.66)
    analysis = GameAnalysis(
        status,
        tuple(Assessment(6400, waves[number % len(waves)]) for number in range(len(replay.turns))),
        tuple(_turning_point(replay, number, loss) for number, loss in losses.items()),
        (91.2, 68.8),
    )
    await matches.game_analyses.save(job.id, analysis, now=now)
    return analysis


def _turning_point(replay: Replay, number: int, loss: float) -> TurningPoint:
    better = replay.turn_at(number).move_texts
    after = replay.turn_at(number + 1).move_texts if number < replay.turn_count else ()
    return TurningPoint(number, loss, better, (*better, *after))
