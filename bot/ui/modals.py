"""Modals that no memory of ours is needed for: all they need stands in their custom_id.

discord.py keeps every modal that it sends until it is submitted, and forgets them all at a
restart. Here a modal is sent as already finished, so that nothing is kept, and what is
submitted is found by the first word of its custom_id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bot.context import Interaction

MAX_TITLE_LENGTH = 45
MAX_LABEL_LENGTH = 45
MAX_PLACEHOLDER_LENGTH = 100


def create_modal(title: str, custom_id: str, *fields: discord.ui.Label[discord.ui.Modal]) -> discord.ui.Modal:
    """Make a modal of labelled fields."""
    modal = discord.ui.Modal(title=title[:MAX_TITLE_LENGTH], custom_id=custom_id)
    for label in fields:
        modal.add_item(label)
    modal.stop()
    return modal


def text_line(
    name: str, label: str, example: str, *, value: str = "", required: bool = True
) -> discord.ui.Label[discord.ui.Modal]:
    """Make one labelled line for typing, filled in with `value`; while it is empty an example is shown."""
    field = discord.ui.TextInput[discord.ui.Modal](
        custom_id=name, placeholder=example[:MAX_PLACEHOLDER_LENGTH], default=value or None, required=required
    )
    return discord.ui.Label(text=label[:MAX_LABEL_LENGTH], component=field)


def text_area(name: str, label: str, value: str, max_length: int) -> discord.ui.Label[discord.ui.Modal]:
    """Make one labelled field for several lines, at most `max_length` characters, with what stands in it."""
    field = discord.ui.TextInput[discord.ui.Modal](
        custom_id=name,
        style=discord.TextStyle.paragraph,
        default=value,
        required=False,
        max_length=max_length,
    )
    return discord.ui.Label(text=label[:MAX_LABEL_LENGTH], component=field)


def id_name(interaction: Interaction) -> str:
    """Return the first word of a submitted form's custom_id."""
    return (interaction.custom_id or "").partition(":")[0]


def id_values(interaction: Interaction) -> list[str]:
    """Return the further words of a submitted form's custom_id."""
    return (interaction.custom_id or "").split(":")[1:]


def submitted_fields(interaction: Interaction) -> Mapping[str, str]:
    """Return what was typed into a submitted form, by field."""
    data: Mapping[str, Any] = interaction.data or {}
    return {one["custom_id"]: one["value"] for one in _fields(data.get("components", ()))}


def _fields(components: Any) -> Iterator[Mapping[str, Any]]:
    for component in components:
        if "custom_id" in component and "value" in component:
            yield component
        elif "component" in component:
            yield from _fields([component["component"]])
        else:
            yield from _fields(component.get("components", ()))
