"""What a part of the front end brings: commands, buttons, forms, and buttons under the latest board."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import discord
    from discord import app_commands

    from bot.client import Interaction, Rayuela
    from bot.presses import Press
    from bot.replays.bookmark import Bookmark
    from engine.game import Game
    from matches import MatchView
    from words import Words


@dataclass(frozen=True, slots=True)
class Part:
    """One part; the client takes in all that :mod:`bot.app` lists.

    `items` are the buttons and menus that must work on messages of any age. `forms` answer modals, by
    the first word of their custom_id (see :mod:`bot.forms`). `on_board` makes the buttons that stand
    under the latest board of a match that goes on, `at_end` those under one that is over, `in_private` those
    under a private look at any board, if they are of use to the account that looks, `on_page` those under a
    page of a replay that one person sees. `rounds` are done again and again while the bot runs.
    """

    commands: tuple[app_commands.Command[Any, ..., Any], ...] = ()
    items: tuple[type[discord.ui.DynamicItem[Any]], ...] = ()
    forms: Mapping[str, Callable[[Interaction], Awaitable[None]]] = field(default_factory=dict)
    on_board: tuple[Callable[[Words, MatchView], Press], ...] = ()
    at_end: tuple[Callable[[Words, MatchView], Press], ...] = ()
    in_private: tuple[Callable[[Words, MatchView, str], Press | None], ...] = ()
    on_page: tuple[Callable[[Words, Bookmark], Press], ...] = ()
    rounds: tuple[Callable[[Rayuela], Awaitable[None]], ...] = ()


Maker = Callable[["Words", Mapping[str, "Game"]], Part]
"""What a module of the front end gives to be taken in."""
