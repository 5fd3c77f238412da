"""The questions that build a turn: the point of the captured stone, the kind of turn, its points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.answers import NO_CELL
from engine.game import Cell, MoveChoice, SelectionKind
from engine.morphos.flips import flippable_stones
from engine.morphos.legality import can_swap
from engine.morphos.moves import PASS, SWAP, TurnKind

if TYPE_CHECKING:
    from collections.abc import Generator

    from engine.answers import Questions
    from engine.morphos.moves import MorphosTurn
    from engine.morphos.state import MorphosState
    from engine.morphos.stones import Stones


def ask_turn(position: MorphosState) -> Questions:
    """Ask for one turn of a game that is not over, first where a captured stone goes (mutator d).

    A compulsory pass is finished without a question.
    """
    stones, board = position.board_stones, position.rules.board
    if not position.must_restore:
        return (yield from _ask_regular_turn(position, stones))
    point = board.point_of[Cell((yield MoveChoice(SelectionKind.RESTORE, board.to_cells(stones.empty))))]
    turn = yield from _ask_regular_turn(position, stones.after_placement(position.mover, point))
    return position.rules.turn_table.with_restore(point, turn)


def _ask_regular_turn(position: MorphosState, stones: Stones) -> Generator[MoveChoice, str, MorphosTurn]:
    """Ask for a turn from the board `stones`: for its kind, if there are several, and for its points."""
    rules, board, turns = position.rules, stones.board, position.rules.turn_table
    flippable = flippable_stones(rules, stones, position.mover, position.flipped_point)
    kinds = [TurnKind.PLACE] if stones.empty else []
    if flippable:
        kinds.append(TurnKind.FLIP)
    if can_swap(position):
        kinds.append(TurnKind.SWAP)
    if len(kinds) > 1:
        kinds = [TurnKind((yield MoveChoice(SelectionKind.ACTION, tuple(kind.value for kind in kinds))))]
    if not kinds:
        return PASS
    if kinds == [TurnKind.SWAP]:
        return SWAP
    if kinds == [TurnKind.FLIP]:
        flipped = yield MoveChoice(SelectionKind.FLIP, board.to_cells(flippable))
        return turns.flips[board.point_of[Cell(flipped)]]
    empty = board.to_cells(stones.empty)
    picked = [(yield MoveChoice(SelectionKind.PLACE, empty))]
    others = tuple(name for name in empty if name != picked[0])
    if rules.allows_two_placements and others:
        picked.append((yield MoveChoice(SelectionKind.SECOND, (NO_CELL, *others))))
    return turns.placement(board.point_of[Cell(name)] for name in picked if name != NO_CELL)
