"""Which game is meant, where ratings are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import options, people
from bot.commands import Field, choice
from matches import GameUnknown

if TYPE_CHECKING:
    from discord import app_commands

    from bot.client import Interaction


def field(name: str) -> Field:
    """Give the parameter `game` of the command `name`."""
    return Field("game", f"command.{name}.game", complete=_complete)


async def meant(interaction: Interaction, typed: str | None, other: str | None = None) -> str:
    """Give the game that was typed, by its name or its key, else `other`, else the server's usual one.

    Raises GameUnknown.
    """
    client = interaction.client
    if typed is not None:
        name = options.game_of(client.words, client.games, typed)
        if name not in client.games:
            raise GameUnknown(game=typed[:100], games=tuple(client.games))
        return name
    if other in client.games:
        return str(other)
    server = people.place(interaction.guild_id or 0)
    usual = await client.matches.servers.settings(server, now=client.now())
    return usual.game or options.default_game(client.games).name


async def _complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    labels = {interaction.client.words(f"game.{name}.name"): name for name in interaction.client.games}
    sought = current.strip().casefold()
    return [choice(label, name) for label, name in labels.items() if sought in label.casefold()]
