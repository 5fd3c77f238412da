"""What the bot does costs the same however many matches are finished.

`python -m bench growth` measures processor times, also on PostgreSQL.
"""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bench.finished_matches import play_matches
from bench.growth import MAX_GROWTH, TASKS, Installation, audit_sample, installation
from tests.matches.instructions import InstructionCounter, count_instructions

FEW, MANY = 1000, 100_000
FREE = 400  # far less than a look at each of the other matches takes


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> InstructionCounter:
    """Return a counter of the instructions of all connections opened from now on."""
    return count_instructions(monkeypatch)


async def count_tasks(one: Installation, counter: InstructionCounter) -> dict[str, int]:
    """Return the fewest instructions of each task in three rounds."""
    counts = dict[str, list[int]]()
    for number in range(3):
        for name, task in TASKS.items():
            before = counter.count
            await task(one, number)
            counts.setdefault(name, []).append(counter.count - before)
    return {name: min(found) for name, found in counts.items()}


@pytest.mark.long
async def test_costs_do_not_grow_with_finished_matches(tmp_path: Path, counter: InstructionCounter) -> None:
    packed, recent = await play_matches(packed=True), await play_matches(packed=False)
    counts = []
    async with AsyncExitStack() as stack:
        for size in (FEW, MANY):
            url = f"sqlite:///{tmp_path / str(size)}.db"
            one = await stack.enter_async_context(installation(url, size, packed, recent))
            await audit_sample(one, size)
            counts.append(await count_tasks(one, counter))
    few, many = counts
    assert {
        name: (few[name], many[name]) for name in TASKS if many[name] > MAX_GROWTH * few[name] + FREE
    } == {}
    assert few["a turn"] > 0
