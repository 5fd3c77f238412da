"""Who is in which division of a season that begins: by rating, then by the tables and who played enough."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from matches import is_deleted
from tests.cluster import Violation
from tests.tournament_year.final_tables import left_until, table_of
from tests.tournament_year.seasons import divide, form_divisions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.tournament_year.records import Row, Stored

MOST_ABSENCES = 2
FOR_GOOD = ("left", "excluded", "gone", "joined")  # why somebody does not come back


@dataclass(slots=True)
class Divisions:
    """Counts in how many seasons each was absent. `clicks` are when entrants registered, in milliseconds."""

    clicks: Mapping[int, int]
    _absences: Counter[int] = field(default_factory=Counter)

    def check(self, stored: Stored, season: int) -> None:
        """Check the divisions of a season that has just begun. Raises Violation."""
        known = [one for number in range(1, season) for group in stored.groups(number) for one in group]
        absent = self._find_absent(stored, season - 1) if season > 1 else frozenset()
        playing = [
            one
            for one, row in stored.entrants.items()
            if (self._plays(stored, season, one, absent) if one in known else row["from_stage"] <= season)
            and row["withdrawn"] not in FOR_GOOD
            and not (row["withdrawn"] and is_deleted(row["account"]))
        ]
        by_rating = sorted(
            playing, key=lambda one: (-stored.entrants[one]["rating"], stored.entrants[one]["seed"])
        )
        if season == 1:
            expected = divide(by_rating)
        else:
            last = stored.groups(season - 1)
            tables = [table_of(stored, season - 1, number) for number in range(1, len(last) + 1)]
            there = {one for group in last for one in group}
            newcomers = [one for one in by_rating if one not in there]
            order = [[one for one, _ in table] for table in tables]
            expected = form_divisions(order, frozenset(playing), absent, newcomers)
        if stored.groups(season) != expected:
            raise Violation(f"season {season} has the divisions {stored.groups(season)}, not {expected}")

    def _find_absent(self, stored: Stored, season: int) -> frozenset[int]:
        """Return who was absent in a season that is over, and count it."""
        games, left = stored.games_of(season), left_until(stored, season)
        there = {one for group in stored.groups(season) for one in group}
        absent = frozenset(one for one in there if one in left or is_absent(one, games))
        self._absences.update(absent)
        return absent

    def _plays(self, stored: Stored, season: int, one: int, absent: frozenset[int]) -> bool:
        """Return whether somebody who has played before plays the next season."""
        last = stored.stages[season - 1]
        if one in absent:
            has_clicked = self.clicks.get(one, 0) >= last["ended_at"]
            return has_clicked and self._absences[one] < MOST_ABSENCES
        is_there = any(one in group for group in stored.groups(season - 1))
        return is_there or (one in self.clicks and self._absences[one] < MOST_ABSENCES)


def is_absent(entrant: int, games: Sequence[Row]) -> bool:
    """Return whether somebody played fewer than half of the games that could be played."""
    own = [one for one in games if entrant in (one["first"], one["second"]) and one["state"] != "annulled"]
    side = {one["id"]: "first" if one["first"] == entrant else "second" for one in own}
    counted = [
        one
        for one in own
        if one["decision"] not in ("bye", "blocked")
        and not (one["decision"] == "by_default" and one[f"{side[one['id']]}_points"])
    ]
    played = [one for one in counted if one["decision"] != "by_default"]
    return 2 * len(played) < len(counted)
