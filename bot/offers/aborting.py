"""Giving a match up before both have moved; asked once more, as resigning is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import matching, people
from bot.answers import within
from bot.delivery import deliver
from bot.posts import Post
from bot.presses import Press, Style, row
from matches import MatchId, MatchOver, MatchState, NotInMatch, TooLateToAbort

if TYPE_CHECKING:
    from bot.client import Interaction


async def ask(interaction: Interaction, match: str | None) -> None:
    """Ask once, in private, whether the match is to be given up."""
    client, account = interaction.client, people.account(interaction.user)
    view = await client.matches.view(await matching.own(interaction, match), now=client.now())
    other = view.opponent(account)
    if other is None:
        raise NotInMatch(match=view.id)
    if view.state is MatchState.OVER:
        raise MatchOver(match=view.id)
    if any(move.turn > 1 for move in view.run or view.last):
        raise TooLateToAbort(match=view.id)
    words = client.words
    yes = AbortButton.labelled(words("button.abort"), f"abort1:{view.id}", Style.danger)
    no = KeepButton.labelled(words("button.go_on"), f"keep1:{view.id}")
    async with within(interaction):
        await interaction.response.send_message(
            words("abort.ask", match=view.id, other=people.called(other.person)),
            view=row(yes, no),
            ephemeral=True,
        )


class AbortButton(Press, template=r"abort1:(?P<match>\d+)"):
    """Gives a match up."""

    async def pressed(self, interaction: Interaction) -> None:
        """Give it up, and tell it where the match is played."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        turn = await client.matches.offers.abort(match, people.person(interaction.user), now=client.now())
        await deliver(interaction, turn, Post(client.words("abort.done", match=match)))


class KeepButton(Press, template=r"keep1:(?P<match>\d+)"):
    """Closes the question whether to give it up."""

    async def pressed(self, interaction: Interaction) -> None:
        """Take the buttons away; nothing has happened."""
        closing = Post(interaction.client.words("abort.kept", match=self.values["match"]))
        async with within(interaction):
            await interaction.response.edit_message(**closing.edit())
