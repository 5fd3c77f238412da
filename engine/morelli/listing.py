"""All legal moves of a position, sorted by text."""

from __future__ import annotations

from itertools import chain, combinations
from typing import TYPE_CHECKING

from engine.morelli.board import each
from engine.morelli.editions import Phase
from engine.morelli.judging import captures, frame
from engine.morelli.reach import lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.morelli.moves import Placement, Slide, Track
    from engine.morelli.position import MorelliPosition


def moves(position: MorelliPosition) -> tuple[Slide, ...] | tuple[Placement, ...]:
    """Give every legal move, sorted by text."""
    if position.phase is not Phase.PLAY:
        empty = {
            name: placed
            for name, placed in lines(position.size).placements.items()
            if position.placement(name)
        }
        return tuple(empty[name] for name in sorted(empty))
    return tuple(sorted(_slides(position), key=str))


def _slides(position: MorelliPosition) -> Iterator[Slide]:
    own, adverse = position.own_and_adverse
    occupied = position.occupied
    for stone in each(own):
        for slide in lines(position.size).slides(stone, occupied):
            if position.edition.optional:
                yield from declining(slide.track, own, adverse, occupies=position.tower is not position.turn)
            else:
                yield slide


def declining(track: Track, own: int, adverse: int, *, occupies: bool) -> list[Slide]:
    """Give every way to slide along `track`: each choice of captures, and of an occupation that they earn.

    `occupies` says whether the mover's tower could still take the Centre. An occupation is there to be
    declined only if the captures carried out earn it (§5.4, §6.8).
    """
    on = track.board
    possible = tuple(each(captures(on, own, adverse, track.end)))
    ways = []
    for spared in chain.from_iterable(combinations(possible, count) for count in range(len(possible) + 1)):
        declined = sum(spared)
        ways.append(track.slide(declined))
        taken = sum(possible) ^ declined
        if occupies and frame(on, own ^ track.start | track.end | taken, track.end | taken):
            ways.append(track.slide(declined | on.centre_bit))
    return ways
