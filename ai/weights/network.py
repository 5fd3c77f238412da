"""The file of a network: the numbers of kernel/network.h in their order, as 16-bit fixed-point numbers.

``python -m tools.learn_network GAME`` writes it.
"""

from __future__ import annotations

import struct

SCALE = 4096
"""What 1 is written as. The largest number is just below 8."""

LIMIT = 32767


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
