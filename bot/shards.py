"""The shards of this process: which of them are connected, and which servers belong to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.ui import ids
from matches import Coverage

if TYPE_CHECKING:
    from collections.abc import Mapping

_SHARD_SHIFT = 22  # Discord's formula; the bits below tell ids of the same millisecond apart


def server_number(server: str) -> int | None:
    """Return the number of a server, which belongs to shard number % count; None outside Discord."""
    return ids.snowflake(server) >> _SHARD_SHIFT if ids.is_from_discord(server) else None


class GatewayState:
    """Which shards of this process are connected to Discord.

    `count` is the number of all shards, of every process; 1 until Discord has been asked.
    """

    def __init__(self) -> None:
        self.count = 1
        self._is_connected: dict[int, bool] = {}

    @property
    def shards(self) -> Mapping[int, bool]:
        """Whether each shard of this process that has ever been connected is so now, by its id."""
        return self._is_connected

    @property
    def is_connected(self) -> bool:
        """Whether any shard is connected."""
        return any(self._is_connected.values())

    def set_connected(self, shard: int, *, is_connected: bool) -> None:
        """Record that a shard was connected or disconnected."""
        self._is_connected[shard] = is_connected

    def coverage(self) -> Coverage:
        """Return the servers that this process reaches now."""
        connected = frozenset(shard for shard, is_up in self._is_connected.items() if is_up)
        return Coverage(self.count, connected, server_number)
