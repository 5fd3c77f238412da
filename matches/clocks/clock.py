"""The clock of one match as a value.

Times are in milliseconds of service time (:mod:`matches.clocks.uptime`), durations in milliseconds. Players
are identified by their accounts, so that a swap of sides does not affect the clock.
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
# After a pause the player to move gets at least this much time.
MIN_TIME_AFTER_PAUSE = timedelta(days=1)
# The number of turns of each player whose increments are stored, to undo them in takebacks.
INCREMENT_HISTORY = 8


@dataclass(frozen=True, slots=True)
class Clock:
    """The state of a clock since its last change.

    `to_act` are the players who must pick or move. `remaining` is the time of each player or, while it runs,
    what it was when it was started; `deadlines` then says when it ends. `flagged_at` says when a player's
    time ended, once a sweep has noticed. `on_vacation` are the players on vacation. `paused`: both have
    agreed to a pause. `pause_offered_by` is the player who offers one, `pause_declined` whether the opponent
    declined; a move clears both. `increments` are what the latest turns of each player added to their time,
    oldest first. `unreached` are the players who cannot be told what happens; meanwhile no time runs.
    `spent_vacation` are the players whose vacations no longer stop this clock.
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
    unreached: tuple[str, ...] = ()
    spent_vacation: tuple[str, ...] = ()

    @property
    def deadline(self) -> int | None:
        """The next deadline, or None while no time runs."""
        return min(self.deadlines.values(), default=None)

    def time_left(self, person: str, now: int) -> int:
        """Return a player's remaining time; negative after a deadline that no sweep has noticed."""
        return self.deadlines[person] - now if person in self.deadlines else self.remaining[person]

    def is_out_of_time(self, person: str, now: int) -> bool:
        """Return whether a player's time has ended, also if no sweep has noticed it yet."""
        return person in self.flagged_at or self.deadlines.get(person, now + 1) <= now

    def start_for(self, accounts: tuple[str, ...], now: int) -> Clock:
        """Return the clock running for these players only."""
        return _start(replace(self._stop(now), to_act=accounts), now)

    def complete_turn(self, person: str, time_control: TimeControl, now: int) -> Clock:
        """Return the clock after a player's turn or pick, with the increment added."""
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
            unreached=tuple(other for other in self.unreached if other != person),
        ).withdraw_pause_offer()

    def take_back(self, turns: Sequence[str], mover: str, time_control: TimeControl, now: int) -> Clock:
        """Return the clock running for `mover` after a takeback.

        `turns` are the accounts that made the undone turns, in order. With a bank, subtract the increments
        that these turns added; used time stays used. This alone never reduces a player below a day, or the
        initial time if that is less. With time per move, both get a full period again.
        """
        stopped = self._stop(now).withdraw_pause_offer()
        if time_control.is_per_move:
            remaining = dict.fromkeys(self.remaining, time_control.initial // MILLISECOND)
            return replace(stopped, remaining=remaining, flagged_at={}).start_for((mover,), now)
        for person in reversed(turns):
            stopped = _without_increment(stopped, person, time_control)
        return stopped.start_for((mover,), now)

    def offer_pause(self, by: str) -> Clock:
        """Return the clock with an offer to pause."""
        return replace(self, pause_offered_by=by, pause_declined=False)

    def decline_pause(self) -> Clock:
        """Return the clock with the offer to pause declined."""
        return replace(self, pause_declined=True)

    def withdraw_pause_offer(self) -> Clock:
        """Return the clock without an offer to pause."""
        return replace(self, pause_offered_by=None, pause_declined=False)

    def flag(self, person: str) -> Clock:
        """Return the clock after a player's deadline has passed."""
        return replace(
            self,
            remaining={**self.remaining, person: 0},
            deadlines=_without(self.deadlines, person),
            flagged_at={**self.flagged_at, person: self.deadlines[person]},
        ).withdraw_pause_offer()

    def give_time(self, person: str, amount: int, now: int) -> Clock:
        """Return the clock with more time for a player, running again if they were out of time."""
        remaining = max(0, self.time_left(person, now)) + amount
        stopped = replace(
            self,
            remaining={**self.remaining, person: remaining},
            deadlines=_without(self.deadlines, person),
            flagged_at=_without(self.flagged_at, person),
        )
        return _start(stopped, now)

    def start_vacation(self, person: str, now: int) -> Clock:
        """Return the clock with a player's time stopped by a vacation.

        Time that has ended before stays so; then the vacation counts from the player's next turn on.
        """
        if person in (*self.on_vacation, *self.spent_vacation):
            return self
        clock = self if self.is_out_of_time(person, now) else self._stop(now)
        return _start(replace(clock, on_vacation=(*self.on_vacation, person)), now)

    def end_vacation(self, person: str, now: int) -> Clock:
        """Return the clock after a player's vacation."""
        return _start(
            replace(self, on_vacation=tuple(other for other in self.on_vacation if other != person)), now
        )

    def spend_vacation(self, person: str, now: int) -> Clock:
        """Return the clock with a player's time running, whatever vacations they have from now on."""
        return replace(self.end_vacation(person, now), spent_vacation=(*self.spent_vacation, person))

    def pause(self, now: int) -> Clock:
        """Return the clock with all time stopped."""
        return replace(self._stop(now), paused=True).withdraw_pause_offer()

    def resume(self, by: str, time_control: TimeControl, now: int) -> Clock:
        """Return the clock running again after a pause.

        Players to act other than `by` get at least a day, or the initial time if that is less.
        """
        minimum = min(MIN_TIME_AFTER_PAUSE, time_control.initial) // MILLISECOND
        remaining = {
            person: max(time, minimum) if person in self.to_act and person != by else time
            for person, time in self.remaining.items()
        }
        return _start(replace(self, remaining=remaining, paused=False), now)

    def lose_contact(self, person: str, since: int) -> Clock:
        """Return the clock stopped, because `person` has not been told anything after `since`.

        Time that ran after `since` is given back, also if the player's time has ended meanwhile.
        """
        remaining = dict(self.remaining)
        for other, end in self.deadlines.items():
            remaining[other] = min(remaining[other], max(0, end - since))
        flagged_at = dict(self.flagged_at)
        if flagged_at.get(person, since) > since:
            remaining[person] = flagged_at.pop(person) - since
        return replace(
            self,
            remaining=remaining,
            deadlines={},
            flagged_at=flagged_at,
            unreached=(*self.unreached, person),
        )

    def regain_contact(self, people: Sequence[str], time_control: TimeControl, now: int) -> Clock:
        """Return the clock after these players were reached; it runs again if nobody else is unreached.

        The players to act then have at least a day, or the initial time if that is less.
        """
        unreached = tuple(one for one in self.unreached if one not in people)
        if unreached or not self.unreached:
            return replace(self, unreached=unreached)
        minimum = min(MIN_TIME_AFTER_PAUSE, time_control.initial) // MILLISECOND
        remaining = {
            person: max(time, minimum) if person in self.to_act and person not in self.flagged_at else time
            for person, time in self.remaining.items()
        }
        return _start(replace(self, remaining=remaining, unreached=()), now)

    def _with_increment(self, person: str, amount: int) -> Mapping[str, Sequence[int]]:
        return {**self.increments, person: [*self.increments.get(person, ()), amount][-INCREMENT_HISTORY:]}

    def _stop(self, now: int) -> Clock:
        remaining = {**self.remaining, **{person: end - now for person, end in self.deadlines.items()}}
        return replace(self, remaining=remaining, deadlines={})


def new_clock(time_control: TimeControl, accounts: tuple[str, ...], on_vacation: tuple[str, ...]) -> Clock:
    """Return the clock of a new match, with no time running."""
    return Clock(
        remaining=dict.fromkeys(accounts, time_control.initial // MILLISECOND), on_vacation=on_vacation
    )


def format_clock(clock: Clock) -> str:
    """Return the stored form, a JSON object."""
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
            "unreached": clock.unreached,
            "spent": clock.spent_vacation,
        }
    )


