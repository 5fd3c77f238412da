"""The two pages of the panel: what each tells, and the menus that change it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import render
from bot import looks
from bot.menus import Menu, option
from bot.options import default_game
from bot.posts import Picture, Post
from bot.presses import row
from matches import Facing, Theme, Way, wall_clock, write_quiet

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import discord

    from bot.client import Rayuela
    from engine.game import Game
    from matches import Preferences
    from words import Words

SHARES = (50, 25, 10)
HOURS = (72, 24, 12, 6, 3, 1)
DAYS = (0, 1, 2, 3, 7)
NORMAL, LARGE = "normal", "large"


async def pictures_page(
    client: Rayuela, settings: Preferences, menus: Iterable[Menu], turn: discord.ui.Item[Any]
) -> Post:
    """Give the page about pictures, with a sample of how they look now."""
    words = client.words
    picture = await asyncio.to_thread(_sample, words, client.games, settings)
    text = words(
        "personal.pictures",
        theme=words(f"personal.theme.{settings.theme}"),
        facing=words(f"personal.facing.{settings.facing}"),
        size=words(f"personal.size.{size(settings)}"),
    )
    return Post(text, picture, lambda: row(*menus, turn))


def _sample(words: Words, games: Mapping[str, Game], settings: Preferences) -> Picture:
    """Paint the first board of the first game."""
    scene = render.scene(default_game(games).start(), looks.seen(settings))
    return Picture(render.png(scene), words("personal.sample", diagram=render.text(scene)))


def reminders_page(
    client: Rayuela, settings: Preferences, menus: Iterable[Menu], *buttons: discord.ui.Item[Any]
) -> Post:
    """Give the page about reminders."""
    words = client.words
    steps = [step(words, value) for value in chosen_steps(settings)]
    text = words(
        "personal.reminders",
        way=words(f"personal.way.{settings.way}"),
        steps=words.listed(steps) if steps else words("personal.no_steps"),
        repeats=repeats(words, settings.every),
        quiet=quiet(words, settings),
        zone=settings.zone,
        time=f"{wall_clock(settings.zone, client.now()):%H:%M}",
    )
    return Post(text, None, lambda: row(*menus, *buttons))


def size(settings: Preferences) -> str:
    """Give the name of the size of writing."""
    return LARGE if settings.large else NORMAL


def quiet(words: Words, settings: Preferences) -> str:
    """Tell the quiet hours."""
    return words("personal.no_quiet") if settings.quiet is None else write_quiet(settings.quiet)


def repeats(words: Words, days: int) -> str:
    """Tell how often a reminder is repeated."""
    return words("personal.repeats", count=days) if days else words("personal.no_repeats")


def step(words: Words, value: str) -> str:
    """Tell when one reminder comes, ``s25`` or ``h6``."""
    number = int(value[1:])
    return words("personal.share", share=number) if value[0] == "s" else words("personal.hours", count=number)


def chosen_steps(settings: Preferences) -> list[str]:
    """Give the steps that somebody has chosen, as the menu's values, the earliest first."""
    shares, hours = sorted(settings.shares, reverse=True), sorted(settings.hours, reverse=True)
    return [*(f"s{share}" for share in shares), *(f"h{hour}" for hour in hours)]


def themes(words: Words, settings: Preferences) -> list[discord.SelectOption]:
    """Give the lines of the menu of themes."""
    return [
        option(
            words(f"personal.theme.{one}"),
            one,
            words(f"personal.theme_about.{one}"),
            chosen=one is settings.theme,
        )
        for one in Theme
    ]


def facings(words: Words, settings: Preferences) -> list[discord.SelectOption]:
    """Give the lines of the menu of sides."""
    return [option(words(f"personal.facing.{one}"), one, chosen=one is settings.facing) for one in Facing]


def sizes(words: Words, settings: Preferences) -> list[discord.SelectOption]:
    """Give the lines of the menu of sizes."""
    return [
        option(words(f"personal.size.{one}"), one, chosen=one == size(settings)) for one in (NORMAL, LARGE)
    ]


def ways(words: Words, settings: Preferences) -> list[discord.SelectOption]:
    """Give the lines of the menu of ways to be reminded."""
    return [option(words(f"personal.way.{one}"), one, chosen=one is settings.way) for one in Way]


def steps(words: Words, settings: Preferences) -> list[discord.SelectOption]:
    """Give the lines of the menu of reminders, with those that are chosen though they are not usual."""
    present = chosen_steps(settings)
    usual = [*(f"s{share}" for share in SHARES), *(f"h{hours}" for hours in HOURS)]
    listed = [*usual, *(one for one in present if one not in usual)]
    return [option(step(words, one), one, chosen=one in present) for one in listed]


def intervals(words: Words, settings: Preferences) -> list[discord.SelectOption]:
    """Give the lines of the menu of repeats."""
    listed = DAYS if settings.every in DAYS else (*DAYS, settings.every)
    return [option(repeats(words, days), str(days), chosen=days == settings.every) for days in listed]
