"""Pauses: offering, answering and resuming."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot.features.offers.posts import ask_to_withdraw, closed_question
from bot.outbox.responses import respond_with_update
from bot.ui import ids, match_argument
from bot.ui.buttons import PersistentButton, Style
from bot.ui.interactions import leave_unusable_channel
from matches import MatchId, OfferPending

if TYPE_CHECKING:
    from bot.context import Interaction
    from i18n import Texts


async def offer_pause(interaction: Interaction, match: str | None) -> None:
    """Offer a pause."""
    await leave_unusable_channel(interaction)
    client, match_id = interaction.client, await match_argument.resolve_own(interaction, match)
    who = ids.to_person(interaction.user)
    try:
        update = await client.matches.clocks.pauses.offer(match_id, who, now=client.now())
    except OfferPending:
        view = await client.matches.view(match_id, now=client.now())
        await ask_to_withdraw(interaction, view, WithdrawPauseButton.of(client.texts, match_id))
        return
    await respond_with_update(interaction, update)


async def resume(interaction: Interaction, match: str | None) -> None:
    """Restart a paused clock."""
    await _resume(interaction, await match_argument.resolve_own(interaction, match))


class AcceptPauseButton(PersistentButton, template=r"pause1:(?P<match>\d+)"):
    """Accepts the pause offer of its post."""

    @classmethod
    def of(cls, texts: Texts, match: MatchId) -> Self:
        """Create the button."""
        return cls.create(texts("button.pause"), f"pause1:{match}", Style.success)

    async def on_click(self, interaction: Interaction) -> None:
        """Pause the clock."""
        await _answer_offer(self, interaction, accept=True)


class DeclinePauseButton(PersistentButton, template=r"nopause1:(?P<match>\d+)"):
    """Declines the pause offer of its post."""

    @classmethod
    def of(cls, texts: Texts, match: MatchId) -> Self:
        """Create the button."""
        return cls.create(texts("button.no_pause"), f"nopause1:{match}")

    async def on_click(self, interaction: Interaction) -> None:
        """Decline the offer; the clock keeps running."""
        await _answer_offer(self, interaction, accept=False)


class WithdrawPauseButton(PersistentButton, template=r"withdrawpause1:(?P<match>\d+)"):
    """Withdraws the user's own offer to pause."""

    @classmethod
    def of(cls, texts: Texts, match: MatchId) -> Self:
        """Create the button."""
        return cls.create(texts("button.withdraw"), f"withdrawpause1:{match}")

    async def on_click(self, interaction: Interaction) -> None:
        """Withdraw the offer; the clock keeps running."""
        await leave_unusable_channel(interaction)
        client, match = interaction.client, MatchId(int(self.values["match"]))
        update = await client.matches.clocks.pauses.withdraw(
            match, ids.to_person(interaction.user), now=client.now()
        )
        await respond_with_update(interaction, update, closed_question(interaction))


class ResumeButton(PersistentButton, template=r"resume1:(?P<match>\d+)"):
    """Ends the pause announced in its post."""

    @classmethod
    def of(cls, texts: Texts, match: MatchId) -> Self:
        """Create the button."""
        return cls.create(texts("button.resume"), f"resume1:{match}", Style.primary)

    async def on_click(self, interaction: Interaction) -> None:
        """Restart the clock."""
        await _resume(interaction, MatchId(int(self.values["match"])))


async def _answer_offer(button: PersistentButton, interaction: Interaction, *, accept: bool) -> None:
    await leave_unusable_channel(interaction)
    client, match = interaction.client, MatchId(int(button.values["match"]))
    who = ids.to_person(interaction.user)
    update = await client.matches.clocks.pauses.answer(match, who, accept=accept, now=client.now())
    await respond_with_update(interaction, update)


async def _resume(interaction: Interaction, match: MatchId) -> None:
    await leave_unusable_channel(interaction)
    client, who = interaction.client, ids.to_person(interaction.user)
    await respond_with_update(
        interaction, await client.matches.clocks.pauses.resume(match, who, now=client.now())
    )
