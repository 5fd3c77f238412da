"""The commands and buttons of offers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bot import matching, people
from bot.answers import need_permissions
from bot.commands import command
from bot.delivery import deliver
from bot.offers import aborting, rematches
from bot.offers.buttons import OfferButton
from bot.parts import Part
from matches import OfferKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from engine.game import Game
    from words import Words


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the part; every kind of offer has a command of its own name."""
    return Part(
        commands=(
            *(command(words, kind, partial(offer, kind), matching.field(kind)) for kind in OfferKind),
            command(words, "abort", aborting.ask, matching.field("abort")),
            command(words, "rematch", rematches.offer, rematches.field()),
        ),
        items=(OfferButton, aborting.AbortButton, rematches.RematchButton),
        at_end=(rematches.RematchButton.of,),
    )


async def offer(kind: OfferKind, interaction: Interaction, match: str | None) -> None:
    """Offer something of a kind."""
    need_permissions(interaction)
    client, number = interaction.client, await matching.own(interaction, match)
    who = people.person(interaction.user)
    await deliver(interaction, await client.matches.offers.make(number, who, kind, now=client.now()))
