"""Processes that pack finished matches and are killed: each match is packed, or it is as it was."""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from bench.finished_matches import MATCHES_OF_SERVER, fill, play_matches
from matches import MatchId
from matches.log_audit import audit_match
from storage import Database
from storage.copies.integrity import check_database
from storage.match import matches as match_storage
from storage.tables import MATCHES, MOVES, OUTBOX, PACKED_LOGS
from tests.processes import ROOT
from tests.storms import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Table
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.match.packed_logs import MoveRow

PROCESSES = 2  # that pack at the same time
BATCHES = 4  # until a process is killed, at most
LONGEST = 0.2  # seconds until then in the last of them
AUDITED = 20  # matches that are replayed in the end


async def kill_packing(url: str, seed: int, matches: int, kills: Iterable[int]) -> str:
    """Kill packing processes at random moments, with 20 times `matches` to pack; return the counts.

    Raises Violation.
    """
    async with await Database.open(url):
        pass
    packed, unpacked = await play_matches(packed=True), await play_matches(packed=False)
    await fill(url, MATCHES_OF_SERVER, packed, unpacked, 20 * matches)
    async with await Database.open(url) as database:
        rng, before = Random(seed), await _read_matches(database)
        killed = done = 0
        for killed in kills:  # noqa: B007 - the last one counts
            await asyncio.gather(*(_kill_packer(url, rng) for _ in range(PROCESSES)))
            done = _compare(before, await _read_matches(database))
            if done == len(before):
                break
        await (await _start_packer(url)).communicate()
        if (in_the_end := _compare(before, await _read_matches(database))) != len(before):
            raise Violation(f"{in_the_end} of {len(before)} matches are packed in the end")
        for match in rng.sample([*before], AUDITED):
            if difference := (await audit_match(database, MatchId(match))).difference:
                raise Violation(f"match {match} does not replay: {difference}")
    await check_database(url)
    return f"{killed} times {PROCESSES} processes killed, {done} of {len(before)} matches packed by them"


async def _start_packer(url: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.storms.packer_process", url),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )


async def _kill_packer(url: str, rng: Random) -> None:
    """Start a process, and kill it during one of its first batches."""
    process = await _start_packer(url)
    assert process.stdout is not None
    took = 0.0
    for _ in range(rng.randint(1, BATCHES)):
        began = time.monotonic()
        await process.stdout.readline()
        took = time.monotonic() - began
    await asyncio.sleep(rng.uniform(0, min(took, LONGEST)))
    with suppress(ProcessLookupError):  # it has nothing more to pack
        process.kill()
    if await process.wait() > 0:
        raise Violation("packing failed although nobody killed it")


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
    return dict(list(map(tuple, await connection.execute(statement))))


def _without_positions(moves: Iterable[MoveRow]) -> list[MoveRow]:
    return [replace(move, position=None) for move in moves]


def _compare(before: dict[int, dict[str, Any]], after: dict[int, dict[str, Any]]) -> int:
    """Return how many matches are packed. Raises Violation if one is not what it should be."""
    for match, found in after.items():
        expected = before[match]
        if found["packed"]:
            expected = {
                **expected,
                "packed": True,
                "moves": 0,
                "packed_logs": 1,
                "post": found["post"] or "missing",
            }
            # The newest announcement of all stays, so that its number is not given again.
            expected["outbox"] = int(match == max(before))
        if found != expected:
            raise Violation(f"match {match} is {found} instead of {expected}")
    return sum(found["packed"] for found in after.values())
