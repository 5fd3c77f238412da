"""Blocks between users, and exclusion of users from the matches of a guild."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.feature import Feature
from bot.ui import ids
from bot.ui.commands import CommandField, create_command
from bot.ui.interactions import reply_ephemeral

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the commands."""
    return Feature(
        commands=(
            create_command(
                texts, "block", block, CommandField("person", "command.block.person", discord.User)
            ),
            create_command(texts, "unblock", unblock, _person_field("unblock")),
            create_command(texts, "exclude", exclude, _person_field("exclude"), managers_only=True),
            create_command(texts, "readmit", readmit, _person_field("readmit"), managers_only=True),
        )
    )


def _person_field(name: str) -> CommandField:
    return CommandField("person", f"command.{name}.person", discord.User, required=True)


async def block(interaction: Interaction, person: discord.User | None) -> None:
    """Block a user; without `person`, list the blocked users in an ephemeral response."""
    client, who = interaction.client, ids.to_person(interaction.user)
    texts = client.texts
    if person is None:
        blocked = await client.matches.people.blocks.list_blocked(who, now=client.now())
        names = texts.join(blocked)
        await reply_ephemeral(
            interaction, texts("block.list", names=names) if blocked else texts("block.nobody")
        )
        return
    target = ids.to_person(person)
    is_new = await client.matches.people.blocks.block(who, target, now=client.now())
    await reply_ephemeral(interaction, texts("block.done" if is_new else "block.known", name=target))


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
