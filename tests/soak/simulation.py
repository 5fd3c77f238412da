"""The simulated year: schedules actions at random times and runs them; the seed determines their order."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from matches import MatchId, MatchState
from tests.soak import (
    after_match,
    audit,
    behaviour,
    clock_actions,
    followers,
    matchmaking,
    moderation,
    playing,
)
from tests.soak.bot_runner import BotRunner
from tests.soak.environment import create_environment
from tests.soak.plan import MONTH, START_TIME

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from matches import MatchView
    from tests.discord_server import Member
    from tests.soak.environment import SoakEnvironment
    from tests.soak.matchmaking import OpenChallenge
    from tests.soak.metrics import Metrics
    from tests.soak.plan import SimulationPlan

MEAN_THINKING_TIME = timedelta(hours=9)
MAX_OUTAGE = timedelta(hours=6)
DOWNTIME_HOURS = (0.2, 1, 5, 30, 70)
DAY = timedelta(days=1)
MAX_EXTRA_DAYS = 60


@dataclass(order=True, slots=True)
class ScheduledAction:
    """An action and its time; actions of the same time happen in the order in which they were scheduled."""

    when: datetime
    number: int
    action: Callable[[], Awaitable[None]] = field(compare=False)


class Simulation:
    """Schedules what happens and runs it."""

    def __init__(self, env: SoakEnvironment) -> None:
        self._env = env
        self._queue: list[ScheduledAction] = []
        self._numbers = count()
        self._turns_left: dict[MatchId, int] = {}
        self.matches: list[MatchId] = []

    async def run(self) -> None:
        """Simulate the plan's days, then more days until its minimums are reached.

        Raises SimulationFailure if they are not reached within MAX_EXTRA_DAYS.
        """
        env, plan = self._env, self._env.plan
        for when in self._challenge_times(plan.matches):
            self._schedule(when, self._challenge)
        for guild in env.population.guilds[::2]:
            await moderation.enable_threads(env, guild)
        for person in env.population.people:
            self._plan_vacations(person)
            self._plan_preferences(person)
        for number, (when, length) in enumerate(self._downtimes()):
            begin = (self._stop_bot, self._begin_outage, self._replace_bot)[number % 3]
            self._schedule(when, partial(begin, length))
        for month in range(plan.end - START_TIME > MONTH and (plan.end - START_TIME) // MONTH):
            self._schedule(START_TIME + (month + 1) * MONTH - timedelta(minutes=1), self._finish_month)
        await self._run_until(plan.end)
        for _ in range(MAX_EXTRA_DAYS):
            if await self._has_reached_minimums():
                break
            self._schedule(env.now, self._challenge)
            await self._add_followers()
            await self._run_until(env.now + DAY)
        else:
            raise env.log.failure(f"too little happened in {MAX_EXTRA_DAYS} extra days: {env.metrics.counts}")
        await env.finish_month()

    async def _run_until(self, end: datetime) -> None:
        env = self._env
        while self._queue and self._queue[0].when < end:
            due = heapq.heappop(self._queue)
            await env.advance_to(max(due.when, env.now))
            await due.action()
        await env.advance_to(end)

    async def _has_reached_minimums(self) -> bool:
        env, plan = self._env, self._env.plan
        if env.metrics.counts["matches"] < plan.min_matches:
            return False
        if sum(env.metrics.turns.values()) < plan.min_turns:
            return False
        return not plan.min_messages or await audit.count_follower_messages(env) >= plan.min_messages

    async def _add_followers(self) -> None:
        """Let somebody follow each match that is being played."""
        for match in self.matches:
            view = await self._env.view(match)
            if view.state is MatchState.PLAYING and self._env.population.channel_exists(view.channel):
                await followers.follow_match(self._env, view)

    def _challenge_times(self, number: int) -> Iterator[datetime]:
        """Return the times of challenges, spread evenly over the year."""
        span = (self._env.plan.end - START_TIME).total_seconds()
        for _ in range(number):
            yield START_TIME + timedelta(seconds=self._env.rng.uniform(0, span))

    def _downtimes(self) -> Iterator[tuple[datetime, timedelta]]:
        """Return when the bot, or Discord, is down, and for how long.

        Each downtime lies within a period of its own, so that they do not overlap.
        """
        rng, plan = self._env.rng, self._env.plan
        number = max(2, plan.days // 12)
        period = (plan.end - START_TIME) / number
        for index in range(number):
            length = min(timedelta(hours=rng.choice(DOWNTIME_HOURS)), period / 2)
            yield START_TIME + period * (index + rng.uniform(0, 0.4)), length

    def _schedule(self, when: datetime, action: Callable[[], Awaitable[None]]) -> None:
        heapq.heappush(self._queue, ScheduledAction(when, next(self._numbers), action))

    def _schedule_after(self, mean: timedelta, action: Callable[[], Awaitable[None]]) -> None:
        pause = self._env.rng.expovariate(1 / mean.total_seconds())
        self._schedule(self._env.now + timedelta(seconds=60 + pause), action)

    def _plan_vacations(self, person: Member) -> None:
        """Schedule about two vacations a year."""
        rng, plan = self._env.rng, self._env.plan
        for _ in range(round(rng.uniform(0, 4) * plan.days / 365 + 0.3)):
            when = START_TIME + timedelta(seconds=rng.uniform(0, (plan.end - START_TIME).total_seconds()))
            self._schedule(when, partial(clock_actions.toggle_vacation, self._env, person, ending=False))
            ends = when + timedelta(days=rng.choice([1, 4, 10, 40]))
            self._schedule(ends, partial(clock_actions.toggle_vacation, self._env, person, ending=True))

    def _plan_preferences(self, person: Member) -> None:
        """Schedule changes of preferences, closed direct messages, and blocks."""
        env, span = self._env, self._env.plan.end - START_TIME
        rng = env.rng

        def random_time() -> datetime:
            return START_TIME + rng.random() * span

        for _ in range(rng.choice([0, 0, 1])):
            self._schedule(random_time(), partial(followers.change_preferences, env, person))
        if rng.random() < 0.2:
            when = random_time()
            self._schedule(when, partial(self._toggle_direct_messages, person, closed=True))
            self._schedule(
                when + rng.random() * span / 4, partial(self._toggle_direct_messages, person, closed=False)
            )
        if rng.random() < 0.2:
            when, other = (
                random_time(),
                rng.choice([one for one in env.population.people if one is not person]),
            )
            self._schedule(when, partial(moderation.toggle_block, env, person, other, block=True))
            later = when + rng.random() * span / 4
            self._schedule(later, partial(moderation.toggle_block, env, person, other, block=False))

    async def _toggle_direct_messages(self, person: Member, *, closed: bool) -> None:
        followers.toggle_direct_messages(self._env, person, closed=closed)

    async def _finish_month(self) -> None:
        await self._env.finish_month()

    async def _challenge(self) -> None:
        if not self._env.runner.is_up:
            self._schedule_after(timedelta(hours=5), self._challenge)
            return
        open_challenge = await matchmaking.make_challenge(self._env)
        if open_challenge is not None:
            self._schedule_after(timedelta(hours=6), lambda: self._answer(open_challenge))

    async def _answer(self, open_challenge: OpenChallenge) -> None:
        match = await matchmaking.answer_challenge(self._env, open_challenge)
        if match is None:
            return
        self.matches.append(match)
        plan = self._env.plan
        # Most matches are short; about one in ten takes three times the mean or more.
        self._turns_left[match] = round((0.3 + 4.2 * self._env.rng.random() ** 5) * plan.mean_turns)
        self._schedule_after(MEAN_THINKING_TIME, lambda: self._continue_match(match))

    async def _continue_match(self, match: MatchId) -> None:
        """Let somebody act in a match, and schedule the next action, until the match is over."""
        env = self._env
        view = await env.view(match)
        if view.state is MatchState.OVER:
            env.finished_logs[match] = (await env.matches.views.history(match)).moves
            env.metrics.counts[f"ended: {view.result.reason if view.result else 'void'}"] += 1
            await self._after_match(view)
            return
        pause = None
        if env.population.channel_exists(view.channel):
            self._turns_left[match] -= 1
            pause = await self._act_in_match(view)
        self._schedule_after(pause or MEAN_THINKING_TIME, lambda: self._continue_match(match))

    async def _after_match(self, view: MatchView) -> None:
        """Perhaps correct the result of a match, offer a rematch, or look at it much later."""
        env, sample = self._env, self._env.rng.random()
        if env.rng.random() < 0.3:
            later = env.now + env.plan.pack_after + env.rng.uniform(0, 3) * DAY
            self._schedule(later, partial(after_match.look_back, env, view.id))
        if sample < 0.05:
            await after_match.correct_result(env, view)
        elif sample < 0.2:
            open_challenge = await after_match.offer_rematch(env, view)
            if open_challenge is not None:
                self._schedule_after(timedelta(hours=6), lambda: self._answer(open_challenge))

    async def _act_in_match(self, view: MatchView) -> timedelta | None:
        env = self._env
        if view.ply < 2 and env.rng.random() < 0.015:
            await behaviour.abort_match(env, view)
            return None
        if view.state is MatchState.CHOOSING:
            if view.waits_for:
                await playing.make_pick(env, view, env.rng.choice(view.waits_for))
            return None
        if self._turns_left[view.id] < 0:
            await behaviour.end_match(env, view)
            return None
        done = await behaviour.maybe_act(env, view)
        if done is not None:
            return done
        await playing.play_turn(env, view)
        return None

    async def _stop_bot(self, length: timedelta) -> None:
        """Stop the bot for a while; of several processes one or all."""
        env = self._env
        env.metrics.counts["downtimes"] += 1
        stopped = await env.runner.stop()
        env.log.record(env.now, f"down for {length}: {stopped}")
        self._schedule(env.now + length, self._start_bot)

    async def _replace_bot(self, length: timedelta) -> None:
        """Stop the bot for a while; in a cluster, let another bot have its shards too until it is stopped."""
        runner = self._env.runner
        if isinstance(runner, BotRunner):
            await self._stop_bot(length)
            return
        replaced = await runner.begin_replacement()
        self._env.log.record(self._env.now, f"two processes for {length}: {replaced}")
        self._schedule(self._env.now + length, runner.end_replacement)

    async def _begin_outage(self, length: timedelta) -> None:
        """Make every request to Discord fail for a while."""
        env = self._env
        env.log.record(env.now, "Discord fails")
        await env.fault_injector.begin_outage()
        self._schedule(env.now + min(length, MAX_OUTAGE), self._end_outage)

    async def _end_outage(self) -> None:
        await self._env.fault_injector.end_outage()
        self._env.log.record(self._env.now, "Discord works again")

    async def _start_bot(self) -> None:
        await self._env.runner.start()
        self._env.log.record(self._env.now, "the bot is up again")


async def run_simulation(
    plan: SimulationPlan,
    folder: Path,
    report_progress: Callable[[str], object] = lambda _line: None,
    *,
    postgres_url: str | None = None,
) -> Metrics:
    """Simulate a plan in an empty folder, audit the result, and return the metrics.

    A plan with several processes needs `postgres_url`, the URL of an empty database on PostgreSQL.
    `report_progress` is called once a month with a line of text. Raises SimulationFailure, with the seed and
    the last events, if anything is wrong.
    """
    async with create_environment(plan, folder, report_progress, postgres_url) as env:
        try:
            await Simulation(env).run()
            await audit.drain_outbox(env)
            await audit.audit_simulation(env)
        except Exception as error:
            if isinstance(error, AssertionError):
                raise
            raise env.log.failure(repr(error)) from error
    return env.metrics
