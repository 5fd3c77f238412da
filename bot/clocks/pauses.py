"""Pauses: the offer, its answers, and going on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot import matching, people
from bot.answers import need_permissions
from bot.delivery import deliver
from bot.presses import Press, Style
from matches import MatchId

if TYPE_CHECKING:
    from bot.client import Interaction
    from words import Words


async def pause(interaction: Interaction, match: str | None) -> None:
    """Offer a pause."""
    need_permissions(interaction)
    client, number = interaction.client, await matching.own(interaction, match)
    who = people.person(interaction.user)
    await deliver(interaction, await client.matches.clocks.offer_pause(number, who, now=client.now()))


async def resume(interaction: Interaction, match: str | None) -> None:
    """Have the clock go on."""
    await _resume(interaction, await matching.own(interaction, match))


class PauseButton(Press, template=r"pause1:(?P<match>\d+)"):
    """Accepts the offer that it stands under."""

    @classmethod
    def of(cls, words: Words, match: MatchId) -> Self:
        """Make the button."""
        return cls.labelled(words("button.pause"), f"pause1:{match}", Style.success)

    async def pressed(self, interaction: Interaction) -> None:
        """Stop the clock."""
        await _answer(self, interaction, accept=True)


class NoPauseButton(Press, template=r"nopause1:(?P<match>\d+)"):
    """Declines the offer that it stands under."""

    @classmethod
    def of(cls, words: Words, match: MatchId) -> Self:
        """Make the button."""
        return cls.labelled(words("button.no_pause"), f"nopause1:{match}")

    async def pressed(self, interaction: Interaction) -> None:
        """Let the clock run."""
        await _answer(self, interaction, accept=False)


class ResumeButton(Press, template=r"resume1:(?P<match>\d+)"):
    """Ends the pause that its post tells of."""

    @classmethod
    def of(cls, words: Words, match: MatchId) -> Self:
        """Make the button."""
        return cls.labelled(words("button.resume"), f"resume1:{match}", Style.primary)

    async def pressed(self, interaction: Interaction) -> None:
        """Have the clock go on."""
        await _resume(interaction, MatchId(int(self.values["match"])))


async def _answer(button: Press, interaction: Interaction, *, accept: bool) -> None:
    need_permissions(interaction)
    client, match = interaction.client, MatchId(int(button.values["match"]))
    who = people.person(interaction.user)
    turn = await client.matches.clocks.answer_pause(match, who, accept=accept, now=client.now())
    await deliver(interaction, turn)


async def _resume(interaction: Interaction, match: MatchId) -> None:
    need_permissions(interaction)
    client, who = interaction.client, people.person(interaction.user)
    await deliver(interaction, await client.matches.clocks.resume(match, who, now=client.now()))
