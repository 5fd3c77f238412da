"""Storms of kills, lost connections and races; see `python -m tests.storms --help`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Storm:
    """How much of everything, at most, on which empty database and with which folder for files."""

    url: str = ""
    folder: Path = Path()
    seconds: int = 60  # after which a part, other than the races, begins nothing new
    seed: int = 1
    matches: int = 12  # played at once
    kills: int = 60
    processes: int = 4  # that race
    challenges: int = 20
    accepts: int = 12  # of each challenge by each process
    turns: int = 8  # of each match
    cut: int = 30  # seconds for which the network of the cluster is cut

    def attempts(self, most: int) -> Iterator[int]:
        """Count from 1 to `most`, but end when time is over."""
        end = time.monotonic() + self.seconds
        for number in range(1, most + 1):
            yield number
            if time.monotonic() > end:
                return
