"""``/watch`` and ``/unwatch``: following matches by direct message."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import discord

from bot.feature import Feature
from bot.features.following import followed_list
from bot.features.following.followed_list import (
    FollowedListButton,
    FollowedPageButton,
    UnfollowButton,
    UnfollowSelect,
)
from bot.outbox.direct_messages import is_dm_refused, open_dm_channel
from bot.posts.post import Post
from bot.posts.replies import ask
from bot.ui import access, ids, match_argument
from bot.ui.buttons import view_of
from bot.ui.commands import CommandField, complete_labels, define_command
from bot.ui.interactions import mark_committed, response_timeout
from i18n.match_names import format_match_name
from i18n.refusals import Formatted
from i18n.typed_values import find_value
from matches import FollowMode, NotFollowed, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from discord import app_commands

    from bot.context import Interaction
    from i18n import Texts
    from matches import MatchId, MatchSummary


async def follow(interaction: Interaction, match: str | None, interest: str | None) -> None:
    """Follow a match; a first direct message confirms that messages arrive."""
    client, texts = interaction.client, interaction.client.texts
    mode = FollowMode.TURNS if interest is None else _parse_mode(texts, interest)
    match_id, who = await _resolve_match(interaction, match), ids.to_person(interaction.user)
    await client.matches.people.following.follow(match_id, who, mode, now=client.now())
    mark_committed(interaction)
    name = format_match_name(texts, await client.matches.views.summary(match_id), who.account)
    text = texts("watch.direct", match_name=name, mode=texts(f"watch.{mode}"))
    await _confirm_by_message(interaction, match_id, name, text)
    await ask(interaction, texts("watch.done", match_name=name, mode=texts(f"watch.{mode}")))


async def unfollow(interaction: Interaction, match: str | None) -> None:
    """Stop following a match; without `match`, list the followed matches."""
    if match is None:
        await followed_list.show_followed(interaction)
        return
    await followed_list.unfollow(interaction, match_argument.parse_match_id(match))


async def _confirm_by_message(interaction: Interaction, match: MatchId, name: str, text: str) -> None:
    """Send a direct message. If the user accepts none, unfollow the match and raise Refusal."""
    client, account = interaction.client, ids.user_account(interaction.user)
    button = UnfollowButton.of(client.texts, match)
    try:
        async with response_timeout(interaction):
            channel = await open_dm_channel(client, account)
            await channel.send(**Post(text, buttons=lambda: view_of(button)).send_arguments())
    except discord.HTTPException as error:
        if not is_dm_refused(error):
            raise
        with suppress(NotFollowed):
            await client.matches.people.following.unfollow(match, account, now=client.now())
        raise Refusal("messages_closed", match_name=Formatted(name)) from error


async def _resolve_match(interaction: Interaction, argument: str | None) -> MatchId:
    """Return the match that was given, or the only ongoing one here. Raises Refusal, MatchUnknown."""
    if argument is not None:
        match_id = match_argument.parse_match_id(argument)
        view = await interaction.client.matches.view(match_id, now=interaction.client.now())
        await access.require_visible(interaction, view)
        return match_id
    summaries = await match_argument.list_ongoing_here(interaction)
    if not summaries:
        raise Refusal("nothing_to_watch")
    return match_argument.require_single(interaction, summaries)


def _parse_mode(texts: Texts, text: str) -> FollowMode:
    """Return the follow mode with this name or value. Raises Refusal."""
    mode = find_value(_mode_labels(texts), text)
    if mode is None:
        raise Refusal("follow_mode_unreadable", text=text, modes=tuple(FollowMode))
    return FollowMode(mode)


async def _complete_interest(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return complete_labels(_mode_labels(interaction.client.texts), current)


def _mode_labels(texts: Texts) -> list[tuple[str, str]]:
    return [(texts(f"watch.{one}"), one.value) for one in FollowMode]


async def _complete_match(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    here = ids.stored_id(interaction.channel_id or 0)
    summaries = sorted(await match_argument.list_ongoing(interaction), key=lambda one: one.channel != here)
    return _match_choices(interaction, summaries, current)


async def _complete_followed(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    followed, _ = await followed_list.load_followed(interaction)
    return _match_choices(interaction, (one.match for one in followed), current)


def _match_choices(
    interaction: Interaction, summaries: Iterable[MatchSummary], current: str
) -> list[app_commands.Choice[str]]:
    texts = interaction.client.texts
    return complete_labels(((format_match_name(texts.plain, one), one.id) for one in summaries), current)


FEATURE = Feature(
    commands=(
        define_command(
            "watch",
            follow,
            CommandField("match", "command.watch.match", completer=_complete_match),
            CommandField("interest", "command.watch.interest", completer=_complete_interest),
        ),
        define_command(
            "unwatch",
            unfollow,
            CommandField("match", "command.unwatch.match", completer=_complete_followed),
            anywhere=True,
        ),
    ),
    items=(UnfollowButton, UnfollowSelect, FollowedListButton, FollowedPageButton),
)
