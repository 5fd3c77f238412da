"""What somebody follows, listed in private, and the ways to follow it no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot import people
from bot.answers import within
from bot.lists import fitted
from bot.matching import public_label
from bot.menus import Menu, option
from bot.posts import Post
from bot.presses import Press, row
from bot.turns import url
from matches import MatchId

if TYPE_CHECKING:
    from bot.client import Interaction
    from matches import Followed
    from words import Words


class LeaveButton(Press, template=r"leave1:(?P<match>\d{1,12})"):
    """Stands under what followers are told; ends that."""

    @classmethod
    def of(cls, words: Words, match: MatchId) -> Self:
        """Make the button for a match."""
        return cls.labelled(words("button.unwatch"), f"leave1:{match}")

    async def pressed(self, interaction: Interaction) -> None:
        """Follow the match no longer."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        await client.matches.following.leave(match, people.account(interaction.user), now=client.now())
        async with within(interaction):
            await interaction.response.send_message(client.words("follow.left", match=match), ephemeral=True)


class LeaveMenu(Menu, template=r"leaves1"):
    """Lists what somebody follows; what is chosen is followed no longer."""

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Leave those matches, and show what remains."""
        client, account = interaction.client, people.account(interaction.user)
        for value in chosen:
            await client.matches.following.leave(MatchId(int(value)), account, now=client.now())
        remaining = followed_post(client.words, await client.matches.following.followed(account))
        async with within(interaction):
            await interaction.response.edit_message(**remaining.edit())


class FollowedButton(Press, template=r"digest1:(?P<announcement>\d+)"):
    """Stands under a digest; lists what its reader follows."""

    async def pressed(self, interaction: Interaction) -> None:
        """Answer with the list."""
        await show(interaction)


async def show(interaction: Interaction) -> None:
    """Answer in private with what the person follows."""
    client = interaction.client
    followed = await client.matches.following.followed(people.account(interaction.user))
    async with within(interaction):
        await interaction.response.send_message(
            ephemeral=True, suppress_embeds=True, **followed_post(client.words, followed).new()
        )


def followed_post(words: Words, followed: tuple[Followed, ...]) -> Post:
    """Give the list, with a menu to leave."""
    if not followed:
        return Post(words("follow.none"))
    lines = [
        words(
            "follow.line",
            match=one.match.id,
            game=words(f"game.{one.match.game}.name"),
            first=people.called(one.match.seats[0].person),
            second=people.called(one.match.seats[1].person),
            url=url(one.match),
            interest=words(f"follow.{one.interest}"),
        )
        for one in followed
    ]
    options = [option(public_label(words, one.match), str(one.match.id)) for one in followed]
    menu = LeaveMenu.listing(words("follow.leave_hint"), "leaves1", options, many=True)
    text = fitted(words, words("follow.heading"), lines, "follow.more")
    return Post(text, buttons=lambda: row(menu))
