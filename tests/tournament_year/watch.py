"""What is checked after every look of the site: dates are kept, pairs stay, and games open when they may."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.times import from_millis, to_millis
from matches.tournaments.values import Kind
from storage.tables import TOURNAMENT_ENTRANTS, TOURNAMENT_GAMES, TOURNAMENT_STAGES
from tests.cluster import Violation
from tests.tournament_year.plan import START
from tests.tournament_year.records import Row, Stored, read_rows, read_tournament

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from storage import Database
    from tests.tournament_year.divisions import Divisions
    from tests.tournament_year.ladder import Ladder
    from tests.tournament_year.plan import YearPlan

DAY, WEEK = timedelta(days=1) // timedelta(milliseconds=1), timedelta(weeks=1) // timedelta(milliseconds=1)
LENGTHS = {
    Kind.ROUND_ROBIN: 13 * WEEK,
    Kind.LEAGUE: 13 * WEEK,
    Kind.SWISS: 5 * WEEK,
    Kind.KNOCK_OUT: 6 * WEEK,
    Kind.LADDER: 52 * WEEK,
}
PAUSE = WEEK  # between two seasons
PATIENCE = DAY // 4  # that a board waits for a worker
MAX_DELAY = DAY  # that a stage may begin late and end on its date all the same
AT_ONCE, AT_ONCE_IN_ALL = 5, 20  # open games of a player, in a tournament where all meet, and in all together
ALL_OPEN = 30 * DAY  # after the beginning, or a third of a short stage

Pairs = frozenset[tuple[int, int | None, int, int]]


@dataclass(slots=True)
class Watch:
    """Remembers what it has seen: the times of all looks, stages, pairs. Times are in milliseconds."""

    plan: YearPlan
    database: Database
    numbers: Mapping[Kind, int]
    divisions: Divisions
    ladder: Ladder
    counts: Counter[str]
    looks: list[int] = field(default_factory=list)
    _stages: dict[tuple[int, int], Row] = field(default_factory=dict)
    _pairs: dict[tuple[int, int], Pairs] = field(default_factory=dict)

    async def next_dates(self) -> list[datetime]:
        """Return the dates on which running stages end and the next ones begin."""
        rows = await read_rows(self.database, TOURNAMENT_STAGES)
        ends = [from_millis(one["ends_at"]) for one in rows]
        return [*ends, *(one + timedelta(milliseconds=PAUSE) for one in ends)]

    async def look(self, now: datetime) -> None:
        """Check what changed. Raises Violation."""
        self.looks.append(to_millis(now))
        kinds = {number: kind for kind, number in self.numbers.items()}
        for row in await read_rows(self.database, TOURNAMENT_STAGES):
            key = row["tournament"], row["number"]
            known = self._stages.get(key)
            if known is None:
                await self._note_stage(kinds[key[0]], row)
            elif any(known[name] != row[name] for name in ("starts_at", "ends_at", "groups", "rules")):
                raise Violation(f"a stage has changed from {dict(known)} to {dict(row)}")
            elif known["state"] != row["state"]:
                await self._check_pairs(kinds[key[0]], row)
                self._stages[key] = row
            await self._check_date(row)
        await self._check_open()
        if Kind.LADDER in self.numbers:
            stored = await read_tournament(self.database, self.numbers[Kind.LADDER])
            self.ladder.look(stored, self.looks[-1])

    def _first_look(self, at: int) -> int | None:
        """Return when the site looked first at or after a time; None if it has not yet."""
        index = bisect_left(self.looks, at)
        return self.looks[index] if index < len(self.looks) else None

    async def _check_date(self, row: Row) -> None:
        try:
            self.check_date(row)
        except Violation as error:
            stored = await read_tournament(self.database, row["tournament"])
            states = ("over", "annulled")
            left = [dict(one) for one in stored.games_of(row["number"]) if one["state"] not in states]
            raise Violation(f"{error}, but has {left}") from error
        if self._first_look(row["ends_at"]) == self.looks[-1]:
            self.counts["stages over at the first look"] += row["ended_at"] is not None
            self.counts["stages with boards to assess"] += row["ended_at"] is None

    def check_date(self, row: Row) -> None:
        """Check that a stage is over at the first look after its date, or once its boards have waited."""
        first = self._first_look(row["ends_at"])
        limit = None if first is None else self._first_look(first + PATIENCE)
        if limit is not None and (row["ended_at"] is None or row["ended_at"] > limit):
            raise Violation(f"a stage is not over on its date: {dict(row)}")

    async def _note_stage(self, kind: Kind, row: Row) -> None:
        """Remember a stage that began; check when it began, how long it lasts, and who is in it."""
        stored, number = await read_tournament(self.database, row["tournament"]), row["number"]
        self.check_begin(kind, stored, row)
        key = row["tournament"], number
        self._stages[key], self._pairs[key] = row, _pairs(stored, number)
        self.counts[f"{kind}: stages"] += 1
        if kind is Kind.LADDER:
            self.ladder.begin(stored)
        elif kind is Kind.LEAGUE:
            self.divisions.check(stored, number)
        elif kind is not Kind.KNOCK_OUT or number == 1:
            playing = {
                one
                for one, entrant in stored.entrants.items()
                if entrant["withdrawn"] is None and entrant["from_stage"] <= number
            }
            if {*stored.groups(number)[0]} != playing:
                raise Violation(f"in {kind} {number} play {stored.groups(number)}, not {playing}")

    def check_begin(self, kind: Kind, stored: Stored, row: Row) -> None:
        """Check that a stage begins as soon as it can, and ends as if it had begun on time, but for a day."""
        last, began = stored.stages.get(row["number"] - 1), row["starts_at"]
        if last is None:
            due = begins = to_millis(START)
        else:
            due = last["ends_at"] + (PAUSE if kind is Kind.LEAGUE else 0)
            begins = due if kind is Kind.LEAGUE else last["ended_at"]
        length = (
            to_millis(START + self.plan.lengths[kind]) - to_millis(START) if kind in self.plan.lengths else 0
        )
        delay = min(max(began - due, 0), MAX_DELAY)
        if began != self._first_look(begins) or row["ends_at"] != began + (length or LENGTHS[kind]) - delay:
            raise Violation(f"{kind}: a stage should have begun at {begins}: {dict(row)}")

    async def _check_pairs(self, kind: Kind, row: Row) -> None:
        """Check that nobody else meets than when the stage began; challenges and third games come later."""
        stored = await read_tournament(self.database, row["tournament"])
        known, found = self._pairs[row["tournament"], row["number"]], _pairs(stored, row["number"])
        if not known <= found or (known != found and kind not in (Kind.LADDER, Kind.KNOCK_OUT)):
            raise Violation(f"{kind}, stage {row['number']}: other pairs: {known ^ found}")

    async def _check_open(self) -> None:
        """Check that all games are open that may be, and no others."""
        columns = TOURNAMENT_GAMES.c
        rows = await read_rows(self.database, TOURNAMENT_GAMES, columns.state.in_(("waiting", "open")))
        accounts = {one["id"]: one["account"] for one in await read_rows(self.database, TOURNAMENT_ENTRANTS)}
        in_all: Counter[str] = Counter()
        own: Counter[int] = Counter()
        for one in rows:
            if one["state"] == "open":
                own.update((one["first"], one["second"]))
                in_all.update((accounts[one["first"]], accounts[one["second"]]))
        limited = [self.numbers.get(kind) for kind in (Kind.LEAGUE, Kind.ROUND_ROBIN)]
        for one in rows:
            stage, players = self._stages[one["tournament"], one["stage"]], (one["first"], one["second"])
            free_at = stage["starts_at"] + min(ALL_OPEN, (stage["ends_at"] - stage["starts_at"]) // 3)
            is_limited = one["tournament"] in limited and self.looks[-1] < free_at - MAX_DELAY
            most = max(own[each] for each in players)
            busiest = max(in_all[accounts[each]] for each in players)
            if one["state"] == "open" and is_limited and most > AT_ONCE:
                raise Violation(f"{most} games are open for one of {players}: {dict(one)}")
            is_held = (
                most >= AT_ONCE and one["tournament"] in limited and self.looks[-1] < free_at + MAX_DELAY
            )
            is_waiting = one["state"] == "waiting" and one["answer_by"] is None
            if is_waiting and not is_held and busiest < AT_ONCE_IN_ALL and stage["state"] == "running":
                raise Violation(f"a game waits for no reason: {dict(one)} at {self.looks[-1]}")
            self.counts["most games open for one person"] = max(
                busiest, self.counts["most games open for one person"]
            )


def _pairs(stored: Stored, stage: int) -> Pairs:
    return frozenset(
        (one["first"], one["second"], one["round"], one["number"]) for one in stored.games_of(stage)
    )
