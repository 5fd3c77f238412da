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
    from matches import Replay, ReplayTurn


async def render_animation(replay: Replay, side: Side | None, limit: int) -> render.GameAnimation | None:
    """Return a game as a film of at most `limit` bytes; None where that cannot be.

    At the bottom is `side`, or with None whoever moves first.
    Films are made one after the other, so that several long ones do not keep everybody else waiting.
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(
        _animation_executor(), partial(render_frames, replay.turns, side, limit)
    )


def render_frames(turns: Sequence[ReplayTurn], side: Side | None, limit: int) -> render.GameAnimation | None:
    """Make a film of `turns` as :func:`render_animation` does."""
    return render.animate_game(
        [(turn.position, turn.events) for turn in turns], limit, render.RenderOptions(bottom_side=side)
    )


@cache
def _animation_executor() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="film")
