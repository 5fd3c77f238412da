"""Commands in the context menus of users and messages: their names come from the catalogue."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.ui.interactions import handle_interaction

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bot.context import Interaction
    from i18n import Texts

# discord.py reads the kind of a menu from the annotation of the second parameter of its callback.
AnyUser = discord.Member | discord.User


def create_user_menu(
    texts: Texts, key: str, handler: Callable[[Interaction, AnyUser], Awaitable[None]]
) -> app_commands.ContextMenu:
    """Return a command in the menu of a user; its name is the text ``menu.KEY``."""

    async def callback(interaction: Interaction, user: AnyUser) -> None:
        await handle_interaction(interaction, lambda: handler(interaction, user))

    return app_commands.ContextMenu(name=texts(f"menu.{key}"), callback=callback, auto_locale_strings=False)


def create_message_menu(
    texts: Texts, key: str, handler: Callable[[Interaction, discord.Message], Awaitable[None]]
) -> app_commands.ContextMenu:
    """Return a command in the menu of a message; its name is the text ``menu.KEY``."""

    async def callback(interaction: Interaction, message: discord.Message) -> None:
        await handle_interaction(interaction, lambda: handler(interaction, message))

    return app_commands.ContextMenu(name=texts(f"menu.{key}"), callback=callback, auto_locale_strings=False)
