"""A pace keeps a distance between what begins, and nobody waits after a pause."""

import asyncio
import time

from runtime.pace import Pace

SECONDS = 0.05


async def test_those_who_come_at_once_begin_one_after_the_other() -> None:
    pace, begun, start = Pace(SECONDS), list[float](), time.monotonic()

    async def begin() -> None:
        await pace.wait()
        begun.append(time.monotonic() - start)

    await asyncio.gather(*(begin() for _ in range(4)))
    assert [at >= number * SECONDS for number, at in enumerate(begun)] == [True] * 4


async def test_without_seconds_nobody_waits() -> None:
    pace = Pace()
    async with asyncio.timeout(SECONDS * 1000):
        for _ in range(10_000):
            await pace.wait()
