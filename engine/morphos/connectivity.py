"""One side's stones and its two edges, and which of them hang together."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.morphos.board import dilate, flood_fill, iter_points, neighbours


@dataclass(frozen=True, slots=True)
class SideStones:
    """The stones of one side with the two lines of its edges, as points.

    `stones_and_edges` are stones and edges, which count alike in the patterns. `connected_low` is what is
    orthogonally joined to the bottom or left edge, `connected_high` to the top or right one, each with its
    edge; both follow from `stones_and_edges` and are carried along from move to move.
    """

    stones_and_edges: int
    connected_low: int = field(compare=False, repr=False)
    connected_high: int = field(compare=False, repr=False)

    @classmethod
    def from_stones(cls, stones: int, edges: tuple[int, ...]) -> SideStones:
        """Return the army of `stones` between the two `edges`."""
        low, high = edges
        stones_and_edges = stones | low | high
        return cls(
            stones_and_edges, flood_fill(0, low, stones_and_edges), flood_fill(0, high, stones_and_edges)
        )

    @property
    def is_connected(self) -> bool:
        """Whether a chain of stones joins the two edges."""
        return self.connected_low & self.connected_high != 0

    def with_stone(self, point: int) -> SideStones:
        """Return the army with one more stone on the empty point `point`."""
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
        """Return the army with the stone on `point` taken away."""
        stones_and_edges = self.stones_and_edges ^ 1 << point
        low, high = edges
        return SideStones(
            stones_and_edges,
            _remove(self.connected_low, point, low),
            _remove(self.connected_high, point, high),
        )


def _remove(root: int, point: int, edge: int) -> int:
    """Return `root` without the stone on `point` and without what hung on `edge` only through it."""
    if not root >> point & 1:
        return root
    root ^= 1 << point
    near = neighbours(point) & root
    if near.bit_count() > 1:
        for neighbour in iter_points(near & ~edge):
            root &= ~_disconnected(1 << neighbour & root, edge, root)
    return root


def _disconnected(seed: int, edge: int, ground: int) -> int:
    """Return what is joined to `seed` over `ground`, or nothing if that reaches `edge`."""
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
    """Return a shortest orthogonal chain of `stones` that joins the edges `low` and `high`.

    In order.

    All are sets of points; the edges themselves are not in the chain. Without a chain it is empty.
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
