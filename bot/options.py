"""A game's options as parameters of a command, whichever games there are.

Every option of every game is one parameter; what is proposed for it follows the game chosen
and the other options typed so far, by asking the game itself what it accepts.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bot import people, telling
from bot.commands import Field, choice
from engine.game import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from discord import app_commands

    from bot.client import Interaction
    from engine.game import Game, Option, Setting
    from words import Words


def default_game(games: Mapping[str, Game]) -> Game:
    """Give the game that is meant where none is named: the first."""
    return next(iter(games.values()))


def game_of(words: Words, games: Mapping[str, Game], typed: str) -> str:
    """Give the game that was typed, by its key or its name; what is neither is given as it is."""
    sought = typed.strip().casefold()
    return next((name for name in games if sought in {name, words(f"game.{name}.name").casefold()}), typed)


async def meant(interaction: Interaction, named: str | None) -> Game:
    """Give the game that is named, or else the one that this server wants to be meant."""
    client = interaction.client
    name = None if named is None else game_of(client.words, client.games, named)
    if name is not None and name in client.games:
        return client.games[name]
    server = people.place(interaction.guild_id or 0)
    usual = (await client.matches.servers.settings(server, now=client.now())).game
    return client.games.get(usual or "", default_game(client.games))


def fields(games: Mapping[str, Game]) -> tuple[Field, ...]:
    """Give a parameter for each option that is not drawn by chance, of all games together."""
    names = dict.fromkeys(
        option.name for game in games.values() for option in game.options if not option.drawn
    )
    return tuple(Field(name, f"option.{name}", complete=partial(_complete, name)) for name in names)


def given(words: Words, game: Game, typed: Mapping[str, str | None]) -> dict[str, Setting]:
    """Give the options that were typed; a start by closed fists where the game has it and none was named."""
    options: dict[str, Setting] = {
        name: _read(words, game, name, value) for name, value in typed.items() if value is not None
    }
    if game.fists is not None and game.fists.option not in options:
        closed = {**options, game.fists.option: game.fists.value}
        return closed if accepted(game, closed) else options
    return options


def accepted(game: Game, options: Mapping[str, Setting]) -> bool:
    """Tell whether the game takes these options together."""
    try:
        game.settings(**options)
    except OptionError:
        return False
    return True


def values(game: Game, option: Option) -> Iterator[Setting]:
    """Give every value of an option, closed fists first."""
    if game.fists is not None and game.fists.option == option.name:
        yield game.fists.value
    yield from option.choices or range(option.minimum, option.maximum + 1)


def proposals(words: Words, game: Game, name: str, typed: Mapping[str, Setting]) -> dict[str, str]:
    """Give the values that fit what is typed already, by their labels."""
    option = next((one for one in game.options if one.name == name), None)
    if option is None:
        return {}
    others = {key: value for key, value in typed.items() if key != name}
    fitting = (value for value in values(game, option) if accepted(game, {**others, name: value}))
    return {telling.setting(words, game.name, name, value): str(value) for value in fitting}


def _read(words: Words, game: Game, name: str, typed: str) -> str:
    """Give the value that was typed, by itself or as it is told; what is neither is given as it is."""
    sought = typed.strip().casefold()
    for option in game.options:
        for value in values(game, option) if option.name == name else ():
            if sought in {str(value).casefold(), telling.setting(words, game.name, name, value).casefold()}:
                return str(value)
    return typed


async def _complete(name: str, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client, typed = interaction.client, _typed(interaction)
    game = await meant(interaction, typed.pop("game", None))
    sought = current.strip().casefold()
    return [
        choice(label, value)
        for label, value in proposals(client.words, game, name, typed).items()
        if sought in label.casefold() or sought in value.casefold()
    ]


def _typed(interaction: Interaction) -> dict[str, Any]:
    """Give what has been typed so far, by the options' own names; colour and opponent are none of ours."""
    words, namespace = interaction.client.words, interaction.namespace
    names = {"game", *(option.name for game in interaction.client.games.values() for option in game.options)}
    shown = {
        name: words("command.challenge.game.name") if name == "game" else telling.option_name(words, name)
        for name in names
    }
    typed = {name: getattr(namespace, label, None) for name, label in shown.items()}
    return {name: value for name, value in typed.items() if value}
