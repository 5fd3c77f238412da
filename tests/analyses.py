"""A stored analysis of a finished match, made without a search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import AnalysisStatus, Assessment, GameAnalysis, TurningPoint

if TYPE_CHECKING:
    from datetime import datetime

    from matches import Matches, MatchId, Person


async def store_analysis(
    matches: Matches,
    match: MatchId,
    person: Person | None,
    *,
    status: AnalysisStatus = AnalysisStatus.COMPLETE,
    now: datetime,
) -> GameAnalysis:
    """Request the analysis of a match and store one with a turning point: its second turn."""
    replay = await matches.replay(match, now=now)
    await matches.game_analyses.request(replay, person, now=now)
    job = await matches.game_analyses.claim(now=now)
    if job is None or job.replay.match != match:
        raise LookupError(f"the analysis of match {match} is not the next one")
    better = replay.turn_at(2).move_texts
    waves = (0.5, 0.55, 0.75, 0.7, 0.72, 0.66)
    analysis = GameAnalysis(
        status,
        tuple(Assessment(6400, waves[number % len(waves)]) for number in range(len(replay.turns))),
        (TurningPoint(2, 0.2, better, (*better, *replay.turn_at(3).move_texts)),),
        (91.2, 68.8),
    )
    await matches.game_analyses.save(job.id, analysis, now=now)
    return analysis
