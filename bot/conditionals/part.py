"""What conditional moves bring to the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot import matching
from bot.commands import command
from bot.conditionals import listing, notices
from bot.parts import Part
from bot.presses import Press
from matches import MatchId

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from engine.game import Game
    from matches import MatchView
    from words import Words


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the command, the buttons and menu of the list, and the telling of what is lost."""
    conditional = command(words, "conditional", _listed, matching.field("conditional"))
    return Part(
        commands=(conditional,),
        items=(*listing.ITEMS, ConditionalButton),
        in_private=(ConditionalButton.of,),
        rounds=(notices.tell,),
    )


class ConditionalButton(Press, template=r"conditional1:(?P<match>\d{1,12})"):
    """Opens one's conditional moves."""

    @classmethod
    def of(cls, words: Words, view: MatchView, account: str) -> Self | None:
        """Make the button for whoever waits for the other's turn on the present board."""
        waits = view.current and view.to_move is not None and view.to_move.person.account != account
        if not waits or view.seat(account) is None:
            return None
        return cls.labelled(words("button.conditional"), f"conditional1:{view.id}")

    async def pressed(self, interaction: Interaction) -> None:
        """Answer with the list, or with the board for the first of them."""
        await listing.show(interaction, MatchId(int(self.values["match"])))


async def _listed(interaction: Interaction, match: str | None) -> None:
    await listing.show(interaction, await matching.own(interaction, match))
