"""Pictures and notices on the preferences panel: their texts and the options of their selects."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import render
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.ui.buttons import view_of
from bot.ui.game_argument import default_game
from bot.ui.selects import PersistentSelect, select_option
from i18n.notices import describe_lack, format_ways
from i18n.reminders import (
    format_quiet_setting,
    format_repeats,
    format_step,
    possible_steps,
    selected_steps,
)
from i18n.translations import list_languages
from i18n.writing import TimeOfDay
from matches import SHOWN_DAYS, BoardOrientation, NoticeKind, PictureTheme, local_time, possible_ways

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import discord

    from bot.context import BotClient
    from engine.game import Game
    from i18n import Texts
    from matches import NoticeChoice, Preferences, Reach

NORMAL, LARGE = "normal", "large"
PICTURE, WORDS = "picture", "words"
ENDS, PLAYS_ON = "ends", "plays_on"
ALLOWED, REFUSED = "allowed", "refused"
AS_DISCORD = "server"


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


def build_notices_post(
    client: BotClient,
    choice: NoticeChoice,
    menus: Iterable[PersistentSelect],
    *buttons: discord.ui.Item[Any],
) -> Post:
    """Return the page about notices: how the person is told, and when they are reminded."""
    texts, preferences = client.texts, choice.preferences
    lines = [
        texts("notices.line", kind=texts(f"notices.kind.{kind}"), ways=format_ways(texts, choice.ways[kind]))
        for kind in NoticeKind
    ]
    steps = [format_step(texts, value) for value in selected_steps(preferences)]
    reminders = texts(
        "notices.reminders",
        steps=texts.join(steps) if steps else texts("preferences.no_steps"),
        repeats=format_repeats(texts, preferences.repeat_days),
        quiet=format_quiet_setting(texts, preferences),
        zone=preferences.zone,
        time=TimeOfDay(local_time(preferences.zone, client.now())),
    )
    told = texts("notices.panel", lines=texts.join(lines, "list.lines"))
    return Post(texts.join([told, reminders], "list.lines"), None, lambda: view_of(*menus, *buttons))


def kind_options(texts: Texts, chosen: NoticeKind) -> list[discord.SelectOption]:
    """Return the options for what to be told about."""
    return [
        select_option(
            texts(f"notices.kind.{kind}"),
            kind,
            texts(f"notices.about.{kind}"),
            is_selected=kind is chosen,
        )
        for kind in NoticeKind
    ]


def way_options(
    texts: Texts, kind: NoticeKind, choice: NoticeChoice, reach: Reach
) -> list[discord.SelectOption]:
    """Return the options for how to be told; one that the person lacks says what to do."""
    return [
        select_option(
            texts(f"notices.way.{way}"),
            way,
            "" if way in reach.ways else describe_lack(texts, way, reach),
            is_selected=way in choice.ways[kind],
        )
        for way in possible_ways(kind)
    ]


def size_name(preferences: Preferences) -> str:
    """Return the name of the text size in pictures."""
    return LARGE if preferences.large else NORMAL


def words_name(preferences: Preferences) -> str:
    """Return the name of the setting whether boards are described in words."""
    return WORDS if preferences.boards_as_text else PICTURE


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


def computer_name(preferences: Preferences) -> str:
    """Return the name of the setting how the computer ends games."""
    return PLAYS_ON if preferences.computer_plays_on else ENDS


def computer_options(texts: Texts, preferences: Preferences) -> list[discord.SelectOption]:
    """Return the options for how the computer ends games."""
    return _options(texts, "computer", (ENDS, PLAYS_ON), computer_name(preferences))


def puzzles_name(preferences: Preferences) -> str:
    """Return the name of the setting whether puzzles are made from the person's matches."""
    return ALLOWED if preferences.puzzles else REFUSED


def puzzles_options(texts: Texts, preferences: Preferences) -> list[discord.SelectOption]:
    """Return the options for whether puzzles are made from the person's matches."""
    return _options(texts, "puzzles", (ALLOWED, REFUSED), puzzles_name(preferences), has_about=True)


def language_options(texts: Texts, preferences: Preferences) -> list[discord.SelectOption]:
    """Return the options for the language of what only this user gets."""
    return [
        select_option(language_name(texts, one), one or AS_DISCORD, is_selected=one == preferences.language)
        for one in ("", *list_languages())
    ]


def language_name(texts: Texts, language: str) -> str:
    """Return the name of a language, in its own words; an empty one is that of their Discord."""
    return texts(f"language.{language}") if language else texts("preferences.language.discord")


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
    values = possible_steps(preferences)
    return [select_option(format_step(texts, one), one, is_selected=one in selected) for one in values]


def repeat_options(texts: Texts, preferences: Preferences) -> list[discord.SelectOption]:
    """Return the options for the repeat interval."""
    shown = SHOWN_DAYS if preferences.repeat_days in SHOWN_DAYS else (*SHOWN_DAYS, preferences.repeat_days)
    return [
        select_option(format_repeats(texts, days), str(days), is_selected=days == preferences.repeat_days)
        for days in shown
    ]
