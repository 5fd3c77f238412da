"""The file of a network: the numbers of kernel/network.h in their order, as 16-bit fixed-point numbers.

``python -m tools.learn_network GAME`` writes it.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

SCALE = 4096
"""What 1 is written as. The largest number is just below 8."""

LIMIT = 32767


@dataclass(frozen=True, slots=True)
class Example:
    """A position to learn from.

    Attributes:
        line: The position line.
        version: The version of the game's rules.
        result: How the game ended for the player to move: 0 lost, 1 drawn, 2 won.
        value: What a search expected for the player to move, from 0 to 1.
        shares: Of the visits of the search, one for each candidate in its order, as floats of four bytes; or
            nothing, to learn no priors.

    """

    line: bytes
    version: int
    result: int
    value: float
    shares: bytes


def pack(numbers: bytes) -> bytes:
    """Return the contents of a file for the numbers in the layout of the kernel; too large ones are cut."""
    count = len(numbers) // 4
    fixed = (
        max(-LIMIT, min(LIMIT, round(SCALE * number))) for number in struct.unpack(f"<{count}f", numbers)
    )
    return struct.pack(f"<{count}h", *fixed)


def unpack(data: bytes) -> bytes:
    """Return the numbers of a file in the layout of the kernel."""
    count = len(data) // 2
    return struct.pack(f"<{count}f", *(number / SCALE for number in struct.unpack(f"<{count}h", data)))
