"""A whole game as one animated picture, made beside everything else and no larger than it may be."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from math import ceil
from typing import TYPE_CHECKING

import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Side
    from matches import Page, Replay

WIDTHS = (500, 400, 300, 200)  # pixels, the first that fits
SHARES = (1, 2, 4, 8)  # of that many turns one is shown, the first that fits
MOST_FRAMES = 500  # a longer game is shown in steps from the outset


@dataclass(frozen=True, slots=True)
class Film:
    """An animated GIF, `width` pixels wide, that shows one of every `share` turns, the last in any case."""

    gif: bytes
    width: int
    share: int


async def film(game: Replay, side: Side | None, limit: int) -> Film | None:
    """Give a game as a film of at most `limit` bytes; None where that cannot be.

    At the bottom is `side`, or with None whoever moves first.
    Films are made one after the other, so that several long ones do not keep everybody else waiting.
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_studio(), partial(make, game.pages, side, limit))


def make(pages: Sequence[Page], side: Side | None, limit: int) -> Film | None:
    """Make a film of `pages` as :func:`film` does."""
    least = ceil(len(pages) / MOST_FRAMES)
    for share, width in product(SHARES, WIDTHS):
        shown = _chosen(pages, share * least)
        scenes = [render.scene(page.position, _view(page, side, width)) for page in shown]
        gif = render.animation(scenes)
        if len(gif) <= limit:
            return Film(gif, width, share * least)
    return None


def _chosen(pages: Sequence[Page], share: int) -> list[Page]:
    """Give every `share`-th page, and the last."""
    chosen = list(pages[::share])
    return chosen if chosen[-1] is pages[-1] else [*chosen, pages[-1]]


def _view(page: Page, side: Side | None, width: int) -> render.View:
    return render.View(side=side, width=width, last=page.events)


@cache
def _studio() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="film")
