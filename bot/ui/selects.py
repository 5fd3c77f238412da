"""Persistent select menus; see :mod:`bot.ui.buttons`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import discord

from bot.ui.buttons import PersistentItem
from bot.ui.fitting import fit_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.context import Interaction

MAX_OPTION_LENGTH = 100
MAX_PLACEHOLDER_LENGTH = 150


class PersistentSelect(PersistentItem[discord.ui.Select[discord.ui.View]], template=r"(?!)"):
    """A select menu; a subclass implements `on_select`."""

    @classmethod
    def create(
        cls, placeholder: str, custom_id: str, options: Sequence[discord.SelectOption], *, many: bool = False
    ) -> Self:
        """Return a new menu; with `many` any number of options can be selected, including none.

        Raises ValueError if `custom_id` does not match the template.
        """
        select = discord.ui.Select[discord.ui.View](
            custom_id=custom_id,
            placeholder=fit_text(MAX_PLACEHOLDER_LENGTH, placeholder),
            options=list(options),
            min_values=0 if many else 1,
            max_values=len(options) if many else 1,
        )
        return cls.wrap(select, custom_id)

    async def handle(self, interaction: Interaction) -> None:
        """Handle a selection."""
        await self.on_select(interaction, tuple(self.item.values))

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Handle the values of the selected options; subclasses implement this."""
        raise NotImplementedError


def select_option(
    label: str, value: str, description: str = "", *, is_selected: bool = False
) -> discord.SelectOption:
    """Return one option of a menu; `description` is shown below its label."""
    return discord.SelectOption(
        label=fit_text(MAX_OPTION_LENGTH, label),
        value=value,
        description=fit_text(MAX_OPTION_LENGTH, description) or None,
        default=is_selected,
    )
