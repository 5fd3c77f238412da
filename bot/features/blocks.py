"""Blocks between users, and exclusion of users from the matches of a guild."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.feature import Feature
from bot.posts.post import Page, Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.commands import CommandField, define_command
from bot.ui.interactions import reply_ephemeral

if TYPE_CHECKING:
    from bot.context import Interaction

PAGE_SIZE = 12  # names on a page; the longest still fit into a message


def _person_field(name: str) -> CommandField:
    return CommandField("person", f"command.{name}.person", discord.User, required=True)


async def block(interaction: Interaction, person: discord.User | None) -> None:
    """Block a user; without `person`, list the blocked users in an ephemeral response."""
    if person is None:
        await send_private(interaction, await _build_blocked_page(interaction, 0))
        return
    client, who = interaction.client, ids.to_person(interaction.user)
    texts, target = client.texts, ids.to_person(person)
    is_new = await client.matches.people.blocks.block(who, target, now=client.now())
    await reply_ephemeral(interaction, texts("block.done" if is_new else "block.known", name=target))


class BlockedPageButton(PersistentButton, template=r"blocked1:(?P<page>\d{1,4})"):
    """Shows a page of the blocked users, freshly loaded."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        await replace_message(interaction, await _build_blocked_page(interaction, int(self.values["page"])))


async def _build_blocked_page(interaction: Interaction, page: int) -> Post:
    client, texts = interaction.client, interaction.client.texts
    who = ids.to_person(interaction.user)
    blocked = await client.matches.people.blocks.list_blocked(who, now=client.now())
    if not blocked:
        return Post(texts("block.nobody"))
    listed = Page.cut(blocked, page, PAGE_SIZE)
    lines = [texts("block.list", names=texts.join(listed.shown)), *listed.format_number(texts)]
    buttons = [BlockedPageButton.create(texts(key), f"blocked1:{to}") for key, to in listed.steps()]
    return Post(texts.join(lines, "list.lines"), None, (lambda: view_of(*buttons)) if buttons else None)


async def unblock(interaction: Interaction, person: discord.User) -> None:
    """Remove a block."""
    client, target = interaction.client, ids.to_person(person)
    is_new = await client.matches.people.blocks.unblock(
        ids.to_person(interaction.user), target, now=client.now()
    )
    key = "block.undone" if is_new else "block.none"
    await reply_ephemeral(interaction, client.texts(key, name=target))


async def exclude(interaction: Interaction, person: discord.User) -> None:
    """Exclude a user from the matches of this guild."""
    client, target = interaction.client, ids.to_person(person)
    server, by = ids.stored_id(interaction.guild_id or 0), ids.to_person(interaction.user)
    is_new = await client.matches.people.blocks.exclude(server, target, by, now=client.now())
    key = "exclude.done" if is_new else "exclude.known"
    await reply_ephemeral(interaction, client.texts(key, name=target))


async def readmit(interaction: Interaction, person: discord.User) -> None:
    """End the exclusion of a user."""
    client, target = interaction.client, ids.to_person(person)
    server = ids.stored_id(interaction.guild_id or 0)
    is_new = await client.matches.people.blocks.readmit(server, target, now=client.now())
    key = "exclude.undone" if is_new else "exclude.none"
    await reply_ephemeral(interaction, client.texts(key, name=target))


FEATURE = Feature(
    commands=(
        define_command("block", block, CommandField("person", "command.block.person", discord.User)),
        define_command("unblock", unblock, _person_field("unblock")),
        define_command("exclude", exclude, _person_field("exclude"), managers_only=True),
        define_command("readmit", readmit, _person_field("readmit"), managers_only=True),
    ),
    items=(BlockedPageButton,),
)
