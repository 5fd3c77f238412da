"""The two answers under an offer; they know which offer it is, and no other can be meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from bot import people
from bot.answers import need_permissions
from bot.delivery import deliver
from bot.presses import Press, Style
from matches import OfferId

if TYPE_CHECKING:
    from bot.client import Interaction
    from matches import OfferKind
    from words import Words

ACCEPT, DECLINE = "accept", "decline"


class OfferButton(Press, template=r"offer1:(?P<offer>\d+):(?P<answer>accept|decline)"):
    """Accepts or declines the offer that it stands under."""

    ANSWERS: ClassVar = (ACCEPT, DECLINE)

    @classmethod
    def of(cls, words: Words, kind: OfferKind, offer: int, answer: str) -> Self:
        """Make the button of one answer."""
        style = Style.success if answer == ACCEPT else Style.secondary
        return cls.labelled(words(f"offer.{kind}.{answer}"), f"offer1:{offer}:{answer}", style)

    async def pressed(self, interaction: Interaction) -> None:
        """Answer, and tell it where the match is played."""
        need_permissions(interaction)
        client, offer = interaction.client, OfferId(int(self.values["offer"]))
        who, accept = people.person(interaction.user), self.values["answer"] == ACCEPT
        await deliver(
            interaction, await client.matches.offers.answer(offer, who, accept=accept, now=client.now())
        )
