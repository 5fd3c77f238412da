"""``/preferences``: the command, the menus, the buttons and the form of the panel."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from bot import forms, looks, people
from bot.answers import within
from bot.commands import Field, choice, command
from bot.menus import Menu
from bot.parts import Part
from bot.personal import panel
from bot.presses import Press
from matches import Facing, Theme, Way, write_quiet, zones

if TYPE_CHECKING:
    from collections.abc import Mapping

    from discord import app_commands

    from bot.client import Interaction
    from bot.posts import Post
    from engine.game import Game
    from matches import Preferences
    from words import Words

FORM = "myhours1"


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the command, the menus, the buttons and the form."""
    preferences = command(
        words,
        "preferences",
        show,
        Field("zone", "command.preferences.zone", complete=_complete_zone),
        Field("quiet", "command.preferences.quiet"),
        anywhere=True,
    )
    return Part(commands=(preferences,), items=ITEMS, forms={FORM: hours_typed})


async def show(interaction: Interaction, zone: str | None, quiet: str | None) -> None:
    """Change what was typed, if anything, and answer with the panel."""
    given = {name: value for name, value in (("zone", zone), ("quiet", quiet)) if value is not None}
    settings = await (_change(interaction, **given) if given else looks.chosen(interaction))
    post = _reminders(interaction, settings) if given else await _pictures(interaction, settings)
    async with within(interaction):
        await interaction.response.send_message(ephemeral=True, **post.new())


class PageButton(Press, template=r"mypage1:(?P<page>pictures|reminders)"):
    """Turns to the other page of the panel."""

    async def pressed(self, interaction: Interaction) -> None:
        """Show it."""
        settings = await looks.chosen(interaction)
        if self.values["page"] == "pictures":
            await _again(interaction, await _pictures(interaction, settings))
        else:
            await _again(interaction, _reminders(interaction, settings))


class PictureMenu(Menu, template=r"mypicture1:(?P<what>theme|facing|size)"):
    """Chooses how pictures look."""

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Keep it and show a sample."""
        settings = await _change(interaction, **_picture(self.values["what"], chosen[0]))
        await _again(interaction, await _pictures(interaction, settings))


class ReminderMenu(Menu, template=r"myreminder1:(?P<what>way|steps|every)"):
    """Chooses where and when to be reminded."""

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Keep it and show the page."""
        settings = await _change(interaction, **_reminder(self.values["what"], chosen))
        await _again(interaction, _reminders(interaction, settings))


class HoursButton(Press, template=r"myquiet1"):
    """Opens the form for quiet hours and time zone."""

    async def pressed(self, interaction: Interaction) -> None:
        """Open it, filled in with what holds now."""
        words, settings = interaction.client.words, await looks.chosen(interaction)
        quiet = forms.line(
            "quiet",
            words("personal.quiet_label"),
            words("personal.quiet_example"),
            value=write_quiet(settings.quiet),
            required=False,
        )
        zone = forms.line(
            "zone", words("personal.zone_label"), words("personal.zone_example"), value=settings.zone
        )
        async with within(interaction):
            await interaction.response.send_modal(
                forms.form(words("personal.quiet_title"), FORM, quiet, zone)
            )


ITEMS = (PageButton, PictureMenu, ReminderMenu, HoursButton)


async def hours_typed(interaction: Interaction) -> None:
    """Keep what was typed into the form and show the page."""
    typed = forms.typed(interaction)
    settings = await _change(interaction, quiet=typed.get("quiet", ""), zone=typed.get("zone", ""))
    await _again(interaction, _reminders(interaction, settings))


async def _change(interaction: Interaction, **values: Any) -> Preferences:
    client = interaction.client
    return await client.matches.people.change(people.person(interaction.user), now=client.now(), **values)


async def _again(interaction: Interaction, post: Post) -> None:
    async with within(interaction):
        await interaction.response.edit_message(**post.edit())


async def _pictures(interaction: Interaction, settings: Preferences) -> Post:
    words = interaction.client.words
    menus = [
        PictureMenu.listing(words(f"personal.hint.{name}"), f"mypicture1:{name}", lines(words, settings))
        for name, lines in (("theme", panel.themes), ("facing", panel.facings), ("size", panel.sizes))
    ]
    turn = PageButton.labelled(words("button.reminders"), "mypage1:reminders")
    return await panel.pictures_page(interaction.client, settings, menus, turn)


def _reminders(interaction: Interaction, settings: Preferences) -> Post:
    words = interaction.client.words
    menus = [
        ReminderMenu.listing(
            words(f"personal.hint.{name}"),
            f"myreminder1:{name}",
            lines(words, settings),
            many=name == "steps",
        )
        for name, lines in (("way", panel.ways), ("steps", panel.steps), ("every", panel.intervals))
    ]
    hours = HoursButton.labelled(words("button.quiet"), "myquiet1")
    turn = PageButton.labelled(words("button.pictures"), "mypage1:pictures")
    return panel.reminders_page(interaction.client, settings, menus, hours, turn)


def _picture(what: str, value: str) -> dict[str, Any]:
    """Give what a choice about pictures changes."""
    match what:
        case "theme":
            return {"theme": Theme(value)}
        case "facing":
            return {"facing": Facing(value)}
        case _:
            return {"large": value == panel.LARGE}


def _reminder(what: str, chosen: tuple[str, ...]) -> dict[str, Any]:
    """Give what a choice about reminders changes."""
    match what:
        case "way":
            return {"way": Way(chosen[0])}
        case "every":
            return {"every": int(chosen[0])}
        case _:
            return {"shares": _numbers("s", chosen), "hours": _numbers("h", chosen)}


def _numbers(kind: str, chosen: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(int(value[1:]) for value in chosen if value.startswith(kind))


async def _complete_zone(_interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    known = await asyncio.to_thread(zones)
    sought = current.strip().replace(" ", "_").casefold()
    fitting = [name for name in known if sought in name.casefold()]
    fitting.sort(key=lambda name: not name.casefold().rpartition("/")[2].startswith(sought))
    return [choice(name.replace("_", " "), name) for name in fitting]
