"""Pictures and reminders on the preferences panel: their texts and the options of their selects."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import render
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.ui.buttons import view_of
from bot.ui.game_argument import default_game
from bot.ui.selects import PersistentSelect, select_option
from matches import BoardOrientation, PictureTheme, ReminderChannel, local_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime, time

    import discord

    from bot.context import BotClient
    from engine.game import Game
    from i18n import Texts
    from matches import Preferences

SHARES = (50, 25, 10)
HOURS = (72, 24, 12, 6, 3, 1)
DAYS = (0, 1, 2, 3, 7)
NORMAL, LARGE = "normal", "large"
PICTURE, WORDS = "picture", "words"


async def build_pictures_post(
    client: BotClient,
    preferences: Preferences,
    menus: Iterable[PersistentSelect],
    *page_buttons: discord.ui.Item[Any],
) -> Post:
    """Return the page about pictures, with a sample of the current settings."""
    texts = client.texts
    picture = await asyncio.to_thread(_render_sample, texts, client.games, preferences)
    text = texts(
        "preferences.pictures",
        theme=texts(f"preferences.theme.{preferences.theme}"),
        orientation=texts(f"preferences.orientation.{preferences.orientation}"),
        size=texts(f"preferences.size.{size_name(preferences)}"),
        words=texts(f"preferences.words.{words_name(preferences)}"),
    )
    return Post(text, picture, lambda: view_of(*menus, *page_buttons))


def _render_sample(texts: Texts, games: Mapping[str, Game], preferences: Preferences) -> Picture:
    """Render the initial position of the default game."""
    scene = render.build_scene(
        default_game(games).initial_position(), pictures.build_render_options(texts, preferences)
    )
    return Picture(render.to_png(scene), texts.plain("preferences.sample", diagram=render.to_text(scene)))


def build_reminders_post(
    client: BotClient,
    preferences: Preferences,
    menus: Iterable[PersistentSelect],
    *buttons: discord.ui.Item[Any],
) -> Post:
    """Return the page about reminders."""
    texts = client.texts
    steps = [format_step(texts, value) for value in selected_steps(preferences)]
    text = texts(
        "preferences.reminders",
        channel=texts(f"preferences.reminder_channel.{preferences.reminder_channel}"),
        steps=texts.join(steps) if steps else texts("preferences.no_steps"),
        repeats=format_repeats(texts, preferences.repeat_days),
        quiet=format_quiet_setting(texts, preferences),
        zone=preferences.zone,
        time=_format_time(texts, local_time(preferences.zone, client.now())),
    )
    return Post(text, None, lambda: view_of(*menus, *buttons))


def size_name(preferences: Preferences) -> str:
    """Return the name of the text size in pictures."""
    return LARGE if preferences.large else NORMAL


def words_name(preferences: Preferences) -> str:
    """Return the name of the setting whether boards are described in words."""
    return WORDS if preferences.boards_as_text else PICTURE


def format_quiet_setting(texts: Texts, preferences: Preferences) -> str:
    """Return the quiet hours as text."""
    spans = [
        texts(
            "preferences.quiet_hours", start=_format_time(texts, one.start), end=_format_time(texts, one.end)
        )
        for one in preferences.quiet
    ]
    return texts.join(spans) if spans else texts("preferences.no_quiet")


def _format_time(texts: Texts, at: datetime | time) -> str:
    return texts("moment.time", hour=f"{at.hour:02}", minute=f"{at.minute:02}")


def format_repeats(texts: Texts, days: int) -> str:
    """Return the interval of repeated reminders as text."""
    return texts("preferences.repeats", count=days) if days else texts("preferences.no_repeats")


def format_step(texts: Texts, step: str) -> str:
    """Return the time of one reminder (``s25`` or ``h6``) as text."""
    number = int(step[1:])
    return (
        texts("preferences.share", share=number)
        if step[0] == "s"
        else texts("preferences.hours", count=number)
    )


def selected_steps(preferences: Preferences) -> list[str]:
    """Return the selected reminder times as values of the select, earliest first."""
    shares, hours = sorted(preferences.shares, reverse=True), sorted(preferences.hours, reverse=True)
    return [*(f"s{share}" for share in shares), *(f"h{hour}" for hour in hours)]


def theme_options(texts: Texts, preferences: Preferences) -> list[discord.SelectOption]:
    """Return the options for the theme."""
    return _options(texts, "theme", PictureTheme, preferences.theme, has_about=True)


def orientation_options(texts: Texts, preferences: Preferences) -> list[discord.SelectOption]:
    """Return the options for the board's orientation."""
    return _options(texts, "orientation", BoardOrientation, preferences.orientation)


def size_options(texts: Texts, preferences: Preferences) -> list[discord.SelectOption]:
    """Return the options for the text size."""
    return _options(texts, "size", (NORMAL, LARGE), size_name(preferences))


def words_options(texts: Texts, preferences: Preferences) -> list[discord.SelectOption]:
    """Return the options for the description of boards in words."""
    return _options(texts, "words", (PICTURE, WORDS), words_name(preferences), has_about=True)


def channel_options(texts: Texts, preferences: Preferences) -> list[discord.SelectOption]:
    """Return the options for where reminders are sent."""
    return _options(texts, "reminder_channel", ReminderChannel, preferences.reminder_channel)


def _options(
    texts: Texts, name: str, values: Iterable[str], current: str, *, has_about: bool = False
) -> list[discord.SelectOption]:
    return [
        select_option(
            texts(f"preferences.{name}.{one}"),
            one,
            texts(f"preferences.{name}_about.{one}") if has_about else "",
            is_selected=one == current,
        )
        for one in values
    ]


def step_options(texts: Texts, preferences: Preferences) -> list[discord.SelectOption]:
    """Return the options for reminder times, including selected ones that are not on the default list."""
    selected = selected_steps(preferences)
    defaults = [*(f"s{share}" for share in SHARES), *(f"h{hours}" for hours in HOURS)]
    values = [*defaults, *(one for one in selected if one not in defaults)]
    return [select_option(format_step(texts, one), one, is_selected=one in selected) for one in values]


def repeat_options(texts: Texts, preferences: Preferences) -> list[discord.SelectOption]:
    """Return the options for the repeat interval."""
    values = DAYS if preferences.repeat_days in DAYS else (*DAYS, preferences.repeat_days)
    return [
        select_option(format_repeats(texts, days), str(days), is_selected=days == preferences.repeat_days)
        for days in values
    ]
