"""The clock of one match, as a value: who has how much time, and whose time runs.

Moments are milliseconds of service time (:mod:`matches.clocks.uptime`), times left are milliseconds. People
are known by their accounts, so a change of sides changes nothing here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.terms import TimeControl

MillisByAccount: TypeAlias = Mapping[str, int]

MILLISECOND = timedelta(milliseconds=1)
# Who has paused has forgotten the hour: nobody finds at once that a clock is about to run out.
MIN_TIME_AFTER_PAUSE = timedelta(days=1)
# Of that many turns of a person a clock remembers what they added; a bank below its cap needs no memory.
INCREMENT_HISTORY = 8


@dataclass(frozen=True, slots=True)
class Clock:
    """One clock, between two things that happen to it.

    `to_act` are those who must pick or move. Of everybody `left` tells the time, and where it runs, what it
    was when it began to; `deadlines` then tells when it will be over. `flagged_at` tells since when it has
    been over, once that is known to all. `on_vacation` are those on vacation, `paused` whether both have
    agreed to stop it, `pause_offered_by` is who would like to, and `pause_declined` whether the other would
    not; the next move makes that void. `increments` is what a person's latest turns have added to their bank,
    oldest first.
    """

    remaining: MillisByAccount
    to_act: tuple[str, ...] = ()
    deadlines: MillisByAccount = field(default_factory=dict)
    flagged_at: MillisByAccount = field(default_factory=dict)
    on_vacation: tuple[str, ...] = ()
    paused: bool = False
    pause_offered_by: str | None = None
    pause_declined: bool = False
    increments: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def deadline(self) -> int | None:
        """When the next flag falls, None where no time runs."""
        return min(self.deadlines.values(), default=None)

    def time_left(self, person: str, now: int) -> int:
        """Return the time that a person has left.

        Less than nothing after a deadline that is not yet known.
        """
        return self.deadlines[person] - now if person in self.deadlines else self.remaining[person]

    def start_for(self, accounts: tuple[str, ...], now: int) -> Clock:
        """Have these people, and nobody else, think."""
        return _start(replace(self._stop(now), to_act=accounts), now)

    def complete_turn(self, person: str, time_control: TimeControl, now: int) -> Clock:
        """Return a person the time for the turn, or the pick, that they have made."""
        time_left = timedelta(milliseconds=max(0, self.time_left(person, now)))
        new_time, has_bank = (
            time_control.time_after_turn(time_left),
            bool(time_control.increment) and not time_control.is_per_move,
        )
        return replace(
            self,
            remaining={**self.remaining, person: new_time // MILLISECOND},
            increments=self._with_increment(person, (new_time - time_left) // MILLISECOND)
            if has_bank
            else self.increments,
            to_act=tuple(other for other in self.to_act if other != person),
            deadlines=_without(self.deadlines, person),
            flagged_at=_without(self.flagged_at, person),
        ).withdraw_pause_offer()

    def take_back(self, turns: Sequence[str], mover: str, time_control: TimeControl, now: int) -> Clock:
        """Have `mover` think on an earlier board; `turns` are who made those that are taken back, in order.

        A bank gives back what they added to it, and keeps to what was really used; that alone leaves nobody
        less than a day, or the start of the pace. Where each turn has the same time, all have it anew.
        """
        stopped = self._stop(now).withdraw_pause_offer()
        if time_control.is_per_move:
            remaining = dict.fromkeys(self.remaining, time_control.initial // MILLISECOND)
            return replace(stopped, remaining=remaining, flagged_at={}).start_for((mover,), now)
        for person in reversed(turns):
            stopped = _without_increment(stopped, person, time_control)
        return stopped.start_for((mover,), now)

    def offer_pause(self, by: str) -> Clock:
        """Note that somebody would like to pause."""
        return replace(self, pause_offered_by=by, pause_declined=False)

    def decline_pause(self) -> Clock:
        """Note that the other would not."""
        return replace(self, pause_declined=True)

    def withdraw_pause_offer(self) -> Clock:
        """Void an offer to pause: somebody has moved."""
        return replace(self, pause_offered_by=None, pause_declined=False)

    def flag(self, person: str) -> Clock:
        """Note that a person's time is over."""
        return replace(
            self,
            remaining={**self.remaining, person: 0},
            deadlines=_without(self.deadlines, person),
            flagged_at={**self.flagged_at, person: self.deadlines[person]},
        ).withdraw_pause_offer()

    def give_time(self, person: str, amount: int, now: int) -> Clock:
        """Return a person more time; one whose flag has fallen thinks on."""
        remaining = max(0, self.time_left(person, now)) + amount
        stopped = replace(
            self,
            remaining={**self.remaining, person: remaining},
            deadlines=_without(self.deadlines, person),
            flagged_at=_without(self.flagged_at, person),
        )
        return _start(stopped, now)

    def start_vacation(self, person: str, now: int) -> Clock:
        """Stop a person's time for a vacation."""
        if person in self.on_vacation:
            return self
        return _start(replace(self._stop(now), on_vacation=(*self.on_vacation, person)), now)

    def end_vacation(self, person: str, now: int) -> Clock:
        """Have a person's time go on after a vacation."""
        return _start(
            replace(self, on_vacation=tuple(other for other in self.on_vacation if other != person)), now
        )

    def pause(self, now: int) -> Clock:
        """Stop all time."""
        return replace(self._stop(now), paused=True).withdraw_pause_offer()

    def resume(self, by: str, time_control: TimeControl, now: int) -> Clock:
        """Have time go on. Whoever thinks, but for `by`, has a day at least, or the start of the pace."""
        minimum = min(MIN_TIME_AFTER_PAUSE, time_control.initial) // MILLISECOND
        remaining = {
            person: max(time, minimum) if person in self.to_act and person != by else time
            for person, time in self.remaining.items()
        }
        return _start(replace(self, remaining=remaining, paused=False), now)

    def _with_increment(self, person: str, amount: int) -> Mapping[str, Sequence[int]]:
        return {**self.increments, person: [*self.increments.get(person, ()), amount][-INCREMENT_HISTORY:]}

    def _stop(self, now: int) -> Clock:
        remaining = {**self.remaining, **{person: end - now for person, end in self.deadlines.items()}}
        return replace(self, remaining=remaining, deadlines={})


