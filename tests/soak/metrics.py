"""What is measured: turns and their time, posts, requests, the size of the database."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from math import exp, log
from statistics import median
from typing import TYPE_CHECKING

from tests.soak.plan import MONTH, START_TIME

if TYPE_CHECKING:
    from datetime import datetime

    from tests.soak.plan import SimulationPlan

MAX_GROWTH = 1.2  # times the first month's time that a turn may cost in the last
BASELINE_STEPS = 20_000
MIN_SAMPLES = 5  # turns of a kind in a month that tell nothing of its time


@dataclass(frozen=True, slots=True)
class TimedTurn:
    """One plain turn by command: the kind of match, seconds in all and of the processor, requests.

    `pace` are the seconds that the same work always takes on this machine just then.
    """

    kind: str
    seconds: float
    cpu_seconds: float
    baseline_seconds: float
    requests: int


def measure_baseline() -> float:
    """Return the processor's seconds for some work that is always the same.

    Other work here slows all down.
    """
    began, total = time.process_time(), 1
    for number in range(BASELINE_STEPS):  # makes nothing that a garbage collector walks through
        total = (31 * total + number) % 65521
    return time.process_time() - began


@dataclass(slots=True)
class Metrics:
    """Counts and times, by the month of the simulated year (from 0)."""

    counts: Counter[str] = field(default_factory=Counter)
    requests: Counter[int] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    database_sizes: dict[int, int] = field(default_factory=dict)
    timed_turns: dict[int, list[TimedTurn]] = field(default_factory=lambda: defaultdict(list))
    posts: int = 0
    seconds: float = 0
    whole_months: int = 0

    def growth(self) -> float | None:
        """Return how much more a turn costs in the last whole month than in the first, kind by kind.

        It is measured by the machine's own pace in that month. Kinds are weighed by their turns; None where
        no kind has been timed often enough in both.
        """
        if self.whole_months < 2:
            return None
        first, last = (_by_kind(self.timed_turns[month]) for month in (0, self.whole_months - 1))
        shared = [kind for kind in first if min(len(first[kind]), len(last.get(kind, ()))) >= MIN_SAMPLES]
        weights = {kind: min(len(first[kind]), len(last[kind])) for kind in shared}
        if not weights:
            return None
        logs = {kind: log(median(last[kind]) / median(first[kind])) for kind in shared}
        return exp(sum(weights[kind] * logs[kind] for kind in shared) / sum(weights.values()))

    def format_table(self, plan: SimulationPlan) -> str:
        """Return everything as lines."""
        every = [one for month in self.timed_turns.values() for one in month]
        turns = sum(self.turns.values())
        plain = [one.requests for one in every]
        growth = self.growth()
        lines = [
            f"seed {plan.seed}: {plan.days} days, {plan.people} people, {self.seconds:,.0f} s of real time",
            *(f"  {name}: {count:,}" for name, count in sorted(self.counts.items())),
            f"  turns in all: {turns:,}",
            f"  posts that stand: {self.posts:,}",
            f"  requests to Discord: {sum(self.requests.values()):,}",
        ]
        if plain:
            lines += [
                f"  requests of a plain turn: {sum(plain) / len(plain):.3f} (most {max(plain)})",
                f"  time of a plain turn: {1000 * median(one.seconds for one in every):.1f} ms",
                f"  of it of the processor: {1000 * median(one.cpu_seconds for one in every):.1f} ms",
            ]
        lines += [
            f"  month {month + 1:2}: {self.turns[month]:6,} turns, {size / 2**20:.2f} MiB{self._time(month)}"
            for month, size in sorted(self.database_sizes.items())
        ]
        if growth is not None:
            kept = "as is allowed" if growth <= MAX_GROWTH else "which is too much"
            lines.append(
                f"  a turn of the last whole month costs {growth:.2f} times one of the first, {kept}"
                f" (at most {MAX_GROWTH})"
            )
        return "\n".join(lines)

    def _time(self, month: int) -> str:
        timed = self.timed_turns.get(month)
        if not timed:
            return ""
        cost, usual = median(one.cpu_seconds for one in timed), median(one.baseline_seconds for one in timed)
        return f", {1000 * cost:.1f} ms a turn, which is {cost / usual:.1f} times some constant work"


def month_of(now: datetime) -> int:
    return (now - START_TIME) // MONTH


def _by_kind(timed: list[TimedTurn]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    usual = median(one.baseline_seconds for one in timed) if timed else 1
    for one in timed:
        found[one.kind].append(one.cpu_seconds / usual)
    return found
