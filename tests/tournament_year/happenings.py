"""What happens besides playing: people leave, join, challenge on the ladder; the organiser corrects."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from matches import ErasureChoice, Person, Refusal, is_deleted
from matches.times import to_millis
from matches.tournaments.results import EntrantId
from matches.tournaments.values import REPLACED_LATER, Kind, TournamentId
from storage.tables import TOURNAMENT_ENTRANTS, TOURNAMENT_GAMES
from tests.tournament_year.persons import DAY, person
from tests.tournament_year.plan import MONTH, STEP
from tests.tournament_year.records import Row, read_rows, read_tournament

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Awaitable
    from datetime import datetime

    from matches import Matches
    from storage import Database
    from tests.tournament_year.persons import Persons
    from tests.tournament_year.plan import YearPlan

ORGANISER = Person("discord:999", "Olga")
CHALLENGES_A_DAY = 0.05  # of one person on the ladder
A_DAY, A_MONTH = timedelta(days=1) // STEP, MONTH // STEP
SILENCE = timedelta(days=60)
POINTS = ((2, 0), (1, 1), (0, 2))


@dataclass(slots=True)
class Happenings:
    """Draws what happens.

    `corrections` are the points that the organiser gave last, by game, `left` who left or was excluded when,
    `clicks` when entrants of the league have registered for the next season. Times are in milliseconds.
    """

    plan: YearPlan
    matches: Matches
    database: Database
    persons: Persons
    numbers: dict[Kind, TournamentId]
    counts: Counter[str]
    corrections: dict[int, tuple[int, int]] = field(default_factory=dict)
    left: dict[Kind, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))
    clicks: dict[int, int] = field(default_factory=dict)
    erased: set[str] = field(default_factory=set)
    newcomers: int = 0

    async def act(self, now: datetime, step: int) -> None:
        """Do what happens in a step, and once a day or month what happens then."""
        await self._answer_challenges(now)
        if step % A_DAY == 0:
            await self._challenge(now, step)
        if step % A_MONTH == A_MONTH // 2:
            await self._change_who_plays(now, step)
        if step % A_MONTH == A_MONTH * 3 // 4:
            await self._correct(now, step)

    async def _entrants(self, kind: Kind) -> list[Row]:
        """Return who plays, in an order that does not depend on the database."""
        columns = TOURNAMENT_ENTRANTS.c
        own, withdrawn = columns.tournament == self.numbers[kind], columns.withdrawn
        rows = await read_rows(self.database, TOURNAMENT_ENTRANTS, own, withdrawn.is_(None))
        living = [one for one in rows if not is_deleted(one["account"])]
        return sorted(living, key=lambda one: str(one["account"]))

    async def _try(self, what: str, work: Awaitable[object]) -> bool:
        """Do something that may be refused, and count which it was; return whether it was done."""
        key = ""
        try:
            await work
        except Refusal as error:
            key = f": {error.key}"
        self.counts[what + key] += 1
        return not key

    async def _answer_challenges(self, now: datetime) -> None:
        ladder, columns = self.numbers[Kind.LADDER], TOURNAMENT_GAMES.c
        waiting = (columns.state == "waiting", columns.answer_by.is_not(None))
        rows = await read_rows(self.database, TOURNAMENT_GAMES, columns.tournament == ladder, *waiting)
        accounts = {one["id"]: one for one in await self._entrants(Kind.LADDER)}
        for row in sorted(rows, key=lambda one: int(one["number"])):
            rng = self.plan.random("answer", row["number"])
            sent_at = row["answer_by"] - 5 * DAY // timedelta(milliseconds=1)
            answers_at = sent_at + rng.uniform(0, 6) * DAY // timedelta(milliseconds=1)
            if answers_at > to_millis(now) or row["first"] not in accounts:
                continue
            own = _person(accounts[row["first"]])
            if self.persons.silent_until.get(own.account, now) <= now:
                accept = rng.random() < 0.85
                work = self.matches.tournaments.answer(ladder, row["id"], own, accept=accept, now=now)
                await self._try(f"ladder: {'accept' if accept else 'decline'}", work)

    async def _challenge(self, now: datetime, step: int) -> None:
        ladder, entrants = self.numbers[Kind.LADDER], await self._entrants(Kind.LADDER)
        order = sorted(entrants, key=lambda one: int(one["rank"] or 0))
        if not order or order[0]["rank"] is None:
            return
        for row in entrants:
            rng, place = self.plan.random("challenge", step, row["account"]), order.index(row)
            if rng.random() > CHALLENGES_A_DAY or not place:
                continue
            other = order[max(0, place - rng.randint(1, 4))]
            work = self.matches.tournaments.challenge(
                ladder, _person(row), EntrantId(other["id"]), setup=rng.randrange(2), now=now
            )
            await self._try("ladder: challenge", work)

    async def _change_who_plays(self, now: datetime, month: int) -> None:
        """Let people leave, fall silent, erase their account or go on vacation; others take their places."""
        tournaments = self.matches.tournaments
        for kind in self.numbers:
            for row in await self._entrants(kind):
                own, drawn = _person(row), self.plan.random("leave", kind, month, row["account"]).random()
                if own.account in self.erased or drawn > self.plan.leaving:
                    continue
                share = drawn / self.plan.leaving
                if share < 0.5:
                    await self._let_leave(kind, row, own, share, now)
                elif share < 0.85:
                    self.persons.silent_until[own.account] = now + SILENCE
                    self.counts[f"{kind}: silent"] += 1
                else:
                    self.erased.add(own.account)
                    erase = self.matches.people.personal_data.erase
                    await self._try("erased", erase(own.account, ErasureChoice.RESIGN, now=now))
        for kind in (Kind.LEAGUE, Kind.LADDER):
            for _ in range(2):
                new = self._newcomer()
                await self._try(f"{kind}: join", tournaments.join(self.numbers[kind], new, now=now))
        await self._register(now)
        await self._go_on_vacation(now, month)

    async def _let_leave(self, kind: Kind, row: Row, own: Person, share: float, now: datetime) -> None:
        """Let somebody leave, or the organiser exclude or replace them."""
        tournaments, number, entrant = self.matches.tournaments, self.numbers[kind], EntrantId(row["id"])
        reason = "as they asked"
        if share < 0.35:
            is_done = await self._try(f"{kind}: leave", tournaments.leave(number, own, now=now))
        elif share < 0.45 or kind not in REPLACED_LATER:
            exclude = tournaments.exclude(number, entrant, ORGANISER, reason=reason, now=now)
            is_done = await self._try(f"{kind}: exclude", exclude)
        else:
            new = self._newcomer()
            work = tournaments.replace(number, entrant, new, ORGANISER, reason=reason, now=now)
            is_done = await self._try(f"{kind}: replace", work)
        if is_done:
            self.left[kind].append((to_millis(now), own.account))

    def _newcomer(self) -> Person:
        self.newcomers += 1
        return person(self.plan.persons + self.newcomers)

    async def _register(self, now: datetime) -> None:
        """Let half of those who would have to register for the next season do so."""
        league = self.numbers[Kind.LEAGUE]
        for row in (await read_tournament(self.database, league)).entrants.values():
            if (
                row["is_registered"]
                or is_deleted(row["account"])
                or self.plan.random("register", row["account"]).random() < 0.5
            ):
                continue
            work = self.matches.tournaments.register(league, _person(row), is_registered=True, now=now)
            if await self._try("league: register", work):
                self.clicks[row["id"]] = to_millis(now)

    async def _go_on_vacation(self, now: datetime, month: int) -> None:
        for number in range(self.plan.persons):
            rng, own = self.plan.random("vacation", month, number), person(number)
            if rng.random() < 0.08 and own.account not in self.erased:
                length = rng.choice((4, 12, 25)) * DAY
                vacations = self.matches.clocks.vacations
                await self._try("vacation", vacations.begin(own, length=length, now=now))

    async def _correct(self, now: datetime, month: int) -> None:
        """Let the organiser correct the result of a game, also of a stage that is over."""
        for kind in (Kind.LEAGUE, Kind.SWISS):
            stored, rng = await read_tournament(self.database, self.numbers[kind]), self.plan.random(month)
            names = ("stage", "division", "round", "number")
            played = [one for one in stored.games.values() if one["decision"] == "played"]
            if stored.row["state"] != "running" or not played:
                continue
            played.sort(
                key=lambda one: [*(one[name] for name in names), stored.entrants[one["first"]]["seed"]]
            )
            game = rng.choice(played)
            points = rng.choice(
                [one for one in POINTS if one != (game["first_points"], game["second_points"])]
            )
            correct = self.matches.tournaments.correct
            number = self.numbers[kind]
            await self._try(
                f"{kind}: correct",
                correct(number, game["id"], points, ORGANISER, reason="as both said", now=now),
            )
            self.corrections[game["id"]] = points


def _person(row: Row) -> Person:
    return Person(row["account"], f"Ada {row['account'][-3:]}")
