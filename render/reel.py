"""A whole game as one animated picture, no larger than it may be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import ceil
from typing import TYPE_CHECKING

from render.boards import scene
from render.film import animation
from render.view import View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Event, Position

    Board = tuple[Position, tuple[Event, ...]]

WIDTHS = (500, 400, 300, 200)  # pixels, the first that fits
SHARES = (1, 2, 4, 8)  # of that many turns one is shown, the first that fits
MOST_FRAMES = 500  # a longer game is shown in steps from the outset


@dataclass(frozen=True, slots=True)
class Reel:
    """An animated GIF, `width` pixels wide, that shows one of every `share` turns, the last in any case."""

    gif: bytes
    width: int
    share: int


def reel(boards: Sequence[Board], limit: int, view: View | None = None) -> Reel | None:
    """Give a game as an animation of at most `limit` bytes; None where that cannot be.

    `boards` are the positions after each turn with what that turn did, `view` says how to look at them.
    """
    least = ceil(len(boards) / MOST_FRAMES)
    for share, width in product(SHARES, WIDTHS):
        seen = replace(view or View(), width=width)
        scenes = [scene(board, replace(seen, last=last)) for board, last in _chosen(boards, share * least)]
        gif = animation(scenes)
        if len(gif) <= limit:
            return Reel(gif, width, share * least)
    return None


def _chosen(boards: Sequence[Board], share: int) -> list[Board]:
    """Give every `share`-th board, and the last."""
    chosen = list(boards[::share])
    return chosen if chosen[-1] is boards[-1] else [*chosen, boards[-1]]
