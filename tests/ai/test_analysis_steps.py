"""The steps of an analysis by the worker, from the first board to the tasks that it makes possible."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ai.search import Opponent
from ai.worker.analyses import search_positions
from matches import AnalysisJob, AnalysisStatus, Person, Replay, TurnVerdict, find_mistakes
from matches.game_analysis.values import AnalysisId, format_analysis, parse_analysis
from matches.records.values import ReplayTurn
from matches.values import Seat
from tests.ai.test_game_analysis import blundered_game

if TYPE_CHECKING:
    from matches import GameAnalysis


def blundered_replay() -> Replay:
    game = blundered_game()
    position, sides = game.start, game.start.game.sides
    seats = (Seat(sides[0], Person("", "Ann")), Seat(sides[1], Person("", "Ben")))
    turns = [ReplayTurn(0, position, seats)]
    for number, turn in enumerate(game.turns, 1):
        turns.append(ReplayTurn(number, turn.position, seats, position.to_move, turn.moves))
        position = turn.position
    rules = game.start.game
    return Replay(None, None, "", rules.name, rules.rules_version, {}, "", tuple(turns))


def keep(analysis: GameAnalysis) -> GameAnalysis:
    """Return an analysis as it is read by the next step."""
    kept = parse_analysis(format_analysis(analysis), is_open=analysis.status is not AnalysisStatus.COMPLETE)
    assert kept is not None
    return kept


@pytest.mark.long
def test_analysis_ends_with_the_assessment_of_the_turns_at_its_turning_points() -> None:
    opponent, replay = Opponent.start(), blundered_replay()
    job, seen = AnalysisJob(AnalysisId(1), replay, ()), list[AnalysisStatus]()
    while AnalysisStatus.COMPLETE not in seen:
        analysis = keep(search_positions(job, opponent))
        seen.append(analysis.status)
        job = replace(job, assessments=analysis.assessments, turning_points=analysis.turning_points)
    assert len(seen) > 2
    first, second = (find_mistakes(replay, analysis, player) for player in (0, 1))
    assert first == ()
    (mistake,) = second
    assert mistake.judge(mistake.point.better).verdict is TurnVerdict.GOOD
    assert mistake.judge(("E1",)).verdict is TurnVerdict.PLAYED
    verdicts = [mistake.judge((str(move),)).verdict for move in mistake.position.legal_moves()]
    assert verdicts.count(TurnVerdict.LOSES) > verdicts.count(TurnVerdict.GOOD) > 0
