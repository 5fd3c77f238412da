"""The simulated year in short: audited days with one bot and with a cluster, and a seed that decides all."""

from __future__ import annotations

from dataclasses import astuple, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.soak.audit import FOLLOWER_MESSAGES
from tests.soak.event_log import EventLog, SimulationFailure
from tests.soak.metrics import MIN_SAMPLES, Metrics, TurnCost
from tests.soak.plan import START_TIME, SimulationPlan
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
    min_matches=5,
    min_turns=25,
    min_messages=1,
    pack_after=timedelta(days=1),
    check_schema=True,
)
CLUSTER = replace(SHORT, processes=4, days=5)
TINY = SimulationPlan(seed=6, days=5, people=4, servers=2, channels=1, matches=3, mean_turns=8, min_turns=8)


@pytest.mark.long
async def test_ten_days_pass_the_audit(tmp_path: Path) -> None:
    metrics = await run_simulation(SHORT, tmp_path)
    assert metrics.counts["matches"] >= SHORT.min_matches
    assert sum(metrics.turns.values()) >= SHORT.min_turns
    assert metrics.counts[FOLLOWER_MESSAGES] >= SHORT.min_messages
    assert metrics.counts["matches packed"]
    assert metrics.counts["downtimes"] == metrics.counts["outages of Discord"] == 1
    assert {
        cost.requests
        for month in metrics.measured_turns.values()
        for costs in month.values()
        for cost in costs
    } == {1}


@pytest.mark.long
async def test_five_days_of_four_processes_pass_the_audit(empty_postgres_url: str, tmp_path: Path) -> None:
    metrics = await run_simulation(CLUSTER, tmp_path, postgres_url=empty_postgres_url)
    assert metrics.counts["matches"] >= CLUSTER.min_matches
    assert sum(metrics.turns.values()) >= CLUSTER.min_turns
    assert metrics.counts["turns in the browser"]
    assert metrics.counts["matches packed"]
    assert any(name.startswith("stops of the ") for name in metrics.counts)


@pytest.mark.long
async def test_two_runs_of_one_seed_agree(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("first", "second")]
    for folder in folders:
        folder.mkdir()
    first, second = [await run_simulation(TINY, folder) for folder in folders]
    assert (first.counts, first.requests, first.turns, first.posts) == (
        second.counts,
        second.requests,
        second.turns,
        second.posts,
    )
    one, other = first.mean_cost(0), second.mean_cost(0)
    assert one is not None
    assert other is not None
    assert astuple(one) == pytest.approx(astuple(other), rel=0.1)  # growth by 20 % is reported


PLAIN = TurnCost(requests=1, kilobytes=16, statements=7, steps=400, calls=6000)
"""About what a turn costs."""


@pytest.mark.parametrize(
    ("later", "too_much"),
    [
        (PLAIN, False),
        (replace(PLAIN, steps=470), False),
        (replace(PLAIN, steps=500), True),
        (replace(PLAIN, statements=9), True),
        (replace(PLAIN, calls=7500), True),
        (replace(PLAIN, kilobytes=20), True),
        (replace(PLAIN, requests=2), True),
    ],
)
def test_growth_of_any_cost_is_noticed(later: TurnCost, *, too_much: bool) -> None:
    metrics = Metrics(whole_months=3)
    for month, cost in ((0, PLAIN), (2, later)):
        metrics.measured_turns[month]["chess"] = [cost] * MIN_SAMPLES
    assert metrics.has_grown_too_much() is too_much


def test_kinds_of_matches_are_compared_with_themselves() -> None:
    metrics, cheap, dear = Metrics(whole_months=2), replace(PLAIN, calls=1000), replace(PLAIN, calls=9000)
    for month, dear_turns in ((0, MIN_SAMPLES), (1, 20 * MIN_SAMPLES)):
        metrics.measured_turns[month] = {"small": [cheap] * (2 * MIN_SAMPLES), "large": [dear] * dear_turns}
    assert metrics.growth()["calls"] == pytest.approx(1)


def test_growth_needs_two_months_with_enough_turns() -> None:
    metrics = Metrics(whole_months=2)
    metrics.measured_turns[0]["chess"] = [PLAIN] * MIN_SAMPLES
    assert metrics.growth() == {}


def test_failure_names_the_seed_and_the_last_events() -> None:
    log = EventLog(seed=7)
    log.record(START_TIME, "Ada does something")
    with pytest.raises(SimulationFailure, match=r"(?s)seed 7: this is wrong.*Ada does something"):
        raise log.failure("this is wrong")
