"""Persistent select menus; see :mod:`bot.ui.buttons`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import discord

from bot.ui.interactions import bind_match, handle_interaction
from matches import MatchId

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from bot.context import Interaction

MAX_OPTION_LENGTH = 100
MAX_PLACEHOLDER_LENGTH = 150


class PersistentSelect(discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]], template=r"(?!)"):
    """A select menu with a custom_id of the form ``name1:value:value``.

    The digit is the version of the format. A subclass passes its `template`, whose groups become `values`,
    and implements `on_select`. A feature must list the subclass in its `items`.
    """

    def __init__(self, select: discord.ui.Select[discord.ui.View], values: Mapping[str, str]) -> None:
        super().__init__(select)
        self.values = values

    @classmethod
    def create(
        cls, placeholder: str, custom_id: str, options: Sequence[discord.SelectOption], *, many: bool = False
    ) -> Self:
        """Return a new menu; with `many` any number of options can be selected, including none.

        Raises ValueError if `custom_id` does not match the template.
        """
        match = cls.__discord_ui_compiled_template__.fullmatch(custom_id)
        if match is None:
            raise ValueError(f"{custom_id} is not of the form of {cls.__name__}")
        select = discord.ui.Select[discord.ui.View](
            custom_id=custom_id,
            placeholder=placeholder[:MAX_PLACEHOLDER_LENGTH],
            options=list(options),
            min_values=0 if many else 1,
            max_values=len(options) if many else 1,
        )
        return cls(select, match.groupdict())

    @classmethod
    async def from_custom_id(  # type: ignore[override]
        cls, _interaction: Interaction, item: discord.ui.Select[discord.ui.View], match: re.Match[str], /
    ) -> Self:
        """Restore the menu from the interaction of a selection."""
        return cls(item, match.groupdict())

    async def callback(self, interaction: Interaction) -> None:  # type: ignore[override]
        """Handle the selection; errors are reported to the user."""
        if (match := self.values.get("match")) is not None:
            bind_match(MatchId(int(match)))
        await handle_interaction(interaction, lambda: self.on_select(interaction, tuple(self.item.values)))

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Handle the values of the selected options; subclasses implement this."""
        raise NotImplementedError


def select_option(
    label: str, value: str, description: str = "", *, is_selected: bool = False
) -> discord.SelectOption:
    """Return one option of a menu; `description` is shown below its label."""
    return discord.SelectOption(
        label=label[:MAX_OPTION_LENGTH],
        value=value,
        description=description[:MAX_OPTION_LENGTH] or None,
        default=is_selected,
    )
