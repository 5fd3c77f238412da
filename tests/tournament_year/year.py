"""The simulated year: the site is asked every few hours, killed, and away for days; people play between."""

from __future__ import annotations

from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from matches import Database, Matches
from matches.times import from_millis
from matches.tournaments.values import GameSetup, Kind, Settings, TournamentId
from storage.tables import TOURNAMENTS
from tests.cluster.audit import keep_deleted_rows
from tests.tournament_year.audit import Audit
from tests.tournament_year.discord import Discord
from tests.tournament_year.divisions import Divisions
from tests.tournament_year.happenings import ORGANISER, Happenings
from tests.tournament_year.ladder import Ladder
from tests.tournament_year.persons import Persons, person
from tests.tournament_year.plan import MADE_AT, MONTH, OUTAGE, START, STEP
from tests.tournament_year.records import read_rows, read_tournament
from tests.tournament_year.site import Site
from tests.tournament_year.watch import Watch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from datetime import datetime
    from pathlib import Path

    from tests.tournament_year.plan import YearPlan

GAMES = (GameSetup("morabaraba"), GameSetup("morelli", {"size": 9, "setup": "facing"}))
ASSESSING = timedelta(minutes=1)  # after the site was asked; then boards are assessed
SETTLING = timedelta(minutes=30)
PLAYING = timedelta(hours=1)
POSTING = timedelta(hours=1, minutes=2)  # what people did is due to be posted soon afterwards
OUTAGE_DAYS = (1, 2, 4, 6)
BLOCKED_PAIRS = 5


