"""The simulated clock: it moves only when it is advanced, and other processes can read it from a file."""

from __future__ import annotations

import mmap
import struct
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tests.discord_server.clock import DiscordClock

if TYPE_CHECKING:
    from pathlib import Path

_SECONDS = struct.Struct("<d")  # since 1970 UTC


class FrozenClock(DiscordClock):
    """A clock that only moves when it is advanced; it writes the time into `file`."""

    def __init__(self, start: datetime, file: Path) -> None:
        super().__init__()
        file.write_bytes(_SECONDS.pack(start.timestamp()))
        self._file = _map(file)
        self._ahead = start.timestamp()

    def time(self) -> float:
        return self._ahead

    def advance(self, seconds: float) -> None:
        _SECONDS.pack_into(self._file, 0, self._ahead + seconds)
        super().advance(seconds)


class ClockReader:
    """Returns the time of the clock of another process when called."""

    def __init__(self, file: Path) -> None:
        self._file = _map(file)

    def __call__(self) -> datetime:
        return datetime.fromtimestamp(_SECONDS.unpack_from(self._file)[0], UTC)


def _map(file: Path) -> mmap.mmap:
    with file.open("r+b") as stream:
        return mmap.mmap(stream.fileno(), _SECONDS.size)
