"""``/watch`` and ``/unwatch``."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import discord
from discord.utils import escape_markdown

from bot import matching, people, where
from bot.answers import take, within
from bot.commands import Field, choice, command
from bot.following import lists
from bot.following.lists import FollowedButton, LeaveButton, LeaveMenu
from bot.parts import Part
from bot.posts import Post
from bot.presses import row
from bot.private import conversation, is_closed
from bot.refusals import Refusal
from matches import Interest, MatchUnknown, NotFollowed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from discord import app_commands

    from bot.client import Interaction
    from engine.game import Game
    from matches import MatchId, MatchSummary
    from words import Words


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the commands, the buttons and the menu."""
    watch = command(
        words,
        "watch",
        follow,
        Field("match", "command.watch.match", complete=_complete_match),
        Field("interest", "command.watch.interest", complete=_complete_interest),
    )
    unwatch = command(
        words,
        "unwatch",
        leave,
        Field("match", "command.unwatch.match", complete=_complete_followed),
        anywhere=True,
    )
    return Part(commands=(watch, unwatch), items=(LeaveButton, LeaveMenu, FollowedButton))


async def follow(interaction: Interaction, match: str | None, interest: str | None) -> None:
    """Follow a match; the first direct message says so, and shows that they arrive."""
    client, words = interaction.client, interaction.client.words
    asked = Interest.TURNS if interest is None else _interest(words, interest)
    number, who = await _meant(interaction, match), people.person(interaction.user)
    await client.matches.following.follow(number, who, asked, now=client.now())
    take(interaction)
    told = words("follow.told", match=number, interest=words(f"follow.{asked}"))
    await _greet(interaction, number, told)
    async with within(interaction):
        await interaction.response.send_message(
            words("follow.done", match=number, interest=words(f"follow.{asked}")), ephemeral=True
        )


async def leave(interaction: Interaction, match: str | None) -> None:
    """Follow a match no longer, or list what is followed."""
    if match is None:
        await lists.show(interaction)
        return
    client, number = interaction.client, matching.number(match)
    await client.matches.following.leave(number, people.account(interaction.user), now=client.now())
    async with within(interaction):
        await interaction.response.send_message(client.words("follow.left", match=number), ephemeral=True)


async def _greet(interaction: Interaction, match: MatchId, told: str) -> None:
    """Write to the person. Raises Refusal, and has them follow nothing, where they take no messages."""
    client, account = interaction.client, people.account(interaction.user)
    button = LeaveButton.of(client.words, match)
    try:
        async with within(interaction):
            channel = await conversation(client, account)
            await channel.send(**Post(told, buttons=lambda: row(button)).new())
    except discord.HTTPException as error:
        if not is_closed(error):
            raise
        with suppress(NotFollowed):
            await client.matches.following.leave(match, account, now=client.now())
        raise Refusal("messages_closed", match=match) from error


async def _meant(interaction: Interaction, named: str | None) -> MatchId:
    """Give the match that was named, or the only one that goes on here. Raises Refusal, MatchUnknown."""
    if named is not None:
        number = matching.number(named)
        view = await interaction.client.matches.view(number, now=interaction.client.now())
        if not where.may_look(interaction, view):
            raise MatchUnknown(match=number)
        return number
    found = await matching.under_way_here(interaction)
    if not found:
        raise Refusal("nothing_to_watch")
    return matching.only_public(interaction, found)


def _interest(words: Words, typed: str) -> Interest:
    """Read when to be told, by its name or its value. Raises Refusal."""
    for one in Interest:
        if typed.strip().casefold() in {one.value, words(f"follow.{one}").casefold()}:
            return one
    ways = words.listed([words(f"follow.{one}") for one in Interest], "list.or")
    raise Refusal("interest_unreadable", text=escape_markdown(typed[:100]), ways=ways)


async def _complete_interest(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    words = interaction.client.words
    labels = {words(f"follow.{one}"): one.value for one in Interest}
    return [choice(label, value) for label, value in labels.items() if current.casefold() in label.casefold()]


async def _complete_match(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    here = people.place(interaction.channel_id or 0)
    found = sorted(await matching.under_way(interaction), key=lambda one: one.place != here)
    return _choices(interaction, found, current)


async def _complete_followed(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client = interaction.client
    followed = await client.matches.following.followed(people.account(interaction.user))
    return _choices(interaction, (one.match for one in followed), current)


def _choices(
    interaction: Interaction, found: Iterable[MatchSummary], current: str
) -> list[app_commands.Choice[str]]:
    words, sought = interaction.client.words, current.strip().casefold()
    labels = {one.id: matching.public_label(words, one) for one in found}
    return [choice(label, str(match)) for match, label in labels.items() if sought in label.casefold()]
