"""The analysis of a game as values, and its stored text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NewType

if TYPE_CHECKING:
    from matches.records.values import Replay
    from matches.values import MatchId

AnalysisId = NewType("AnalysisId", int)
MAX_CONTINUATION = 5  # moves that are shown
SCALE = 10_000  # winning chances are stored as whole numbers
VERSION = 5  # of how games are judged; an analysis of another one counts as never requested
MAIN_TURNING_POINTS = 3


class AnalysisStatus(StrEnum):
    """How far an analysis is."""

    WAITING = "waiting"  # requested; not every position has been searched
    REFINING = "refining"  # there is a result, and it will get better
    COMPLETE = "complete"
    IMPOSSIBLE = "impossible"  # the computer cannot analyse this game


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a search says about a position: the winning chances of the first of the two seats (0 to 1).

    That is the player who has the game's first side in turn 0, also after the players have changed sides.

    `line` is the best line as moves. `simulations` is how long the search was at most.
    """

    simulations: int
    chances: float
    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AssessedTurn:
    """A turn that was possible at a turning point, and the winning chances of its player after it (0 to 1).

    `simulations` is how long that was searched. Turns that lead to the same position are one.
    """

    moves: tuple[str, ...]
    simulations: int
    chances: float


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turn that lost much of the winning chances (`loss`, 0 to 1), and the moves of a better one.

    `line` are moves that begin with the better turn. `turns` are the turns that were possible instead,
    for the turning points that become tasks (see :mod:`matches.game_analysis.mistakes`).
    """

    number: int
    loss: float
    better: tuple[str, ...]
    line: tuple[str, ...]
    turns: tuple[AssessedTurn, ...] = ()

    @property
    def continuation(self) -> tuple[str, ...]:
        """The next moves of `line` after the better turn, at most MAX_CONTINUATION."""
        return self.line[len(self.better) :][:MAX_CONTINUATION]


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """The analysis of a game.

    `turning_points` are in the order of the game. `assessments` are those of the positions after each turn,
    from turn 0 on; None where the search is still to come. `accuracy` is that of the players in the order of
    the seats of turn 0, in percent; None for a player without a turn, and while the analysis is waiting.
    """

    status: AnalysisStatus
    assessments: tuple[Assessment | None, ...] = ()
    turning_points: tuple[TurningPoint, ...] = ()
    accuracy: tuple[float | None, float | None] = (None, None)

    @property
    def chances(self) -> tuple[float, ...]:
        """The winning chances after each turn, as far as all before are known."""
        known = []
        for each in self.assessments:
            if each is None:
                break
            known.append(each.chances)
        return tuple(known)

    @property
    def main_turning_points(self) -> tuple[TurningPoint, ...]:
        """The :data:`MAIN_TURNING_POINTS` that lost most, in the order of the game."""
        worst = sorted(self.turning_points, key=lambda point: (-point.loss, point.number))
        return tuple(sorted(worst[:MAIN_TURNING_POINTS], key=lambda point: point.number))

    @property
    def further_turning_points(self) -> tuple[TurningPoint, ...]:
        """The turning points that are not main ones, in the order of the game."""
        main = self.main_turning_points
        return tuple(point for point in self.turning_points if point not in main)

    @property
    def has_result(self) -> bool:
        """Whether every position has been searched at least once."""
        return self.status in (AnalysisStatus.REFINING, AnalysisStatus.COMPLETE)

    @property
    def simulations(self) -> int:
        """The simulations that every position has got at least."""
        return min((each.simulations if each else 0 for each in self.assessments), default=0)


@dataclass(frozen=True, slots=True)
class AnalysisJob:
    """An analysis that this process may work on now: the game, and what is known so far."""

    id: AnalysisId
    replay: Replay
    assessments: tuple[Assessment | None, ...]
    turning_points: tuple[TurningPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class PuzzleLook:
    """A finished public match, completely analysed, in which this process may look for puzzles now.

    The next board to look at is that after the turn `number`; so far there were `found` puzzles.
    """

    id: AnalysisId
    match: MatchId
    replay: Replay
    analysis: GameAnalysis
    number: int = 0
    found: int = 0


def format_analysis(analysis: GameAnalysis, look: tuple[int, int] | None = None) -> str:
    """Return the stored text of an analysis, without its status.

    `look` is the number and the count of a :class:`PuzzleLook` that is still to be carried out.
    """
    return json.dumps(
        {
            **({} if look is None else {"look": look}),
            "version": VERSION,
            "positions": [
                each and [each.simulations, round(SCALE * each.chances), " ".join(each.line)]
                for each in analysis.assessments
            ],
            "points": [
                [
                    point.number,
                    round(SCALE * point.loss),
                    len(point.better),
                    " ".join(point.line),
                    [
                        [" ".join(turn.moves), turn.simulations, round(SCALE * turn.chances)]
                        for turn in point.turns
                    ],
                ]
                for point in analysis.turning_points
            ],
            "accuracy": [each and round(each, 1) for each in analysis.accuracy],
        },
        separators=(",", ":"),
    )


def parse_analysis(text: str | None, *, is_open: bool) -> GameAnalysis | None:
    """Return the analysis of a stored text; `is_open` is whether there is still work to do.

    None for one that was made in another way (see :data:`VERSION`); while it is open, it begins anew.
    """
    if not text:
        return GameAnalysis(AnalysisStatus.WAITING if is_open else AnalysisStatus.IMPOSSIBLE)
    data = json.loads(text)
    if data.get("version") != VERSION:
        return GameAnalysis(AnalysisStatus.WAITING) if is_open else None
    assessments = tuple(
        each and Assessment(each[0], each[1] / SCALE, tuple(each[2].split())) for each in data["positions"]
    )
    points = []
    for number, loss, length, line, turns in data["points"]:
        moves = tuple(line.split())
        assessed = tuple(
            AssessedTurn(tuple(text.split()), simulations, chances / SCALE)
            for text, simulations, chances in turns
        )
        points.append(TurningPoint(number, loss / SCALE, moves[:length], moves, assessed))
    first, second = data["accuracy"]
    if None in assessments:
        status = AnalysisStatus.WAITING
    else:
        is_refining = is_open and "look" not in data
        status = AnalysisStatus.REFINING if is_refining else AnalysisStatus.COMPLETE
    return GameAnalysis(status, assessments, tuple(points), (first, second))


def parse_look(text: str | None) -> tuple[int, int] | None:
    """Return the number and the count of the :class:`PuzzleLook` of a stored text, if it has one."""
    look = json.loads(text).get("look") if text else None
    return None if look is None else (look[0], look[1])
