"""The end that one person alone can bring about: resigning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.concerns import End
from matches.steps import AnnouncementKind
from matches.values import Reason

if TYPE_CHECKING:
    from datetime import datetime

    from matches.holding import Holder
    from matches.steps import Turn
    from matches.values import MatchId, Person


class Endings:
    """The ends of matches."""

    def __init__(self, holder: Holder) -> None:
        self._holder = holder

    async def resign(self, match: MatchId, person: Person, now: datetime) -> Turn:
        """Let the other side win."""
        async with self._holder.hold(match, person, now) as held:
            await held.end(End(held.win(held.other), Reason.RESIGNED))
            return await held.turn(await held.announce(AnnouncementKind.RESIGNED, (held.other,)))
