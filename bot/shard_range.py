"""The setting SHARDS: which shards a process has.

Discord divides the servers of a bot among shards, each with a connection of its own. `SHARDS=0-7/16` gives a
process the first eight of sixteen; without it a process has as many as Discord recommends, and all of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_RANGE = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class ShardRange:
    """The shards `first` to `last` of `count`, all counted from 0."""

    first: int
    last: int
    count: int

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids of the shards."""
        return tuple(range(self.first, self.last + 1))


def parse_shard_range(text: str) -> ShardRange:
    """Parse ``0-7/16``, or ``3/16`` for one shard. Raises ValueError."""
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        raise ValueError("not the form of a range of shards")
    first, count = int(found[1]), int(found[3])
    last = first if found[2] is None else int(found[2])
    if not first <= last < count:
        raise ValueError("not a range of these shards")
    return ShardRange(first, last, count)
