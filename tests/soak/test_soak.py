"""The short form of the simulated year: some days, the same code; and that a seed tells one story."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.soak.event_log import EventLog, SimulationFailure
from tests.soak.plan import START_TIME, SimulationPlan
from tests.soak.run import run_simulation

if TYPE_CHECKING:
    from pathlib import Path

    from tests.soak.metrics import Metrics

SHORT = SimulationPlan(
    seed=11, days=10, people=9, servers=2, channels=2, matches=8, mean_turns=9, check_schema=True
)
TINY = SimulationPlan(seed=6, days=5, people=4, servers=2, channels=1, matches=3, mean_turns=8)


async def test_some_days_leave_nothing_unsent(tmp_path: Path) -> None:
    figures = await run_simulation(SHORT, tmp_path)
    assert figures.counts["matches"] >= 5
    assert sum(figures.turns.values()) >= 25
    assert figures.counts["downtimes"]
    assert figures.counts["letters to followers"]
    assert {one.requests for month in figures.timed_turns.values() for one in month} == {1}


async def test_one_seed_gives_one_course(tmp_path: Path) -> None:
    def told(figures: Metrics) -> object:
        return figures.counts, figures.requests, figures.turns, figures.posts

    folders = [tmp_path / name for name in ("once", "again")]
    for folder in folders:
        folder.mkdir()
    first, second = [told(await run_simulation(TINY, folder)) for folder in folders]
    assert first == second


def test_failure_tells_the_seed_and_what_led_to_it() -> None:
    story = EventLog(seed=7)
    story.record(START_TIME, "Ada does something")
    with pytest.raises(SimulationFailure, match=r"(?s)seed 7: this is wrong.*Ada does something"):
        raise story.failure("this is wrong")
