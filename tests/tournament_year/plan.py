"""What is simulated: which tournaments, for how long, and how much goes wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from matches.tournaments.values import WEEK, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

MADE_AT = datetime(2041, 1, 1, 6, tzinfo=UTC)
START = MADE_AT + timedelta(days=1)
STEP = timedelta(hours=12)  # simulated time between two looks of the site
OUTAGE = STEP + timedelta(hours=2)  # a longer time without a heartbeat is an outage
MONTH = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class YearPlan:
    """One simulation. `kills` is the share of requests to the site during which it is killed.

    `lengths` are how long stages last where that is not the usual time of the kind.
    """

    seed: int = 1
    entrants: Mapping[Kind, int] = field(
        default_factory=lambda: {
            Kind.LEAGUE: 40,
            Kind.SWISS: 64,
            Kind.KNOCK_OUT: 16,
            Kind.LADDER: 30,
            Kind.ROUND_ROBIN: 12,
        }
    )
    lengths: Mapping[Kind, timedelta] = field(default_factory=dict)
    rounds: Mapping[Kind, int] = field(default_factory=lambda: {Kind.LEAGUE: 4, Kind.SWISS: 7})
    persons: int = 64
    leaving: float = 0.06  # of those who play, each month
    kills: float = 0.1
    kills_on_dates: int = 4  # when a stage begins or ends
    outages: int = 8
    days: int = 420  # after which it must be over

    def random(self, *what: object) -> Random:
        """Return random numbers for one purpose: they do not depend on what else happens."""
        return Random(":".join(map(str, (self.seed, *what))))


SHORT = YearPlan(
    entrants={Kind.LEAGUE: 14, Kind.SWISS: 12, Kind.KNOCK_OUT: 6, Kind.LADDER: 8, Kind.ROUND_ROBIN: 6},
    lengths={
        Kind.LEAGUE: 4 * WEEK,
        Kind.SWISS: 3 * WEEK,
        Kind.KNOCK_OUT: 3 * WEEK,
        Kind.LADDER: 9 * WEEK,
        Kind.ROUND_ROBIN: 5 * WEEK,
    },
    rounds={Kind.LEAGUE: 2, Kind.SWISS: 3},
    persons=16,
    leaving=0.12,
    outages=2,
)
