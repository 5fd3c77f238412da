"""Pictures of boards, and the user's preferences for them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import render
from bot.ui import ids
from matches import BoardOrientation
from metrics import NO_METRICS, Stage

if TYPE_CHECKING:
    from bot.context import Interaction
    from engine.game import Position
    from i18n import Texts
    from matches import Preferences, Seat
    from metrics import Metrics


async def render_board(
    position: Position, options: render.RenderOptions, metrics: Metrics = NO_METRICS
) -> tuple[bytes, str]:
    """Render a position in a worker thread; return the PNG and the text diagram."""
    with metrics.time(Stage.PICTURE):
        return await asyncio.to_thread(_render_board, position, options)


def _render_board(position: Position, options: render.RenderOptions) -> tuple[bytes, str]:
    scene = render.build_scene(position, options)
    return render.to_png(scene), render.to_text(scene)


async def load_render_options(interaction: Interaction, seat: Seat | None = None) -> render.RenderOptions:
    """Return the user's render options for a match in which the user has this seat, or none."""
    preferences = await load_preferences(interaction)
    return build_render_options(interaction.client.texts, preferences, seat)


async def load_preferences(interaction: Interaction) -> Preferences:
    """Return the user's preferences."""
    return await interaction.client.matches.people.preferences.get(ids.user_account(interaction.user))


def build_render_options(
    texts: Texts, preferences: Preferences, seat: Seat | None = None
) -> render.RenderOptions:
    """Return render options for the player at `seat`; without one the board is oriented as in posts."""
    oriented = None if preferences.orientation is BoardOrientation.POSTED else seat
    return render.RenderOptions(
        texts.plain,
        None if oriented is None else oriented.side,
        render.ThemeName(preferences.theme),
        large_labels=preferences.large,
    )


def is_flipped(preferences: Preferences, *, is_second: bool) -> bool:
    """Return whether the board is shown from the second side, given whether the user is the second player."""
    return is_second and preferences.orientation is BoardOrientation.OWN
