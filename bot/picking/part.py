"""What picking brings to the client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.parts import Part
from bot.picking.dialogue import ITEMS, PickButton

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game
    from words import Words


def part(_words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the button under every board that can be played on, and the dialogue's buttons and menu."""
    return Part(items=ITEMS, on_board=(PickButton.of,))
