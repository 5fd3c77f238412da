"""Buttons that live as long as their message: all they need stands in their custom_id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import discord

from bot.ui.interactions import handle_interaction

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from bot.context import Interaction

Style = discord.ButtonStyle


class PersistentButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"(?!)"):
    """A button with a place in the catalogue and a custom_id of the form ``name1:value:value``.

    The digit is the version of the form. A subclass names its `template`, whose groups become
    `values`, and says in `on_click` what a click does.
    """

    def __init__(self, button: discord.ui.Button[discord.ui.View], values: Mapping[str, str]) -> None:
        super().__init__(button)
        self.values = values

    @classmethod
    def create(
        cls, label: str, custom_id: str, style: Style = Style.secondary, *, row: int | None = None
    ) -> Self:
        """Make the button as it is posted. Raises ValueError for an id that is not of its form."""
        match = cls.__discord_ui_compiled_template__.fullmatch(custom_id)
        if match is None:
            raise ValueError(f"{custom_id} is not of the form of {cls.__name__}")
        button = discord.ui.Button[discord.ui.View](label=label, custom_id=custom_id, style=style, row=row)
        return cls(button, match.groupdict())

    @classmethod
    async def from_custom_id(  # type: ignore[override]
        cls, _interaction: Interaction, item: discord.ui.Button[discord.ui.View], match: re.Match[str], /
    ) -> Self:
        """Make the button again from a click on it."""
        return cls(item, match.groupdict())

    async def callback(self, interaction: Interaction) -> None:  # type: ignore[override]
        """Answer the click; whatever goes wrong is told to the person."""
        await handle_interaction(interaction, lambda: self.on_click(interaction))

    async def on_click(self, interaction: Interaction) -> None:
        """Do what the button is for."""
        raise NotImplementedError


def link_button(label: str, url: str, *, row: int | None = None) -> discord.ui.Button[discord.ui.View]:
    """Make a button that leads somewhere and tells us nothing."""
    return discord.ui.Button(style=discord.ButtonStyle.link, label=label, url=url, row=row)


def view_of(*buttons: discord.ui.Item[Any]) -> discord.ui.View:
    """Return the view that a message carries; it needs no memory of ours to work."""
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    return view
