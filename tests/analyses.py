"""A stored analysis of a finished match, made without a search."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from matches import AnalysisStatus, AssessedTurn, Assessment, GameAnalysis, TurningPoint

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
    better: Mapping[int, tuple[str, ...]] = MappingProxyType({}),
    has_tasks: bool = False,
    now: datetime,
) -> GameAnalysis:
    """Request the analysis of a match and store one; `losses` are those of its turning points.

    `better` are the lines that begin with a better turn of one move; by default those that were played.
    With `has_tasks` they become tasks, by default with a better turn than the one that was played.
    """
    replay = await matches.replay(match, now=now)
    await matches.game_analyses.request(replay, person, now=now)
    job = await matches.game_analyses.claim(now=now)
    if job is None or job.replay.match != match:
        raise LookupError(f"the analysis of match {match} is not the next one")
    make_point = _make_task if has_tasks else _turning_point
    waves = (0.5, 0.55, 0.75, 0.7, 0.72, 0.66)
    analysis = GameAnalysis(
        status,
        tuple(Assessment(6400, waves[number % len(waves)]) for number in range(len(replay.turns))),
        tuple(make_point(replay, number, loss, better.get(number)) for number, loss in losses.items()),
        (91.2, 68.8),
    )
    await matches.game_analyses.save(job.id, analysis, now=now)
    return analysis


def _turning_point(replay: Replay, number: int, loss: float, better: tuple[str, ...] | None) -> TurningPoint:
    if better is not None:
        return TurningPoint(number, loss, better[:1], better)
    better = replay.turn_at(number).move_texts
    after = replay.turn_at(number + 1).move_texts if number < replay.turn_count else ()
    return TurningPoint(number, loss, better, (*better, *after))


def _make_task(replay: Replay, number: int, loss: float, better: tuple[str, ...] | None) -> TurningPoint:
    """Return a turning point at which `better`, or the first legal turn, is best, and the next one as good.

    The third is not much worse, and the fourth was hardly searched. The one that was played loses `loss`, all
    others half of the chances.
    """
    position, played = replay.turn_at(number - 1).position, replay.turn_at(number).move_texts
    others: list[tuple[str, ...]] = [(str(move),) for move in position.legal_moves()]
    others.remove(played)
    if better is None:
        after = position.play(position.parse(others[0][0]))
        better = (*others[0], *(() if after.to_move is None else (str(after.legal_moves()[0]),)))
    others.remove(better[:1])
    values = [(6400, 0.67), (6400, 0.63), (400, 0.68)]
    assessed = [AssessedTurn(played, 6400, 0.7 - loss), AssessedTurn(better[:1], 6400, 0.7)]
    for index, moves in enumerate(others):
        assessed.append(AssessedTurn(moves, *(values[index] if index < len(values) else (1600, 0.2))))
    return TurningPoint(number, loss, better[:1], better, tuple(assessed))
