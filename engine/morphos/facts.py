"""Plain facts about a turn: what it connects, stops, shortens and threatens, and what it allows.

The points that a side *needs* are the fewest that it still has to fill, or to flip, for a chain between its
edges. Only stones that it could flip on the present board count; more may become vulnerable on the way.

Mutators b and d decide later who has won and what may be flipped, and under c a turn may place two stones. So
with b or d the only fact is a win, and with c nothing is said about the next turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Fact
from engine.morphos.board import dilate, flood_fill, iter_points
from engine.morphos.fact_keys import MorphosFact
from engine.morphos.stones import OPPONENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Side
    from engine.morphos.state import MorphosState
    from engine.morphos.stones import Stones

MIN_NEAR = 2
NEAR_SHARE = 3
"""A connection is near if it needs at most this share of the board's size, or :data:`MIN_NEAR` points."""

BIG_STEP = 2
"""A stone that spares so many points is worth a word also if the connection is far."""


def find_facts(position: MorphosState, after: MorphosState) -> Iterator[Fact]:
    """Yield the facts about a turn, the most important first; `after` is the position after it.

    A swap changes nothing on the board, so there are none about it.
    """
    side = position.mover
    if after.outcome is not None and after.outcome.winner is side:
        yield Fact(MorphosFact.CONNECTS)
    rules = position.rules
    if after.outcome or after.mover is side or rules.counts_flipped_stone or rules.restores_captured:
        return
    drawbacks: tuple[Fact, ...] = ()
    if not rules.allows_two_placements:
        yield from _find_connections(position.board_stones, after.board_stones, side)
        drawbacks = _find_allowed_connections(after.board_stones, OPPONENT[side])
    yield from _find_changed_needs(position, after.board_stones)
    yield from _find_changed_flips(position.board_stones, after.board_stones, side)
    yield from _find_shared_points(position.board_stones, after.board_stones, side)
    yield from drawbacks
    new = vulnerable_stones(after.board_stones, side) & ~position.board_stones.vulnerable
    if new:
        yield Fact(MorphosFact.ALLOWS_FLIPS, rules.board.to_cells(new), is_drawback=True)


def vulnerable_stones(stones: Stones, side: Side) -> int:
    """Return the stones of `side` that the other side could flip."""
    return stones.vulnerable & stones.of_side(side).stones_and_edges


def connecting_points(stones: Stones, side: Side) -> int:
    """Return the points where one stone, placed or flipped, connects the edges of `side`; 0 if they are."""
    own = stones.of_side(side)
    points = stones.empty | vulnerable_stones(stones, OPPONENT[side])
    return 0 if own.is_connected else dilate(own.connected_low) & dilate(own.connected_high) & points


def count_needed(stones: Stones, side: Side) -> int | None:
    """Return how many points `side` needs, or None if it cannot connect on the present board."""
    steps = _find_steps(stones, side, is_from_low=True)
    return None if steps is None else len(steps)


def shortest_way_points(stones: Stones, side: Side) -> int:
    """Return the points that `side` needs on any of its shortest ways."""
    rising = _find_steps(stones, side, is_from_low=True) or []
    falling = _find_steps(stones, side, is_from_low=False) or []
    found = 0
    for near, far in zip(rising, reversed(falling), strict=True):
        found |= near & far
    return found


def _find_steps(stones: Stones, side: Side, *, is_from_low: bool) -> list[int] | None:
    """Return the points that are reached from one edge with 1, 2, ... points, to the other edge.

    None if that cannot be reached.
    """
    own = stones.of_side(side)
    ground = stones.empty | vulnerable_stones(stones, OPPONENT[side])
    reached, goal = own.connected_low, own.connected_high
    if not is_from_low:
        reached, goal = goal, reached
    steps = list[int]()
    while not reached & goal:
        new = dilate(reached) & ground & ~reached
        if not new:
            return None
        steps.append(new)
        reached = flood_fill(reached, new, own.stones_and_edges)
    return steps


