"""Records of analysed games: a line of moves, with comments on its turns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.records import PLAYED, Record, RecordEntry, format_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Outcome, Position


def record_from_moves(start: Position, moves: Sequence[str], outcome: Outcome | None) -> Record:
    """Return the record of moves in canonical notation from a position; `outcome` is that of the rules."""
    return Record(
        game=start.game.name,
        rules_version=start.game.rules_version,
        options={},
        entries=tuple(map(RecordEntry, moves)),
        start=str(start),
        result=outcome,
        reason="" if outcome is None else PLAYED,
        games={start.game.name: start.game},
    )


def format_commented(record: Record, comments: Sequence[str], headers: Sequence[tuple[str, str]]) -> str:
    """Return the text of a record with one comment before the first turn and one for each turn.

    `headers` are added to those that the record has.
    """
    before, *of_turns = comments
    entries = zip(record.entries, of_turns, strict=True)
    commented = replace(
        record,
        comment=before,
        entries=tuple(replace(entry, comment=text) for entry, text in entries),
        other_headers=(*record.other_headers, *headers),
    )
    return format_record(commented)
