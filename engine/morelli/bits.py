"""Sets of cells as the bits of an int."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def each(bits: int) -> Iterator[int]:
    """Give the single bits of `bits` from the lowest to the highest."""
    while bits:
        lowest = bits & -bits
        yield lowest
        bits ^= lowest


def subsets(bits: int) -> Iterator[int]:
    """Give every subset of `bits`, itself first and the empty one last."""
    some = bits
    while some:
        yield some
        some = some - 1 & bits
    yield 0
