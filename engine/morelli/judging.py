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

    from engine.morelli.board import Board
    from engine.morelli.moves import Slide
    from engine.morelli.position import MorelliPosition


OTHER: Final[Mapping[Side, Side]] = MappingProxyType({Side.BLACK: Side.WHITE, Side.WHITE: Side.BLACK})

Effect = tuple[int, int, int, bool]
"""What a legal slide does, as bits: `taken, spared, images, occupies`.

The stones captured; those whose capture is declined; the four stones that earn the Centre (0 where none do,
or where the mover's tower is there already); whether it is taken.
"""


def captures(board: Board, own: int, adverse: int, landing: int) -> int:
    """Give the adverse stones that a stone of `own` captures by landing (§6.1).

    Where the stone came from does not matter: an adverse stone between the two would have barred its way.
    """
    flanks = board.flanks[landing]
    return flanks.captured[flanks.directions(own, adverse)]


def frame(board: Board, own: int, changed: int) -> int:
    """Give four stones of `own` that are quarter-turn images of one cell, one of them in `changed`; else 0.

    §5.1, §6.6; rules of 2015 §6.2. Where `changed` completes several, the one of its lowest bit.
    """
    while changed:
        cell = changed & -changed
        images = board.turned[cell]
        if own & images == images:
            return images
        changed ^= cell
    return 0


def effect(position: MorelliPosition, slide: Slide) -> Effect | None:
    """Give what `slide` does in `position`, or None where it is not legal."""
    track = slide.track
    own, adverse = position.own_and_adverse
    if (
        not own & track.start
        or position.occupied & track.path
        or position.phase is not Phase.PLAY
        or track.board.size != position.size
    ):
        return None
    return _landed(position, slide, own, captures(track.board, own, adverse, track.end))


def _landed(position: MorelliPosition, slide: Slide, own: int, capturable: int) -> Effect | None:
    track, declined = slide.track, slide.declined
    centre = track.board.centre_bit
    if declined and (not position.edition.optional or declined & ~capturable & ~centre):
        return None
    taken = capturable & ~declined
    images = 0
    if position.tower is not position.turn:
        images = frame(track.board, own ^ track.start | track.end | taken, track.end | taken)
    stays_out = bool(declined & centre)
    if stays_out and not images:
        return None
    return taken, capturable ^ taken, images, bool(images) and not stays_out


def closing(board: Board, own: int, adverse: int) -> int:
    """Give the cells where a stone of `own` would capture something by landing, and maybe occupied ones."""
    cells = 0
    for shift in board.shifts:
        cells |= adverse >> shift & own >> 2 * shift | adverse << shift & own << 2 * shift
    return cells


def framing(board: Board, own: int) -> int:
    """Give the cells that only need a stone of `own` to complete a frame."""
    cells = 0
    for ring, frames in board.rings:
        if (own & ring).bit_count() > 2:
            for images in frames:
                if (own & images).bit_count() == 3:
                    cells |= images & ~own
    return cells
