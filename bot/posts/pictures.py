"""Boards as pictures, painted beside the event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import render
from bot.ui import ids
from matches import BoardOrientation

if TYPE_CHECKING:
    from bot.context import Interaction
    from engine.game import Position, Side
    from matches import Preferences, Seat


async def render_board(position: Position, options: render.RenderOptions) -> tuple[bytes, str]:
    """Return the picture of a position as PNG, and its board in plain text."""
    return await asyncio.to_thread(_render_board, position, options)


def _render_board(position: Position, options: render.RenderOptions) -> tuple[bytes, str]:
    scene = render.build_scene(position, options)
    return render.to_png(scene), render.to_text(scene)


async def load_preferences(interaction: Interaction) -> Preferences:
    """Return what the person has chosen."""
    return await interaction.client.matches.preferences.get(ids.user_account(interaction.user))


def build_render_options(preferences: Preferences, side: Side | None = None) -> render.RenderOptions:
    """Return how a person sees a board with `side` at the bottom; None is as posted."""
    return render.RenderOptions(
        bottom_side=side, theme=render.ThemeName(preferences.theme), large_labels=preferences.large
    )


def resolve_bottom_side(preferences: Preferences, seat: Seat | None) -> Side | None:
    """Return the side that a person at `seat`, or an onlooker, has at the bottom; None is as posted."""
    return None if seat is None or preferences.orientation is BoardOrientation.POSTED else seat.side


def is_flipped(preferences: Preferences, *, is_second: bool) -> bool:
    """Return whether a person who sits second, or does not, has the second side at the bottom."""
    return is_second and preferences.orientation is BoardOrientation.OWN
