"""The year itself: what happens when, in one order that hangs on the seed alone."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from matches import MatchId, MatchState
from tests.soak import afterwards, habits, matchmaking, onlookers, order, playing, timing
from tests.soak.plan import BEGIN, MONTH

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from matches import MatchView
    from tests.discord_server import Member
    from tests.soak.matchmaking import Asked
    from tests.soak.stage import Stage

THINKING = timedelta(hours=9)  # in the mean
MOST_OUTAGE = timedelta(hours=6)


@dataclass(order=True, slots=True)
class Due:
    """Something that is to happen at a time; those of one time in the order in which they were planned."""

    when: datetime
    number: int
    what: Callable[[], Awaitable[None]] = field(compare=False)


class Year:
    """Plans what happens and lets it happen."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._due: list[Due] = []
        self._numbers = count()
        self._bears: dict[MatchId, int] = {}
        self.matches: list[MatchId] = []

    async def run(self) -> None:
        """Let the year pass."""
        stage, plan = self._stage, self._stage.plan
        for when in self._moments(plan.matches):
            self._at(when, self._challenge)
        for guild in stage.cast.guilds[::2]:
            await order.want_threads(stage, guild)
        for person in stage.cast.people:
            self._vacations(person)
            self._moods(person)
        for number, (when, length) in enumerate(self._downtimes()):
            trouble = self._outage if number % 3 == 1 else self._down
            self._at(when, partial(trouble, length))
        for month in range(plan.end - BEGIN > MONTH and (plan.end - BEGIN) // MONTH):
            self._at(BEGIN + (month + 1) * MONTH - timedelta(minutes=1), self._measure)
        while self._due and self._due[0].when < plan.end:
            due = heapq.heappop(self._due)
            await stage.pass_until(max(due.when, stage.now))
            await due.what()
        await stage.pass_until(plan.end)
        stage.turn_the_month()

    def _moments(self, number: int) -> Iterator[datetime]:
        """Give when challenges are made: all the year round, so that its months are alike."""
        span = (self._stage.plan.end - BEGIN).total_seconds()
        for _ in range(number):
            yield BEGIN + timedelta(seconds=self._stage.chance.uniform(0, span))

    def _downtimes(self) -> Iterator[tuple[datetime, timedelta]]:
        """Give when the bot, or Discord, is down, and for how long."""
        chance, plan = self._stage.chance, self._stage.plan
        for _ in range(max(2, plan.days // 12)):
            when = BEGIN + timedelta(seconds=chance.uniform(0, (plan.end - BEGIN).total_seconds()))
            yield when, timedelta(hours=chance.choice([0.2, 1, 5, 30, 70]))

    def _at(self, when: datetime, what: Callable[[], Awaitable[None]]) -> None:
        heapq.heappush(self._due, Due(when, next(self._numbers), what))

    def _later(self, mean: timedelta, what: Callable[[], Awaitable[None]]) -> None:
        pause = self._stage.chance.expovariate(1 / mean.total_seconds())
        self._at(self._stage.now + timedelta(seconds=60 + pause), what)

    def _vacations(self, person: Member) -> None:
        """Plan vacations: about two in a year for each."""
        chance, plan = self._stage.chance, self._stage.plan
        for _ in range(round(chance.uniform(0, 4) * plan.days / 365 + 0.3)):
            when = BEGIN + timedelta(seconds=chance.uniform(0, (plan.end - BEGIN).total_seconds()))
            self._at(when, partial(timing.vacation, self._stage, person, back=False))
            ends = when + timedelta(days=chance.choice([1, 4, 10, 40]))
            self._at(ends, partial(timing.vacation, self._stage, person, back=True))

    def _moods(self, person: Member) -> None:
        """Plan when somebody chooses to be told otherwise, takes no messages, or keeps clear of another."""
        stage, span = self._stage, self._stage.plan.end - BEGIN
        chance = stage.chance

        def some_time() -> datetime:
            return BEGIN + chance.random() * span

        for _ in range(chance.choice([0, 0, 1])):
            self._at(some_time(), partial(onlookers.prefer, stage, person))
        if chance.random() < 0.2:
            when = some_time()
            self._at(when, partial(self._close, person, closed=True))
            self._at(when + chance.random() * span / 4, partial(self._close, person, closed=False))
        if chance.random() < 0.2:
            when, other = some_time(), chance.choice([one for one in stage.cast.people if one is not person])
            self._at(when, partial(order.keep_clear, stage, person, other, lasting=True))
            later = when + chance.random() * span / 4
            self._at(later, partial(order.keep_clear, stage, person, other, lasting=False))

    async def _close(self, person: Member, *, closed: bool) -> None:
        onlookers.close_messages(self._stage, person, closed=closed)

    async def _measure(self) -> None:
        self._stage.turn_the_month()

    async def _challenge(self) -> None:
        if not self._stage.house.is_up:
            self._later(timedelta(hours=5), self._challenge)
            return
        asked = await matchmaking.challenge(self._stage)
        if asked is not None:
            self._later(timedelta(hours=6), lambda: self._answer(asked))

    async def _answer(self, asked: Asked) -> None:
        match = await matchmaking.answer(self._stage, asked)
        if match is None:
            return
        self.matches.append(match)
        plan = self._stage.plan
        # Most are given up early, one in ten may take three times as long as people bear in the mean.
        self._bears[match] = round((0.3 + 4.2 * self._stage.chance.random() ** 5) * plan.patience)
        self._later(THINKING, lambda: self._attend(match))

    async def _attend(self, match: MatchId) -> None:
        """Let whoever is asked to in a match do something; then somebody will again, until it is over."""
        stage = self._stage
        view = await stage.view(match)
        if view.state is MatchState.OVER:
            stage.figures.deeds[f"ended: {view.result.reason if view.result else 'void'}"] += 1
            await self._after(view)
            return
        pause = None
        if stage.cast.is_there(view.place):
            self._bears[match] -= 1
            pause = await self._act(view)
        self._later(pause or THINKING, lambda: self._attend(match))

    async def _after(self, view: MatchView) -> None:
        """Let a match that is over have consequences."""
        stage, drawn = self._stage, self._stage.chance.random()
        if drawn < 0.05:
            await afterwards.correct(stage, view)
        elif drawn < 0.2:
            asked = await afterwards.rematch(stage, view)
            if asked is not None:
                self._later(timedelta(hours=6), lambda: self._answer(asked))

    async def _act(self, view: MatchView) -> timedelta | None:
        stage = self._stage
        if view.ply < 2 and stage.chance.random() < 0.015:
            await habits.abort(stage, view)
            return None
        if view.state is MatchState.FISTS:
            if view.waits_for:
                await playing.pick(stage, view, stage.chance.choice(view.waits_for))
            return None
        if self._bears[view.id] < 0:
            await habits.give_up(stage, view)
            return None
        done = await habits.something(stage, view)
        if done is not None:
            return done
        await playing.turn(stage, view)
        return None

    async def _down(self, length: timedelta) -> None:
        """Take the bot down for a while."""
        stage = self._stage
        if not stage.house.is_up or stage.weather.is_outage:
            return
        stage.story.tell(stage.now, f"the bot goes down for {length}")
        stage.figures.deeds["downtimes"] += 1
        await stage.house.stop()
        self._at(stage.now + length, self._up)

    async def _outage(self, length: timedelta) -> None:
        """Let Discord fail for a while."""
        stage = self._stage
        if not stage.house.is_up or stage.weather.is_outage:
            return
        stage.story.tell(stage.now, "Discord fails")
        stage.weather.begin_outage()
        self._at(stage.now + min(length, MOST_OUTAGE), self._calm)

    async def _calm(self) -> None:
        self._stage.weather.end_outage()
        self._stage.story.tell(self._stage.now, "Discord works again")

    async def _up(self) -> None:
        await self._stage.house.start()
        self._stage.story.tell(self._stage.now, "the bot is up again")
