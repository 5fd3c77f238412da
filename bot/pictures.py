"""Boards as pictures, painted beside the event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import render

if TYPE_CHECKING:
    from engine.game import Position


async def paint(position: Position, view: render.View) -> tuple[bytes, str]:
    """Give the picture of a position as PNG, and its board in plain text."""
    return await asyncio.to_thread(_painted, position, view)


def _painted(position: Position, view: render.View) -> tuple[bytes, str]:
    scene = render.scene(position, view)
    return render.png(scene), render.text(scene)
