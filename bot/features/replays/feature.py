"""``/replay``, ``/export`` and ``/import``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.feature import Feature
from bot.features.replays import continue_from_record, dialog, records
from bot.ui import replay_argument
from bot.ui.commands import CommandField, define_command
from bot.ui.replay_state import ReplaySource, ReplayState

if TYPE_CHECKING:
    from bot.context import Interaction


async def _open_replay(
    interaction: Interaction,
    match: str | None,
    turn: int | None,
    record: int | None,
    public: bool | None,
) -> None:
    """Open a match or a record, by default at its start."""
    if record is None:
        state = ReplayState(ReplaySource.MATCH, await replay_argument.resolve_match(interaction, match))
    else:
        state = replay_argument.resolve_record(record)
    await dialog.show_replay(interaction, state.at_turn(turn or 0), public=bool(public))


FEATURE = Feature(
    commands=(
        define_command(
            "replay",
            _open_replay,
            replay_argument.match_field("replay"),
            CommandField("turn", "command.replay.turn", int),
            CommandField("record", "command.replay.record", int),
            CommandField("public", "command.replay.public", bool),
            direct=True,
        ),
        define_command(
            "export",
            records.export_match,
            replay_argument.match_field("export"),
            CommandField("public", "command.export.public", bool),
        ),
        define_command(
            "import",
            records.import_record,
            CommandField("file", "command.import.file", discord.Attachment, required=True),
        ),
    ),
    items=(*dialog.ITEMS, *continue_from_record.ITEMS, records.ShareExportButton),
    finished_match_buttons=(dialog.OpenReplayButton.for_match,),
)
