"""``/replay``, ``/export`` and ``/import``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.feature import Feature
from bot.features.replays import argument, continue_from_record, dialog, records
from bot.ui.commands import CommandField, create_command
from bot.ui.replay_state import ReplaySource, ReplayState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the commands, and the buttons and selects of their responses."""
    replay_command = create_command(
        texts,
        "replay",
        _open_replay,
        argument.match_field("replay"),
        CommandField("turn", "command.replay.turn", int),
        CommandField("record", "command.replay.record", int),
        CommandField("public", "command.replay.public", bool),
    )
    export_command = create_command(
        texts,
        "export",
        records.export_match,
        argument.match_field("export"),
        CommandField("public", "command.export.public", bool),
    )
    import_command = create_command(
        texts,
        "import",
        records.import_record,
        CommandField("file", "command.import.file", discord.Attachment, required=True),
    )
    return Feature(
        commands=(replay_command, export_command, import_command),
        items=(*dialog.ITEMS, *continue_from_record.ITEMS, records.ShareExportButton),
        finished_match_buttons=(dialog.OpenReplayButton.for_match,),
    )


async def _open_replay(
    interaction: Interaction,
    match: str | None,
    turn: int | None,
    record: int | None,
    public: bool | None,
) -> None:
    """Open a match or a record, by default at its start."""
    if record is None:
        state = ReplayState(ReplaySource.MATCH, await argument.resolve_match(interaction, match))
    else:
        state = argument.resolve_record(record)
    await dialog.show_replay(interaction, state.at_turn(turn or 0), public=bool(public))
