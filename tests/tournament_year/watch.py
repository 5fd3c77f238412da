"""What is checked after every step: end dates are kept, pairs stay, the ladder is as its games say."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.times import from_millis, to_millis
from matches.tournaments.values import Kind
from storage.tables import TOURNAMENT_STAGES
from tests.cluster import Violation
from tests.tournament_year.plan import STEP
from tests.tournament_year.records import Stored, read_rows, read_tournament
from tests.tournament_year.seasons import apply_wins, divide, drop, form_divisions
from tests.tournament_year.tables import compute_table, read_outcomes

if TYPE_CHECKING:
    from collections import Counter
    from datetime import datetime

    from sqlalchemy import RowMapping

    from storage import Database
    from tests.tournament_year.plan import YearPlan

GRACE = 2 * STEP + timedelta(hours=1)
"""After the date or the outage: the site looks once, and again after six hours without a worker."""

MAX_DELAY = 86_400_000  # milliseconds that a stage may begin late and end on its date all the same
PAUSE = timedelta(weeks=1)  # between two seasons


@dataclass(slots=True)
class Watch:
    """Remembers what it has seen. `up_since` is when the site was first asked after the last outage."""

    plan: YearPlan
    database: Database
    numbers: dict[Kind, int]
    counts: Counter[str]
    up_since: datetime
    stages: dict[tuple[int, int], RowMapping] = field(default_factory=dict)
    pairs: dict[tuple[int, int], set[tuple[int, int | None, int, int]]] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    _applied: set[int] = field(default_factory=set)
    _logged: int = 0

    async def next_dates(self) -> list[datetime]:
        """Return the dates on which running stages end and the next ones begin."""
        rows = await read_rows(self.database, TOURNAMENT_STAGES)
        ends = [from_millis(one["ends_at"]) for one in rows]
        return [*ends, *(one + PAUSE for one in ends)]

    async def look(self, now: datetime) -> None:
        """Check what changed. Raises Violation."""
        kinds = {number: kind for kind, number in self.numbers.items()}
        for row in await read_rows(self.database, TOURNAMENT_STAGES):
            key = row["tournament"], row["number"]
            known = self.stages.get(key)
            if known is None:
                await self._note_stage(kinds[key[0]], row)
            elif any(known[name] != row[name] for name in ("starts_at", "ends_at", "groups", "rules")):
                raise Violation(f"a stage has changed from {dict(known)} to {dict(row)}")
            elif known["state"] != row["state"]:
                await self._check_pairs(kinds[key[0]], row)
                self.stages[key] = row
            await self._check_date(row, now)
        if self.order:
            await self._check_ladder(now)

    async def _check_date(self, row: RowMapping, now: datetime) -> None:
        limit = max(from_millis(row["ends_at"]), self.up_since) + GRACE
        over_at = now if row["ended_at"] is None else from_millis(row["ended_at"])
        if over_at > limit:
            stored = await read_tournament(self.database, row["tournament"])
            states = ("over", "annulled")
            left = [dict(one) for one in stored.games_of(row["number"]) if one["state"] not in states]
            raise Violation(f"a stage is not over on its date: {dict(row)} at {now}, but has {left}")

    async def _note_stage(self, kind: Kind, row: RowMapping) -> None:
        """Remember a stage that began; check how long it lasts, and who is in it."""
        stored = await read_tournament(self.database, row["tournament"])
        length = json.loads(stored.row["settings"])["length"] * 60_000
        if length and not 0 <= length - (row["ends_at"] - row["starts_at"]) <= MAX_DELAY:
            raise Violation(f"a stage has another length: {dict(row)}")
        key = row["tournament"], row["number"]
        self.stages[key] = row
        self.pairs[key] = _pairs(stored, row["number"])
        self.counts[f"{kind}: stages"] += 1
        if kind is Kind.LADDER:
            self.order = sorted(stored.entrants, key=lambda one: int(stored.entrants[one]["seed"]))
        if kind is Kind.LEAGUE:
            _check_divisions(stored, row["number"])

    async def _check_pairs(self, kind: Kind, row: RowMapping) -> None:
        """Check that nobody else meets than when the stage began; challenges and third games come later."""
        stored = await read_tournament(self.database, row["tournament"])
        known, found = self.pairs[row["tournament"], row["number"]], _pairs(stored, row["number"])
        if not known <= found or (known != found and kind not in (Kind.LADDER, Kind.KNOCK_OUT)):
            raise Violation(f"{kind}, stage {row['number']}: other pairs: {known ^ found}")

    async def _check_ladder(self, now: datetime) -> None:
        """Take results and drops since the last look into the order, and compare it with the stored one."""
        stored = await read_tournament(self.database, self.numbers[Kind.LADDER])
        entrants, millis = stored.entrants, to_millis(now)
        if stored.stages[1]["state"] == "over":
            return
        order = [one for one in self.order if entrants[one]["withdrawn"] is None]
        order += [one for one, row in entrants.items() if one not in self.order and row["withdrawn"] is None]
        new = [
            one for one in stored.games.values() if one["state"] == "over" and one["id"] not in self._applied
        ]
        new = sorted((one for one in new if one["news_at"] is None), key=lambda one: int(one["ended_at"]))
        earlier = [_win(one) for one in new if one["ended_at"] < millis]
        later = [_win(one) for one in new if one["ended_at"] >= millis]
        accounts = {row["account"]: one for one, row in entrants.items() if row["withdrawn"] is None}
        drops = [one for one in stored.log if one["act"] == "dropped" and one["id"] > self._logged]
        idle = [accounts[one["about"]] for one in drops if one["about"] in accounts]
        orders = [
            drop(
                apply_wins(drop(apply_wins(order, earlier), frozenset(idle[:number])), later),
                frozenset(idle[number:]),
            )
            for number in range(len(idle) + 1)
        ]  # challenges that end now without an answer keep both from being idle until then
        found = sorted(accounts.values(), key=lambda one: int(entrants[one]["rank"] or 0))
        if found not in orders:
            raise Violation(f"the ladder at {now} is {found}, by its games {orders[0]}; {drops}, {new}")
        self.order = found
        self._applied |= {one["id"] for one in new}
        self._logged = max((one["id"] for one in drops), default=self._logged)
        self.counts["ladder: drops"] += len(idle)
        self.counts["ladder: games"] += len(new)


def _win(game: RowMapping) -> tuple[int, int]:
    """Return winner and loser; after a draw both are the same."""
    first, second = game["first"], game["second"]
    if game["first_points"] == game["second_points"]:
        return first, first
    return (first, second) if game["first_points"] > game["second_points"] else (second, first)


def _pairs(stored: Stored, stage: int) -> set[tuple[int, int | None, int, int]]:
    return {(one["first"], one["second"], one["round"], one["number"]) for one in stored.games_of(stage)}


def _check_divisions(stored: Stored, season: int) -> None:
    """Check who is in which division of a season that has just begun."""
    playing = [
        number
        for number, one in stored.entrants.items()
        if one["withdrawn"] is None and one["is_registered"] and one["from_stage"] <= season
    ]
    by_rating = sorted(
        playing, key=lambda one: (-stored.entrants[one]["rating"], stored.entrants[one]["seed"])
    )
    if season == 1:
        expected = divide(by_rating)
    else:
        last = stored.groups(season - 1)
        known = {one for group in last for one in group}
        tables = [table_of(stored, season - 1, number) for number in range(1, len(last) + 1)]
        games, left = stored.games_of(season - 1), left_until(stored, season - 1)
        absent = frozenset(one for one in known if one in left or _is_absent(one, games))
        newcomers = [one for one in by_rating if one not in known]
        order = [[one for one, _ in table] for table in tables]
        expected = form_divisions(order, frozenset(playing), absent, newcomers)
    if stored.groups(season) != expected:
        raise Violation(f"season {season} has the divisions {stored.groups(season)}, not {expected}")


def _is_absent(entrant: int, games: list[RowMapping]) -> bool:
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


def table_of(stored: Stored, stage: int, division: int = 1) -> list[tuple[int, int]]:
    """Return the table of a division at the end of a stage, from the rows of its games.

    Of a Swiss tournament all stages until then count.
    """
    is_swiss = stored.kind == Kind.SWISS
    stages = range(1, stage + 1) if is_swiss else [stage]
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
    """Return who was withdrawn when a stage was over, by the log; before it began counts in a Swiss only."""
    accounts = {row["account"]: one for one, row in stored.entrants.items()}
    row = stored.stages[stage]
    since = 0 if stored.kind == Kind.SWISS else row["starts_at"]
    until = row["ended_at"] or max(one["made_at"] for one in stored.log)
    return frozenset(
        accounts[one["about"]]
        for one in stored.log
        if one["act"] in ("withdrawn", "excluded") and since <= one["made_at"] <= until
    )
