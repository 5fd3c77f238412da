"""What a stone captures where it lands, looked up in small tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.morelli.bits import iter_bits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class DirectionTable(dict[int, int]):
    """From some of eight cells, one in each direction, as bits under `mask`, to their directions.

    Directions are eight bits. A cell off the board is 0 and never among them. The table fills as it is used.
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
    """From directions, as eight bits, to the cells next to the landing cell in them, as bits of the board."""

    __slots__ = ("cells",)

    def __init__(self, cells: Sequence[int]) -> None:
        super().__init__()
        self.cells = cells

    def __missing__(self, directions: int) -> int:
        self[directions] = sum(cell for number, cell in enumerate(self.cells) if directions >> number & 1)
        return self[directions]


class FrameTable(dict[int, tuple[int, ...]]):
    """From the directions of captures to what completes frames with them.

    Each value is a set of stones, as bits: where they are the mover's, landing and capturing in these
    directions makes four quarter-turn images of a captured stone (§6.6).
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
    """The cells around the landing cell `end`: `near` the adjacent ones, `far` those directly behind them.

    A stone that lands captures, in each direction, an adverse stone that is near with an own one that is far
    (§6.1): ``near[adverse & near_mask] & far[own & far_mask]`` are the directions, `captured` gives the
    stones, and `frames` what else it takes for a frame. `rotations` are the quarter-turn images of every
    cell.
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
