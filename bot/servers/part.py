"""The commands for a server's own order, as one part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.parts import Part
from bot.servers import blocks, corrections, panel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game
    from words import Words


def part(words: Words, games: Mapping[str, Game]) -> Part:
    """Give the commands, the panel's menus and button, and its form."""
    parts = [make(words, games) for make in (panel.part, blocks.part, corrections.part)]
    return Part(
        commands=tuple(one for each in parts for one in each.commands),
        items=tuple(one for each in parts for one in each.items),
        forms={name: form for each in parts for name, form in each.forms.items()},
    )