def parse_clock(stored: str) -> Clock:
    """Parse the stored form."""
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
        increments=data.get("added", {}),  # missing in older rows
        unreached=tuple(data.get("unreached", ())),  # missing in older rows
        spent_vacation=tuple(data.get("spent", ())),  # missing in older rows
    )


def _without(amounts: MillisByAccount, person: str) -> dict[str, int]:
    return {other: amount for other, amount in amounts.items() if other != person}


def _without_increment(clock: Clock, person: str, time_control: TimeControl) -> Clock:
    """Remove the increment of a player's latest turn."""
    history, remaining = clock.increments.get(person, ()), clock.remaining[person]
    amount = history[-1] if history else time_control.increment // MILLISECOND
    minimum = min(MIN_TIME_AFTER_PAUSE, time_control.initial) // MILLISECOND
    return replace(
        clock,
        remaining={**clock.remaining, person: max(remaining - amount, min(remaining, minimum))},
        increments={**clock.increments, person: history[:-1]},
    )


def _start(clock: Clock, now: int) -> Clock:
    """Start the time of every player who must act, unless something stops it."""
    if clock.paused or clock.unreached:
        return clock
    idle = (
        person
        for person in clock.to_act
        if person not in (*clock.deadlines, *clock.on_vacation, *clock.flagged_at)
    )
    started = {person: now + clock.remaining[person] for person in idle}
    return replace(clock, deadlines={**clock.deadlines, **started})
