"""Assessment of all turns that were possible at a turning point, so that a better one can be recognized.

Every turn gets a short search of the position after it, and those that come near the best one get longer ones
(:data:`ROUNDS`). The caller can stop between two searches and go on later: the same turns and seed always
lead to the same result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ai.game_analysis import NoAnalysisError, TurningPoint
from ai.levels import ENDINGS_ONLY, PROOF_POSITIONS
from ai.seats import player_to_move, result_for, swaps_sides

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ai.game_analysis import AnalysedGame
    from ai.search import Opponent
    from engine.game import Position

LONGEST = 6400
"""Only after so many simulations a turn can count as good as the best. They look for forced losses too."""

ROUNDS = ((400, 1.0, None), (1600, 0.2, 30), (LONGEST, 0.12, 10))
"""How long turns are searched, round by round; how far below the best one they may be to get there, and how
many of them do, since on large boards many turns are nearly as good as the best one.
"""

MAX_POINTS = 3
"""So many turning points of each player are assessed: those that lost most."""

Moves = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AssessedTurn:
    """A turn, and the winning chances of its player after it (0 to 1) after so many simulations."""

    moves: Moves
    simulations: int
    chances: float


def choose_points(game: AnalysedGame, points: Iterable[TurningPoint]) -> list[TurningPoint]:
    """Return the turning points that are assessed, in the order of the game."""
    worst = sorted(points, key=lambda point: (-point.loss, point.number))
    chosen = list[TurningPoint]()
    for player in (0, 1):
        chosen += [point for point in worst if game.turns[point.number - 1].player == player][:MAX_POINTS]
    return sorted(chosen, key=lambda point: point.number)


def next_turn_search(
    game: AnalysedGame, points: Iterable[TurningPoint], assessed: Mapping[int, Mapping[Moves, AssessedTurn]]
) -> tuple[TurningPoint, Moves, int] | None:
    """Return which turn of which point to search next, and with how many simulations; None when all is done.

    `assessed` are the turns of each point by its number: those of :func:`list_turns` at first.
    """
    for point in points:
        found = next_turn(assessed[point.number], (point.better, game.turns[point.number - 1].moves))
        if found is not None:
            return point, *found
    return None


def list_turns(game: AnalysedGame, point: TurningPoint) -> dict[Moves, AssessedTurn]:
    """Return the turns that were possible, none of them searched; one for each position after them.

    The better turn and the one that was played come first. Where a turn has several moves they are all,
    because too many are possible.
    """
    start, played = game.at(point.number - 1)[0], game.turns[point.number - 1].moves
    found = dict[str, Moves]()
    others = ((str(move),) for move in start.legal_moves()) if start.moves_due == 1 else ()
    for moves in (point.better, played, *others):
        found.setdefault(str(_play(start, moves)), moves)
    return {moves: AssessedTurn(moves, 0, 0.0) for moves in found.values()}


def next_turn(turns: Mapping[Moves, AssessedTurn], kept: Sequence[Moves]) -> tuple[Moves, int] | None:
    """Return which turn to search next, and with how many simulations; None when all is done.

    Those to be `kept` are searched for as long as any, unless they lead where another one does.
    """
    ranked = sorted(turns.values(), key=lambda each: -each.chances)
    for simulations, margin, count in ROUNDS:
        near = [each for each in ranked[:count] if each.chances >= ranked[0].chances - margin]
        for each in (*near, *(turns[moves] for moves in kept if moves in turns)):
            if each.simulations < simulations:
                return each.moves, simulations
    return None


def assess_turn(
    opponent: Opponent, game: AnalysedGame, search: tuple[TurningPoint, Moves, int], seed: int = 0
) -> AssessedTurn:
    """Carry out a search of :func:`next_turn_search`. Raises NoAnalysisError, KernelError."""
    point, moves, simulations = search
    position, swapped = game.at(point.number - 1)
    player = player_to_move(position, swapped=swapped)
    for text in moves:
        move = position.parse(text)
        after = position.play(move)
        swapped ^= swaps_sides(position, move, after)
        position = after
    if position.to_move is None:
        return AssessedTurn(moves, LONGEST, result_for(position, player, swapped=swapped))
    proof = PROOF_POSITIONS if simulations == LONGEST else ENDINGS_ONLY
    found = opponent.find_best_line(position, simulations, seed, proof=proof)
    if found is None:
        raise NoAnalysisError
    is_own = player_to_move(position, swapped=swapped) == player
    return AssessedTurn(moves, simulations, found[0] if is_own else 1 - found[0])


def _play(position: Position, moves: Moves) -> Position:
    for text in moves:
        position = position.play(position.parse(text))
    return position
