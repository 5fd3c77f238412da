"""The questions that build a turn: a point, or a man and its target, then the man to remove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.answers import NO_CELL
from engine.game import Cell, MoveChoice, SelectionKind
from engine.morabaraba.board import get_board
from engine.morabaraba.moves import get_move_template
from engine.morabaraba.side_state import removable_men

if TYPE_CHECKING:
    from engine.answers import Questions
    from engine.morabaraba.state import MorabarabaState


def ask_turn(position: MorabarabaState) -> Questions:
    """Ask for one turn of a game that is not over."""
    board, own, start = get_board(), position.own, 0
    if own.hand:
        question = MoveChoice(SelectionKind.PLACE, board.to_cells(position.empty))
    else:
        start = board.bit[Cell((yield MoveChoice(SelectionKind.STONE, position.movable)))]
        targets = own.destinations(position.empty, start)
        question = MoveChoice(SelectionKind.TARGET, board.to_cells(targets))
    end = board.bit[Cell((yield question))]
    template, men = get_move_template(start, end), removable_men(position.enemy.men)
    if not men or not board.closes_mill(own.men & ~start, end):
        return template.plain_turn
    removed = yield MoveChoice(SelectionKind.CAPTURE, (*board.to_cells(men), NO_CELL))
    return template.declining_turn if removed == NO_CELL else template.removal_turns[board.bit[Cell(removed)]]
