"""Generation of the legal moves, sorted by text."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from engine.morelli.bits import iter_subsets
from engine.morelli.editions import Phase
from engine.morelli.effects import capture_cells, find_frame, frame_cells
from engine.morelli.slide_index import get_slide_index

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.morelli.board import MorelliBoard
    from engine.morelli.moves import Placement, Slide, SlidePath
    from engine.morelli.slide_index import SlideIndex
    from engine.morelli.state import MorelliState


text_of = attrgetter("text")


def generate(position: MorelliState) -> tuple[Slide, ...] | tuple[Placement, ...]:
    """Return all legal moves, sorted by text."""
    if position.phase is not Phase.PLAY:
        return tuple(_placements(position))
    index = get_slide_index(position.size)
    own, enemy = position.own_and_enemy
    if not position.edition.allows_declining:
        return tuple(_slides(index, own, position.occupied))
    return tuple(_slides_with_declines(position, index, own, enemy))


def find_first_move(position: MorelliState) -> Slide | Placement | None:
    """Return the first legal move in the order of their texts, or None; the others are not made."""
    if position.phase is not Phase.PLAY:
        return next(_placements(position), None)
    index = get_slide_index(position.size)
    own, _ = position.own_and_enemy
    occupied, mask = position.occupied, index.file_mask
    for shift, table in index.file_tables:
        for line_mask, line, rest_mask, rest, lists in table[own >> shift & mask]:
            slots = line[occupied & line_mask]
            if rest is not None:
                slots |= rest[occupied & rest_mask]
            if slots:
                return lists[slots][1][0]
    return None


def _placements(position: MorelliState) -> Iterator[Placement]:
    placements = get_slide_index(position.size).placements
    return (placements[name] for name in sorted(placements) if position.find_placement(name))


def _slides(index: SlideIndex, own: int, occupied: int) -> list[Slide]:
    """Return the slides of the stones `own` that decline nothing, sorted."""
    found: list[Slide] = []
    mask = index.file_mask
    for shift, table in index.file_tables:
        for line_mask, line, rest_mask, rest, lists in table[own >> shift & mask]:
            if rest is None:
                found += lists[line[occupied & line_mask]][1]
            else:
                found += lists[line[occupied & line_mask] | rest[occupied & rest_mask]][1]
    return found


def _slides_with_declines(position: MorelliState, index: SlideIndex, own: int, enemy: int) -> list[Slide]:
    """Return the slides of the stones `own`, with all that decline something, sorted."""
    occupied, mask = position.occupied, index.file_mask
    landing = LandingOptions(index.board, own, enemy, occupies=position.tower is not position.mover)
    special = (landing.capture_cells | landing.frame_cells) & ~occupied
    found: list[Slide] = []
    insertions: list[tuple[int, Sequence[Slide]]] = []
    for shift, table in index.file_tables:
        for line_mask, line, rest_mask, rest, lists in table[own >> shift & mask]:
            slots = line[occupied & line_mask]
            if rest is not None:
                slots |= rest[occupied & rest_mask]
            ends, slides = lists[slots]
            if ends & special:
                at = len(found)
                for slide in slides:
                    at += 1
                    if slide.end & special:
                        insertions.append((at, landing.declining_slides(slide.path)))
            found += slides
    for at, declining in reversed(insertions):
        found[at:at] = declining
    return found


class LandingOptions:
    """The captures and frames that landing stones of `own` can make, for a whole board.

    Attributes:
        occupies: Whether the mover can take the Centre.
        capture_cells: The cells where a stone captures something by landing; some may be occupied.
        frame_cells: The cells where a stone completes a frame without a capture; some may be occupied.

    """

    __slots__ = ("board", "capture_cells", "enemy", "frame_cells", "occupies", "own")

    def __init__(self, board: MorelliBoard, own: int, enemy: int, *, occupies: bool) -> None:
        self.board = board
        self.own = own
        self.enemy = enemy
        self.occupies = occupies
        self.capture_cells = capture_cells(board, own, enemy)
        self.frame_cells = frame_cells(board, own) if occupies else 0

    def declining_slides(self, path: SlidePath) -> Sequence[Slide]:
        """Return the slides along `path` that decline something, sorted by text."""
        tables = path.capture_tables
        directions = tables.near[self.enemy & tables.near_mask] & tables.far[self.own & tables.far_mask]
        if self.occupies:
            if path.end & self.frame_cells:
                return self._declining_with_frame(path, tables.captured[directions])
            for missing in tables.frames[directions]:
                if self.own & missing == missing:
                    return self._declining_with_frame(path, tables.captured[directions])
        return path.declining_slides[directions]

    def _declining_with_frame(self, path: SlidePath, capturable: int) -> list[Slide]:
        """Return the same for a landing that can complete a frame.

        An occupation can be declined only if the captures that are carried out earn it (§5.4, §6.8).
        """
        board = self.board
        landed = self.own ^ path.start | path.end
        slides = []
        for declined in iter_subsets(capturable):
            taken = capturable ^ declined
            if declined:
                slides.append(path.slide(declined))
            if find_frame(board, landed | taken, path.end | taken):
                slides.append(path.slide(declined | board.centre_bit))
        return sorted(slides, key=text_of) if capturable else slides
