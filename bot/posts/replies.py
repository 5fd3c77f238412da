"""Replies to a user: a post that only the user sees, or one in place of the message that was used."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from bot.posts.post import Post
from bot.ui import ids
from bot.ui.buttons import view_of
from bot.ui.interactions import require_permissions, response_timeout
from i18n.match_names import format_match_name

if TYPE_CHECKING:
    import discord

    from bot.context import Interaction
    from bot.ui.buttons import PersistentButton
    from matches import MatchView


UPLOAD_TIMEOUT = 60.0  # seconds to upload the result of a deferred response


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


async def defer_response(interaction: Interaction, *, public: bool) -> None:
    """Defer the response; :func:`finish_response` completes it."""
    if public:
        require_permissions(interaction)
    async with response_timeout(interaction):
        await interaction.response.defer(ephemeral=not public, thinking=True)


async def finish_response(interaction: Interaction, post: Post) -> None:
    """Complete a deferred response."""
    async with asyncio.timeout(UPLOAD_TIMEOUT):
        await interaction.edit_original_response(**post.edit_arguments())


async def ask_to_withdraw(interaction: Interaction, view: MatchView, button: PersistentButton) -> None:
    """Tell the user that their offer is still open, with the button that withdraws it."""
    texts = interaction.client.texts
    name = format_match_name(texts, view, ids.user_account(interaction.user))
    await ask(interaction, texts("offer.open", match_name=name), button)


def closed_question(interaction: Interaction) -> Post | None:
    """Return what replaces the private message of :func:`ask_to_withdraw`; None on a public post."""
    message = interaction.message
    is_private = message is not None and message.flags.ephemeral
    return Post(interaction.client.texts("offer.withdrawn")) if is_private else None
