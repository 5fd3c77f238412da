"""Time-outs: the sweep that notices them, claims, and giving time."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.clocks.abandoned import check_opponent_can_be_late, claim_abandoned
from matches.clocks.rows import clock_columns, clock_from_row
from matches.clocks.uptime import duration_to_millis
from matches.errors import Refusal
from matches.hook_events import MatchEnded, join_columns
from matches.terms import MAX_TIME, TimeoutRule, parse_terms
from matches.times import to_millis
from matches.updates import AnnouncementKind
from matches.values import EndReason, MatchId, MatchState
from matches.work.each import for_each
from storage.match import clocks, vacations
from storage.posting import places

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from matches.clocks.clock import Clock
    from matches.locking import LockedMatch, MatchLocker
    from matches.updates import MatchUpdate
    from matches.values import Person
    from storage import Database

MIN_EXTRA_TIME = timedelta(minutes=5)  # of one gift
MAX_EXTRA_TIME = timedelta(days=30)
MINUTE = timedelta(minutes=1)
BATCH_SIZE = 100  # deadlines per sweep
NO_GRACE = timedelta(0)
UNCLAIMED_AFTER = 300_000  # milliseconds after which nobody seems to serve the platform of an announcement


class Timeouts:
    """The time-outs of matches."""

    def __init__(self, database: Database, locker: MatchLocker, outage: timedelta) -> None:
        self._database = database
        self._locker = locker
        self._outage = outage

    async def sweep(self, now: datetime) -> int:
        """Decide every match whose deadline has passed; return how many were looked at.

        Raises ExceptionGroup if some could not be decided; they are tried again next time.
        """
        async with self._database.read() as connection:
            due = await clocks.list_overdue(
                connection, to_millis(now), duration_to_millis(self._outage), BATCH_SIZE
            )
        await for_each(due, lambda match: self._decide(MatchId(match), now))
        return len(due)

    async def _decide(self, match: MatchId, now: datetime) -> None:
        async with self._locker.lock(match, now) as locked:
            await _decide(locked)

    async def claim(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Claim the win against an opponent who is out of time. Announced as CLAIMED to the opponent.

        If neither has picked in time, the match ends without a winner. A match without a clock can be claimed
        when it is abandoned (:class:`matches.clocks.abandoned.Abandonment`); the win is not rated.

        Raises MatchUnknown, NotInMatch, `match_over`, `time_not_over`, `not_abandoned`,
        `computer_never_late`.
        """
        async with self._locker.lock_for(match, person, now) as locked:
            check_opponent_can_be_late(locked)
            clock = clock_from_row(locked.row)
            if clock is None:
                await claim_abandoned(locked, now)
            elif locked.opponent.account not in clock.flagged_at:
                raise Refusal("time_not_over", match=match, name=locked.opponent)
            else:
                await locked.end(_match_end(locked, tuple(clock.flagged_at)))
            return await locked.make_update(
                await locked.announce(AnnouncementKind.CLAIMED, (locked.opponent,))
            )

    async def give_time(
        self, match: MatchId, person: Person, amount: timedelta, *, now: datetime
    ) -> MatchUpdate:
        """Give the opponent more time, in whole minutes. Announced as TIME_GIVEN to the opponent.

        Raises MatchUnknown, NotInMatch, `match_over`, `no_clock`, `extra_time_out_of_bounds`,
        `computer_never_late`.
        """
        async with self._locker.lock_for(match, person, now) as locked:
            check_opponent_can_be_late(locked)
            clock, opponent = require_clock(locked), locked.opponent
            amount -= amount % MINUTE
            maximum = min(
                MAX_EXTRA_TIME,
                MAX_TIME - timedelta(milliseconds=clock.time_left(opponent.account, locked.service_time)),
            )
            if not MIN_EXTRA_TIME <= amount <= maximum:
                raise Refusal(
                    "extra_time_out_of_bounds", least=MIN_EXTRA_TIME, most=max(maximum, MIN_EXTRA_TIME)
                )
            extended = clock.give_time(
                opponent.account, amount // timedelta(milliseconds=1), locked.service_time
            )
            await locked.change(
                **clock_columns(extended),
                **join_columns(hook.on_clock_restart(locked) for hook in locked.hooks),
            )
            details = {"minutes": amount // MINUTE}
            return await locked.make_update(
                await locked.announce(AnnouncementKind.TIME_GIVEN, (opponent,), details=details)
            )


def require_clock(locked: LockedMatch) -> Clock:
    """Return the clock of a match. Raises `no_clock`."""
    clock = clock_from_row(locked.row)
    if clock is None:
        raise Refusal("no_clock", match=locked.row.id)
    return clock


async def _decide(locked: LockedMatch) -> None:
    """Apply the time-out rule for every player who is out of time. Doing it twice is harmless."""
    clock, now = clock_from_row(locked.row), locked.service_time
    if clock is None or locked.row.state == MatchState.OVER:
        return
    terms = parse_terms(locked.row.terms)
    if terms.vacation_stops_clock:
        clock = await _apply_vacations(locked, clock)
    overdue = tuple(person for person, end in clock.deadlines.items() if end <= now)
    untold = await _find_untold(locked, overdue)
    if untold:
        await _stop_clock(locked, clock, untold)
        return
    if overdue and terms.timeout_rule is TimeoutRule.LOST:
        await _end_on_time(locked, overdue)
        return
    for person in overdue:
        clock = clock.flag(person)
    await locked.change(**clock_columns(clock))
    for person in overdue:
        locked.act_as(person)
        await locked.announce(AnnouncementKind.FLAGGED, (locked.opponent, locked.person), grace=NO_GRACE)


async def _stop_clock(locked: LockedMatch, clock: Clock, untold: Mapping[str, int | None]) -> None:
    """Stop the clock until these players are told; do nothing while it is too early to say."""
    for person, since in untold.items():
        if since is None:
            return
        clock = clock.lose_contact(person, since)
    await locked.change(**clock_columns(clock))
    for person in untold:
        if person in locked.told_privately:
            locked.act_as(person)
            await locked.announce_to(locked.opponent, AnnouncementKind.UNREACHED)


async def _find_untold(locked: LockedMatch, overdue: tuple[str, ...]) -> dict[str, int | None]:
    """Return those of `overdue` who have not been told that it is their turn, with the service time of that.

    The clock stands until what they should have been told is delivered. The time is None while nobody has
    tried to deliver it, and it is not late: then the match is decided later.
    """
    untold: dict[str, int | None] = {}
    if not overdue:
        return untold
    for row in await places.list_undelivered(locked.connection, locked.row.id):
        is_waiting = row.attempts == 0 and locked.now - row.due_at < UNCLAIMED_AFTER
        # Whoever asked for a direct message besides is told where the match is played.
        is_extra = row.to is not None and row.to not in locked.told_privately
        if row.kind == AnnouncementKind.REMINDED or is_extra:
            continue
        for person in overdue:
            if row.to in {None, person} and person in json.loads(row.recipients):
                since = None if is_waiting else row.made_at - locked.row.lost
                untold[person] = untold.get(person) or since
    return untold


async def _apply_vacations(locked: LockedMatch, clock: Clock) -> Clock:
    """Stop the time of players on vacation.

    A vacation that began at the same time as a turn may have missed the clock that the turn started.
    """
    for person, since in (await vacations.find_active(locked.connection, tuple(clock.deadlines))).items():
        began = since - locked.row.lost
        if began < clock.deadlines[person]:
            clock = clock.start_vacation(person, began)
    return clock


async def _end_on_time(locked: LockedMatch, flagged: tuple[str, ...]) -> None:
    """End the match as a loss for the player who is out of time."""
    locked.act_as(flagged[0])
    recipients = tuple(seat.person for seat in locked.seats)
    await locked.end(_match_end(locked, flagged, winner=locked.opponent))
    await locked.announce(AnnouncementKind.TIMED_OUT, recipients, grace=NO_GRACE)


def _match_end(locked: LockedMatch, flagged: tuple[str, ...], winner: Person | None = None) -> MatchEnded:
    """Return how a match ends on time: if both players are out of time, nobody wins."""
    if len(flagged) > 1:
        return MatchEnded(None, EndReason.ABORTED)
    return MatchEnded(locked.winning_outcome(winner or locked.person), EndReason.TIME)
