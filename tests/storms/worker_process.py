"""``python -m tests.storms.worker_process URL EPOCH SPEED``: a worker whose clock runs SPEED times as fast.

EPOCH is the time at which that clock was right, in seconds since 1970 UTC. So a lease ends soon after a kill.
Prints "ready" once it works.
"""

from __future__ import annotations

import asyncio
import sys
import time
from datetime import UTC, datetime

from ai.search import Opponent
from ai.worker.worker import Worker
from engine import GAMES
from matches import Database, Matches
from tests.storms.racer_process import print_line


def fast_time(epoch: float, speed: float) -> datetime:
    """Return the time of the fast clock."""
    return datetime.fromtimestamp(epoch + (time.time() - epoch) * speed, UTC)


async def main(url: str, epoch: float, speed: float) -> None:
    async with await Database.open(url, only_current=True) as database:
        worker = Worker(
            Matches(database, games=GAMES), GAMES, Opponent.start(), lambda: fast_time(epoch, speed)
        )
        print_line("ready")
        await worker.run(asyncio.Event())


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2]), float(sys.argv[3])))
