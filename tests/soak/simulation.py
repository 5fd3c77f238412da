"""The simulated year: schedules actions at random times and runs them; the seed determines their order."""

from __future__ import annotations

import heapq
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from matches import MatchId, MatchState
from tests.cluster import Violation
from tests.soak import audit, behaviour, matchmaking, members, playing
from tests.soak.environment import create_environment
from tests.soak.event_log import SimulationFailure
from tests.soak.plan import MONTH, START_TIME

if TYPE_CHECKING:
    from collections import Counter
    from pathlib import Path

    from matches import MatchView
    from tests.discord_server import Member
    from tests.soak.environment import SoakEnvironment
    from tests.soak.matchmaking import OpenChallenge
    from tests.soak.plan import SimulationPlan

MEAN_THINKING_TIME = timedelta(hours=9)
MAX_OUTAGE = timedelta(hours=6)
DOWNTIME_HOURS = (0.2, 1, 5, 30, 70)
DAY = timedelta(days=1)
MAX_EXTRA_DAYS = 60

Action = Callable[[], Awaitable[None]]


class Simulation:
    """Schedules what happens and runs it."""

    def __init__(self, env: SoakEnvironment) -> None:
        self._env = env
        self._queue: list[tuple[datetime, int, Action]] = []
        self._numbers = count()  # of the same time: in the order in which they were scheduled
        self._turns_left: dict[MatchId, int] = {}

    async def run(self) -> None:
        """Simulate the plan's days, then more days until its minimums are reached.

        Raises SimulationFailure if they are not reached within MAX_EXTRA_DAYS.
        """
        env, plan = self._env, self._env.plan
        for _ in range(plan.matches):
            self._schedule(self._random_time(), self._challenge)
        for guild in env.population.guilds[::2]:
            await members.enable_threads(env, guild)
        for person in env.population.people:
            self._plan_vacations(person)
            self._plan_preferences(person)
        self._plan_downtimes()
        for month in range((plan.end - START_TIME) // MONTH):
            self._schedule(START_TIME + (month + 1) * MONTH - timedelta(minutes=1), env.finish_month)
        await self._run_until(plan.end)
        for _ in range(MAX_EXTRA_DAYS):
            if await audit.has_reached_minimums(env):
                break
            self._schedule(env.now, self._challenge)
            await self._add_followers()
            await self._run_until(env.now + DAY)
        else:
            raise env.log.failure(f"too little happened in {MAX_EXTRA_DAYS} extra days: {env.counts}")
        await env.finish_month()

    async def _run_until(self, end: datetime) -> None:
        env = self._env
        while self._queue and self._queue[0][0] < end:
            when, _, action = heapq.heappop(self._queue)
            await env.advance_to(max(when, env.now))
            await action()
        await env.advance_to(end)

    async def _add_followers(self) -> None:
        """Let somebody follow each match that is being played."""
        for match in self._turns_left:
            view = await self._env.view(match)
            if view.state is MatchState.PLAYING and self._env.population.channel_exists(view.channel):
                await behaviour.follow_match(self._env, view)

    def _random_time(self) -> datetime:
        return START_TIME + self._env.rng.random() * (self._env.plan.end - START_TIME)

    def _schedule(self, when: datetime, action: Action) -> None:
        heapq.heappush(self._queue, (when, next(self._numbers), action))

    def _schedule_after(self, mean: timedelta, action: Action) -> None:
        pause = self._env.rng.expovariate(1 / mean.total_seconds())
        self._schedule(self._env.now + timedelta(seconds=60 + pause), action)

    def _plan_downtimes(self) -> None:
        """Schedule when processes, or Discord, are down; each in a period of its own, so without overlap."""
        rng, plan = self._env.rng, self._env.plan
        number = max(2, plan.days // 12)
        period = (plan.end - START_TIME) / number
        for index in range(number):
            length = min(timedelta(hours=rng.choice(DOWNTIME_HOURS)), period / 2)
            begin = (self._stop_processes, self._begin_outage, self._replace_bot)[index % 3]
            self._schedule(START_TIME + period * (index + rng.uniform(0, 0.4)), partial(begin, length))

    def _plan_vacations(self, person: Member) -> None:
        """Schedule about two vacations a year."""
        rng, toggle = self._env.rng, partial(members.toggle_vacation, self._env, person)
        for _ in range(round(rng.uniform(0, 4) * self._env.plan.days / 365 + 0.3)):
            self._plan_phase(toggle, timedelta(days=rng.choice([1, 4, 10, 40])))

    def _plan_preferences(self, person: Member) -> None:
        """Schedule changes of preferences, closed direct messages, and blocks."""
        env, rng, longest = self._env, self._env.rng, (self._env.plan.end - START_TIME) / 4
        if rng.random() < 1 / 3:
            self._schedule(self._random_time(), partial(members.change_preferences, env, person))
        if rng.random() < 0.2:
            self._plan_phase(partial(members.toggle_direct_messages, env, person), rng.random() * longest)
        if rng.random() < 0.2:
            other = rng.choice([one for one in env.population.people if one is not person])
            self._plan_phase(partial(members.toggle_block, env, person, other), rng.random() * longest)

    def _plan_phase(self, toggle: Callable[..., Awaitable[None]], length: timedelta) -> None:
        """Schedule the beginning and the end of something."""
        when = self._random_time()
        self._schedule(when, partial(toggle, begin=True))
        self._schedule(when + length, partial(toggle, begin=False))

    async def _challenge(self) -> None:
        if not self._env.cluster.is_up:
            self._schedule_after(timedelta(hours=5), self._challenge)
            return
        self._schedule_answer(await matchmaking.make_challenge(self._env))

    def _schedule_answer(self, challenge: OpenChallenge | None) -> None:
        if challenge is not None:
            self._schedule_after(timedelta(hours=6), partial(self._answer, challenge))

    async def _answer(self, challenge: OpenChallenge) -> None:
        match = await matchmaking.answer_challenge(self._env, challenge)
        if match is None:
            return
        # Most matches are short; about one in ten takes three times the mean or more.
        share = 0.3 + 4.2 * self._env.rng.random() ** 5
        self._turns_left[match] = round(share * self._env.plan.mean_turns)
        self._schedule_after(MEAN_THINKING_TIME, partial(self._continue_match, match))

    async def _continue_match(self, match: MatchId) -> None:
        """Let somebody act in a match, and schedule the next action, until the match is over."""
        env = self._env
        view = await env.view(match)
        if view.state is MatchState.OVER:
            env.finished_logs[match] = (await env.matches.views.history(match)).moves
            env.count(f"ended: {view.result.reason if view.result else 'void'}")
            await self._after_match(view)
            return
        pause = None
        if env.population.channel_exists(view.channel):
            self._turns_left[match] -= 1
            pause = await self._act_in_match(view)
        self._schedule_after(pause or MEAN_THINKING_TIME, partial(self._continue_match, match))

    async def _after_match(self, view: MatchView) -> None:
        """Perhaps correct the result of a match, offer a rematch, or look at it much later."""
        env, sample = self._env, self._env.rng.random()
        if env.rng.random() < 0.3:
            later = env.now + env.plan.pack_after + env.rng.uniform(0, 3) * DAY
            self._schedule(later, partial(members.look_back, env, view.id))
        if sample < 0.05:
            await members.correct_result(env, view)
        elif sample < 0.2:
            self._schedule_answer(await matchmaking.offer_rematch(env, view))

    async def _act_in_match(self, view: MatchView) -> timedelta | None:
        """Let somebody act; return the pause until the next action, None for the usual one."""
        env = self._env
        if view.ply < 2 and env.rng.random() < 0.015:
            await behaviour.abort_match(env, view)
        elif view.state is MatchState.CHOOSING:
            if view.waits_for:
                await playing.make_pick(env, view, env.rng.choice(view.waits_for))
        elif self._turns_left[view.id] < 0:
            await behaviour.end_match(env, view)
        elif (pause := await behaviour.maybe_act(env, view)) is not None:
            return pause
        else:
            await playing.play_turn(env, view)
        return None

    async def _stop_processes(self, length: timedelta) -> None:
        """Stop one process or all for a while."""
        self._env.count("downtimes")
        stopped = await self._env.cluster.stop()
        self._break_down(f"down: {stopped}", length, self._env.cluster.start)

    async def _replace_bot(self, length: timedelta) -> None:
        """Let another bot have the shards of one too until that is stopped; stop the only one for a while."""
        if not self._env.cluster.has_several:
            await self._stop_processes(length)
            return
        replaced = await self._env.cluster.begin_replacement()
        self._break_down(f"two processes: {replaced}", length, self._env.cluster.end_replacement)

    async def _begin_outage(self, length: timedelta) -> None:
        """Make every request to Discord fail for a while."""
        await self._env.fault_injector.begin_outage()
        self._break_down("Discord fails", min(length, MAX_OUTAGE), self._env.fault_injector.end_outage)

    def _break_down(self, what: str, length: timedelta, repair: Action) -> None:
        self._env.log.record(self._env.now, f"{what} for {length}")
        self._schedule(self._env.now + length, repair)


async def run_simulation(
    plan: SimulationPlan,
    folder: Path,
    report_progress: Callable[[str], object] = lambda _line: None,
    *,
    postgres_url: str | None = None,
) -> Counter[str]:
    """Simulate a plan in an empty folder, audit the result, and return counts of what happened.

    A plan with several processes needs `postgres_url`, the URL of an empty database on PostgreSQL.
    `report_progress` is called once a month with a line of text. Raises SimulationFailure, with the seed and
    the last events, if anything is wrong.
    """
    async with create_environment(plan, folder, report_progress, postgres_url) as env:
        try:
            await Simulation(env).run()
            await audit.drain_outbox(env)
            await audit.audit_simulation(env)
        except SimulationFailure:
            raise
        except Violation as error:
            raise env.log.failure(str(error), error.match) from error
        except Exception as error:
            raise env.log.failure(repr(error)) from error
    return env.counts
