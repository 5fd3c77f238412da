"""Small lookup tables for what a stone captures where it lands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.morelli.bits import iter_bits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class DirectionTable(dict[int, int]):
    """The directions (eight bits) of a set of cells, for eight cells with one in each direction.

    `mask` is the set of the eight cells; a cell off the board is 0 and has no direction. Filled on demand.
    """

    __slots__ = ("cells", "mask")

    def __init__(self, cells: Sequence[int]) -> None:
        super().__init__()
        self.cells = cells
        self.mask = sum(cells)

    def __missing__(self, selected: int) -> int:
        self[selected] = sum(1 << number for number, cell in enumerate(self.cells) if selected & cell)
        return self[selected]


class CaptureTable(dict[int, int]):
    """The set of the cells next to the landing cell, by directions (eight bits); filled on demand."""

    __slots__ = ("cells",)

    def __init__(self, cells: Sequence[int]) -> None:
        super().__init__()
        self.cells = cells

    def __missing__(self, directions: int) -> int:
        self[directions] = sum(cell for number, cell in enumerate(self.cells) if directions >> number & 1)
        return self[directions]


class FrameTable(dict[int, tuple[int, ...]]):
    """What completes a frame with captures, by the directions (eight bits) of the captures; filled on demand.

    Each value is a tuple of sets of cells. If all cells of one set hold stones of the mover, landing and
    capturing in these directions completes a frame with a captured stone (§6.6).
    """

    __slots__ = ("captured", "end", "rotations")

    def __init__(self, end: int, captured: CaptureTable, rotations: Mapping[int, int]) -> None:
        super().__init__()
        self.end = end
        self.captured = captured
        self.rotations = rotations

    def __missing__(self, directions: int) -> tuple[int, ...]:
        taken = self.captured[directions]
        self[directions] = tuple({self.rotations[cell] & ~(taken | self.end) for cell in iter_bits(taken)})
        return self[directions]


class CaptureTables:
    """The tables of one landing cell: `near` for the adjacent cells, `far` for those directly behind them.

    A stone that lands captures an enemy stone next to it with an own stone directly behind it (§6.1). The
    directions are ``near[enemy & near_mask] & far[own & far_mask]``; `captured` then gives the captured
    stones and `frames` what is missing for a frame.
    """

    __slots__ = ("captured", "far", "far_mask", "frames", "near", "near_mask")

    def __init__(
        self, end: int, near: Sequence[int], far: Sequence[int], rotations: Mapping[int, int]
    ) -> None:
        self.near = DirectionTable(near)
        self.far = DirectionTable(far)
        self.near_mask = self.near.mask
        self.far_mask = self.far.mask
        self.captured = CaptureTable(near)
        self.frames = FrameTable(end, self.captured, rotations)

    def directions(self, own: int, enemy: int) -> int:
        """Return the directions in which a stone of `own` captures, as eight bits."""
        return self.near[enemy & self.near_mask] & self.far[own & self.far_mask]
