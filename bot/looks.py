"""How pictures look to the one person who sees them: by that person's own settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import render
from bot import people
from matches import Facing

if TYPE_CHECKING:
    from bot.client import Interaction
    from engine.game import Side
    from matches import Preferences, Seat


async def chosen(interaction: Interaction) -> Preferences:
    """Give what the person has chosen."""
    return await interaction.client.matches.people.preferences(people.account(interaction.user))


def seen(settings: Preferences, side: Side | None = None) -> render.View:
    """Give how a person sees a board with `side` at the bottom; None is as posted."""
    return render.View(side=side, theme=render.ThemeName(settings.theme), large=settings.large)


def own_side(settings: Preferences, seat: Seat | None) -> Side | None:
    """Give the side that a person at `seat`, or an onlooker, has at the bottom; None is as posted."""
    return None if seat is None or settings.facing is Facing.POSTED else seat.side


def turned(settings: Preferences, *, second: bool) -> bool:
    """Tell whether a person who sits second, or does not, has the second side at the bottom."""
    return second and settings.facing is Facing.OWN
