"""A whole game as one animated picture, made beside everything else."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TYPE_CHECKING

import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Side
    from matches import Page, Replay


async def film(game: Replay, side: Side | None, limit: int) -> render.Reel | None:
    """Give a game as a film of at most `limit` bytes; None where that cannot be.

    At the bottom is `side`, or with None whoever moves first.
    Films are made one after the other, so that several long ones do not keep everybody else waiting.
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_studio(), partial(make, game.pages, side, limit))


def make(pages: Sequence[Page], side: Side | None, limit: int) -> render.Reel | None:
    """Make a film of `pages` as :func:`film` does."""
    return render.reel([(page.position, page.events) for page in pages], limit, render.View(side=side))


@cache
def _studio() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="film")
