"""What replays and records bring to the client."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.commands import Field, command
from bot.parts import Part
from bot.replays import choosing, dialogue, exporting, importing, onward
from bot.replays.bookmark import Bookmark, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.client import Interaction
    from engine.game import Game
    from words import Words


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the commands, and every button and menu under their answers."""
    replay = command(
        words,
        "replay",
        _replay,
        choosing.field("replay"),
        Field("turn", "command.replay.turn", int),
        Field("record", "command.replay.record", int),
        Field("public", "command.replay.public", bool),
    )
    export = command(
        words,
        "export",
        exporting.asked,
        choosing.field("export"),
        Field("public", "command.export.public", bool),
    )
    take_in = command(
        words,
        "import",
        importing.take_in,
        Field("file", "command.import.file", discord.Attachment, required=True),
    )
    return Part(
        commands=(replay, export, take_in),
        items=(*dialogue.ITEMS, *onward.ITEMS, exporting.Exporter),
    )


async def _replay(
    interaction: Interaction,
    match: str | None,
    turn: int | None,
    record: int | None,
    public: bool | None,
) -> None:
    """Open a match or a record, by default at its beginning."""
    if record is None:
        bookmark = Bookmark(Kind.MATCH, await choosing.chosen(interaction, match))
    else:
        bookmark = choosing.record(record)
    await dialogue.show(interaction, bookmark.at(turn or 0), public=bool(public))
