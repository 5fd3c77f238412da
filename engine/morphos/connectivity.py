"""The stones and edges of one side, and which of them are connected."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.morphos.board import dilate, flood_fill, iter_points, neighbours


@dataclass(frozen=True, slots=True)
class SideStones:
    """The stones of one side with its two edges, as sets of points.

    Attributes:
        stones_and_edges: The stones and the edges, which count alike in the patterns.
        connected_low: The bottom or left edge with all stones connected to it.
        connected_high: The top or right edge with all stones connected to it.

    The two connected sets follow from `stones_and_edges`; they are updated with every move.
    """

    stones_and_edges: int
    connected_low: int = field(compare=False, repr=False)
    connected_high: int = field(compare=False, repr=False)

    @classmethod
    def from_stones(cls, stones: int, edges: tuple[int, ...]) -> SideStones:
        """Return the side with `stones` and the two `edges`, low (bottom or left) first."""
        low, high = edges
        stones_and_edges = stones | low | high
        return cls(
            stones_and_edges, flood_fill(0, low, stones_and_edges), flood_fill(0, high, stones_and_edges)
        )

    @property
    def is_connected(self) -> bool:
        """Whether a chain of stones connects the two edges."""
        return self.connected_low & self.connected_high != 0

    def with_stone(self, point: int) -> SideStones:
        """Return the side with a stone added on the empty `point`."""
        bit = 1 << point
        stones_and_edges = self.stones_and_edges | bit
        near = neighbours(point) & stones_and_edges
        low, high = self.connected_low, self.connected_high
        if near & low:
            low = flood_fill(low, bit, stones_and_edges)
        if near & high:
            high = flood_fill(high, bit, stones_and_edges)
        return SideStones(stones_and_edges, low, high)

    def without_stone(self, point: int, edges: tuple[int, ...]) -> SideStones:
        """Return the side without the stone on `point`."""
        stones_and_edges = self.stones_and_edges ^ 1 << point
        low, high = edges
        return SideStones(
            stones_and_edges,
            _remove(self.connected_low, point, low),
            _remove(self.connected_high, point, high),
        )


def _remove(root: int, point: int, edge: int) -> int:
    """Return `root` without `point` and without the stones that were connected to `edge` only through it."""
    if not root >> point & 1:
        return root
    root ^= 1 << point
    near = neighbours(point) & root
    if near.bit_count() > 1:
        for neighbour in iter_points(near & ~edge):
            root &= ~_disconnected(1 << neighbour & root, edge, root)
    return root


def _disconnected(seed: int, edge: int, ground: int) -> int:
    """Return the points of `ground` that are connected to `seed`, or 0 if they reach `edge`."""
    piece = seed
    rest = ground & ~seed
    while seed:
        seed = dilate(seed) & rest
        if seed & edge:
            return 0
        rest ^= seed
        piece |= seed
    return piece


def shortest_chain(stones: int, low: int, high: int) -> tuple[int, ...]:
    """Return a shortest orthogonal chain of `stones` from the edge `low` to the edge `high`, in order.

    The arguments are sets of points. The chain has no points of the edges; it is empty if there is none.
    """
    previous: dict[int, int | None] = {}
    frontier: list[int] = []
    for point in iter_points(stones):
        if neighbours(point) & low:
            previous[point] = None
            frontier.append(point)
    for point in frontier:
        if neighbours(point) & high:
            return _trace_back(previous, point)
        for neighbour in iter_points(neighbours(point) & stones):
            if neighbour not in previous:
                previous[neighbour] = point
                frontier.append(neighbour)
    return ()


def _trace_back(previous: dict[int, int | None], end: int) -> tuple[int, ...]:
    chain = []
    point: int | None = end
    while point is not None:
        chain.append(point)
        point = previous[point]
    return tuple(reversed(chain))
