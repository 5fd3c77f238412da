"""Analysis of a finished game: the winning chances in each position, the turning points, the accuracy.

The positions are searched one at a time and more deeply in each pass (:data:`PASSES`), so the caller can stop
between two of them, store the assessments and go on later: the same positions, assessments and seed always
lead to the same result.

The accuracy is that of Lichess: a turn's from the winning chances that it loses, a player's as the mean of
two means of them (https://lichess.org/page/accuracy; lila, `AccuracyPercent.scala`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import exp
from statistics import fmean, harmonic_mean, pstdev
from typing import TYPE_CHECKING

from ai.seats import player_to_move, result_for, swaps_sides
from engine.game import GameError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ai.search import Opponent
    from engine.game import Position
    from engine.records import Record

PASSES = (1600, 6400)
"""How many simulations every position gets, pass by pass."""

DEEP_SIMULATIONS = 25_600
"""The simulations before and after a turn that seems to lose :data:`DOUBTFUL_LOSS` or more."""

COMPARED_SIMULATIONS = 2 * DEEP_SIMULATIONS
"""Those of a position in which the turn that was played and the best other one are compared.

The search prefers a turn after which it no longer likes its chances: it may have overlooked a better one.
"""

DOUBTFUL_LOSS = 0.08
MISTAKE_LOSS = 0.1
"""Less is within the error of the search. Losses are shares of the winning chances, from 0 to 1."""

MIN_WINDOW, MAX_WINDOW = 2, 8
MIN_WEIGHT, MAX_WEIGHT = 0.5, 12.0


class NoAnalysisError(Exception):
    """The kernel does not play this game, or does not run; a weaker search would only mislead."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was played: its moves, the player, and the position after it.

    Players are numbered by the sides that they have at first, in the order of the game's sides. `swapped` is
    whether the players have changed sides by then.
    """

    moves: tuple[str, ...]
    player: int
    position: Position
    swapped: bool


@dataclass(frozen=True, slots=True)
class AnalysedGame:
    """A game to analyse: the first position and the turns after it."""

    start: Position
    turns: tuple[Turn, ...]

    @classmethod
    def from_turns(cls, start: Position, turns: Iterable[Sequence[str]]) -> AnalysedGame:
        """Return a game from the moves of each turn. Raises GameError at an illegal one."""
        played, position, swapped = list[Turn](), start, False
        for moves in turns:
            player = player_to_move(position, swapped=swapped)
            for text in moves:
                move = position.parse(text)
                after = position.play(move)
                swapped ^= swaps_sides(position, move, after)
                position = after
            played.append(Turn(tuple(moves), player, position, swapped))
        return cls(start, tuple(played))

    @classmethod
    def from_record(cls, record: Record) -> AnalysedGame:
        """Return the game of a record. Raises GameError at an illegal move."""
        positions = list(record.positions())
        turns, pending = list[list[str]](), list[str]()
        for (before, after), entry in zip(pairwise(positions), record.entries, strict=True):
            pending.append(entry.move)
            if before.moves_due <= 1 or after.to_move is None:
                turns.append(pending)
                pending = []
        return cls.from_turns(positions[0], [*turns, pending] if pending else turns)

    def at(self, number: int) -> tuple[Position, bool]:
        """Return the position after the turn `number` (0: the first), and whether sides were changed."""
        if not number:
            return self.start, False
        turn = self.turns[number - 1]
        return turn.position, turn.swapped


@dataclass(frozen=True, slots=True)
class Assessment:
    """What a search says about a position: the winning chances of player 0 (0 to 1), and the best line.

    The line is a list of moves. `simulations` is how long the search was at most.
    """

    simulations: int
    chances: float
    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A turn that lost much: how much (0 to 1), the better turn and how the game might have gone on."""

    number: int
    loss: float
    better: tuple[str, ...]
    line: tuple[str, ...]


def assess(
    opponent: Opponent,
    game: AnalysedGame,
    assessments: Mapping[int, Assessment],
    search: tuple[int, int],
    seed: int = 0,
) -> Assessment:
    """Carry out a search of :func:`next_search`. Raises NoAnalysisError, KernelError."""
    number, simulations = search
    position, swapped = game.at(number)
    if position.to_move is None:
        return Assessment(DEEP_SIMULATIONS, result_for(position, 0, swapped=swapped))
    is_compared = simulations == COMPARED_SIMULATIONS
    played = game.turns[number].moves if is_compared else ()
    found = opponent.find_best_line(
        position, min(simulations, DEEP_SIMULATIONS), seed, excluded=played[0] if played else ""
    )
    if found is None:
        raise NoAnalysisError
    value, line = found
    player = player_to_move(position, swapped=swapped)
    assessment = Assessment(simulations, 1 - value if player else value, _legal_part(position, line))
    if not is_compared:
        return assessment
    after = assessments[number + 1]
    gain = assessment.chances - after.chances
    if line[:1] != played[:1] and (-gain if player else gain) > 0:
        return assessment
    return Assessment(simulations, after.chances, (*played, *after.line))


