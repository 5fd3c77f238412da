"""A whole game as an animated GIF, rendered in a thread."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING

import render
from runtime.fair_queue import FairQueue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Side
    from i18n import Texts
    from matches import Replay, ReplayTurn


async def render_animation(
    texts: Texts, replay: Replay, side: Side | None, limit: int, *, account: str
) -> render.GameAnimation | None:
    """Return a game as an animation of at most `limit` bytes; None if it cannot be made that small.

    `side` is at the bottom of the board, by default the side that moves first. Animations are rendered one
    at a time, so that several long ones do not slow down everything else; those who ask, by `account`, take
    turns.
    """
    async with _queue().turn(account):
        return await asyncio.to_thread(render_frames, texts, replay.turns, side, limit)


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
def _queue() -> FairQueue:
    return FairQueue()
