"""``/conditional``, its button and the notices about lost conditional moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot.feature import Feature
from bot.features.conditional_moves import dialog
from bot.ui import match_argument
from bot.ui.buttons import PersistentButton
from bot.ui.commands import define_command
from matches import Action, possible_actions

if TYPE_CHECKING:
    from bot.context import Interaction
    from i18n import Texts
    from matches import MatchView


class ConditionalMovesButton(PersistentButton, template=r"conditional1:(?P<match>\d{1,12})"):
    """Opens the user's conditional moves."""

    @classmethod
    def of(cls, texts: Texts, view: MatchView, account: str) -> Self | None:
        """Create the button if the user waits for the opponent's turn and the board is current."""
        if Action.SAVE_LINES not in possible_actions(view, account):
            return None
        return cls.create(texts("button.conditional"), f"conditional1:{view.id}")

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the list, or with the board for the first line."""
        await dialog.show(interaction, self.match)


async def _show_list(interaction: Interaction, match: str | None) -> None:
    await dialog.show(interaction, await match_argument.resolve_own(interaction, match))


FEATURE = Feature(
    commands=(define_command("conditional", _show_list, match_argument.field("conditional")),),
    items=(*dialog.ITEMS, ConditionalMovesButton),
    private_buttons=(ConditionalMovesButton.of,),
)
