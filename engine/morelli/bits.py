"""Sets of cells as the bits of an int."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def iter_bits(bits: int) -> Iterator[int]:
    """Yield the single bits of `bits`, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest
        bits ^= lowest


def iter_subsets(bits: int) -> Iterator[int]:
    """Yield every subset of `bits`, from `bits` itself to the empty set."""
    subset = bits
    while subset:
        yield subset
        subset = subset - 1 & bits
    yield 0
