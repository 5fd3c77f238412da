"""The games' options as parameters of a slash command.

Each option name of any game is one parameter. Its autocomplete lists the values that the selected game
accepts together with the options typed so far.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bot.ui.commands import CommandField, completion_choice, fit_description
from bot.ui.game_argument import resolve_game_or_default
from i18n import formatting, option_values
from i18n.option_values import accepts_options
from i18n.plurals import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discord import app_commands

    from bot.context import Interaction
    from engine.game import Game, OptionValue
    from i18n import Texts


def option_fields(texts: Texts, games: Mapping[str, Game]) -> tuple[CommandField, ...]:
    """Return one parameter for each option name of all games; random options (seeds) have none."""
    names = dict.fromkeys(
        option.name for game in games.values() for option in game.options if not option.is_random
    )
    return tuple(
        CommandField(
            name,
            f"option.{name}",
            completer=partial(_complete, name),
            about=_describe_option(texts, games, name),
        )
        for name in names
    )


def _describe_option(texts: Texts, games: Mapping[str, Game], name: str) -> str:
    """Return the description of an option, composed from those of the games that have it.

    If that is too long for Discord, return the option's general description or its name.
    """
    games_by_about: dict[str, list[str]] = {}
    for game in games.values():
        if any(option.name == name for option in game.options):
            about = texts.for_game(game.name, f"option.{name}.about")
            games_by_about.setdefault(about, []).append(texts(f"game.{game.name}.name"))
    if len(games_by_about) == 1:
        return fit_description(games_by_about)
    composed = texts.join(
        [
            texts("option_about.of_game", games=texts.join(names), about=about)
            for about, names in games_by_about.items()
        ],
        "list.space",
    )
    general = f"option.{name}.about"
    return fit_description(
        [composed, texts(general) if texts.has(general) else formatting.format_option_name(texts, name)]
    )


def suggest_values(texts: Texts, game: Game, name: str, typed: Mapping[str, OptionValue]) -> dict[str, str]:
    """Return the values that fit the options typed so far, keyed by label."""
    option = next((one for one in game.options if one.name == name), None)
    if option is None:
        return {}
    others = {key: value for key, value in typed.items() if key != name}
    fitting = [
        value for value in game.option_values(option) if accepts_options(game, {**others, name: value})
    ]
    return {formatting.describe_choice(texts, game.name, option, value): str(value) for value in fitting}


async def _complete(name: str, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    texts, typed = interaction.client.texts.plain, _typed_options(interaction)
    game = await resolve_game_or_default(interaction, typed.pop("game", None))
    meant = {
        option.name: option_values.find_value(texts, game, option, str(typed.get(option.name, "")))
        for option in game.options
        if not option.is_random
    }
    others = {key: value for key, value in meant.items() if value is not None and key != name}
    query = current.strip().casefold()
    suggestions = suggest_values(texts, game, name, others)
    option = next((one for one in game.options if one.name == name), None)
    named = [] if option is None else option_values.find_letter_sets(texts, game, option, query)
    fitting = {
        value: label
        for label, value in suggestions.items()
        if query in label.casefold()
        or query in value.casefold()
        or value == str(meant.get(name))
        or value in named
    }
    order = {value: at for at, value in enumerate(named)}
    return [
        completion_choice(fitting[value], value, formatting.format_option(texts, game.name, name, value))
        for value in sorted(fitting, key=lambda value: order.get(value, -1))
    ]


def _typed_options(interaction: Interaction) -> dict[str, Any]:
    """Return the options typed so far by option name, and the game as "game"."""
    # Discord sends the names that options have in English.
    texts, namespace = interaction.client.texts.plain.in_language(ENGLISH), interaction.namespace
    names = {"game", *(option.name for game in interaction.client.games.values() for option in game.options)}
    shown = {
        name: texts("command.challenge.game.name")
        if name == "game"
        else formatting.format_option_name(texts, name)
        for name in names
    }
    typed = {name: getattr(namespace, label, None) for name, label in shown.items()}
    return {name: value for name, value in typed.items() if value}
