"""``/help``: a short introduction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.ui import game_argument
from bot.ui.commands import create_command
from bot.ui.interactions import response_timeout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the command."""
    return Feature(commands=(create_command(texts, "help", show_help, anywhere=True),))


async def show_help(interaction: Interaction) -> None:
    """Respond with the introduction (ephemeral)."""
    texts, games = interaction.client.texts, interaction.client.games
    examples = [
        texts("help.example", move=move, game=texts(f"game.{name}.name"))
        for name, move in game_argument.example_moves(games).items()
    ]
    text = texts("help.text", examples=texts.join(examples, "list.or"))
    async with response_timeout(interaction):
        await interaction.response.send_message(text, ephemeral=True)
