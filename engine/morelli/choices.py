"""The questions that build a move: a stone, its target, the captures and the occupation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import cells
from engine.answers import NO_CELL
from engine.game import Cell, MoveChoice, SelectionKind
from engine.morelli.board import get_board
from engine.morelli.editions import Phase
from engine.morelli.effects import slide_effect
from engine.morelli.moves import Placement, Slide
from engine.morelli.slide_index import get_slide_index

if TYPE_CHECKING:
    from engine.answers import Questions
    from engine.morelli.state import MorelliState

YES, NO = "yes", "no"


def ask_move(position: MorelliState) -> Questions:
    """Ask for one move of a game that is not over; for a slide also what it declines (§5.4, §6.8)."""
    if position.phase is not Phase.PLAY:
        free = cells.sort_cells(Cell(str(move)) for move in position.legal_moves())
        return Placement(Cell((yield MoveChoice(SelectionKind.PLACE, free))))
    start = yield MoveChoice(SelectionKind.STONE, position.movable)
    end = yield MoveChoice(SelectionKind.TARGET, position.landings(Cell(start)))
    slide = get_slide_index(position.size).paths[f"{start}-{end}"].plain_slide
    if not position.edition.allows_declining:
        return slide
    board = get_board(position.size)
    capturable, occupies = _captures_and_occupation(position, slide)
    if capturable:
        taken = yield MoveChoice(SelectionKind.CONVERSIONS, board.to_cells(capturable), multiple=True)
        taken_cells = () if taken == NO_CELL else map(Cell, taken.split(","))
        slide = slide.path.slide(capturable & ~board.to_bits(taken_cells))
        _, occupies = _captures_and_occupation(position, slide)
    if occupies and (yield MoveChoice(SelectionKind.OCCUPY, (YES, NO))) == NO:
        slide = slide.path.slide(slide.declined | board.centre_bit)
    return slide


def _captures_and_occupation(position: MorelliState, slide: Slide) -> tuple[int, bool]:
    """Return the stones that the legal `slide` captures, as bits, and whether it occupies the Centre."""
    effect = slide_effect(position, slide)
    assert effect is not None  # noqa: S101 - the slide was one of the options
    captured, _, _, occupies = effect
    return captured, occupies
