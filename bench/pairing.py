"""Swiss rounds of a large tournament: how long the pairing of each round takes.

Results are drawn from ratings; six of a hundred players leave after each round.
"""

from __future__ import annotations

import time
from random import Random

from bench.table import Row, timed
from matches.tournaments.pairing.swiss import count_rounds, pair_swiss_round
from tests.matches.tournaments.swiss_season import SwissSeason

GOAL = "< 2,000 ms"


def rows(players: tuple[int, ...] = (64, 512)) -> list[Row]:
    """Return the times of all rounds of a tournament for each number of players, and of the slowest round."""
    measured = []
    for count in players:
        season, milliseconds = SwissSeason.of(count, Random(count)), list[float]()
        for _ in range(count_rounds(count)):
            with timed(milliseconds, time.process_time):
                pairings = pair_swiss_round(season.entrants, season.games)
            season.play(pairings, leaving=0.06)
        measured += [
            Row.from_values(f"a round of {count}, processor time", milliseconds, "ms"),
            Row(f"the slowest round of {count}, processor time", max(milliseconds), "ms", goal=GOAL),
        ]
    return measured
