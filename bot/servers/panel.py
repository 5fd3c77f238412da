"""The settings of a server: a private panel of menus for those who run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import forms, people
from bot.answers import need_manager, within
from bot.clocks import terms, wording
from bot.clocks.terms import USUAL_PACES
from bot.commands import command
from bot.menus import Menu, option
from bot.options import default_game
from bot.parts import Part
from bot.permissions import lacking_for_threads
from bot.presses import Press, row
from matches import read_pace, write_pace

if TYPE_CHECKING:
    from collections.abc import Mapping

    import discord

    from bot.client import Interaction
    from engine.game import Game
    from matches import ServerSettings
    from words import Words

CHANNEL, THREAD = "channel", "thread"
FORM = "housepaces1"
LONGEST_LIST = 20  # names of those who are kept out


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the command, the menus, the button and its form."""
    return Part(
        commands=(command(words, "settings", show, managers=True),),
        items=(PlaceMenu, GameMenu, PaceMenu, PaceButton),
        forms={FORM: pace_typed},
    )


async def show(interaction: Interaction) -> None:
    """Answer with the panel, in private."""
    client = interaction.client
    settings = await client.matches.servers.settings(_server(interaction), now=client.now())
    text, view = await _panel(interaction, settings)
    async with within(interaction):
        await interaction.response.send_message(text, view=view, ephemeral=True)


class PlaceMenu(Menu, template=r"houseplace1"):
    """Settles where matches are played."""

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Settle it and show the panel."""
        need_manager(interaction)
        client, by = interaction.client, people.person(interaction.user)
        on = chosen[0] == THREAD
        settings = await client.matches.servers.use_threads(_server(interaction), by, on=on, now=client.now())
        await _again(interaction, settings)


class GameMenu(Menu, template=r"housegame1"):
    """Settles the game that is meant where none is named."""

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Settle it and show the panel."""
        need_manager(interaction)
        client, by = interaction.client, people.person(interaction.user)
        settings = await client.matches.servers.default_game(
            _server(interaction), by, chosen[0], now=client.now()
        )
        await _again(interaction, settings)


class PaceMenu(Menu, template=r"housepace1"):
    """Settles the pace that is agreed on where none is named."""

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Settle it and show the panel."""
        await _settle_pace(interaction, chosen[0])


class PaceButton(Press, template=r"housetype1"):
    """Opens the form in which any pace can be typed."""

    async def pressed(self, interaction: Interaction) -> None:
        """Open it."""
        need_manager(interaction)
        words = interaction.client.words
        line = forms.line("pace", words("house.pace_label"), USUAL_PACES[-2])
        async with within(interaction):
            await interaction.response.send_modal(forms.form(words("house.pace_title"), FORM, line))


async def pace_typed(interaction: Interaction) -> None:
    """Settle the pace that was typed."""
    await _settle_pace(interaction, forms.typed(interaction).get("pace", ""))


async def _settle_pace(interaction: Interaction, text: str) -> None:
    need_manager(interaction)
    client, by = interaction.client, people.person(interaction.user)
    settings = await client.matches.servers.default_pace(
        _server(interaction), by, terms.read(client.words, text), now=client.now()
    )
    await _again(interaction, settings)


async def _again(interaction: Interaction, settings: ServerSettings) -> None:
    text, view = await _panel(interaction, settings)
    async with within(interaction):
        await interaction.response.edit_message(content=text, view=view)


async def _panel(interaction: Interaction, settings: ServerSettings) -> tuple[str, discord.ui.View]:
    """Give the text that tells how all is settled, and the menus that change it."""
    client = interaction.client
    words, games = client.words, client.games
    kept_out = await client.matches.blocks.kept_out(_server(interaction), now=client.now())
    lacking = lacking_for_threads(interaction) if settings.threads else ()
    names = [people.called(person) for person in kept_out[:LONGEST_LIST]]
    text = words(
        "house.panel",
        place=words(f"house.{_place(settings)}"),
        game=words(f"game.{settings.game or default_game(games).name}.name"),
        pace=wording.pace(words, settings.pace),
        kept_out=words.listed(names) if names else words("house.nobody"),
    )
    if lacking:
        told = words.listed([words(f"permission.{name}") for name in lacking])
        text = words.listed([text, words("house.lacking", count=len(lacking), names=told)], "list.lines")
    button = PaceButton.labelled(words("house.pace_button"), "housetype1")
    return text, row(
        _places(words, settings), _games(words, games, settings), _paces(words, settings), button
    )


def _places(words: Words, settings: ServerSettings) -> Menu:
    present = _place(settings)
    lines = [option(words(f"house.{one}"), one, chosen=one == present) for one in (CHANNEL, THREAD)]
    return PlaceMenu.listing(words("house.place_hint"), "houseplace1", lines)


def _games(words: Words, games: Mapping[str, Game], settings: ServerSettings) -> Menu:
    present = settings.game or default_game(games).name
    lines = [option(words(f"game.{name}.name"), name, chosen=name == present) for name in games]
    return GameMenu.listing(words("house.game_hint"), "housegame1", lines)


def _paces(words: Words, settings: ServerSettings) -> Menu:
    present = write_pace(settings.pace)
    listed = dict.fromkeys((*USUAL_PACES, present))
    lines = [option(wording.pace(words, read_pace(one)), one, chosen=one == present) for one in listed]
    return PaceMenu.listing(words("house.pace_hint"), "housepace1", lines)


def _place(settings: ServerSettings) -> str:
    return THREAD if settings.threads else CHANNEL


def _server(interaction: Interaction) -> str:
    return people.place(interaction.guild_id or 0)
