"""``python -m tests.storage.writer_process URL STEP``: write a person and stop at a step, to be killed."""

import asyncio
import sys

from storage import Database
from storage.people import people


def wait_at(step: str) -> None:
    if sys.argv[2] == step:
        sys.stdout.write(f"{step}\n")
        sys.stdout.flush()
        sys.stdin.readline()


async def main() -> None:
    async with await Database.open(sys.argv[1]) as database:
        wait_at("opened")
        async with database.transaction() as connection:
            await people.save(connection, "test:1", "Ada", 0)
            wait_at("written")
        wait_at("committed")


if __name__ == "__main__":
    asyncio.run(main())