def is_connection_forced(stones: Stones, side: Side) -> bool:
    """Return whether `side` can connect with its next turn whatever the other side, to move, does now."""
    opponent, points = OPPONENT[side], connecting_points(stones, side)
    if not points or connecting_points(stones, opponent):
        return False
    if not points & points - 1 and points & stones.empty:  # a stone there stops it, if it is not vulnerable
        point = points.bit_length() - 1
        if not stones.patterns.matches(point, stones.of_side(side).stones_and_edges):
            return False
    return all(
        connecting_points(stones.after_flip(opponent, point), side)
        for point in iter_points(vulnerable_stones(stones, side))
    )


def _find_connections(before: Stones, after: Stones, side: Side) -> Iterator[Fact]:
    opponent, cells = OPPONENT[side], before.board.to_cells
    points = connecting_points(after, side)
    is_forced = is_connection_forced(after, side)
    if is_forced:
        yield Fact(MorphosFact.FORCES_CONNECTION, cells(points))
    prevented = connecting_points(before, opponent)
    if prevented and not connecting_points(after, opponent):
        yield Fact(MorphosFact.PREVENTS_CONNECTION, cells(prevented))
    if points and not is_forced and not connecting_points(before, side):
        yield Fact(MorphosFact.THREATENS_CONNECTION, cells(points))


def _find_allowed_connections(after: Stones, opponent: Side) -> tuple[Fact, ...]:
    points = connecting_points(after, opponent)
    if points:
        return (Fact(MorphosFact.ALLOWS_CONNECTION, after.board.to_cells(points), is_drawback=True),)
    forced = forcing_points(after, opponent)
    if forced:
        return (Fact(MorphosFact.ALLOWS_FORCED_CONNECTION, after.board.to_cells(forced), is_drawback=True),)
    return ()


def forcing_points(stones: Stones, side: Side) -> int:
    """Return where a stone of `side`, placed or flipped, forces a connection with the next turn."""
    found = 0
    for point in iter_points(stones.empty):
        if is_connection_forced(stones.after_placement(side, point), side):
            found |= 1 << point
    for point in iter_points(vulnerable_stones(stones, OPPONENT[side])):
        if is_connection_forced(stones.after_flip(side, point), side):
            found |= 1 << point
    return found


def _find_changed_needs(position: MorphosState, after: Stones) -> Iterator[Fact]:
    side, before = position.mover, position.board_stones
    opponent = OPPONENT[side]
    old, new = count_needed(before, opponent), count_needed(after, opponent)
    if old is not None and new is not None and new > old:
        yield Fact(MorphosFact.LENGTHENS_CONNECTION, count=new, before=old)
    old, new = count_needed(before, side), count_needed(after, side)
    if old is None or new is None or new < MIN_NEAR:  # a threat to connect says more
        return
    if new <= old - BIG_STEP or new <= min(old - 1, max(MIN_NEAR, position.size // NEAR_SHARE)):
        yield Fact(MorphosFact.SHORTENS_CONNECTION, count=new, before=old)


def _find_changed_flips(before: Stones, after: Stones, side: Side) -> Iterator[Fact]:
    opponent, cells = OPPONENT[side], before.board.to_cells
    threatened = vulnerable_stones(after, opponent) & ~before.vulnerable
    if threatened:
        yield Fact(MorphosFact.THREATENS_FLIPS, cells(threatened))
    own = after.of_side(side).stones_and_edges
    protected = vulnerable_stones(before, side) & own & ~after.vulnerable
    if protected:
        yield Fact(MorphosFact.PROTECTS_STONES, cells(protected))


def _find_shared_points(before: Stones, after: Stones, side: Side) -> Iterator[Fact]:
    """Yield which new stones are on a shortest way of both sides, unless most points are."""
    shared = shortest_way_points(before, side) & shortest_way_points(before, OPPONENT[side])
    taken = shared & before.empty & ~after.empty
    if taken and shared.bit_count() <= before.board.size:
        yield Fact(MorphosFact.TAKES_SHARED_POINTS, before.board.to_cells(taken))
