"""Which player has the move: the players can change sides during a game (a move with the event SWAP)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import EventKind

if TYPE_CHECKING:
    from engine.game import Move, Position


def player_to_move(position: Position, *, swapped: bool) -> int:
    """Return the number of the player to move; when the game is over, it does not matter."""
    side = position.to_move
    return (position.game.sides.index(side) ^ swapped) if side else 0


def swaps_sides(before: Position, move: Move, after: Position) -> bool:
    """Return whether the players change sides with `move`. Then the same side is to move again."""
    if before.to_move is not after.to_move or before.moves_due > 1:
        return False
    return any(event.kind is EventKind.SWAP for event in before.events(move))


def result_for(position: Position, player: int, *, swapped: bool) -> float:
    """Return the result for a player: 1 for a win, 0 for a loss, else 0.5, also during the game."""
    outcome = position.outcome
    if outcome is None or outcome.winner is None:
        return 0.5
    return float(position.game.sides.index(outcome.winner) ^ swapped == player)
