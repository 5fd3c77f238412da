"""Replies to a user: a post that only the user sees, or one in place of the message that was used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.posts.post import Post
from bot.ui.buttons import view_of
from bot.ui.interactions import response_timeout

if TYPE_CHECKING:
    import discord

    from bot.context import Interaction


async def ask(interaction: Interaction, text: str, *items: discord.ui.Item[Any]) -> None:
    """Respond with a text and components that only the user sees."""
    await send_private(interaction, Post(text, buttons=(lambda: view_of(*items)) if items else None))


async def send_private(interaction: Interaction, post: Post, *, suppress_embeds: bool = False) -> None:
    """Respond with a post that only the user sees."""
    async with response_timeout(interaction):
        await interaction.response.send_message(
            ephemeral=True, suppress_embeds=suppress_embeds, **post.send_arguments()
        )


async def replace_message(interaction: Interaction, post: Post) -> None:
    """Respond by replacing the message whose button or menu was used."""
    async with response_timeout(interaction):
        await interaction.response.edit_message(**post.edit_arguments())
