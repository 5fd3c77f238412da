"""The simulated year in short: audited days with one bot and with a cluster, and a seed that decides all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.soak.audit import FOLLOWER_MESSAGES
from tests.soak.event_log import EventLog, SimulationFailure
from tests.soak.plan import START_TIME, SimulationPlan
from tests.soak.playing import TURNS_BY_REQUESTS
from tests.soak.simulation import run_simulation

if TYPE_CHECKING:
    from pathlib import Path

SHORT = SimulationPlan(
    seed=11,
    days=10,
    people=9,
    servers=2,
    channels=2,
    matches=8,
    mean_turns=9,
    minimums={"matches": 5, "turns": 25, FOLLOWER_MESSAGES: 1},
    pack_after=timedelta(days=1),
    check_schema=True,
)
CLUSTER = replace(SHORT, processes=4, days=5)
TINY = SimulationPlan(
    seed=6, days=5, people=4, servers=2, channels=1, matches=3, mean_turns=8, minimums={"turns": 8}
)


@pytest.mark.long
async def test_ten_days_pass_the_audit(tmp_path: Path) -> None:
    counts = await run_simulation(SHORT, tmp_path)
    assert counts >= Counter(SHORT.minimums)
    assert counts["matches packed"]
    assert counts["downtimes"] == counts["outages of Discord"] == 1
    assert [name for name in counts if name.startswith(TURNS_BY_REQUESTS)] == [f"{TURNS_BY_REQUESTS}1"]


@pytest.mark.long
async def test_five_days_of_four_processes_pass_the_audit(empty_postgres_url: str, tmp_path: Path) -> None:
    counts = await run_simulation(CLUSTER, tmp_path, postgres_url=empty_postgres_url)
    assert counts >= Counter(CLUSTER.minimums)
    assert counts["turns in the browser"]
    assert counts["matches packed"]
    assert any(name.startswith("stops of the ") for name in counts)


@pytest.mark.long
async def test_two_runs_of_one_seed_agree(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    first, second = [await run_simulation(TINY, folder) for folder in folders]
    assert first == second


def test_failure_names_the_seed_and_the_last_events() -> None:
    log = EventLog(seed=7)
    log.record(START_TIME, "Ada does something")
    with pytest.raises(SimulationFailure, match=r"(?s)seed 7: this is wrong.*Ada does something"):
        raise log.failure("this is wrong")
