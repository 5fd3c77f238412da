"""Input of a move step by step: a stone, its target, the captures and the occupation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import cells
from engine.game import Cell, IllegalMove, MoveChoice, SelectionKind
from engine.morelli.board import get_board
from engine.morelli.editions import Phase
from engine.morelli.effects import slide_effect
from engine.morelli.moves import Placement, Slide
from engine.morelli.slide_index import get_slide_index

if TYPE_CHECKING:
    from engine.game import Move
    from engine.morelli.state import MorelliState

NONE_OPTION = "-"
"""The answer that selects no capture."""

YES, NO = "yes", "no"


def next_choice(position: MorelliState, path: tuple[str, ...]) -> MoveChoice | Move:
    """Return the question after the answers in `path`, or the finished move.

    Raise IllegalMove for an answer that is not offered.
    """
    if position.outcome:
        raise IllegalMove("move.game_over", position=position)
    return (
        _placement_choice(position, path)
        if position.phase is not Phase.PLAY
        else _slide_choice(position, path)
    )


def _placement_choice(position: MorelliState, path: tuple[str, ...]) -> MoveChoice | Move:
    question = MoveChoice(
        SelectionKind.PLACE, cells.sort_cells(Cell(str(move)) for move in position.legal_moves())
    )
    if not path:
        return question
    _check_answer(position, question, path[0])
    _check_end(position, path[1:])
    return Placement(Cell(path[0]))


def _slide_choice(position: MorelliState, path: tuple[str, ...]) -> MoveChoice | Move:
    if not path:
        return MoveChoice(SelectionKind.STONE, position.movable)
    landings = MoveChoice(SelectionKind.TARGET, _landings(position, path[0]))
    if not landings.options:
        raise IllegalMove("move.not_offered", text=path[0], position=position)
    if len(path) == 1:
        return landings
    _check_answer(position, landings, path[1])
    slide = get_slide_index(position.size).paths[f"{path[0]}-{path[1]}"].plain_slide
    if position.edition.allows_declining:
        return _declining_choice(position, slide, path[2:])
    _check_end(position, path[2:])
    return slide


def _landings(position: MorelliState, answer: str) -> tuple[Cell, ...]:
    """Return where the mover's stone on the cell `answer` can go; empty if there is no such stone."""
    own, _ = position.own_and_enemy
    stone = Cell(answer)
    return position.landings(stone) if own & get_board(position.size).bit.get(stone, 0) else ()


def _declining_choice(position: MorelliState, slide: Slide, path: tuple[str, ...]) -> MoveChoice | Move:
    """Return the question for the captures or, if they earn the Centre, the occupation (§5.4, §6.8)."""
    board = get_board(position.size)
    capturable, occupies = _captures_and_occupation(position, slide)
    if capturable:
        question = MoveChoice(SelectionKind.CONVERSIONS, board.to_cells(capturable), multiple=True)
        if not path:
            return question
        _check_answer(position, question, path[0])
        slide = slide.path.slide(capturable & ~board.to_bits(_answer_cells(path[0])))
        _, occupies = _captures_and_occupation(position, slide)
        path = path[1:]
    if occupies:
        question = MoveChoice(SelectionKind.OCCUPY, (YES, NO))
        if not path:
            return question
        _check_answer(position, question, path[0])
        if path[0] == NO:
            slide = slide.path.slide(slide.declined | board.centre_bit)
        path = path[1:]
    _check_end(position, path)
    return slide


def _captures_and_occupation(position: MorelliState, slide: Slide) -> tuple[int, bool]:
    """Return the stones that the legal `slide` captures, as bits, and whether it occupies the Centre."""
    effect = slide_effect(position, slide)
    assert effect is not None  # noqa: S101 - the slide was one of the options
    captured, _, _, occupies = effect
    return captured, occupies


def _answer_cells(answer: str) -> list[Cell]:
    return [] if answer == NONE_OPTION else [Cell(name) for name in answer.split(",")]


def _check_answer(position: MorelliState, question: MoveChoice, answer: str) -> None:
    if question.multiple:
        chosen = _answer_cells(answer)
        offered = answer == (",".join(name for name in question.options if name in chosen) or NONE_OPTION)
    else:
        offered = answer in question.options
    if not offered:
        raise IllegalMove("move.not_offered", text=answer, position=position)


def _check_end(position: MorelliState, rest: tuple[str, ...]) -> None:
    if rest:
        raise IllegalMove("move.already_complete", text=rest[0], position=position)
