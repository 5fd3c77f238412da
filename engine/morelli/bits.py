"""Sets of cells as the bits of an int."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def iter_bits(bits: int) -> Iterator[int]:
    """Return the single bits of `bits` from the lowest to the highest."""
    while bits:
        lowest = bits & -bits
        yield lowest
        bits ^= lowest


def iter_subsets(bits: int) -> Iterator[int]:
    """Return every subset of `bits`, itself first and the empty one last."""
    subset = bits
    while subset:
        yield subset
        subset = subset - 1 & bits
    yield 0
