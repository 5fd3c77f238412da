"""Building a turn by picking: a point, or a man and its target; then what is removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Ask, Cell, Choice
from engine.morabaraba.board import board
from engine.morabaraba.judging import ends, illegal, removable
from engine.morabaraba.moves import way
from engine.morabaraba.reasons import Reason
from engine.texts import quoted

if TYPE_CHECKING:
    from engine.morabaraba.moves import Turn, Way
    from engine.morabaraba.position import MorabarabaPosition

NOTHING = "-"
"""The answer that removes no man."""


def choice(position: MorabarabaPosition, path: tuple[str, ...]) -> Choice | Turn:
    """Give the question after the answers in `path`, or the finished turn. Raises IllegalMove."""
    if position.outcome:
        raise illegal(position, Reason.OVER, "")
    return _placing(position, path) if position.own.hand else _stepping(position, path)


def _placing(position: MorabarabaPosition, path: tuple[str, ...]) -> Choice | Turn:
    question = Choice(Ask.PLACE, board().names(position.empty))
    if not path:
        return question
    return _removing(position, way(0, _picked(position, question, path[0])), path[1:])


def _stepping(position: MorabarabaPosition, path: tuple[str, ...]) -> Choice | Turn:
    question = Choice(Ask.STONE, position.movable)
    if not path:
        return question
    start = _picked(position, question, path[0])
    question = Choice(Ask.TARGET, board().names(ends(position.own, position.empty, start)))
    if len(path) == 1:
        return question
    return _removing(position, way(start, _picked(position, question, path[1])), path[2:])


def _removing(position: MorabarabaPosition, taken: Way, path: tuple[str, ...]) -> Choice | Turn:
    turn, men = taken.bare, removable(position.adverse.men)
    if men and board().closes(position.own.men & ~taken.start, taken.end):
        question = Choice(Ask.REMOVE, (*board().names(men), NOTHING))
        if not path:
            return question
        removed = _picked(position, question, path[0])
        turn = taken.removing[removed] if removed else taken.declining
        path = path[1:]
    if path:
        raise illegal(position, Reason.PATH_TOO_LONG, path[0], answer=quoted(path[0]))
    return turn


def _picked(position: MorabarabaPosition, question: Choice, answer: str) -> int:
    """Give the point that `answer` names, as a bit; 0 for nothing."""
    if answer not in question.options:
        raise illegal(position, Reason.NOT_OFFERED, answer, answer=quoted(answer))
    return board().bit.get(Cell(answer), 0)
