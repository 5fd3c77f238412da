"""Processes that pack finished matches and are killed: each match is packed, or it is as it was."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from bench.finished_matches import AFTERWARDS, MATCHES_OF_SERVER, fill, play_matches
from matches import Matches, StorageUnavailable
from matches.work.packing import PACK_AFTER
from storage import Database
from storage.copies.integrity import check_database
from storage.match import matches as match_storage
from storage.statements import fetch_dict
from storage.tables import MATCHES, MOVES, OUTBOX, PACKED_LOGS
from tests.cluster import Violation
from tests.cluster.audit import replay_all
from tests.cluster.process import ChildProcess, Parent
from tests.databases import migrate_database

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.match.packed_logs import MoveRow
    from tests.storms import Storm

PROCESSES = 2  # that pack at the same time
BATCHES = 4  # until a process is killed, at most
LONGEST = 0.2  # seconds until then in the last of them


async def kill_packing(storm: Storm) -> str:
    """Kill packing processes at random moments, with 20 times `storm.matches` to pack; return the counts.

    Raises Violation.
    """
    url = storm.url
    await migrate_database(url)
    packed, unpacked = await play_matches(packed=True), await play_matches(packed=False)
    await fill(url, MATCHES_OF_SERVER, packed, unpacked, 20 * storm.matches)
    async with await Database.open(url) as database:
        rng, before = Random(storm.seed), await _read_matches(database)
        killed = done = 0
        for killed in storm.attempts(storm.kills):  # noqa: B007 - the last one counts
            await asyncio.gather(*(_kill_packer(url, rng) for _ in range(PROCESSES)))
            done = _compare(before, await _read_matches(database))
            if done == len(before):
                break
        await ChildProcess("a packing process", pack, url).run()
        if (in_the_end := _compare(before, await _read_matches(database))) != len(before):
            raise Violation(f"{in_the_end} of {len(before)} matches are packed in the end")
    await replay_all(url)
    await check_database(url)
    return f"{killed} times {PROCESSES} processes killed, {done} of {len(before)} matches packed by them"


async def pack(parent: Parent, url: str) -> None:
    """Pack finished matches, and say so before each batch: what each process does that is killed."""
    async with await Database.open(url, only_current=True) as database:
        matches, packed = Matches(database), 1
        while packed:
            parent.send("pack")
            with suppress(StorageUnavailable):  # busy: the program tries again, too
                packed = await matches.work.packing.pack(now=AFTERWARDS + PACK_AFTER, batches=1)


async def _kill_packer(url: str, rng: Random) -> None:
    """Start a process, and kill it during one of its first batches."""
    process = ChildProcess("a packing process", pack, url)
    process.start()
    took = 0.0
    with suppress(Violation):  # it has nothing more to pack
        for _ in range(rng.randint(1, BATCHES)):
            began = time.monotonic()
            await process.receive()
            took = time.monotonic() - began
    await process.kill_after(rng.uniform(0, min(took, LONGEST)))


async def _read_matches(database: Database) -> dict[int, dict[str, Any]]:
    """Return what there is of each match that was not packed at first, with the numbers of its rows."""
    async with database.read() as connection:
        columns = (MATCHES.c.id, MATCHES.c.packed, MATCHES.c.post)
        rows = (await connection.execute(select(*columns).where(MATCHES.c.id > MATCHES_OF_SERVER))).all()
        counts = {table: await _count_rows(connection, table) for table in (MOVES, PACKED_LOGS, OUTBOX)}
        return {
            match: {
                "packed": packed,
                "post": post,
                "log": _without_positions(await match_storage.list_moves(connection, match)),
                **{table.name: found.get(match, 0) for table, found in counts.items()},
            }
            for match, packed, post in rows
        }


async def _count_rows(connection: AsyncConnection, table: Table) -> dict[int, int]:
    statement = select(table.c.match, func.count()).group_by(table.c.match)
    return await fetch_dict(connection, statement)


def _without_positions(moves: Iterable[MoveRow]) -> list[MoveRow]:
    return [replace(move, position=None) for move in moves]


def _compare(before: dict[int, dict[str, Any]], after: dict[int, dict[str, Any]]) -> int:
    """Return how many matches are packed. Raises Violation if one is not what it should be."""
    for match, found in after.items():
        expected = {**before[match]}
        if found["packed"]:
            post, newest = found["post"] or "missing", int(match == max(before))
            # The newest announcement of all stays, so that its number is not given again.
            expected |= {"packed": True, "moves": 0, "packed_logs": 1, "post": post, "outbox": newest}
        if found != expected:
            raise Violation(f"match {match} is {found} instead of {expected}")
    return sum(found["packed"] for found in after.values())
