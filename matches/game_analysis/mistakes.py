"""The turning points of a player as tasks: to find a turn that is about as good as the best one.

The analysis has assessed the turns that were possible, so a turn is judged by looking it up, in every front
end alike. Turns that lead to the same position are one turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from engine.game import EventKind, Fact
from matches.game_analysis.reasons import compare_with_better
from matches.game_analysis.values import AnalysisStatus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.game import Position
    from matches.game_analysis.values import AssessedTurn, GameAnalysis, TurningPoint
    from matches.records.values import Replay, ReplayTurn
    from matches.values import Seat

GOOD_LOSS = 0.05
"""A turn that leaves the player this much less of the chances than the best one, or more, is not good."""

CERTAIN_LOSS = 0.1
CERTAIN_LOSSES = ((6400, CERTAIN_LOSS), (1600, 0.15), (400, 0.25))
"""What a turn loses is said only if it is so much after so many simulations: less is within their error."""

LONGEST = CERTAIN_LOSSES[0][0]


class TurnVerdict(StrEnum):
    """What a turn that was tried is worth."""

    GOOD = "good"  # as good as the best one, or nearly so
    PLAYED = "played"  # the turn that was played in the game
    LOSES = "loses"  # it loses much, which is known
    OTHER = "other"  # the computer prefers another turn


@dataclass(frozen=True, slots=True)
class TriedTurn:
    """A turn that was tried, and how many of 100 `points` of the chances it loses where that is certain.

    `facts` speak for a good turn, and against one that loses.
    """

    moves: tuple[str, ...]
    verdict: TurnVerdict
    points: int = 0
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Mistake:
    """A turning point of a player as a task; the number of its turn names it.

    `start` is the turn before it, whose position is the board of the task, `seat` that of the player then.
    `index` counts the mistakes of the player from 0 to `count` - 1.
    """

    start: ReplayTurn
    seat: Seat
    played: tuple[str, ...]
    point: TurningPoint
    index: int
    count: int

    @property
    def position(self) -> Position:
        """The board on which a better turn is to be found."""
        return self.start.position

    @property
    def turn(self) -> int:
        """The number of the turn."""
        return self.point.number

    @property
    def points(self) -> int:
        """How many of 100 points of the chances of winning the turn that was played lost."""
        return round(100 * self.point.loss)

    def judge(self, moves: Iterable[str]) -> TriedTurn:
        """Return what a complete turn is worth, and why. Raises GameError for one that is not legal.

        On a large board it takes some milliseconds.
        """
        tried = tuple(moves)
        verdict, points = self._find_verdict(tried)
        facts = tuple[Fact, ...]()
        if verdict is TurnVerdict.GOOD:
            facts = compare_with_better(self.position, self.played, tried).gains
        elif verdict is not TurnVerdict.OTHER:
            facts = compare_with_better(self.position, tried, self.point.better).drawbacks
        return TriedTurn(tried, verdict, points, facts)

    def _find_verdict(self, tried: tuple[str, ...]) -> tuple[TurnVerdict, int]:
        after = self._play(tried)
        if after == self._play(self.point.better):
            return TurnVerdict.GOOD, 0
        if after == self._play(self.played):
            return TurnVerdict.PLAYED, self.points
        assessed = self.point.turns
        found = _find_turn(self.point, tried)
        if found is None:
            found = next((each for each in assessed if self._play(each.moves) == after), None)
        if found is None:
            return TurnVerdict.OTHER, 0
        loss = _best_chances(self.point) - found.chances
        if loss < GOOD_LOSS and found.simulations >= LONGEST:
            return TurnVerdict.GOOD, 0
        if any(found.simulations >= simulations and loss >= limit for simulations, limit in CERTAIN_LOSSES):
            return TurnVerdict.LOSES, round(100 * loss)
        return TurnVerdict.OTHER, 0

    def _play(self, moves: Iterable[str]) -> Position:
        position = self.position
        for text in moves:
            position = position.play(position.parse(text))
        return position


def find_mistakes(replay: Replay, analysis: GameAnalysis | None, player: int) -> tuple[Mistake, ...]:
    """Return the mistakes of a player in the order of the game; none before the analysis is complete.

    `player` is 0 or 1, in the order of the seats of turn 0. A turning point is left out if the assessment of
    its turns, which searches each longer, finds none that is better than the one that was played.
    """
    if analysis is None or analysis.status is not AnalysisStatus.COMPLETE:
        return ()
    found = []
    for point in analysis.turning_points:
        turn, start = replay.turn_at(point.number), replay.turn_at(point.number - 1)
        played = _find_turn(point, turn.move_texts)
        if played is None or _best_chances(point) - played.chances < CERTAIN_LOSS:
            continue
        if _find_player(replay, point.number) == player:
            found.append((start, replay.seat_of(turn), turn.move_texts, point))
    return tuple(Mistake(*each, index, len(found)) for index, each in enumerate(found))


def find_task_turns(replay: Replay, analysis: GameAnalysis, player: int) -> frozenset[int]:
    """Return the turns of a player whose better turn would give a task away; player as in `find_mistakes`.

    Before the analysis is complete, any of the turning points may become a task.
    """
    if analysis.status is AnalysisStatus.COMPLETE:
        return frozenset(mistake.turn for mistake in find_mistakes(replay, analysis, player))
    numbers = [point.number for point in analysis.turning_points]
    return frozenset(number for number in numbers if _find_player(replay, number) == player)


def _find_player(replay: Replay, number: int) -> int:
    """Return which player made a turn, also where players without a name have changed sides before it."""
    first = [seat.side for seat in replay.turns[0].seats]
    swaps = sum(event.kind is EventKind.SWAP for turn in replay.turns[1:number] for event in turn.events)
    side = replay.turn_at(number).side
    return (0 if side is None else first.index(side)) ^ (swaps % 2)


def _find_turn(point: TurningPoint, moves: tuple[str, ...]) -> AssessedTurn | None:
    return next((each for each in point.turns if each.moves == moves), None)


def _best_chances(point: TurningPoint) -> float:
    """Return the chances after the best turn; a short search may find too much in others."""
    return max((each.chances for each in point.turns if each.simulations >= LONGEST), default=0.0)
