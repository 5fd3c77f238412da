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

    from matches.terms import Pace

Amounts: TypeAlias = Mapping[str, int]

MILLISECOND = timedelta(milliseconds=1)
# Who has paused has forgotten the hour: nobody finds at once that a clock is about to run out.
AFTER_PAUSE = timedelta(days=1)
# Of that many turns of a person a clock remembers what they added; a bank below its cap needs no memory.
REMEMBERED = 8


@dataclass(frozen=True, slots=True)
class Clock:
    """One clock, between two things that happen to it.

    `to_act` are those who must pick or move. Of everybody `left` tells the time, and where it runs, what it
    was when it began to; `ends` then tells when it will be over. `fell` tells since when it has been over,
    once that is known to all. `away` are those on vacation, `paused` whether both have agreed to stop it,
    `offer` is who would like to, and `declined` whether the other would not; the next move makes that void.
    `added` is what a person's latest turns have added to their bank, oldest first.
    """

    left: Amounts
    to_act: tuple[str, ...] = ()
    ends: Amounts = field(default_factory=dict)
    fell: Amounts = field(default_factory=dict)
    away: tuple[str, ...] = ()
    paused: bool = False
    offer: str | None = None
    declined: bool = False
    added: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def deadline(self) -> int | None:
        """When the next flag falls, None where no time runs."""
        return min(self.ends.values(), default=None)

    def time(self, person: str, now: int) -> int:
        """Give the time that a person has left, less than nothing after a deadline that is not yet known."""
        return self.ends[person] - now if person in self.ends else self.left[person]

    def run(self, people: tuple[str, ...], now: int) -> Clock:
        """Have these people, and nobody else, think."""
        return _started(replace(self._stopped(now), to_act=people), now)

    def done(self, person: str, pace: Pace, now: int) -> Clock:
        """Give a person the time for the turn, or the pick, that they have made."""
        left = timedelta(milliseconds=max(0, self.time(person, now)))
        after, banked = pace.after(left), bool(pace.increment) and not pace.afresh
        return replace(
            self,
            left={**self.left, person: after // MILLISECOND},
            added=self._adding(person, (after - left) // MILLISECOND) if banked else self.added,
            to_act=tuple(other for other in self.to_act if other != person),
            ends=_without(self.ends, person),
            fell=_without(self.fell, person),
        ).stirred()

    def back(self, turns: Sequence[str], mover: str, pace: Pace, now: int) -> Clock:
        """Have `mover` think on an earlier board; `turns` are who made those that are taken back, in order.

        A bank gives back what they added to it, and keeps to what was really used; that alone leaves nobody
        less than a day, or the start of the pace. Where each turn has the same time, all have it anew.
        """
        stopped = self._stopped(now).stirred()
        if pace.afresh:
            left = dict.fromkeys(self.left, pace.start // MILLISECOND)
            return replace(stopped, left=left, fell={}).run((mover,), now)
        for person in reversed(turns):
            stopped = _unadded(stopped, person, pace)
        return stopped.run((mover,), now)

    def offered(self, by: str) -> Clock:
        """Note that somebody would like to pause."""
        return replace(self, offer=by, declined=False)

    def refused(self) -> Clock:
        """Note that the other would not."""
        return replace(self, declined=True)

    def stirred(self) -> Clock:
        """Void an offer to pause: somebody has moved."""
        return replace(self, offer=None, declined=False)

    def fall(self, person: str) -> Clock:
        """Note that a person's time is over."""
        return replace(
            self,
            left={**self.left, person: 0},
            ends=_without(self.ends, person),
            fell={**self.fell, person: self.ends[person]},
        ).stirred()

    def give(self, person: str, amount: int, now: int) -> Clock:
        """Give a person more time; one whose flag has fallen thinks on."""
        left = max(0, self.time(person, now)) + amount
        stopped = replace(
            self,
            left={**self.left, person: left},
            ends=_without(self.ends, person),
            fell=_without(self.fell, person),
        )
        return _started(stopped, now)

    def depart(self, person: str, now: int) -> Clock:
        """Stop a person's time for a vacation."""
        if person in self.away:
            return self
        return _started(replace(self._stopped(now), away=(*self.away, person)), now)

    def arrive(self, person: str, now: int) -> Clock:
        """Have a person's time go on after a vacation."""
        return _started(replace(self, away=tuple(other for other in self.away if other != person)), now)

    def pause(self, now: int) -> Clock:
        """Stop all time."""
        return replace(self._stopped(now), paused=True).stirred()

    def resume(self, by: str, pace: Pace, now: int) -> Clock:
        """Have time go on. Whoever thinks, but for `by`, has a day at least, or the start of the pace."""
        least = min(AFTER_PAUSE, pace.start) // MILLISECOND
        left = {
            person: max(time, least) if person in self.to_act and person != by else time
            for person, time in self.left.items()
        }
        return _started(replace(self, left=left, paused=False), now)

    def _adding(self, person: str, amount: int) -> Mapping[str, Sequence[int]]:
        return {**self.added, person: [*self.added.get(person, ()), amount][-REMEMBERED:]}

    def _stopped(self, now: int) -> Clock:
        left = {**self.left, **{person: end - now for person, end in self.ends.items()}}
        return replace(self, left=left, ends={})


def new_clock(pace: Pace, people: tuple[str, ...], away: tuple[str, ...]) -> Clock:
    """Give the clock of a match that is about to begin."""
    return Clock(left=dict.fromkeys(people, pace.start // MILLISECOND), away=away)


def write_clock(clock: Clock) -> str:
    """Give the stored form."""
    return json.dumps(
        {
            "left": clock.left,
            "to_act": clock.to_act,
            "ends": clock.ends,
            "fell": clock.fell,
            "away": clock.away,
            "paused": clock.paused,
            "offer": clock.offer,
            "declined": clock.declined,
            "added": clock.added,
        }
    )


def read_clock(stored: str) -> Clock:
    """Read the stored form."""
    said = json.loads(stored)
    return Clock(
        left=said["left"],
        to_act=tuple(said["to_act"]),
        ends=said["ends"],
        fell=said["fell"],
        away=tuple(said["away"]),
        paused=said["paused"],
        offer=said["offer"],
        declined=said["declined"],
        added=said.get("added", {}),  # clocks of before know nothing of it
    )


def _without(amounts: Amounts, person: str) -> dict[str, int]:
    return {other: amount for other, amount in amounts.items() if other != person}


def _unadded(clock: Clock, person: str, pace: Pace) -> Clock:
    """Take back what a person's latest turn added."""
    known, left = clock.added.get(person, ()), clock.left[person]
    amount = known[-1] if known else pace.increment // MILLISECOND
    least = min(AFTER_PAUSE, pace.start) // MILLISECOND
    return replace(
        clock,
        left={**clock.left, person: max(left - amount, min(left, least))},
        added={**clock.added, person: known[:-1]},
    )


def _started(clock: Clock, now: int) -> Clock:
    """Let run whatever should."""
    if clock.paused:
        return clock
    idle = (person for person in clock.to_act if person not in (*clock.ends, *clock.away, *clock.fell))
    started = {person: now + clock.left[person] for person in idle}
    return replace(clock, ends={**clock.ends, **started})
