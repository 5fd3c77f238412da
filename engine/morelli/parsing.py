"""Parsing of typed moves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine import cells
from engine.game import Cell
from engine.morelli.board import get_board
from engine.morelli.effects import slide_effect
from engine.morelli.moves import Slide
from engine.morelli.refusals import Refusals
from engine.morelli.slide_index import get_slide_index
from engine.notation_text import MAX_MOVE_LENGTH, normalize

if TYPE_CHECKING:
    from engine.morelli.moves import Placement
    from engine.morelli.state import MorelliState

_SLIDE = re.compile(rf"({cells.PATTERN})-({cells.PATTERN})(?:~({cells.PATTERN}(?:,{cells.PATTERN})*))?")
_PLACEMENT = re.compile(cells.PATTERN)


def parse_move(position: MorelliState, text: str) -> Slide | Placement:
    """Return the legal move that `text` names. Raise NotationError or IllegalMove."""
    path = get_slide_index(position.size).paths.get(text)
    if path is not None and slide_effect(position, path.plain_slide):
        return path.plain_slide
    refusals = Refusals(position, text)
    cleaned = normalize(text[:MAX_MOVE_LENGTH]) if len(text) <= MAX_MOVE_LENGTH else ""
    slide = _SLIDE.fullmatch(cleaned)
    if slide:
        origin, landing, declined = slide.groups()
        declined_cells = tuple(Cell(name) for name in declined.split(",")) if declined else ()
        refusals.check_cells(Cell(origin), Cell(landing), *declined_cells)
        return _build_slide(position, Cell(origin), Cell(landing), declined_cells, refusals)
    if _PLACEMENT.fullmatch(cleaned):
        refusals.check_cells(Cell(cleaned))
        return _build_placement(position, Cell(cleaned), refusals)
    raise refusals.unreadable_error()


def _build_slide(
    position: MorelliState, origin: Cell, landing: Cell, declined: tuple[Cell, ...], refusals: Refusals
) -> Slide:
    refusals.check_no_repeats(declined)
    path = get_slide_index(position.size).paths.get(f"{origin}-{landing}")
    if path:
        slide = Slide(path, get_board(position.size).to_bits(declined))
        if slide_effect(position, slide):
            return slide
    raise refusals.slide_error(origin, landing, declined)


def _build_placement(position: MorelliState, name: Cell, refusals: Refusals) -> Placement:
    placement = position.find_placement(name)
    if placement is None:
        raise refusals.placement_error(name)
    return placement
