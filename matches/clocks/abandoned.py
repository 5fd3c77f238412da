"""Matches without a clock whose opponent has stopped playing: reminding them, and then claiming the win."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from matches.clocks.rows import clock_from_row
from matches.computer.accounts import is_computer
from matches.errors import Refusal
from matches.hook_events import MatchEnded
from matches.terms import parse_terms
from matches.times import from_millis
from matches.updates import AnnouncementKind
from matches.values import EndReason
from storage.match import vacations
from storage.posting import outbox

if TYPE_CHECKING:
    from datetime import datetime

    from matches.locking import LockedMatch, MatchLocker
    from matches.updates import MatchUpdate
    from matches.values import MatchId, Person

ABANDONED_AFTER = timedelta(days=30)  # without a move
NUDGES = 2  # before a claim
NUDGE_INTERVAL = timedelta(days=7)  # from the last move to the first nudge, and after each nudge


@dataclass(frozen=True, slots=True)
class Abandonment:
    """How far a player is from claiming a match without a clock.

    `since` is the time of the last move, `nudges` the number of delivered nudges since then. `nudge_from` is
    the time from which the next one is possible, None after the last. `claim_from` is the earliest time of a
    claim: later if a nudge is made later. While the opponent is `on_vacation` neither is possible.
    """

    since: datetime
    nudges: int
    nudge_from: datetime | None
    claim_from: datetime
    on_vacation: bool

    def can_nudge(self, now: datetime) -> bool:
        """Return whether the opponent can be nudged."""
        return not self.on_vacation and self.nudge_from is not None and self.nudge_from <= now

    def can_claim(self, now: datetime) -> bool:
        """Return whether the win can be claimed."""
        return not self.on_vacation and self.nudges >= NUDGES and self.claim_from <= now


class AbandonedMatches:
    """The claims of matches without a clock.

    All methods raise MatchUnknown, NotInMatch, `match_over`, `not_abandoned`, `computer_never_late`.
    """

    def __init__(self, locker: MatchLocker) -> None:
        self._locker = locker

    async def find(self, match: MatchId, person: Person, *, now: datetime) -> Abandonment:
        """Return how far the person is from claiming a match without a clock."""
        async with self._locker.lock_for(match, person, now) as locked:
            return await load_abandonment(locked)

    async def nudge(self, match: MatchId, person: Person, *, now: datetime) -> MatchUpdate:
        """Call the opponent of a match without a clock. Announced as NUDGED to the opponent."""
        async with self._locker.lock_for(match, person, now) as locked:
            found = await load_abandonment(locked)
            if not found.can_nudge(now):
                raise Refusal("not_abandoned", match=match, name=locked.opponent)
            to_come = NUDGES - found.nudges
            claim_from = max(found.since + ABANDONED_AFTER, now + to_come * NUDGE_INTERVAL)
            details = {
                "since": int(found.since.timestamp() * 1000),
                "claim_from": int(claim_from.timestamp() * 1000),
            }
            return await locked.make_update(
                await locked.announce(AnnouncementKind.NUDGED, (locked.opponent,), details=details)
            )


async def claim_abandoned(locked: LockedMatch, now: datetime) -> None:
    """End the match as an unrated win of the acting player. Raises `not_abandoned`."""
    if not (await load_abandonment(locked)).can_claim(now):
        raise Refusal("not_abandoned", match=locked.row.id, name=locked.opponent)
    await locked.end(MatchEnded(locked.winning_outcome(locked.person), EndReason.ABANDONED))


def check_opponent_can_be_late(locked: LockedMatch) -> None:
    """Raise `computer_never_late` if the opponent is the computer, which answers as soon as a worker runs."""
    if is_computer(locked.opponent.account):
        raise Refusal("computer_never_late", match=locked.row.id, name=locked.opponent)


async def load_abandonment(locked: LockedMatch) -> Abandonment:
    """Return how far the acting player is from a claim.

    Raises `computer_never_late`, and `not_abandoned` if the match has a clock or does not wait for the
    opponent alone.
    """
    row, opponent = locked.row, locked.opponent
    check_opponent_can_be_late(locked)
    if clock_from_row(row) is not None or (await locked.load_view()).waits_for != (opponent,):
        raise Refusal("not_abandoned", match=row.id, name=opponent)
    since = from_millis(row.changed_at)
    nudges = [
        from_millis(made_at)
        for made_at in await outbox.list_delivered(
            locked.connection, row.id, AnnouncementKind.NUDGED, opponent.account, row.changed_at
        )
    ]
    last = max([since, *nudges])
    has_more = len(nudges) < NUDGES
    vacation = parse_terms(row.terms).vacation_stops_clock and await vacations.find_active(
        locked.connection, (opponent.account,)
    )
    return Abandonment(
        since=since,
        nudges=len(nudges),
        nudge_from=last + NUDGE_INTERVAL if has_more else None,
        claim_from=max(since + ABANDONED_AFTER, last + (NUDGES - len(nudges) + 1) * NUDGE_INTERVAL)
        if has_more
        else max(since + ABANDONED_AFTER, last + NUDGE_INTERVAL),
        on_vacation=bool(vacation),
    )
