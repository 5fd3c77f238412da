"""Why the better turns of an analysis are better: plain facts, found from the rules when they are shown."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.game import GameError
from engine.turn_comparison import TurnComparison, compare_turns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Position
    from matches.game_analysis.values import GameAnalysis
    from matches.records.values import Replay


def find_reasons(replay: Replay, analysis: GameAnalysis) -> Mapping[int, TurnComparison]:
    """Return what speaks for the better turn at each main turning point, by its number.

    It takes some milliseconds for each when it is called first: call it in a thread.
    """
    return {
        point.number: compare_with_better(
            replay.turn_at(point.number - 1).position, replay.turn_at(point.number).move_texts, point.better
        )
        for point in analysis.main_turning_points
    }


@lru_cache(maxsize=256)  # a page is loaded again and again
def compare_with_better(
    position: Position, played: tuple[str, ...], better: tuple[str, ...]
) -> TurnComparison:
    """Return what speaks for a better turn and against one that was played. It takes some milliseconds."""
    try:
        return compare_turns(position, played, better)
    except GameError:  # a stored turn that is not legal any more
        return TurnComparison()
