"""The ephemeral list of the user's followed matches, and the components that unfollow them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from bot.posts.post import Page, Post
from bot.posts.replies import ask, replace_message, send_private
from bot.ui import ids
from bot.ui.access import MemberLookup
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.ids import latest_post_url
from bot.ui.selects import PersistentSelect, select_option
from i18n.announcements import describe_unfollowed
from i18n.match_names import format_match_name
from i18n.writing import Url
from matches import MatchId, NotFollowed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.context import BotClient, Interaction
    from i18n import Texts
    from matches import FollowedMatch

PAGE_SIZE = 6  # matches on a page; the longest lines of six fit into a message


class UnfollowButton(PersistentButton, template=r"leave1:(?P<match>\d{1,12})"):
    """A button in messages to followers: stops following the match."""

    @classmethod
    def of(cls, texts: Texts, match: MatchId) -> Self:
        """Create the button for a match."""
        return cls.create(texts("button.unwatch"), f"leave1:{match}")

    async def on_click(self, interaction: Interaction) -> None:
        """Stop following the match."""
        await unfollow(interaction, self.match)


class UnfollowSelect(PersistentSelect, template=r"leaves1"):
    """Lists the followed matches; the selected ones are unfollowed."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Unfollow the selected matches and show the rest."""
        client, account = interaction.client, ids.user_account(interaction.user)
        for value in selected:
            await client.matches.people.following.unfollow(MatchId(int(value)), account, now=client.now())
        remaining = build_followed_list_post(client.texts, (await load_followed(interaction))[0])
        await replace_message(interaction, remaining)


class FollowedPageButton(PersistentButton, template=r"followed1:(?P<page>\d{1,4})"):
    """Shows a page of the followed matches, freshly loaded."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        followed, _ = await load_followed(interaction)
        post = build_followed_list_post(interaction.client.texts, followed, int(self.values["page"]))
        await replace_message(interaction, post)


class FollowedListButton(PersistentButton, template=r"digest1:(?P<announcement>\d+)"):
    """A button in a digest: lists the followed matches."""

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the list."""
        await show_followed(interaction)


async def unfollow(interaction: Interaction, match: MatchId) -> None:
    """Stop following a match, and say so. Raises NotFollowed."""
    client, account = interaction.client, ids.user_account(interaction.user)
    await client.matches.people.following.unfollow(match, account, now=client.now())
    await ask(interaction, client.texts("watch.stopped", match=match))


async def show_followed(interaction: Interaction) -> None:
    """Respond with the user's followed matches; those that the user may not see any more are unfollowed."""
    client, account = interaction.client, ids.user_account(interaction.user)
    shown, hidden = await load_followed(interaction)
    ended = bool(hidden) and await unfollow_hidden(client, account, hidden)
    post = build_followed_list_post(client.texts, shown)
    if ended:
        post = replace(
            post, text=client.texts.join([describe_unfollowed(client.texts, hidden), post.text], "list.lines")
        )
    await send_private(interaction, post, suppress_embeds=True)


async def load_followed(interaction: Interaction) -> tuple[tuple[FollowedMatch, ...], list[MatchId]]:
    """Return the user's followed matches, and the ids of those that the user may not see any more."""
    client, account = interaction.client, ids.user_account(interaction.user)
    members = MemberLookup(client)
    shown: list[FollowedMatch] = []
    hidden: list[MatchId] = []
    for one in await client.matches.people.following.list_followed(account):
        if await members.can_see(account, one.match):
            shown.append(one)
        else:
            hidden.append(one.match.id)
    return tuple(shown), hidden


async def unfollow_hidden(client: BotClient, account: str, hidden: Sequence[MatchId]) -> bool:
    """Unfollow matches that an account may not see any more; return whether any was still followed."""
    count = 0
    for match in hidden:
        with suppress(NotFollowed):
            await client.matches.people.following.unfollow(match, account, now=client.now())
            count += 1
    return count > 0


def build_followed_list_post(texts: Texts, followed: tuple[FollowedMatch, ...], page: int = 0) -> Post:
    """Return a page of the list with a select to unfollow matches."""
    if not followed:
        return Post(texts("watch.none"))
    listed = Page.cut(followed, page, PAGE_SIZE)
    lines = [
        texts(
            "watch.line",
            match_name=format_match_name(texts, one.match),
            url=Url(latest_post_url(one.match)),
            mode=texts(f"watch.{one.mode}"),
        )
        for one in listed.shown
    ]
    options = [
        select_option(format_match_name(texts.plain, one.match), str(one.match.id)) for one in listed.shown
    ]
    menu = UnfollowSelect.create(texts("watch.stop_hint"), "leaves1", options, many=True)
    steps = [FollowedPageButton.create(texts(key), f"followed1:{to}") for key, to in listed.steps()]
    text = texts.join([texts("watch.heading"), *lines, *listed.format_number(texts)], "list.lines")
    return Post(text, buttons=lambda: view_of(menu, *steps))
