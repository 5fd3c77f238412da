"""Who may pick a move, and on which board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot import people
from bot.moves import refuse_turn
from matches import MatchOver, StaleBoard

if TYPE_CHECKING:
    from bot.client import Interaction
    from engine.game import Position
    from matches import MatchId, MatchView, Seat


@dataclass(frozen=True, slots=True)
class Sitting:
    """Somebody whose turn it is, at the board as it stands."""

    view: MatchView
    position: Position
    seat: Seat

    @property
    def is_second(self) -> bool:
        """Whether the person plays the side that moves second."""
        return self.seat.side is self.position.game.sides[1]


async def sit(interaction: Interaction, match: MatchId, stamp: int, *, exact: bool = False) -> Sitting:
    """Give the board of a match to whoever is to move on it and saw it when it had that stamp.

    That may also be the board on which a run under way began, unless `exact`: the placements since then
    are the person's own and were never posted. Raises MatchUnknown, NotInMatch, MatchOver,
    StaleBoard, NotYourTurn.
    """
    client = interaction.client
    view = await client.matches.view(match, now=client.now())
    refuse_turn(view, people.account(interaction.user), stamp)
    if view.position is None or view.to_move is None:
        raise MatchOver(match=match)
    if exact and stamp != view.stamp:
        raise StaleBoard(match=match, seen=stamp, ply=view.ply)
    return Sitting(view, view.position, view.to_move)
