"""Replaying matches in several processes."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from backups.parallel_replay import replay_in_processes
from matches import Database, Matches
from matches.log_audit import list_match_ids
from storage import StorageDamaged
from storage.connections.url import parse_url
from tests.backups.files import ROOT, play
from tests.discord_server.waiting import PATIENCE

STARTER = """
import asyncio, sys
from backups.parallel_replay import replay_in_processes
from storage.connections.url import parse_url

async def replay():
    async for done in replay_in_processes(parse_url(sys.argv[1]), [1] * 100_000, 2, 100):
        print(done, flush=True)

if __name__ == "__main__":
    asyncio.run(replay())
"""


@pytest.mark.long
async def test_matches_are_replayed_in_processes_until_one_differs(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'rayuela.db'}"
    async with await Database.open(url) as database:
        for _ in range(5):
            await play(Matches(database), 1)
        matches = await list_match_ids(database)

        async def replay() -> list[int]:
            return [done async for done in replay_in_processes(parse_url(url), matches, 2, 2)]

        assert await replay() == [2, 4, 5]
        async with database.transaction() as connection:
            await connection.exec_driver_sql("UPDATE moves SET turn = turn + 7 WHERE match = 4 AND ply = 1")
        with pytest.raises(StorageDamaged, match="Match 4 does not follow from its moves"):
            await replay()


def find_children(process: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def exists(process: int) -> bool:
    return Path(f"/proc/{process}").exists()


@pytest.mark.long
async def test_processes_end_with_the_one_that_started_them_when_that_is_killed(tmp_path: Path) -> None:
    url, script = f"sqlite:///{tmp_path / 'rayuela.db'}", tmp_path / "starter.py"
    async with await Database.open(url) as database:
        await play(Matches(database), 1)
    script.write_text(STARTER)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(script), url),
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    assert await process.stdout.readline()
    children = find_children(process.pid)
    assert len(children) >= 2
    process.send_signal(signal.SIGKILL)
    await process.communicate()
    async with asyncio.timeout(PATIENCE):
        while any(map(exists, children)):  # noqa: ASYNC110 - of others
            await asyncio.sleep(0.05)
