"""Resigning, and the answers under offers that were posted before offers had numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import matching, people
from bot.answers import need_permissions, within
from bot.commands import command
from bot.delivery import deliver
from bot.parts import Part
from bot.posts import Post
from bot.presses import Press, Style, row
from matches import MatchId, MatchOver, MatchState, NotInMatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from engine.game import Game
    from matches import MatchView, Person
    from words import Words


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the commands and the buttons."""
    return Part(
        commands=(command(words, "resign", ask, matching.field("resign")),),
        items=(ResignButton, StayButton, AgreeButton, DisagreeButton),
    )


async def ask(interaction: Interaction, match: str | None) -> None:
    """Ask once, in private, whether the person really gives up."""
    view, other = await going_on(interaction, match)
    words = interaction.client.words
    yes = ResignButton.labelled(words("button.resign"), f"resign1:{view.id}", Style.danger)
    await asked_once(interaction, view, words("resign.ask", match=view.id, other=people.called(other)), yes)


async def going_on(interaction: Interaction, match: str | None) -> tuple[MatchView, Person]:
    """Give the match that is meant, and the person across. Raises what forbids to end it, and Refusal."""
    client = interaction.client
    view = await client.matches.view(await matching.own(interaction, match), now=client.now())
    other = view.opponent(people.account(interaction.user))
    if other is None:
        raise NotInMatch(match=view.id)
    if view.state is MatchState.OVER:
        raise MatchOver(match=view.id)
    return view, other.person


async def asked_once(interaction: Interaction, view: MatchView, question: str, yes: Press) -> None:
    """Ask in private whether a match is to be ended, by the button `yes`, or played on."""
    no = StayButton.labelled(interaction.client.words("button.stay"), f"stay1:{view.id}")
    async with within(interaction):
        await interaction.response.send_message(question, view=row(yes, no), ephemeral=True)


class ResignButton(Press, template=r"resign1:(?P<match>\d+)"):
    """Gives a match up."""

    async def pressed(self, interaction: Interaction) -> None:
        """Resign, and tell it where the match is played."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        turn = await client.matches.resign(match, people.person(interaction.user), now=client.now())
        await deliver(interaction, turn, Post(client.words("resign.done", match=match)))


class StayButton(Press, template=r"stay1:(?P<match>\d+)"):
    """Closes the question whether to end a match."""

    async def pressed(self, interaction: Interaction) -> None:
        """Take the buttons away; nothing has happened."""
        closing = Post(interaction.client.words("resign.stayed", match=self.values["match"]))
        async with within(interaction):
            await interaction.response.edit_message(**closing.edit())


class AgreeButton(Press, template=r"agree1:(?P<match>\d+):(?P<ply>\d+)"):
    """Accepts the old offer to end that it stands under."""

    async def pressed(self, interaction: Interaction) -> None:
        """End the match."""
        await _answer(self, interaction, accept=True)


class DisagreeButton(Press, template=r"disagree1:(?P<match>\d+):(?P<ply>\d+)"):
    """Declines the old offer to end that it stands under."""

    async def pressed(self, interaction: Interaction) -> None:
        """Go on."""
        await _answer(self, interaction, accept=False)


async def _answer(button: Press, interaction: Interaction, *, accept: bool) -> None:
    need_permissions(interaction)
    client, match, ply = interaction.client, MatchId(int(button.values["match"])), int(button.values["ply"])
    who = people.person(interaction.user)
    turn = await client.matches.answer_end(match, who, accept=accept, seen_ply=ply, now=client.now())
    await deliver(interaction, turn)
