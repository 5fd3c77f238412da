"""One side's stones and its two edges, and which of them hang together."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.morphos.board import beside, each, spread, step


@dataclass(frozen=True, slots=True)
class Army:
    """The stones of one side with the two lines of its edges, as points.

    `walls` are stones and edges, which count alike in the patterns. `low` is what is orthogonally joined
    to the bottom or left edge, `high` to the top or right one, each with its edge; both follow from
    `walls` and are carried along from move to move.
    """

    walls: int
    low: int = field(compare=False, repr=False)
    high: int = field(compare=False, repr=False)

    @classmethod
    def mustered(cls, stones: int, edges: tuple[int, ...]) -> Army:
        """Give the army of `stones` between the two `edges`."""
        low, high = edges
        walls = stones | low | high
        return cls(walls, spread(0, low, walls), spread(0, high, walls))

    @property
    def joined(self) -> bool:
        """Whether a chain of stones joins the two edges."""
        return self.low & self.high != 0

    def with_stone(self, at: int) -> Army:
        """Give the army with one more stone on the empty point `at`."""
        bit = 1 << at
        walls = self.walls | bit
        near = beside(at) & walls
        low, high = self.low, self.high
        if near & low:
            low = spread(low, bit, walls)
        if near & high:
            high = spread(high, bit, walls)
        return Army(walls, low, high)

    def without_stone(self, at: int, edges: tuple[int, ...]) -> Army:
        """Give the army with the stone on `at` taken away."""
        walls = self.walls ^ 1 << at
        low, high = edges
        return Army(walls, _cut(self.low, at, low), _cut(self.high, at, high))


def _cut(root: int, at: int, edge: int) -> int:
    """Give `root` without the stone on `at` and without what hung on `edge` only through it."""
    if not root >> at & 1:
        return root
    root ^= 1 << at
    near = beside(at) & root
    if near.bit_count() > 1:
        for neighbour in each(near & ~edge):
            root &= ~_loose(1 << neighbour & root, edge, root)
    return root


def _loose(seed: int, edge: int, ground: int) -> int:
    """Give what is joined to `seed` over `ground`, or nothing if that reaches `edge`."""
    piece = seed
    rest = ground & ~seed
    while seed:
        seed = step(seed) & rest
        if seed & edge:
            return 0
        rest ^= seed
        piece |= seed
    return piece
