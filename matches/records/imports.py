"""Imported game records: parse, store, replay, continue from."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from engine import get_game
from engine.records import (
    MAX_RECORD_BYTES,
    MAX_RECORD_TURNS,
    PLAYED,
    RecordError,
    format_record,
    parse_record,
)
from matches.errors import Refusal
from matches.match_view import PlayedMove
from matches.options import MatchSetup, format_options, parse_options
from matches.records.turn_grouping import group_turns
from matches.records.values import Replay, ReplayTurn
from matches.times import to_millis
from matches.values import Person, RecordId, Seat
from storage.match import records
from storage.people import people

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from engine.game import Game
    from engine.records import Record
    from storage import Connection, Database
    from storage.match.records import RecordRow

DAY = timedelta(days=1)
MAX_IMPORTS_PER_DAY = 50  # per person


class ImportedRecords:
    """The imported records of a database. Parsing and replaying run in a worker thread."""

    def __init__(self, database: Database, games: Mapping[str, Game]) -> None:
        self._database = database
        self._games = games

    async def import_record(self, data: bytes, by: Person, *, server: str, now: datetime) -> Replay:
        """Parse a record, store it for `server` and return its replay.

        An equal record of the same server is stored once.

        Raises `record_too_large`, `record_unreadable`, `too_many_records`.
        """
        record = await asyncio.to_thread(read_record, data, self._games)
        replay = await asyncio.to_thread(_replay, record, server)
        async with self._database.transaction() as connection:
            await people.save(connection, by.account, by.name, to_millis(now))
            await people.ensure_server(connection, server, to_millis(now))
            return replace(replay, record=await _save_record(connection, replay, record, by, now))

    async def replay(self, record: RecordId, server: str | None) -> Replay:
        """Return the replay of an imported record of `server`. Raises `record_unknown`.

        With None the record may be of any server: for no reader.
        """
        async with self._database.read() as connection:
            row = await _fetch_row(connection, record, server)
        return await asyncio.to_thread(_replay_row, row, self._games)

    async def setup_from(self, record: RecordId, server: str) -> MatchSetup:
        """Return the set-up of a match that continues from the end of a record of `server`.

        Raises `record_unknown`, `recorded_game_over`.
        """
        async with self._database.read() as connection:
            row = await _fetch_row(connection, record, server)
        game = get_game(row.game, row.rules_version, self._games)
        if game.load(row.position).outcome is not None:
            raise Refusal("recorded_game_over", record=record)
        return MatchSetup(game, parse_options(row.options), record)


def read_record(data: bytes, games: Mapping[str, Game], max_turns: int = MAX_RECORD_TURNS) -> Record:
    """Return the record in `data`. Raises `record_too_large`, `record_unreadable`."""
    if len(data) > MAX_RECORD_BYTES:
        raise Refusal("record_too_large", limit=MAX_RECORD_BYTES, size=len(data))
    try:
        return parse_record(data, games, max_turns=max_turns)
    except RecordError as error:
        raise Refusal(
            "record_unreadable",
            line=error.location.line,
            column=error.location.column,
            reason=error,
        ) from error


async def _save_record(
    connection: Connection, replay: Replay, record: Record, by: Person, now: datetime
) -> RecordId:
    text = format_record(record)
    digest = hashlib.sha256(text.encode()).hexdigest()
    existing = await records.find_by_digest(connection, replay.server, digest)
    if existing is not None:
        return RecordId(existing)
    if await records.count_since(connection, by.account, to_millis(now - DAY)) >= MAX_IMPORTS_PER_DAY:
        raise Refusal("too_many_records", limit=MAX_IMPORTS_PER_DAY)
    number = await records.add(
        connection,
        replay.server,
        digest,
        by=by.account,
        text=text,
        game=replay.game,
        rules_version=replay.rules_version,
        options=format_options(replay.options),
        position=str(replay.turns[-1].position),
        made_at=to_millis(now),
    )
    return RecordId(number)


async def _fetch_row(connection: Connection, record: RecordId, server: str | None) -> RecordRow:
    row = await records.get(connection, record)
    if row is None or server not in {None, row.server}:
        raise Refusal("record_unknown", record=record)
    return row


def _replay_row(row: RecordRow, games: Mapping[str, Game]) -> Replay:
    return _replay(parse_record(row.text, games), row.server, RecordId(row.id))


def _replay(record: Record, server: str, number: RecordId | None = None) -> Replay:
    first, second = record.rules.sides
    seats = (Seat(first, Person("", record.players[0])), Seat(second, Person("", record.players[1])))
    first_turn = ReplayTurn(0, record.first_position, seats, comment=record.comment)
    return Replay(
        match=None,
        record=number,
        server=server,
        game=record.game,
        rules_version=record.rules_version,
        options=record.options,
        began=record.began,
        turns=group_turns(
            first_turn,
            _play_moves(record),
            record.result,
            record.reason or ("" if record.result is None else PLAYED),
            (entry.comment for entry in record.entries),
        ),
    )


def _play_moves(record: Record) -> Iterator[PlayedMove]:
    position = record.first_position
    for entry in record.entries:
        move = position.parse(entry.move)
        events, position = position.events(move), position.play(move)
        yield PlayedMove(entry.move, events, position)
