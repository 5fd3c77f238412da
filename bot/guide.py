"""How to play here, in short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.answers import within
from bot.commands import command
from bot.parts import Part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from engine.game import Game
    from words import Words


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the command."""
    return Part(commands=(command(words, "help", tell_help, anywhere=True),))


async def tell_help(interaction: Interaction) -> None:
    """Answer in private."""
    async with within(interaction):
        await interaction.response.send_message(interaction.client.words("help.text"), ephemeral=True)
