"""Persistent components: their whole state is in the custom_id, so they work on messages of any age."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import discord

from bot.ui.interactions import bind_match, handle_interaction
from matches import MatchId

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping

    from bot.context import Interaction

Style = discord.ButtonStyle

MAX_LABEL_LENGTH = 80
MAX_ID_LENGTH = 100


AnyItem = TypeVar("AnyItem", bound=discord.ui.Item[Any])


class PersistentItem(discord.ui.DynamicItem[AnyItem], Generic[AnyItem], template=r"(?!)"):
    """A component with a custom_id of the form ``name1:value:value``.

    The digit is the version of the format. A subclass passes its `template`, whose groups become `values`,
    and implements `handle`. A feature must list the subclass in its `items`.
    """

    def __init__(self, item: AnyItem, values: Mapping[str, str]) -> None:
        super().__init__(item)
        self.values = values

    @classmethod
    def wrap(cls, item: AnyItem, custom_id: str) -> Self:
        """Return a new component. Raises ValueError if `custom_id` does not match the template."""
        found = cls.__discord_ui_compiled_template__.fullmatch(custom_id)
        if found is None:
            raise ValueError(f"{custom_id} is not of the form of {cls.__name__}")
        return cls(item, found.groupdict())

    @classmethod
    async def from_custom_id(  # type: ignore[override]
        cls, _interaction: Interaction, item: AnyItem, match: re.Match[str], /
    ) -> Self:
        """Restore the component from the interaction of its use."""
        return cls(item, match.groupdict())

    @property
    def match(self) -> MatchId:
        """The match in the custom_id."""
        return MatchId(int(self.values["match"]))

    async def callback(self, interaction: Interaction) -> None:  # type: ignore[override]
        """Handle the use of the component; errors are reported to the user."""
        if "match" in self.values:
            bind_match(self.match)
        await handle_interaction(interaction, lambda: self.handle(interaction))

    async def handle(self, interaction: Interaction) -> None:
        """Handle the use of the component; subclasses implement this."""
        raise NotImplementedError


class PersistentButton(PersistentItem[discord.ui.Button[discord.ui.View]], template=r"(?!)"):
    """A button; a subclass implements `on_click`."""

    @classmethod
    def create(
        cls, label: str, custom_id: str, style: Style = Style.secondary, *, row: int | None = None
    ) -> Self:
        """Return a new button. Raises ValueError if `custom_id` does not match the template."""
        button = discord.ui.Button[discord.ui.View](label=label, custom_id=custom_id, style=style, row=row)
        return cls.wrap(button, custom_id)

    async def handle(self, interaction: Interaction) -> None:
        """Handle a click."""
        await self.on_click(interaction)

    async def on_click(self, interaction: Interaction) -> None:
        """Handle a click; subclasses implement this."""
        raise NotImplementedError


def link_button(label: str, url: str, *, row: int | None = None) -> discord.ui.Button[discord.ui.View]:
    """Return a button that opens a URL; Discord sends no interaction for it."""
    return discord.ui.Button(style=discord.ButtonStyle.link, label=label, url=url, row=row)


def view_of(*buttons: discord.ui.Item[Any]) -> discord.ui.View:
    """Return a view of these items that never times out."""
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    return view


def custom_ids(message: discord.Message) -> Iterator[str]:
    """Yield the custom ids of the components of a message."""
    for component in message.components:
        for child in getattr(component, "children", ()):
            if getattr(child, "custom_id", None):
                yield child.custom_id
