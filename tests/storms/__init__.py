"""Storms of kills, lost connections and races; see `python -m tests.storms --help`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Violation(AssertionError):  # noqa: N818 - it is what was found
    """Something was lost, doubled or half done."""


def attempts(most: int, seconds: float) -> Iterator[int]:
    """Count from 1 to `most`, but end after so many seconds."""
    end = time.monotonic() + seconds
    for number in range(1, most + 1):
        yield number
        if time.monotonic() > end:
            return
