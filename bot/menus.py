"""Menus that live as long as their message, as the buttons of :mod:`bot.presses` do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import discord

from bot.answers import attend

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence

    from bot.client import Interaction

LONGEST_LINE = 100
LONGEST_HINT = 150


class Menu(discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]], template=r"(?!)"):
    """A menu with a custom_id of the form ``name1:value:value``.

    The digit is the version of the form. A subclass names its `template`, whose groups become
    `values`, and says in `picked` what a choice does.
    """

    def __init__(self, select: discord.ui.Select[discord.ui.View], values: Mapping[str, str]) -> None:
        super().__init__(select)
        self.values = values

    @classmethod
    def listing(
        cls, hint: str, custom_id: str, options: Sequence[discord.SelectOption], *, many: bool = False
    ) -> Self:
        """Make the menu as it is posted; with `many` any number of options can be chosen, none too.

        Raises ValueError for an id that is not of its form.
        """
        match = cls.__discord_ui_compiled_template__.fullmatch(custom_id)
        if match is None:
            raise ValueError(f"{custom_id} is not of the form of {cls.__name__}")
        select = discord.ui.Select[discord.ui.View](
            custom_id=custom_id,
            placeholder=hint[:LONGEST_HINT],
            options=list(options),
            min_values=0 if many else 1,
            max_values=len(options) if many else 1,
        )
        return cls(select, match.groupdict())

    @classmethod
    async def from_custom_id(  # type: ignore[override]
        cls, _interaction: Interaction, item: discord.ui.Select[discord.ui.View], match: re.Match[str], /
    ) -> Self:
        """Make the menu again from a choice in it."""
        return cls(item, match.groupdict())

    async def callback(self, interaction: Interaction) -> None:  # type: ignore[override]
        """Answer the choice; whatever goes wrong is told to the person."""
        await attend(interaction, lambda: self.picked(interaction, tuple(self.item.values)))

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Do what the menu is for with the values of the options chosen, in their order."""
        raise NotImplementedError


def option(label: str, value: str, about: str = "", *, chosen: bool = False) -> discord.SelectOption:
    """Make one line of a menu; `about` stands below it in small print."""
    return discord.SelectOption(
        label=label[:LONGEST_LINE],
        value=value,
        description=about[:LONGEST_LINE] or None,
        default=chosen,
    )
