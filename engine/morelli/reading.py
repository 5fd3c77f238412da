"""Reading a move that a person typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine import cells
from engine.game import Cell
from engine.morelli.board import board
from engine.morelli.judging import effect
from engine.morelli.lines import lines
from engine.morelli.moves import Slide
from engine.morelli.refusals import Refusals
from engine.texts import LONGEST_MOVE, clean

if TYPE_CHECKING:
    from engine.morelli.moves import Placement
    from engine.morelli.position import MorelliPosition

_SLIDE = re.compile(rf"({cells.PATTERN})-({cells.PATTERN})(?:~({cells.PATTERN}(?:,{cells.PATTERN})*))?")
_PLACEMENT = re.compile(cells.PATTERN)


def read(position: MorelliPosition, text: str) -> Slide | Placement:
    """Give the legal move that `text` means. Raises NotationError or IllegalMove."""
    track = lines(position.size).tracks.get(text)
    if track is not None and effect(position, track.bare):
        return track.bare
    refusals = Refusals(position, text)
    cleaned = clean(text[:LONGEST_MOVE]) if len(text) <= LONGEST_MOVE else ""
    slide = _SLIDE.fullmatch(cleaned)
    if slide:
        origin, landing, declined = slide.groups()
        named = tuple(Cell(name) for name in declined.split(",")) if declined else ()
        refusals.check_cells(Cell(origin), Cell(landing), *named)
        return _slide(position, Cell(origin), Cell(landing), named, refusals)
    if _PLACEMENT.fullmatch(cleaned):
        refusals.check_cells(Cell(cleaned))
        return _placement(position, Cell(cleaned), refusals)
    raise refusals.unreadable()


def _slide(
    position: MorelliPosition, origin: Cell, landing: Cell, declined: tuple[Cell, ...], refusals: Refusals
) -> Slide:
    refusals.check_once(declined)
    track = lines(position.size).tracks.get(f"{origin}-{landing}")
    if track:
        slide = Slide(track, board(position.size).bits(declined))
        if effect(position, slide):
            return slide
    raise refusals.slide(origin, landing, declined)


def _placement(position: MorelliPosition, name: Cell, refusals: Refusals) -> Placement:
    placement = position.placement(name)
    if placement is None:
        raise refusals.placement(name)
    return placement