@dataclass(slots=True)
class Year:
    """Runs a plan on an empty database."""

    plan: YearPlan
    database: Database
    matches: Matches
    site: Site
    counts: Counter[str]
    numbers: dict[Kind, TournamentId] = field(default_factory=dict)
    persons: Persons = field(init=False)
    happenings: Happenings = field(init=False)
    watch: Watch = field(init=False)
    discord: Discord = field(init=False)
    now: datetime = START

    def __post_init__(self) -> None:
        parts = self.plan, self.matches, self.database
        self.discord = Discord(self.matches, self.counts)
        self.persons = Persons(*parts, self.counts)
        self.happenings = Happenings(*parts, self.persons, self.numbers, self.counts)
        divisions, ladder = Divisions(self.happenings.clicks), Ladder(self.counts)
        self.watch = Watch(self.plan, self.database, self.numbers, divisions, ladder, self.counts)

    async def run(self, report: Callable[[str], object]) -> None:
        """Run until all tournaments are over, and audit them. Raises Violation."""
        await self._create()
        outages, step, end = self._plan_outages(), 0, START + timedelta(days=self.plan.days)
        now, is_down = START, False
        while now < end and not await self._is_over():
            if is_in(outages, now):
                self.site.kill()
                is_down = True
            else:
                self.counts["outages"] += is_down
                is_down = False
                await self._step(now, step)
            if step % (MONTH // STEP) == 0:
                report(f"{now:%d %B %Y}: {len(self.persons.moves):,} games begun, {self._kills()} kills")
            now, step = now + STEP, step + 1
        await Audit(
            *(self.database, self.matches, self.numbers, self.persons.moves, self.happenings),
            *(self.watch.looks, self.watch.ladder.order, self.counts, now),
        ).run()
        self.now = now

    def _kills(self) -> int:
        return sum(number for name, number in self.counts.items() if name.startswith("kills"))

    async def _create(self) -> None:
        rng = self.plan.random("people")
        for kind, size in self.plan.entrants.items():
            settings = Settings(
                name=kind.value,
                kind=kind,
                games=GAMES,
                starts_at=START,
                stage_length=self.plan.lengths.get(kind, timedelta(0)),
                rounds=self.plan.rounds.get(kind),
            )
            with patch("secrets.randbelow", rng.randrange):
                number = await self.matches.tournaments.create(settings, ORGANISER, now=MADE_AT)
            self.numbers[kind] = number
            for one in sorted(rng.sample(range(self.plan.persons), size)):
                await self.matches.tournaments.join(number, person(one), now=MADE_AT)
        for _ in range(BLOCKED_PAIRS):
            pair = [person(number) for number in rng.sample(range(self.plan.persons), 2)]
            await self.matches.people.blocks.block(*pair, now=MADE_AT)

    def _plan_outages(self) -> list[tuple[datetime, datetime]]:
        """Return when the site is away: every second time over the end date of a stage of the Swiss."""
        rng, outages = self.plan.random("outages"), []
        rounds = self.plan.rounds.get(Kind.SWISS, 1)
        length = self.plan.lengths.get(Kind.SWISS, timedelta(weeks=5))
        for number in range(self.plan.outages):
            days = timedelta(days=rng.choice(OUTAGE_DAYS))
            if number % 2:
                begin = START + timedelta(days=rng.uniform(5, self.plan.days * 0.8))
            else:
                begin = START + length * rng.randint(1, rounds) - days * rng.uniform(0.1, 0.9)
            outages.append((begin, begin + days))
        return outages

    async def _step(self, now: datetime, step: int) -> None:
        """Do what is due, check it, assess boards, and let people act. Times do not depend on kills."""
        dates = await self.watch.next_dates()
        is_date = step == 0 or any(now - STEP < one <= now for one in dates)
        await self.site.sweep(now, self.plan.kills_on_dates if is_date else 0)
        await self.watch.look(now)
        adjudication = self.matches.tournaments.adjudication
        is_assessing = self.plan.random("assessor", now.isocalendar()[:2]).random() < 0.8
        if is_assessing and await adjudication.has_work(now=now + ASSESSING):
            await self.site.assess(now + ASSESSING)
            await self.site.sweep(now + SETTLING)
            await self.watch.look(now + SETTLING)
        await self.persons.act(now + PLAYING)
        await self.happenings.act(now + PLAYING, step)
        await self.discord.post(now + POSTING)

    async def _is_over(self) -> bool:
        rows = await read_rows(self.database, TOURNAMENTS)
        return all(one["state"] == "over" for one in rows)

    async def describe(self) -> dict[str, Any]:
        """Return what must be the same without kills: divisions, dates, pairs, results, places."""
        found: dict[str, Any] = {}
        for kind, number in self.numbers.items():
            stored = await read_tournament(self.database, number)
            seeds = {one: row["seed"] for one, row in stored.entrants.items()}
            names = ("stage", "division", "round", "number")
            results = (
                *("setup", "state", "first_points", "second_points", "decision", "chances"),
                *("opened_at", "ended_at"),
            )
            found[kind] = {
                "groups": [
                    [[seeds[one] for one in group] for group in stored.groups(n)] for n in stored.stages
                ],
                "dates": [
                    (from_millis(one["starts_at"]), one["ends_at"], one["ended_at"])
                    for one in stored.stages.values()
                ],
                "games": sorted(
                    (
                        *(one[name] for name in names),
                        seeds[one["first"]],
                        seeds.get(one["second"], 0),
                        *(str(one[name]) for name in results),
                    )
                    for one in stored.games.values()
                ),
                "ranks": {row["seed"]: row["rank"] for row in stored.entrants.values()},
            }
        return found


def is_in(periods: list[tuple[datetime, datetime]], now: datetime) -> bool:
    """Return whether a time is in one of the periods."""
    return any(begin <= now < end for begin, end in periods)


@asynccontextmanager
async def live_year(
    plan: YearPlan,
    url: str,
    folder: Path,
    report: Callable[[str], object] = lambda _line: None,
    *,
    is_disturbed: bool = True,
) -> AsyncIterator[Year]:
    """Run a plan on an empty database, which is open for the block afterwards. Raises Violation.

    Without disturbance nothing is killed; outages stay.
    """
    async with await Database.open(url) as database:
        await keep_deleted_rows(database)
        counts: Counter[str] = Counter()
        site = Site(url, folder, plan.random("kills") if is_disturbed else None, plan.kills, counts)
        year = Year(plan, database, Matches(database, outage=OUTAGE), site, counts)
        try:
            await year.run(report)
            await site.stop()
        finally:
            site.kill()
        yield year
