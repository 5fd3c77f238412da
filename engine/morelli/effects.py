"""What a slide does where it lands: the captures that it makes and the frame that it completes.

A frame is four own stones on the quarter-turn images of one cell; it earns the Centre. Everything is judged
once, on the board after the slide and before any change of colour (§6.7). Sets of cells are bits of the
board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.morelli.editions import Phase

if TYPE_CHECKING:
    from engine.morelli.board import MorelliBoard
    from engine.morelli.moves import Slide
    from engine.morelli.state import MorelliState


SlideEffect = tuple[int, int, int, bool]
"""What a legal slide does, as `captured, spared, frame, occupies`; a bare tuple for the sake of speed.

As bits: the captured stones; the stones whose capture is declined; the four stones that earn the Centre (0 if
there are none, or if the mover's tower is there already). Then whether the tower takes the Centre.
"""


def captured_stones(board: MorelliBoard, own: int, enemy: int, landing: int) -> int:
    """Return the stones of `enemy` that a stone of `own` captures by landing on `landing` (§6.1).

    Where the stone came from does not matter: if it stood behind an enemy stone, that stone blocked its way.
    """
    tables = board.capture_tables[landing]
    return tables.captured[tables.directions(own, enemy)]


def find_frame(board: MorelliBoard, own: int, changed: int) -> int:
    """Return a frame of `own` with at least one stone in `changed`, or 0 (§5.1, §6.6; 2015 §6.2).

    If there are several, the frame of the lowest bit of `changed` is returned.
    """
    while changed:
        cell = changed & -changed
        images = board.rotations[cell]
        if own & images == images:
            return images
        changed ^= cell
    return 0


def slide_effect(position: MorelliState, slide: Slide) -> SlideEffect | None:
    """Return what `slide` does in `position`, or None if it is not legal there."""
    path = slide.path
    own, enemy = position.own_and_enemy
    if (
        not own & path.start
        or position.occupied & path.must_be_empty
        or position.phase is not Phase.PLAY
        or path.board.size != position.size
    ):
        return None
    return _landing_effect(position, slide, own, captured_stones(path.board, own, enemy, path.end))


def _landing_effect(position: MorelliState, slide: Slide, own: int, capturable: int) -> SlideEffect | None:
    path, declined = slide.path, slide.declined
    centre = path.board.centre_bit
    if declined and (not position.edition.allows_declining or declined & ~capturable & ~centre):
        return None
    captured = capturable & ~declined
    frame = 0
    if position.tower is not position.mover:
        frame = find_frame(path.board, own ^ path.start | path.end | captured, path.end | captured)
    declines_occupation = bool(declined & centre)
    if declines_occupation and not frame:
        return None
    return captured, capturable ^ captured, frame, bool(frame) and not declines_occupation


def capture_cells(board: MorelliBoard, own: int, enemy: int) -> int:
    """Return the cells where a stone of `own` captures something by landing; some may be occupied."""
    cells = 0
    for shift in board.shifts:
        cells |= enemy >> shift & own >> 2 * shift | enemy << shift & own << 2 * shift
    return cells


def frame_cells(board: MorelliBoard, own: int) -> int:
    """Return the cells where one more stone of `own` completes a frame; some may be occupied."""
    cells = 0
    for ring, frames in board.rings:
        if (own & ring).bit_count() > 2:
            for images in frames:
                if (own & images).bit_count() == 3:
                    cells |= images & ~own
    return cells
