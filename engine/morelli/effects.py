"""What a slide does where it lands: the captures it makes and the frames it completes.

Everything is judged once, on the board after the slide and before any change of colour (§6.7).
All sets of cells are bits of the board.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engine.game import Side
from engine.morelli.editions import Phase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.morelli.board import MorelliBoard
    from engine.morelli.moves import Slide
    from engine.morelli.position import MorelliPosition


OPPONENT: Final[Mapping[Side, Side]] = MappingProxyType({Side.BLACK: Side.WHITE, Side.WHITE: Side.BLACK})

SlideEffect = tuple[int, int, int, bool]
"""What a legal slide does, as bits: `taken, spared, images, occupies`.

The stones captured; those whose capture is declined; the four stones that earn the Centre (0 where none do,
or where the mover's tower is there already); whether it is taken.
"""


def captured_stones(board: MorelliBoard, own: int, enemy: int, landing: int) -> int:
    """Return the adverse stones that a stone of `own` captures by landing (§6.1).

    Where the stone came from does not matter: an adverse stone between the two would have barred its way.
    """
    tables = board.capture_tables[landing]
    return tables.captured[tables.directions(own, enemy)]


def find_frame(board: MorelliBoard, own: int, changed: int) -> int:
    """Return four stones of `own` that are quarter-turn images of one cell, one of them in `changed`; else 0.

    §5.1, §6.6; rules of 2015 §6.2. Where `changed` completes several, the one of its lowest bit.
    """
    while changed:
        cell = changed & -changed
        images = board.rotations[cell]
        if own & images == images:
            return images
        changed ^= cell
    return 0


def slide_effect(position: MorelliPosition, slide: Slide) -> SlideEffect | None:
    """Return what `slide` does in `position`, or None where it is not legal."""
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


def _landing_effect(position: MorelliPosition, slide: Slide, own: int, capturable: int) -> SlideEffect | None:
    path, declined = slide.path, slide.declined
    centre = path.board.centre_bit
    if declined and (not position.edition.allows_declining or declined & ~capturable & ~centre):
        return None
    taken = capturable & ~declined
    images = 0
    if position.tower is not position.mover:
        images = find_frame(path.board, own ^ path.start | path.end | taken, path.end | taken)
    stays_out = bool(declined & centre)
    if stays_out and not images:
        return None
    return taken, capturable ^ taken, images, bool(images) and not stays_out


def capture_cells(board: MorelliBoard, own: int, enemy: int) -> int:
    """Return the cells where a stone of `own` would capture something by landing, and maybe occupied ones."""
    cells = 0
    for shift in board.shifts:
        cells |= enemy >> shift & own >> 2 * shift | enemy << shift & own << 2 * shift
    return cells


def frame_cells(board: MorelliBoard, own: int) -> int:
    """Return the cells that only need a stone of `own` to complete a frame."""
    cells = 0
    for ring, frames in board.rings:
        if (own & ring).bit_count() > 2:
            for images in frames:
                if (own & images).bit_count() == 3:
                    cells |= images & ~own
    return cells
