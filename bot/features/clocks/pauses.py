"""Pauses: offering, answering and resuming."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot.outbox.responses import respond_with_update
from bot.posts.replies import ask_to_withdraw, closed_question
from bot.ui import ids, match_argument
from bot.ui.buttons import PersistentButton, Style
from bot.ui.interactions import leave_unusable_channel
from matches import MatchId, OfferPending

if TYPE_CHECKING:
    from bot.context import Interaction
    from i18n import Texts


ACCEPT, WITHDRAW = "pause", "withdrawpause"
ANSWERS = {ACCEPT: "pause", "nopause": "no_pause", WITHDRAW: "withdraw"}
"""The texts of the buttons of an offer, by the answer in their custom_ids."""


async def offer_pause(interaction: Interaction, match: str | None) -> None:
    """Offer a pause."""
    await leave_unusable_channel(interaction)
    client, match_id = interaction.client, await match_argument.resolve_own(interaction, match)
    who = ids.to_person(interaction.user)
    try:
        update = await client.matches.clocks.pauses.offer(match_id, who, now=client.now())
    except OfferPending:
        view = await client.matches.view(match_id, now=client.now())
        await ask_to_withdraw(interaction, view, PauseOfferButton.of(client.texts, match_id, WITHDRAW))
        return
    await respond_with_update(interaction, update)


async def resume(interaction: Interaction, match: str | None) -> None:
    """Restart a paused clock."""
    await _resume(interaction, await match_argument.resolve_own(interaction, match))


class PauseOfferButton(PersistentButton, template=r"(?P<answer>pause|nopause|withdrawpause)1:(?P<match>\d+)"):
    """Accepts, declines or withdraws the offer of its post; unless accepted, the clock keeps running."""

    @classmethod
    def of(cls, texts: Texts, match: MatchId, answer: str) -> Self:
        """Create the button for one of :data:`ANSWERS`."""
        style = Style.success if answer == ACCEPT else Style.secondary
        return cls.create(texts(f"button.{ANSWERS[answer]}"), f"{answer}1:{match}", style)

    async def on_click(self, interaction: Interaction) -> None:
        """Answer the offer."""
        await leave_unusable_channel(interaction)
        client, who, answer = interaction.client, ids.to_person(interaction.user), self.values["answer"]
        if answer == WITHDRAW:
            update = await client.matches.clocks.pauses.withdraw(self.match, who, now=client.now())
            await respond_with_update(interaction, update, closed_question(interaction))
            return
        accept = answer == ACCEPT
        update = await client.matches.clocks.pauses.answer(self.match, who, accept=accept, now=client.now())
        await respond_with_update(interaction, update)


class ResumeButton(PersistentButton, template=r"resume1:(?P<match>\d+)"):
    """Ends the pause announced in its post."""

    async def on_click(self, interaction: Interaction) -> None:
        """Restart the clock."""
        await _resume(interaction, self.match)


async def _resume(interaction: Interaction, match: MatchId) -> None:
    await leave_unusable_channel(interaction)
    client, who = interaction.client, ids.to_person(interaction.user)
    await respond_with_update(
        interaction, await client.matches.clocks.pauses.resume(match, who, now=client.now())
    )
