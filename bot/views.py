"""The button that shows a board in private, from one's own side; every post of a match carries it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot import people
from bot.answers import within
from bot.presses import Press
from bot.refusals import Refusal
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
    """Shows the board of its post, in private."""

    @classmethod
    def of(cls, words: Words, view: MatchView, announcement: Announcement | None) -> Self:
        """Make the button under a post about `view`."""
        return cls.labelled(words("button.view"), mark(view.id, view.stamp, announcement))

    async def pressed(self, interaction: Interaction) -> None:
        """Answer with the board."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        view = await client.matches.view(match, stamp=int(self.values["stamp"]), now=client.now())
        await show(interaction, view)


async def show(interaction: Interaction, view: MatchView, side: Side | None = None) -> None:
    """Answer in private with a match, seen from `side`, or from the person's own."""
    if interaction.guild_id is None or view.server != people.place(interaction.guild_id):
        raise Refusal("match_unknown", match=view.id)
    account = people.account(interaction.user)
    seat = view.seat(account)
    if side is None and seat is not None:
        side = seat.side
    post = await interaction.client.desk.look(view, account, side)
    async with within(interaction):
        await interaction.response.send_message(**post.new(), ephemeral=True)
