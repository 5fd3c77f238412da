"""Simultaneous choices: two secret picks, revealed together, decide how the match starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.errors import Refusal
from matches.hook_events import join_columns
from matches.match_start import make_initial_position
from matches.options import format_options, parse_options
from matches.updates import AnnouncementKind
from matches.values import MatchState
from matches.view_builder import RecentMoves, seat_for_side
from storage.match import matches

if TYPE_CHECKING:
    from datetime import datetime

    from engine.game import SimultaneousChoice
    from matches.locking import LockedMatch, MatchLocker
    from matches.updates import MatchUpdate
    from matches.values import MatchId, Person


class Picks:
    """The picks of simultaneous choices."""

    def __init__(self, locker: MatchLocker) -> None:
        self._locker = locker

    async def pick(self, match: MatchId, person: Person, pick: str, *, now: datetime) -> MatchUpdate:
        """Save a pick, and reveal both if it is the second. Raises as :meth:`matches.Matches.pick` does."""
        async with self._locker.lock_for(match, person, now) as locked:
            choice = locked.game.simultaneous_choice
            if locked.row.state != MatchState.CHOOSING or choice is None:
                raise Refusal("choice_over", match=match)
            # The refusals below name the possible picks, never the picks that were made.
            if pick not in choice.picks:
                raise Refusal("invalid_pick", match=match)
            if not await matches.add_pick(locked.connection, match, person.account, pick, locked.now):
                raise Refusal("already_picked", match=match)
            await locked.reload()
            if locked.row.first_pick is None or locked.row.second_pick is None:
                columns = join_columns(hook.on_pick(locked) for hook in locked.hooks)
                if columns:
                    await locked.change(**columns)
                return await locked.make_update(None, RecentMoves())
            return await _reveal_picks(locked, choice, locked.row.first_pick, locked.row.second_pick)


async def _reveal_picks(
    locked: LockedMatch, choice: SimultaneousChoice, first: str, second: str
) -> MatchUpdate:
    """Set the option that the picks decide and the initial position."""
    options = {**parse_options(locked.row.options), choice.option: locked.game.resolve_picks(first, second)}
    position = make_initial_position(locked.game, options)
    seat = seat_for_side(locked.seats, position.to_move)
    mover = None if seat is None else seat.person.account
    await locked.change(
        position,
        state=MatchState.PLAYING,
        options=format_options(options),
        changed_at=locked.now,
        **join_columns(hook.on_reveal(locked, mover) for hook in locked.hooks),
    )
    announcement = await locked.announce(AnnouncementKind.REVEALED, () if seat is None else (seat.person,))
    return await locked.make_update(announcement, RecentMoves())
