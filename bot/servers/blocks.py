"""Who keeps clear of whom: people who block each other, and people kept out of a server's matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot import people
from bot.answers import tell
from bot.commands import Field, command
from bot.parts import Part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from engine.game import Game
    from words import Words


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the commands."""
    return Part(
        commands=(
            command(words, "block", block, Field("person", "command.block.person", discord.User)),
            command(words, "unblock", unblock, _person("unblock")),
            command(words, "exclude", exclude, _person("exclude"), managers=True),
            command(words, "readmit", readmit, _person("readmit"), managers=True),
        )
    )


def _person(name: str) -> Field:
    return Field("person", f"command.{name}.person", discord.User, required=True)


async def block(interaction: Interaction, person: discord.User | None) -> None:
    """Block somebody, or list in private whom one has blocked."""
    client, who = interaction.client, people.person(interaction.user)
    words = client.words
    if person is None:
        found = await client.matches.blocks.blocked(who, now=client.now())
        names = words.listed([people.called(one) for one in found])
        await tell(interaction, words("block.list", names=names) if found else words("block.nobody"))
        return
    other = people.person(person)
    news = await client.matches.blocks.block(who, other, now=client.now())
    await tell(interaction, words("block.done" if news else "block.known", name=people.called(other)))


async def unblock(interaction: Interaction, person: discord.User) -> None:
    """Take a block back."""
    client, other = interaction.client, people.person(person)
    news = await client.matches.blocks.unblock(people.person(interaction.user), other, now=client.now())
    key = "block.undone" if news else "block.none"
    await tell(interaction, client.words(key, name=people.called(other)))


async def exclude(interaction: Interaction, person: discord.User) -> None:
    """Keep somebody out of the matches of this server."""
    client, other = interaction.client, people.person(person)
    server, by = people.place(interaction.guild_id or 0), people.person(interaction.user)
    news = await client.matches.blocks.keep_out(server, other, by, now=client.now())
    key = "exclude.done" if news else "exclude.known"
    await tell(interaction, client.words(key, name=people.called(other)))


async def readmit(interaction: Interaction, person: discord.User) -> None:
    """Let somebody in again."""
    client, other = interaction.client, people.person(person)
    server = people.place(interaction.guild_id or 0)
    news = await client.matches.blocks.let_in(server, other, now=client.now())
    key = "exclude.undone" if news else "exclude.none"
    await tell(interaction, client.words(key, name=people.called(other)))
