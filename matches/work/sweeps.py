"""What is due without anybody asking, in every installation: a bot, a worker or a website alone runs it.

What only Discord needs is not here, and neither is the sending of posts, mails and pushes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

from storage import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from matches.service import Matches

ERASURE_INTERVAL = timedelta(minutes=5)
DELETION_INTERVAL = timedelta(days=1)

RunStep = Callable[[str, Callable[[], Awaitable[object]]], Awaitable[Exception | None]]
"""Runs a step by its name and returns its error instead of raising it, as `runtime.steps.Steps.run` does."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """Work that is due `every` so often at most. `run` gets the current time and may run late, or twice.

    `name` is the step in figures and logs. One that `needs_players` is left out while nobody can move.
    """

    name: str
    run: Callable[[datetime], Awaitable[object]]
    every: timedelta = timedelta(0)
    needs_players: bool = False


class Sweeps:
    """Runs sweeps when they are due, one after the other, whatever becomes of each."""

    def __init__(self, sweeps: Sequence[Sweep], run_step: RunStep) -> None:
        self._sweeps = tuple(sweeps)
        self._run_step = run_step
        self._ran_at: dict[Sweep, datetime] = {}

    async def run(
        self, now: datetime, *, can_run: Callable[[Sweep], bool] = lambda _sweep: True
    ) -> list[Exception]:
        """Run what is due, except what cannot run now, and return the errors."""
        errors = list[Exception]()
        for sweep in self._sweeps:
            ran_at = self._ran_at.get(sweep)
            if can_run(sweep) and (ran_at is None or now - ran_at >= sweep.every):
                error = await self._run_step(sweep.name, partial(self._run, sweep, now))
                errors += [] if error is None else [error]
        return errors

    async def _run(self, sweep: Sweep, now: datetime) -> None:
        """Run a sweep. One that the database stopped is due again at once; other failures would only repeat.

        Raises StorageUnavailable.
        """
        self._ran_at[sweep] = now
        try:
            await sweep.run(now)
        except StorageUnavailable:
            del self._ran_at[sweep]
            raise


def list_prompt_sweeps(matches: Matches) -> tuple[Sweep, ...]:
    """Return what players wait for: the end of time, vacations and challenges, reminders, digests."""
    clocks, people = matches.clocks, matches.people
    return (
        Sweep("vacations", lambda now: clocks.vacations.sweep(now=now), needs_players=True),
        Sweep("timeouts", lambda now: clocks.timeouts.sweep(now=now), needs_players=True),
        Sweep("challenges", lambda now: matches.challenges.expire(now=now)),
        Sweep("reminders", lambda now: people.reminders.remind(now=now)),
        Sweep("digests", lambda now: people.following.announce_digests(now=now)),
        Sweep("tournaments", lambda now: matches.tournaments.sweep(now=now)),
        Sweep("requests", lambda now: matches.work.requests.forget_old(now=now)),
    )


def list_slow_sweeps(matches: Matches) -> tuple[Sweep, ...]:
    """Return what can wait: corrected ratings, packing, counting, shipped puzzles, deleting what is old."""
    people = matches.people
    return (
        Sweep("recompute_ratings", lambda _now: matches.ratings.recompute()),
        Sweep("finish_erasures", lambda now: people.personal_data.finish_erasures(now=now), ERASURE_INTERVAL),
        Sweep("delete_old_data", lambda now: people.personal_data.delete_old(now=now), DELETION_INTERVAL),
        # A website deletes expired sessions within the hour and tells Discord, unless none runs.
        Sweep(
            "delete_old_sessions",
            lambda now: people.sessions.delete_expired(now=now - DELETION_INTERVAL),
            DELETION_INTERVAL,
        ),
        Sweep("read_puzzles", lambda now: matches.puzzles.read_first_set(now=now), DELETION_INTERVAL),
        Sweep("pack_matches", lambda now: matches.work.packing.pack(now=now)),
        Sweep("count_openings", lambda _now: matches.explorer.counts.count()),
    )
