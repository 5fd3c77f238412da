"""Replaying all matches of a database on all processors of the machine.

Each process takes a batch of matches at a time. They end with the process that started them, also if that is
killed: whoever repeats its work must find the database unused.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import TYPE_CHECKING

from backups.verification import replay_matches
from storage import Database, StorageUnavailable
from storage.connections.sqlalchemy_engines import make_engine

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from sqlalchemy.engine import URL

    from matches.values import MatchId

BATCH = 500  # matches, for some seconds


async def replay_in_processes(
    url: URL, matches: Sequence[MatchId], processes: int | None = None, batch: int = BATCH
) -> AsyncIterator[int]:
    """Replay matches in as many processes, by default one for each processor; yield how many are done.

    A single batch is replayed in this process, since starting another takes longer. Raises StorageDamaged for
    a match that differs, StorageError.
    """
    batches = [matches[first : first + batch] for first in range(0, len(matches), batch)]
    if len(batches) < 2:
        async with Database(make_engine(url)) as database:
            await replay_matches(database, matches)
        yield len(matches)
        return
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), initializer=_end_with_parent)
    try:
        results = pool.map(partial(_replay, url), batches)
        for number in range(1, len(batches) + 1):
            await asyncio.to_thread(next, results)
            yield min(number * batch, len(matches))
    except BrokenProcessPool as error:
        raise StorageUnavailable("A process that replayed matches was killed.") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """End this process with its parent. The parent alone reacts to Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None  # noqa: S101 - this runs only in a child

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _replay(url: URL, matches: Sequence[MatchId]) -> None:
    async def replay() -> None:
        async with Database(make_engine(url)) as database:
            await replay_matches(database, matches)

    asyncio.run(replay())
