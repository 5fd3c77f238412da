"""Where men can go and which men can be removed, for given men on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.morabaraba.board import get_board

if TYPE_CHECKING:
    from engine.morabaraba.side_state import SideState


def removable_men(enemy_men: int) -> int:
    """Return which of `enemy_men` (bits) may be removed: those outside mills, or all if all are in mills."""
    return enemy_men & ~get_board().men_in_mills(enemy_men) or enemy_men


def destinations(own: SideState, empty: int, start: int) -> int:
    """Return the points (bits) to which the man of `own` on `start` may go, stepping or flying."""
    points = empty if own.can_fly else get_board().neighbours[start] & empty
    return (
        points & ~own.forbidden_step[1] if own.forbidden_step and own.forbidden_step[0] == start else points
    )


def destinations_by_start(own: SideState, empty: int) -> list[tuple[int, int]]:
    """Return every start that `own` can choose (0 for a placement) with its destinations, as bits."""
    if own.hand:
        return [(0, empty)]
    board = get_board()
    if own.forbidden_step:
        return [(start, destinations(own, empty, start)) for start in board.split_bits(own.men)]
    if own.can_fly:
        return [(start, empty) for start in board.split_bits(own.men)]
    neighbours = board.neighbours
    return [(start, neighbours[start] & empty) for start in board.split_bits(own.men)]
