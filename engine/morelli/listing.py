"""All legal moves of a position, sorted by text."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from engine.morelli.bits import subsets
from engine.morelli.editions import Phase
from engine.morelli.judging import closing, frame, framing
from engine.morelli.lines import lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.morelli.board import Board
    from engine.morelli.lines import Lines
    from engine.morelli.moves import Placement, Slide, Track
    from engine.morelli.position import MorelliPosition


TEXT = attrgetter("text")


def moves(position: MorelliPosition) -> tuple[Slide, ...] | tuple[Placement, ...]:
    """Give every legal move, sorted by text."""
    if position.phase is not Phase.PLAY:
        return _placements(position)
    on = lines(position.size)
    own, adverse = position.own_and_adverse
    if not position.edition.optional:
        return tuple(_slides(on, own, position.occupied))
    return tuple(_slides_with_declines(position, on, own, adverse))


def _placements(position: MorelliPosition) -> tuple[Placement, ...]:
    every = lines(position.size).placements
    return tuple(every[name] for name in sorted(every) if position.placement(name))


def _slides(on: Lines, own: int, occupied: int) -> list[Slide]:
    """Give the slides of the stones `own`, sorted, all captures and the occupation carried out."""
    found: list[Slide] = []
    mask = on.column_mask
    for shift, column in on.columns:
        for line_mask, line, rest_mask, rest, lists in column[own >> shift & mask]:
            if rest is None:
                found += lists[line[occupied & line_mask]][1]
            else:
                found += lists[line[occupied & line_mask] | rest[occupied & rest_mask]][1]
    return found


def _slides_with_declines(position: MorelliPosition, on: Lines, own: int, adverse: int) -> list[Slide]:
    """Give the slides of the stones `own`, sorted, with every way to decline what they bring."""
    occupied, mask = position.occupied, on.column_mask
    landing = Landing(on.board, own, adverse, occupies=position.tower is not position.turn)
    special = (landing.closing | landing.framing) & ~occupied
    found: list[Slide] = []
    declining: list[tuple[int, Sequence[Slide]]] = []
    for shift, column in on.columns:
        for line_mask, line, rest_mask, rest, lists in column[own >> shift & mask]:
            slots = line[occupied & line_mask]
            if rest is not None:
                slots |= rest[occupied & rest_mask]
            ends, slides = lists[slots]
            if ends & special:
                at = len(found)
                for slide in slides:
                    at += 1
                    if slide.end & special:
                        declining.append((at, landing.declining(slide.track)))
            found += slides
    for at, ways in reversed(declining):
        found[at:at] = ways
    return found


class Landing:
    """What landing on a cell brings a stone of `own`.

    `closing` and `framing` are the cells, and maybe occupied ones, where it captures something, or completes
    a frame by itself; `occupies` says whether the Centre is open to the mover.
    """

    __slots__ = ("adverse", "board", "closing", "framing", "occupies", "own")

    def __init__(self, board: Board, own: int, adverse: int, *, occupies: bool) -> None:
        self.board = board
        self.own = own
        self.adverse = adverse
        self.occupies = occupies
        self.closing = closing(board, own, adverse)
        self.framing = framing(board, own) if occupies else 0

    def declining(self, track: Track) -> Sequence[Slide]:
        """Give every slide along `track` that declines something, sorted by text."""
        flanks = track.flanks
        directions = flanks.near[self.adverse & flanks.near_mask] & flanks.far[self.own & flanks.far_mask]
        if self.occupies:
            if track.end & self.framing:
                return self._framing(track, flanks.captured[directions])
            for wanting in flanks.wanting[directions]:
                if self.own & wanting == wanting:
                    return self._framing(track, flanks.captured[directions])
        return track.declining[directions]

    def _framing(self, track: Track, capturable: int) -> list[Slide]:
        """Give the same where a frame may come about.

        An occupation is there to be declined only if the captures carried out earn it (§5.4, §6.8).
        """
        board = self.board
        landed = self.own ^ track.start | track.end
        ways = []
        for declined in subsets(capturable):
            taken = capturable ^ declined
            if declined:
                ways.append(track.slide(declined))
            if frame(board, landed | taken, track.end | taken):
                ways.append(track.slide(declined | board.centre_bit))
        return sorted(ways, key=TEXT) if capturable else ways
