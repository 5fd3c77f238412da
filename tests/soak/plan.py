"""What is simulated: how long, how many people and matches, and from which seed all chance comes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

# Later than any day on which this runs: a client that compares an interaction's age with its own clock
# takes it for a fresh one.
START_TIME = datetime(2041, 1, 1, 6, tzinfo=UTC)
MONTH = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """One simulation. `mean_turns` is how many turns people bear with one match, in the mean.

    `check_schema`: whether each request is held to Discord's own description, where that is at hand.
    """

    seed: int = 1
    days: int = 365
    people: int = 200
    servers: int = 5
    channels: int = 8
    matches: int = 1000
    mean_turns: int = 10
    check_schema: bool = False

    @property
    def end(self) -> datetime:
        return START_TIME + timedelta(days=self.days)
