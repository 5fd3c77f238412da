"""The port of a worker of the computer opponent."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

from metrics.address import parse_address
from metrics.monitor import Monitor
from tests.discord_server.waiting import PATIENCE
from tests.metrics.figures import read_figures, read_status
from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTINGS: Mapping[str, str] = {"METRICS": "127.0.0.1:0", "LOG_LEVEL": "INFO", "PYTHONWARNINGS": "ignore"}


async def start_worker(url: str, *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ai.worker", url, *arguments),
        cwd=ROOT,
        env={**os.environ, **SETTINGS},
        stdin=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


@pytest.mark.long
async def test_worker_of_its_own_has_a_port(sqlite_url: str) -> None:
    worker = await start_worker(sqlite_url)
    assert worker.stderr is not None
    try:
        line = json.loads(await worker.stderr.readline())
        monitor = Monitor(address=parse_address(line["address"]))
        async with asyncio.timeout(PATIENCE):
            while (await read_status(monitor, "/readyz"))[0] != 200:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.05)
        figures = await read_figures(monitor)
    finally:
        worker.terminate()
        await worker.communicate()
    assert figures.value("computer_answers_owed") == 0


@pytest.mark.long
async def test_worker_of_a_parent_leaves_the_port_to_it(sqlite_url: str) -> None:
    worker = await start_worker(sqlite_url, "--with-parent", "--idle-minutes", "0")
    _, log = await worker.communicate()
    assert (worker.returncode, b"metrics.ready" in log) == (0, False)
