"""What a side could do if it were its turn: the slides that take the Centre, and the one that captures most.

Nothing that may be declined is declined: fewer captures never help to complete a frame. Sets of cells are
bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.morelli.bits import iter_bits
from engine.morelli.effects import capture_cells, captured_stones, find_frame, frame_cells, slide_effect
from engine.morelli.slide_index import get_slide_index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Side
    from engine.morelli.board import MorelliBoard
    from engine.morelli.moves import Slide, SlidePath
    from engine.morelli.state import MorelliState


@dataclass(frozen=True, slots=True)
class SideView:
    """A board as one side sees it: its own stones, those of the enemy, and what blocks slides.

    `can_occupy` is whether a frame would earn the side the Centre: its own tower is not there.
    """

    board: MorelliBoard
    own: int
    enemy: int
    occupied: int
    can_occupy: bool

    @classmethod
    def of_side(cls, position: MorelliState, side: Side) -> SideView:
        """Return the view of `side`, which need not be the side to move."""
        own, enemy = position.own_and_enemy
        if side is not position.mover:
            own, enemy = enemy, own
        index = get_slide_index(position.size)
        return cls(index.board, own, enemy, position.occupied, position.tower is not side)

    @classmethod
    def after_reply(cls, position: MorelliState, reply: Slide) -> SideView:
        """Return the view of the side that is not to move, after a legal `reply` of the other."""
        effect = slide_effect(position, reply)
        assert effect is not None  # noqa: S101 - the reply is legal
        captured, _, _, occupies = effect
        board, (enemy, own) = reply.path.board, position.own_and_enemy
        enemy = enemy ^ reply.path.start | reply.path.end | captured
        tower = position.mover if occupies else position.tower
        occupied = own | enemy | (board.centre_bit if tower else 0)
        return cls(board, own ^ captured, enemy, occupied, tower in (None, position.mover))

    def takes_centre(self, path: SlidePath) -> bool:
        """Return whether a slide along `path` takes the Centre; its way may be blocked."""
        captured = captured_stones(self.board, self.own, self.enemy, path.end)
        own = self.own ^ path.start | path.end | captured
        return self.can_occupy and find_frame(self.board, own, path.end | captured) != 0

    def has_open(self, path: SlidePath) -> bool:
        """Return whether a stone of the side can slide along `path`."""
        return self.own & path.start != 0 and not self.occupied & path.must_be_empty

    def open_paths(self, ends: int) -> Iterator[SlidePath]:
        """Yield the paths along which a stone of the side can slide to one of `ends`."""
        tables = get_slide_index(self.board.size).slide_tables
        for start in iter_bits(self.own):
            table = tables.get(start)
            landings, slides = table.open_slides(self.occupied) if table else (0, ())
            if landings & ends:
                yield from (slide.path for slide in slides if slide.end & ends)

    def count_slides(self) -> int:
        """Return how many slides the side has, without those that decline something."""
        index = get_slide_index(self.board.size)
        return sum(len(index.open_slides(start, self.occupied)) for start in iter_bits(self.own))

    def find_three_corners(self) -> list[int]:
        """Return the frames of which the side has three stones, from the outermost band on.

        They could earn the Centre: the side has a stone further out, which may still land on the fourth place
        or beside it.
        """
        found, outside = list[int](), self.own & self.board.outermost_bits
        for ring, frames in self.board.rings if self.can_occupy else ():
            if outside and (self.own & ring).bit_count() > 2:
                found += [frame for frame in frames if (self.own & frame).bit_count() == 3]
            outside |= self.own & ring
        return found

    def find_centre_paths(self) -> list[SlidePath]:
        """Return the paths along which a slide takes the Centre."""
        if not self.can_occupy:
            return []
        ends = capture_cells(self.board, self.own, self.enemy) | frame_cells(self.board, self.own)
        return [path for path in self.open_paths(ends & ~self.occupied) if self.takes_centre(path)]

    def find_most_captures(self) -> int:
        """Return the most stones that one slide captures; of equally many those of the lowest cells."""
        ends = capture_cells(self.board, self.own, self.enemy) & ~self.occupied
        landings = {path.end for path in self.open_paths(ends)}
        captures = (captured_stones(self.board, self.own, self.enemy, end) for end in landings)
        return min(captures, key=lambda found: (-found.bit_count(), found), default=0)
