"""Results corrected or voided by the managers of a server, with who did it, when and why."""

# ruff: noqa: ARG002 - every method takes `now`, also those that do not need it yet

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Outcome
from matches.clocks.abandoned import ABANDONED_AFTER
from matches.errors import MatchUnknown, Refusal
from matches.hook_events import MatchEnded
from matches.ratings.hooks import update_ratings
from matches.times import from_millis
from matches.updates import AnnouncementKind
from matches.values import MAX_REASON_LENGTH, EndReason, MatchState
from matches.view_builder import correction_from_row
from storage.match import corrections
from storage.people import people
from storage.posting import threads

if TYPE_CHECKING:
    from datetime import datetime

    from matches.computer.accounts import ComputerRatings
    from matches.locking import LockedMatch, MatchLocker
    from matches.updates import MatchUpdate
    from matches.values import Correction, MatchId, Person
    from storage import Database


class Corrections:
    """The corrections of results. The front end checks who may make them."""

    def __init__(self, database: Database, locker: MatchLocker, computer_ratings: ComputerRatings) -> None:
        self._database = database
        self._locker = locker
        self._computer_ratings = computer_ratings

    async def correct(
        self, match: MatchId, by: Person, outcome: Outcome | None, *, reason: str, server: str, now: datetime
    ) -> MatchUpdate:
        """Give a finished match of `server` another outcome; None voids the result.

        Nobody corrects a match of their own. One in which nobody has played for ABANDONED_AFTER is ended with
        it, and is not rated; the details then also hold `ended`.

        Announced as CORRECTED to both players; its details are `outcome` (empty for None) and `reason`.
        The ratings follow in the same transaction.

        Raises MatchUnknown, `own_match_corrected`, `match_not_over`, `invalid_reason`, `invalid_outcome`,
        `result_unchanged`.
        """
        reason = " ".join(reason.split())
        if not 0 < len(reason) <= MAX_REASON_LENGTH:
            raise Refusal("invalid_reason", limit=MAX_REASON_LENGTH)
        async with self._locker.lock(match, now) as locked:
            locked.person = by
            if locked.row.server != server:
                raise MatchUnknown(match=match)
            if by.account in (locked.row.first, locked.row.second):
                raise Refusal("own_match_corrected", match=match)
            is_ended = locked.row.state != MatchState.OVER
            if is_ended and now - from_millis(locked.row.changed_at) < ABANDONED_AFTER:
                raise Refusal("match_not_over", match=match, days=ABANDONED_AFTER.days)
            old_end = MatchEnded(None, EndReason.ABANDONED) if is_ended else _current_end(locked)
            changed = EndReason.ABANDONED if is_ended else EndReason.CORRECTED
            end = MatchEnded(outcome, EndReason.VOIDED if outcome is None else changed)
            _check_outcome(locked, end)
            if end.outcome == old_end.outcome and not is_ended:
                raise Refusal("result_unchanged", match=match)
            await people.save(locked.connection, by.account, by.name, locked.now)
            if is_ended:
                await locked.end(end)
            else:
                await locked.change(outcome=end.outcome, reason=end.reason, packed=False)
            await corrections.add(
                locked.connection,
                match=locked.row.id,
                by=by.account,
                text=reason,
                old_outcome=old_end.outcome,
                old_reason=old_end.reason,
                outcome=end.outcome,
                reason=end.reason,
                made_at=locked.now,
            )
            if not is_ended:
                await update_ratings(
                    locked.connection, locked.row, locked.game, locked.now, self._computer_ratings
                )
                for hook in locked.hooks:
                    await hook.after_correction(locked, end)
            await threads.reopen(locked.connection, locked.row.place)
            recipients = tuple(seat.person for seat in locked.seats)
            details: dict[str, str | int] = {
                "outcome": "" if outcome is None else outcome.value,
                "why": reason,
            }
            if is_ended:
                details["ended"] = 1
            return await locked.make_update(
                await locked.announce(AnnouncementKind.CORRECTED, recipients, details=details)
            )

    async def list_for_match(self, match: MatchId, *, now: datetime) -> tuple[Correction, ...]:
        """Return all corrections of a match, the oldest first."""
        async with self._database.read() as connection:
            return tuple(
                correction_from_row(row) for row in await corrections.list_for_match(connection, match)
            )


def _current_end(locked: LockedMatch) -> MatchEnded:
    outcome = locked.row.outcome
    return MatchEnded(
        None if outcome is None else Outcome(outcome), EndReason(locked.row.reason or EndReason.PLAYED)
    )


def _check_outcome(locked: LockedMatch, end: MatchEnded) -> None:
    sides = tuple(side.value for side in locked.game.sides)
    if end.outcome not in {None, Outcome.DRAW, *(Outcome(side) for side in sides)}:
        raise Refusal("invalid_outcome", outcome=str(end.outcome), sides=sides)
