"""What a simulation measures: counts, posts, the work of a turn, the size of the database.

The work of a turn is counted, not timed: two runs of one seed agree, however busy the machine is.
`make bench` measures the time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import astuple, dataclass, field, fields
from math import exp, log
from statistics import fmean
from typing import TYPE_CHECKING

from tests.soak.plan import MONTH, START_TIME

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tests.soak.plan import SimulationPlan

MAX_GROWTH = 1.2  # how many times the work of the first month a turn may take in the last one
MIN_SAMPLES = 5  # turns of one kind of match that a month needs to be compared


@dataclass(frozen=True, slots=True)
class TurnCost:
    """The work of one turn, or the mean of several."""

    requests: float  # to Discord
    kilobytes: float  # sent in these requests, pictures included
    statements: float  # of SQL
    steps: float  # of SQLite's virtual machine: grows with the rows that the statements read
    calls: float  # of Python functions

    def __str__(self) -> str:
        requests = f"{self.requests:.2f} requests with {self.kilobytes:.1f} kB"
        if not self.calls:
            return requests  # nothing else is counted in other processes
        return (
            f"{requests}, {self.statements:.1f} SQL statements in {self.steps:,.0f} steps,"
            f" {self.calls:,.0f} Python calls"
        )


@dataclass(slots=True)
class Metrics:
    """Everything that is measured, by the month of the simulated year (from 0)."""

    counts: Counter[str] = field(default_factory=Counter)
    requests: Counter[int] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    database_sizes: dict[int, int] = field(default_factory=dict)
    measured_turns: dict[int, dict[str, list[TurnCost]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    """Turns by command that met no fault, by month and by kind: the game and the size of the board."""
    posts: int = 0
    seconds: float = 0
    whole_months: int = 0

    def mean_cost(self, month: int) -> TurnCost | None:
        """Return the mean cost of the month's measured turns; None where there are none."""
        measured = [cost for costs in self.measured_turns.get(month, {}).values() for cost in costs]
        return _mean_cost(measured) if measured else None

    def growth(self) -> dict[str, float]:
        """Return how many times as much a turn costs in the last whole month as in the first, by measure.

        Turns are compared within one kind of match. The mean of the kinds is geometric; they weigh as much as
        they have turns. Empty where no kind has enough turns in both months; a measure that is 0 throughout
        was not taken.
        """
        first, last = (self.measured_turns.get(month, {}) for month in (0, self.whole_months - 1))
        weights = {kind: min(len(first[kind]), len(last[kind])) for kind in first.keys() & last.keys()}
        shared = sorted(kind for kind, weight in weights.items() if weight >= MIN_SAMPLES)
        if self.whole_months < 2 or not shared:
            return {}
        found = {}
        for measure in fields(TurnCost):
            pairs = [
                [getattr(_mean_cost(month[kind]), measure.name) for month in (first, last)] for kind in shared
            ]
            if any(map(any, pairs)):
                logs = [log((after or 1) / (before or 1)) for before, after in pairs]
                found[measure.name] = exp(fmean(logs, [weights[kind] for kind in shared]))
        return found

    def has_grown_too_much(self) -> bool:
        """Return whether a turn of the last whole month costs more than MAX_GROWTH allows."""
        return any(factor > MAX_GROWTH for factor in self.growth().values())

    def format_table(self, plan: SimulationPlan) -> str:
        """Return everything as lines."""
        growth = self.growth()
        lines = [
            f"seed {plan.seed}: {plan.days} days, {plan.people} people, {self.seconds:,.0f} s of real time",
            *(f"  {name}: {count:,}" for name, count in sorted(self.counts.items())),
            f"  turns: {sum(self.turns.values()):,}",
            f"  posts: {self.posts:,}",
            f"  requests to Discord: {sum(self.requests.values()):,}",
            *(
                f"  month {month + 1:2}: {self.turns[month]:6,} turns, database of {size / 2**20:.2f} MiB"
                for month, size in sorted(self.database_sizes.items())
            ),
        ]
        costs = [(month, self.mean_cost(month)) for month in sorted(self.measured_turns)]
        lines += [f"  a turn of month {month + 1:2}: {cost}" for month, cost in costs]
        if growth:
            factors = ", ".join(f"{name} {factor:.2f}" for name, factor in growth.items())
            verdict = "too much" if self.has_grown_too_much() else "allowed"
            lines.append(f"  last whole month compared with the first: {factors} times as much")
            lines.append(f"  at most {MAX_GROWTH} times as much is allowed: this is {verdict}")
        return "\n".join(lines)


def month_of(now: datetime) -> int:
    """Return the number of the month, from 0."""
    return (now - START_TIME) // MONTH


def _mean_cost(costs: Iterable[TurnCost]) -> TurnCost:
    return TurnCost(*(fmean(values) for values in zip(*map(astuple, costs), strict=True)))
