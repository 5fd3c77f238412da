"""What is simulated: how long, how many people and matches, and the seed of everything random."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from matches.work.packing import PACK_AFTER

if TYPE_CHECKING:
    from collections.abc import Mapping

# In the future: discord.py compares an interaction's age with the real clock and would refuse an old one.
START_TIME = datetime(2041, 1, 1, 6, tzinfo=UTC)
MONTH = timedelta(days=30)
RESPONSE_TIMEOUT = 60.0  # seconds: the load of the machine must not change what happens
TICK_INTERVAL = timedelta(hours=2)  # simulated time between two runs of the outbox and the clocks
OUTAGE_THRESHOLD = TICK_INTERVAL + timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """One simulation. `mean_turns` is the mean number of turns after which people end a match.

    The `minimums` of some counts are reached with any seed: where they are not reached on the last day, the
    simulation goes on, with a new challenge and new followers each day.
    Several `processes` are a cluster on PostgreSQL. `pack_after` is how long after its end a match is packed.
    `check_schema`: whether each request is checked against Discord's API description, if that is installed.
    """

    seed: int = 1
    processes: int = 1
    days: int = 365
    people: int = 200
    servers: int = 5
    channels: int = 8
    matches: int = 1000
    mean_turns: int = 10
    minimums: Mapping[str, int] = field(default_factory=dict)
    pack_after: timedelta = PACK_AFTER
    check_schema: bool = False

    @property
    def end(self) -> datetime:
        return START_TIME + timedelta(days=self.days)
