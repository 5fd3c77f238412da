"""What a simulation holds in its hand: time, and chance."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from tests.discord_server.clock import DiscordClock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from random import Random


class FrozenClock(DiscordClock):
    """A clock that stands still unless it is advanced."""

    def __init__(self, start: datetime) -> None:
        super().__init__()
        self._ahead = start.timestamp()

    def time(self) -> float:
        return self._ahead


@contextmanager
def seeded_secrets(rng: Random) -> Iterator[None]:
    """Have lots drawn from `rng` instead of from the machine while the block runs."""
    with patch.object(secrets, "choice", rng.choice), patch.object(secrets, "randbelow", rng.randrange):
        yield
