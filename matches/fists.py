"""Closed fists: two secret picks, opened at once, settle how the match starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.errors import FistsOpen, PickRefused, PickStands
from matches.options import read_options, write_options
from matches.reading import Recent, seat_of
from matches.starts import start
from matches.steps import AnnouncementKind
from matches.values import MatchState
from storage import matches

if TYPE_CHECKING:
    from datetime import datetime

    from engine.game import Fists
    from matches.holding import Held, Holder
    from matches.steps import Turn
    from matches.values import MatchId, Person


class Picks:
    """The picks of matches."""

    def __init__(self, holder: Holder) -> None:
        self._holder = holder

    async def pick(self, match: MatchId, person: Person, pick: str, now: datetime) -> Turn:
        """Take a pick; open both fists when it is the second."""
        async with self._holder.hold(match, person, now) as held:
            fists = _closed(held)
            # The refusals below tell what may be picked, never what was.
            if pick not in fists.picks:
                raise PickRefused(match=match, choices=fists.picks)
            if not await matches.add_pick(held.connection, match, person.account, pick, held.now):
                raise PickStands(match=match)
            await held.reload()
            if held.row.first_pick is None or held.row.second_pick is None:
                columns = held.concerns.picked(held)
                if columns:
                    await held.change(**columns)
                return await held.turn(None, Recent())
            return await _open(held, fists, held.row.first_pick, held.row.second_pick)


def _closed(held: Held) -> Fists:
    if held.row.state != MatchState.FISTS or held.game.fists is None:
        raise FistsOpen(match=held.row.id)
    return held.game.fists


async def _open(held: Held, fists: Fists, first: str, second: str) -> Turn:
    """Settle the start and set the board."""
    options = {**read_options(held.row.options), fists.option: held.game.settle(first, second)}
    position = start(held.game, options)
    seat = seat_of(held.seats, position.to_move)
    await held.change(
        position,
        state=MatchState.PLAYING,
        options=write_options(options),
        changed_at=held.now,
        **held.concerns.opened(held, None if seat is None else seat.person.account),
    )
    announcement = await held.announce(AnnouncementKind.REVEALED, () if seat is None else (seat.person,))
    return await held.turn(announcement, Recent())
