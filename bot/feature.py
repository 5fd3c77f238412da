"""What a part of the front end brings: commands, buttons, forms, and buttons under the latest board."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import discord
    from discord import app_commands

    from bot.client import Interaction, Rayuela
    from bot.features.replays.state import ReplayState
    from bot.ui.buttons import PersistentButton
    from engine.game import Game
    from i18n import Texts
    from matches import MatchView


@dataclass(frozen=True, slots=True)
class Feature:
    """One part; the client takes in all that :mod:`bot.app` lists.

    `items` are the buttons and menus that must work on messages of any age. `modal_handlers` answer modals,
    by the first word of their custom_id (see :mod:`bot.ui.modals`). `board_buttons` makes the buttons that
    stand under the latest board of a match that goes on, `result_buttons` those under one that is over,
    `private_buttons` those under a private look at any board, if they are of use to the account that looks,
    `replay_buttons` those under a page of a replay that one person sees. `periodic_tasks` are done again and
    again while the bot runs.
    """

    commands: tuple[app_commands.Command[Any, ..., Any], ...] = ()
    items: tuple[type[discord.ui.DynamicItem[Any]], ...] = ()
    modal_handlers: Mapping[str, Callable[[Interaction], Awaitable[None]]] = field(default_factory=dict)
    board_buttons: tuple[Callable[[Texts, MatchView], PersistentButton], ...] = ()
    result_buttons: tuple[Callable[[Texts, MatchView], PersistentButton], ...] = ()
    private_buttons: tuple[Callable[[Texts, MatchView, str], PersistentButton | None], ...] = ()
    replay_buttons: tuple[Callable[[Texts, ReplayState], PersistentButton], ...] = ()
    periodic_tasks: tuple[Callable[[Rayuela], Awaitable[None]], ...] = ()


FeatureFactory = Callable[["Texts", Mapping[str, "Game"]], Feature]
"""What a module of the front end gives to be taken in."""
