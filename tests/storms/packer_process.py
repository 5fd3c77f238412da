"""``python -m tests.storms.packer_process URL``: pack finished matches; print a line before each batch."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

from bench.finished_matches import AFTERWARDS
from matches import Database, Matches, StorageUnavailable
from matches.work.packing import PACK_AFTER
from tests.storms.racer_process import print_line


async def main(url: str) -> None:
    async with await Database.open(url, only_current=True) as database:
        matches, packed = Matches(database), 1
        while packed:
            print_line("pack")
            with suppress(StorageUnavailable):  # busy: the program tries again, too
                packed = await matches.work.packing.pack(now=AFTERWARDS + PACK_AFTER, batches=1)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
