"""Input of a turn step by step: a point, or a man and its target, then the man to remove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Cell, IllegalMove, MoveChoice, SelectionKind
from engine.morabaraba.board import get_board
from engine.morabaraba.mobility import destinations, removable_men
from engine.morabaraba.moves import get_move_template

if TYPE_CHECKING:
    from engine.morabaraba.moves import MorabarabaTurn, MoveTemplate
    from engine.morabaraba.state import MorabarabaState

NONE_OPTION = "-"
"""The answer that declines to remove a man."""


def next_choice(position: MorabarabaState, path: tuple[str, ...]) -> MoveChoice | MorabarabaTurn:
    """Return the question after the answers in `path`, or the finished turn.

    Raise IllegalMove for an answer that is not offered.
    """
    if position.outcome:
        raise IllegalMove("move.game_over", position=position)
    return _placement_choice(position, path) if position.own.hand else _step_choice(position, path)


def _placement_choice(position: MorabarabaState, path: tuple[str, ...]) -> MoveChoice | MorabarabaTurn:
    question = MoveChoice(SelectionKind.PLACE, get_board().to_cells(position.empty))
    if not path:
        return question
    return _removal_choice(
        position, get_move_template(0, _resolve_answer(position, question, path[0])), path[1:]
    )


def _step_choice(position: MorabarabaState, path: tuple[str, ...]) -> MoveChoice | MorabarabaTurn:
    question = MoveChoice(SelectionKind.STONE, position.movable)
    if not path:
        return question
    start = _resolve_answer(position, question, path[0])
    question = MoveChoice(
        SelectionKind.TARGET, get_board().to_cells(destinations(position.own, position.empty, start))
    )
    if len(path) == 1:
        return question
    return _removal_choice(
        position, get_move_template(start, _resolve_answer(position, question, path[1])), path[2:]
    )


def _removal_choice(
    position: MorabarabaState, template: MoveTemplate, path: tuple[str, ...]
) -> MoveChoice | MorabarabaTurn:
    turn, men = template.plain_turn, removable_men(position.enemy.men)
    if men and get_board().closes_mill(position.own.men & ~template.start, template.end):
        question = MoveChoice(SelectionKind.CAPTURE, (*get_board().to_cells(men), NONE_OPTION))
        if not path:
            return question
        removed = _resolve_answer(position, question, path[0])
        turn = template.removal_turns[removed] if removed else template.declining_turn
        path = path[1:]
    if path:
        raise IllegalMove("move.already_complete", text=path[0], position=position)
    return turn


def _resolve_answer(position: MorabarabaState, question: MoveChoice, answer: str) -> int:
    """Return the bit of the point that `answer` names, or 0 for :data:`NONE_OPTION`. Raise IllegalMove."""
    if answer not in question.options:
        raise IllegalMove("move.not_offered", text=answer, position=position)
    return get_board().bit.get(Cell(answer), 0)
