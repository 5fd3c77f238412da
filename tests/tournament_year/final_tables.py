"""Tables of stages, computed anew from the games and the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.tournaments.values import Kind
from tests.tournament_year.tables import compute_table, read_outcomes

if TYPE_CHECKING:
    from tests.tournament_year.records import Stored

LEFT = ("withdrawn", "excluded")


def table_of(stored: Stored, stage: int, division: int = 1) -> list[tuple[int, int]]:
    """Return the table of a division at the end of a stage: entrants with half points, the first place first.

    Of a Swiss tournament all stages until then count.
    """
    stages = range(1, stage + 1) if stored.kind == Kind.SWISS else [stage]
    games = [one for number in stages for one in stored.games_of(number, division)]
    over = [
        (one["first"], one["second"], (one["first_points"], one["second_points"] or 0), one["decision"])
        for one in games
        if one["state"] == "over"
    ]
    group = dict.fromkeys(one for number in stages for one in stored.groups(number)[division - 1])
    seeds = {one: row["seed"] for one, row in stored.entrants.items()}
    return compute_table(list(group), seeds, left_until(stored, stage), read_outcomes(over))


def left_until(stored: Stored, stage: int) -> frozenset[int]:
    """Return who had left when a stage was over, by the log; before it began counts in a Swiss only.

    Whoever leaves after the end date has not left that stage; a clock was lost before.
    """
    accounts = {row["account"]: one for one, row in stored.entrants.items()}
    row = stored.stages[stage]
    since = 0 if stored.kind == Kind.SWISS else row["starts_at"]
    until = row["ended_at"] or max(one["made_at"] for one in stored.log)
    return frozenset(
        accounts[one["about"]]
        for one in stored.log
        if one["act"] in LEFT
        and since <= one["made_at"] <= until
        and (one["made_at"] < row["ends_at"] or "lost_clocks" in (one["details"] or ""))
    )
