"""Giving a match up before both have moved; asked once more, as resigning is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import people
from bot.delivery import deliver
from bot.endings import asked_once, going_on
from bot.posts import Post
from bot.presses import Press, Style
from matches import MatchId, TooLateToAbort

if TYPE_CHECKING:
    from bot.client import Interaction


async def ask(interaction: Interaction, match: str | None) -> None:
    """Ask once, in private, whether the match is to be given up."""
    view, other = await going_on(interaction, match)
    if any(move.turn > 1 for move in view.run or view.last):
        raise TooLateToAbort(match=view.id)
    words = interaction.client.words
    yes = AbortButton.labelled(words("button.abort"), f"abort1:{view.id}", Style.danger)
    await asked_once(interaction, view, words("abort.ask", match=view.id, other=people.called(other)), yes)


class AbortButton(Press, template=r"abort1:(?P<match>\d+)"):
    """Gives a match up."""

    async def pressed(self, interaction: Interaction) -> None:
        """Give it up, and tell it where the match is played."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        turn = await client.matches.offers.abort(match, people.person(interaction.user), now=client.now())
        await deliver(interaction, turn, Post(client.words("abort.done", match=match)))