def next_search(game: AnalysedGame, assessments: Mapping[int, Assessment]) -> tuple[int, int] | None:
    """Return which position to search next, and with how many simulations; None when all is done.

    The position is named by the number of the turn before it. Doubtful turns come last, from the end of the
    game on: what they lost depends on what came after them.
    """
    numbers = range(len(game.turns) + 1)
    done = {number: assessments[number].simulations if number in assessments else 0 for number in numbers}
    for simulations in PASSES:
        for number in numbers:
            if done[number] < simulations:
                return number, simulations
    for number in reversed(numbers[1:]):
        if find_loss(game, assessments, number) >= DOUBTFUL_LOSS:
            for each in (number - 1, number):
                if done[each] < DEEP_SIMULATIONS:
                    return each, DEEP_SIMULATIONS
            if _is_preferred(game, assessments, number):
                return number - 1, COMPARED_SIMULATIONS
    return None


def analyse(opponent: Opponent, game: AnalysedGame, seed: int = 0) -> dict[int, Assessment]:
    """Return the complete analysis of a game. Raises NoAnalysisError, KernelError."""
    assessments = dict[int, Assessment]()
    while (search := next_search(game, assessments)) is not None:
        assessments[search[0]] = assess(opponent, game, assessments, search, seed)
    return assessments


def find_loss(game: AnalysedGame, assessments: Mapping[int, Assessment], number: int) -> float:
    """Return the winning chances that the turn `number` lost its player.

    A turn that the search prefers too has lost nothing if its chances stay about the same after it, or if the
    best other turn was found to be no better.
    """
    before, after = assessments[number - 1], assessments[number]
    change = after.chances - before.chances
    loss = max(0.0, change if game.turns[number - 1].player else -change)
    is_certain = loss < DOUBTFUL_LOSS or before.simulations == COMPARED_SIMULATIONS
    return 0.0 if is_certain and _is_preferred(game, assessments, number) else loss


def _is_preferred(game: AnalysedGame, assessments: Mapping[int, Assessment], number: int) -> bool:
    """Return whether the best line before the turn `number` begins with it."""
    moves = game.turns[number - 1].moves
    return assessments[number - 1].line[: len(moves)] == moves


def find_turning_points(game: AnalysedGame, assessments: Mapping[int, Assessment]) -> list[TurningPoint]:
    """Return the turns that lost :data:`MISTAKE_LOSS` or more, if a better one is known, in their order."""
    points = []
    for number in range(1, len(game.turns) + 1):
        if not {number - 1, number} <= assessments.keys():
            continue
        loss, line = find_loss(game, assessments, number), assessments[number - 1].line
        if loss >= MISTAKE_LOSS and line and not _is_preferred(game, assessments, number):
            better = line[: _turn_length(game.at(number - 1)[0], line)]
            points.append(TurningPoint(number, loss, better, line))
    return points


def find_accuracy(game: AnalysedGame, assessments: Mapping[int, Assessment], player: int) -> float | None:
    """Return a player's accuracy in percent; None without a turn of theirs, or before all are assessed."""
    count = len(game.turns)
    if len(assessments) <= count:
        return None
    percents = [100 * assessments[number].chances for number in range(count + 1)]
    window = min(max(count // 10, MIN_WINDOW), MAX_WINDOW)
    accuracies, weights = [], []
    for number, turn in enumerate(game.turns, 1):
        if turn.player == player:
            first = max(0, number - window + 1)
            spread = pstdev(percents[first : first + window])
            accuracies.append(turn_accuracy(find_loss(game, assessments, number)))
            weights.append(min(max(spread, MIN_WEIGHT), MAX_WEIGHT))
    if not accuracies:
        return None
    return (fmean(accuracies, weights) + harmonic_mean([max(1.0, each) for each in accuracies])) / 2


def turn_accuracy(loss: float) -> float:
    """Return the accuracy of a turn in percent; one point is added because the analysis is not perfect."""
    if loss <= 0:
        return 100.0
    return min(max(103.1668100711649 * exp(-4.354415386753951 * loss) - 2.166924740191411, 0.0), 100.0)


def _turn_length(position: Position, line: Sequence[str]) -> int:
    """Return how many moves of a line belong to its first turn: several in a set-up."""
    for count, text in enumerate(line, 1):
        is_complete = position.moves_due <= 1
        position = position.play(position.parse(text))
        if is_complete or position.to_move is None:
            return count
    return len(line)


def _legal_part(position: Position, line: Sequence[str]) -> tuple[str, ...]:
    """Return a line up to its first illegal move: the engine decides what is legal."""
    for count, text in enumerate(line):
        try:
            position = position.play(position.parse(text))
        except GameError:
            return tuple(line[:count])
    return tuple(line)