def new_clock(time_control: TimeControl, accounts: tuple[str, ...], on_vacation: tuple[str, ...]) -> Clock:
    """Return the clock of a match that is about to begin."""
    return Clock(
        remaining=dict.fromkeys(accounts, time_control.initial // MILLISECOND), on_vacation=on_vacation
    )


def format_clock(clock: Clock) -> str:
    """Return the stored form."""
    return json.dumps(
        {
            "left": clock.remaining,
            "to_act": clock.to_act,
            "ends": clock.deadlines,
            "fell": clock.flagged_at,
            "away": clock.on_vacation,
            "paused": clock.paused,
            "offer": clock.pause_offered_by,
            "declined": clock.pause_declined,
            "added": clock.increments,
        }
    )


def parse_clock(stored: str) -> Clock:
    """Read the stored form."""
    data = json.loads(stored)
    return Clock(
        remaining=data["left"],
        to_act=tuple(data["to_act"]),
        deadlines=data["ends"],
        flagged_at=data["fell"],
        on_vacation=tuple(data["away"]),
        paused=data["paused"],
        pause_offered_by=data["offer"],
        pause_declined=data["declined"],
        increments=data.get("added", {}),  # clocks of before know nothing of it
    )


def _without(amounts: MillisByAccount, person: str) -> dict[str, int]:
    return {other: amount for other, amount in amounts.items() if other != person}


def _without_increment(clock: Clock, person: str, time_control: TimeControl) -> Clock:
    """Take back what a person's latest turn added."""
    history, remaining = clock.increments.get(person, ()), clock.remaining[person]
    amount = history[-1] if history else time_control.increment // MILLISECOND
    minimum = min(MIN_TIME_AFTER_PAUSE, time_control.initial) // MILLISECOND
    return replace(
        clock,
        remaining={**clock.remaining, person: max(remaining - amount, min(remaining, minimum))},
        increments={**clock.increments, person: history[:-1]},
    )


def _start(clock: Clock, now: int) -> Clock:
    """Let run whatever should."""
    if clock.paused:
        return clock
    idle = (
        person
        for person in clock.to_act
        if person not in (*clock.deadlines, *clock.on_vacation, *clock.flagged_at)
    )
    started = {person: now + clock.remaining[person] for person in idle}
    return replace(clock, deadlines={**clock.deadlines, **started})
