"""Imported records: taken in, kept, and gone on from."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from engine import find
from engine.records import LARGEST, PLAYED, RecordError, read, write
from matches.challenges import Subject
from matches.errors import RecordOver, RecordTooLarge, RecordUnknown, RecordUnreadable, TooManyRecords
from matches.options import read_options, write_options
from matches.records.binding import Step, bind, first_page
from matches.records.values import Replay
from matches.times import millis
from matches.values import Person, RecordId, Seat
from storage import people, records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from engine.records import Record
    from storage import Connection, Store
    from storage.records import RecordRow

A_DAY = timedelta(days=1)
MOST_A_DAY = 50  # records that one person imports within a day


class Records:
    """The imported records of a store. Texts are read and replayed beside the event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def take_in(self, data: bytes, by: Person, server: str, now: datetime) -> Replay:
        """Keep a record; the same text is kept once for each server."""
        if len(data) > LARGEST:
            raise RecordTooLarge(limit=LARGEST, size=len(data))
        try:
            record = await asyncio.to_thread(read, data)
        except RecordError as error:
            raise RecordUnreadable(
                line=error.place.line, column=error.place.column, reason=error.reason
            ) from error
        game = await asyncio.to_thread(_replay, record, server)
        async with self._store.writing() as connection:
            await people.remember(connection, by.account, by.name, millis(now))
            await people.remember_server(connection, server, millis(now))
            return replace(game, record=await _keep(connection, game, record, by, now))

    async def replay(self, record: RecordId, server: str) -> Replay:
        """Give a record to be paged through."""
        async with self._store.reading() as connection:
            row = await _get(connection, record, server)
        return await asyncio.to_thread(_read, row)

    async def subject(self, record: RecordId, server: str) -> Subject:
        """Give what is to be played by those who go on from the end of a record of `server`."""
        async with self._store.reading() as connection:
            row = await _get(connection, record, server)
        game = find(row.game, row.rules_version)
        if game.load(row.position).outcome is not None:
            raise RecordOver(record=record)
        return Subject(game, read_options(row.options), record)


async def _keep(connection: Connection, game: Replay, record: Record, by: Person, now: datetime) -> RecordId:
    text = write(record)
    digest = hashlib.sha256(text.encode()).hexdigest()
    known = await records.find(connection, game.server, digest)
    if known is not None:
        return RecordId(known)
    if await records.count(connection, by.account, millis(now - A_DAY)) >= MOST_A_DAY:
        raise TooManyRecords(limit=MOST_A_DAY)
    number = await records.add(
        connection,
        game.server,
        digest,
        by=by.account,
        text=text,
        game=game.game,
        rules_version=game.rules_version,
        options=write_options(game.options),
        position=str(game.pages[-1].position),
        made_at=millis(now),
    )
    return RecordId(number)


async def _get(connection: Connection, record: RecordId, server: str) -> RecordRow:
    row = await records.get(connection, record)
    if row is None or row.server != server:
        raise RecordUnknown(record=record)
    return row


def _read(row: RecordRow) -> Replay:
    return _replay(read(row.text), row.server, RecordId(row.id))


def _replay(record: Record, server: str, number: RecordId | None = None) -> Replay:
    first, second = record.rules.sides
    seats = (Seat(first, Person("", record.people[0])), Seat(second, Person("", record.people[1])))
    board = first_page(record.first, seats, record.comment)
    return Replay(
        match=None,
        record=number,
        server=server,
        game=record.game,
        rules_version=record.rules_version,
        options=record.options,
        began=record.began,
        pages=bind(board, _steps(record), record.result, record.reason or _played(record)),
    )


def _played(record: Record) -> str:
    return "" if record.result is None else PLAYED


def _steps(record: Record) -> Iterator[Step]:
    position = record.first
    for entry in record.entries:
        move = position.parse(entry.move)
        events, position = position.events(move), position.play(move)
        yield Step(entry.move, events, position, entry.comment)
