"""What a simulation holds in its hand: time, and chance."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from tests.discord_server.clock import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from random import Random


class HeldClock(Clock):
    """A clock that stands still unless it is advanced."""

    def __init__(self, start: datetime) -> None:
        super().__init__()
        self._ahead = start.timestamp()

    def time(self) -> float:
        return self._ahead


@contextmanager
def held_chance(chance: Random) -> Iterator[None]:
    """Have lots drawn from `chance` instead of from the machine while the block runs."""
    with patch.object(secrets, "choice", chance.choice), patch.object(secrets, "randbelow", chance.randrange):
        yield
