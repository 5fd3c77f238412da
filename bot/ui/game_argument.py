"""The `game` option of slash commands: resolution, default and autocomplete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ui import ids
from bot.ui.commands import CommandField, complete_labels
from i18n.challenge_values import find_game_key
from matches import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discord import app_commands

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts


def field(name: str) -> CommandField:
    """Return the option `game` for the command called `name`."""
    return CommandField("game", f"command.{name}.game", completer=_complete)


async def resolve_game_key_or_default(
    interaction: Interaction, argument: str | None, fallback: str | None = None
) -> str:
    """Return the key of the game in `argument`, else `fallback`, else the server's default game.

    `argument` is a name or a key. Raises `game_unknown`.
    """
    client = interaction.client
    if argument is not None:
        key = resolve_game_key(client.texts, client.games, argument)
        if key not in client.games:
            raise Refusal("game_unknown", game=argument, games=tuple(client.games))
        return key
    if fallback is not None and fallback in client.games:
        return fallback
    return (await _server_default_game(interaction)).name


async def _complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    labels = {interaction.client.texts(f"game.{key}.name"): key for key in interaction.client.games}
    return complete_labels(labels.items(), current)


def default_game(games: Mapping[str, Game]) -> Game:
    """Return the game to use if neither the user nor the server names one."""
    return next(iter(games.values()))


def resolve_game_key(texts: Texts, games: Mapping[str, Game], typed: str) -> str:
    """Return the key of a game typed as key or name; other text is returned unchanged."""
    return find_game_key(texts, games, typed) or typed


async def resolve_game_or_default(interaction: Interaction, argument: str | None) -> Game:
    """Return the game in `argument`, or the server's default game if it is missing or unknown."""
    client = interaction.client
    key = None if argument is None else resolve_game_key(client.texts, client.games, argument)
    if key is not None and key in client.games:
        return client.games[key]
    return await _server_default_game(interaction)


async def _server_default_game(interaction: Interaction) -> Game:
    client = interaction.client
    server = ids.stored_id(interaction.guild_id or 0)
    settings = await client.matches.servers.settings(server, now=client.now())
    return client.games.get(settings.game or "", default_game(client.games))


def example_moves(games: Mapping[str, Game]) -> dict[str, str]:
    """Return a usual first move of each game, or a legal one, by the key of the game."""
    return {key: game.first_move or game.initial_position().example_move for key, game in games.items()}
