"""Modals whose whole state is in the custom_id, so that they work after a restart.

discord.py keeps every modal in memory until it is submitted. Here each modal is stopped before it is sent,
so nothing is kept, and the first word of its custom_id selects the handler of what is submitted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.ui.fitting import fit_text
from bot.ui.refusals import check_length

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bot.context import Interaction

MAX_TITLE_LENGTH = 45
MAX_LABEL_LENGTH = 45
MAX_PLACEHOLDER_LENGTH = 100
MAX_LINE_LENGTH = 100  # of a one-line text field that sets no other limit


def create_modal(
    title: str, custom_id: str, *fields: discord.ui.Label[discord.ui.Modal], short_title: str = ""
) -> discord.ui.Modal:
    """Return a modal with these fields; `short_title` is shown if there is no room for the title."""
    shown_title = fit_text(MAX_TITLE_LENGTH, title, short_title or title)
    modal = discord.ui.Modal(title=shown_title, custom_id=custom_id)
    for label in fields:
        modal.add_item(label)
    modal.stop()
    return modal


def text_line(
    name: str,
    label: str,
    example: str,
    *,
    value: str = "",
    required: bool = True,
    max_length: int = MAX_LINE_LENGTH,
) -> discord.ui.Label[discord.ui.Modal]:
    """Return a one-line text field with `value` in it; `example` is its placeholder."""
    field = discord.ui.TextInput[discord.ui.Modal](
        custom_id=name,
        placeholder=fit_text(MAX_PLACEHOLDER_LENGTH, example),
        default=value or None,
        required=required,
        max_length=max_length,
    )
    return discord.ui.Label(text=fit_text(MAX_LABEL_LENGTH, label), component=field)


def text_area(name: str, label: str, value: str, max_length: int) -> discord.ui.Label[discord.ui.Modal]:
    """Return a text field for several lines, with `value` in it; at most `max_length` characters."""
    field = discord.ui.TextInput[discord.ui.Modal](
        custom_id=name,
        style=discord.TextStyle.paragraph,
        default=value,
        required=False,
        max_length=max_length,
    )
    return discord.ui.Label(text=fit_text(MAX_LABEL_LENGTH, label), component=field)


def id_name(interaction: Interaction) -> str:
    """Return the first word of a submitted modal's custom_id."""
    return (interaction.custom_id or "").partition(":")[0]


def id_values(interaction: Interaction) -> list[str]:
    """Return the other words of a submitted modal's custom_id."""
    return (interaction.custom_id or "").split(":")[1:]


def submitted_text(interaction: Interaction, name: str, max_length: int = MAX_LINE_LENGTH) -> str:
    """Return the submitted text of a field, or "" if the modal has none of that name.

    Raises Refusal if it is longer than the field allows; modals of older versions had no limit.
    """
    data: Mapping[str, Any] = interaction.data or {}
    submitted = {one["custom_id"]: one["value"] for one in _fields(data.get("components", ()))}
    text: str = submitted.get(name, "")
    check_length(text, max_length)
    return text


def _fields(components: Any) -> Iterator[Mapping[str, Any]]:
    for component in components:
        if "custom_id" in component and "value" in component:
            yield component
        elif "component" in component:
            yield from _fields([component["component"]])
        else:
            yield from _fields(component.get("components", ()))
