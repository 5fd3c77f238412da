"""A whole game as an animated GIF, rendered in a thread of its own."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TYPE_CHECKING

import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Side
    from i18n import Texts
    from matches import Replay, ReplayTurn


async def render_animation(
    texts: Texts, replay: Replay, side: Side | None, limit: int
) -> render.GameAnimation | None:
    """Return a game as an animation of at most `limit` bytes; None if it cannot be made that small.

    `side` is at the bottom of the board, by default the side that moves first. Animations are rendered one
    at a time, so that several long ones do not slow down everything else.
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(
        _animation_executor(), partial(render_frames, texts, replay.turns, side, limit)
    )


def render_frames(
    texts: Texts, turns: Sequence[ReplayTurn], side: Side | None, limit: int
) -> render.GameAnimation | None:
    """Render `turns` like :func:`render_animation`, in the calling thread."""
    return render.animate_game(
        [(turn.position, turn.events) for turn in turns],
        limit,
        render.RenderOptions(texts.plain, bottom_side=side, is_over=turns[-1].result is not None),
    )


@cache
def _animation_executor() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="film")
