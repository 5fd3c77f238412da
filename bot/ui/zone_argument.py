"""Time zones as an option of slash commands: suggestions for what is typed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from bot.ui.commands import CommandField, completion_choice
from matches import Refusal, resolve_time_zone, time_zone_names

if TYPE_CHECKING:
    from discord import app_commands

    from bot.context import Interaction


def field(name: str) -> CommandField:
    """Return the option `zone` for the command called `name`."""
    return CommandField("zone", f"command.{name}.zone", completer=_complete)


async def _complete(_interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    zone_names = await asyncio.to_thread(time_zone_names)
    query = current.strip().replace(" ", "_").casefold()
    suggestions = [name for name in zone_names if query in name.casefold()]
    suggestions.sort(key=lambda name: not name.casefold().rpartition("/")[2].startswith(query))
    with suppress(Refusal):
        suggestions = list(dict.fromkeys((await asyncio.to_thread(resolve_time_zone, current), *suggestions)))
    return [completion_choice(name.replace("_", " "), name) for name in suggestions]
