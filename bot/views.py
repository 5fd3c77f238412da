"""The button that shows a board in private, from one's own side; every post of a match carries it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot import looks, people
from bot.answers import within
from bot.presses import Press
from matches import MatchId

if TYPE_CHECKING:
    from bot.client import Interaction
    from engine.game import Side
    from matches import Announcement, MatchView
    from words import Words


def mark(match: MatchId, stamp: int, announcement: Announcement | None) -> str:
    """Give the custom_id that tells a post of an announcement from all others."""
    return f"view1:{match}:{stamp}:{0 if announcement is None else announcement.id}"


class ViewButton(Press, template=r"view1:(?P<match>\d+):(?P<stamp>\d+):(?P<announcement>\d+)"):
    """Shows the board of its post, in private, to whoever sees that post."""

    @classmethod
    def of(cls, words: Words, view: MatchView, announcement: Announcement | None) -> Self:
        """Make the button under a post about `view`."""
        return cls.labelled(words("button.view"), mark(view.id, view.stamp, announcement))

    async def pressed(self, interaction: Interaction) -> None:
        """Answer with the board."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        view = await client.matches.view(match, stamp=int(self.values["stamp"]), now=client.now())
        await show(interaction, view)


async def show(
    interaction: Interaction, view: MatchView, side: Side | None = None, *, text: bool = False
) -> None:
    """Answer in private with a match, seen from `side`, or as the person likes to; with `text` in words."""
    chosen, desk = await looks.chosen(interaction), interaction.client.desk
    account = people.account(interaction.user)
    seen = looks.seen(chosen, side or looks.own_side(chosen, view.seat(account)))
    post = await (desk.spoken if text else desk.look)(view, account, seen)
    async with within(interaction):
        await interaction.response.send_message(**post.new(), ephemeral=True)
