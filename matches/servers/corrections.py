"""Results that those who run a server correct or void: kept with who did it, when and why."""

# ruff: noqa: ARG002 - every method is told the time, also those that do not need it

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Outcome
from matches.concerns import End
from matches.errors import MatchUnknown
from matches.reading import read_correction
from matches.servers.errors import MatchNotOver, OutcomeRefused, ResultStands, WhyRefused
from matches.steps import AnnouncementKind
from matches.values import MatchState, Reason
from storage import corrections, people, threads

if TYPE_CHECKING:
    from datetime import datetime

    from matches.holding import Held, Holder
    from matches.steps import Turn
    from matches.values import Correction, MatchId, Person
    from storage import Store

LONGEST = 300  # characters of a reason


class Corrections:
    """The corrections of results. Who may make them is the business of the front end."""

    def __init__(self, store: Store, holder: Holder) -> None:
        self._store = store
        self._holder = holder

    async def correct(
        self, match: MatchId, by: Person, outcome: Outcome | None, *, why: str, server: str, now: datetime
    ) -> Turn:
        """Give a match of `server` that is over another result; with None it has none and counts for nothing.

        Announced as CORRECTED, calling both people; its details are `outcome` (empty where there is none)
        and `why`. Whatever followed from the result before is undone in the same transaction.

        Raises MatchUnknown, MatchNotOver, WhyRefused, OutcomeRefused, ResultStands.
        """
        why = " ".join(why.split())
        if not 0 < len(why) <= LONGEST:
            raise WhyRefused(limit=LONGEST)
        async with self._holder.attend(match, now) as held:
            held.person = by
            if held.row.server != server:
                raise MatchUnknown(match=match)
            if held.row.state != MatchState.OVER:
                raise MatchNotOver(match=match)
            was = _end(held)
            end = End(outcome, Reason.VOIDED if outcome is None else Reason.CORRECTED)
            _refuse(held, was, end)
            await people.remember(held.connection, by.account, by.name, held.now)
            await held.change(outcome=end.outcome, reason=end.reason)
            await _keep(held, was, end, why)
            await held.concerns.after_correction(held, was, end)
            await threads.reopen(held.connection, held.row.place)
            whom = tuple(seat.person for seat in held.seats)
            details = {"outcome": "" if outcome is None else outcome.value, "why": why}
            return await held.turn(await held.announce(AnnouncementKind.CORRECTED, whom, details=details))

    async def of(self, match: MatchId, *, now: datetime) -> tuple[Correction, ...]:
        """Give every correction of a match, oldest first."""
        async with self._store.reading() as connection:
            return tuple(read_correction(row) for row in await corrections.of_match(connection, match))


def _end(held: Held) -> End:
    outcome = held.row.outcome
    return End(None if outcome is None else Outcome(outcome), Reason(held.row.reason or Reason.PLAYED))


def _refuse(held: Held, was: End, end: End) -> None:
    sides = tuple(side.value for side in held.game.sides)
    if end.outcome not in {None, Outcome.DRAW, *(Outcome(side) for side in sides)}:
        raise OutcomeRefused(outcome=str(end.outcome), sides=sides)
    if end.outcome == was.outcome:
        raise ResultStands(match=held.row.id)


async def _keep(held: Held, was: End, end: End, why: str) -> None:
    await corrections.add(
        held.connection,
        match=held.row.id,
        by=held.person.account,
        text=why,
        old_outcome=was.outcome,
        old_reason=was.reason,
        outcome=end.outcome,
        reason=end.reason,
        made_at=held.now,
    )
