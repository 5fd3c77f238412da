"""``python -m tests.storage.writer URL STEP``: write a person and hang at a step, to be killed there."""

import asyncio
import sys

from storage import Store, people


def hang(step: str) -> None:
    if sys.argv[2] == step:
        sys.stdout.write(f"{step}\n")
        sys.stdout.flush()
        sys.stdin.readline()


async def main() -> None:
    async with await Store.open(sys.argv[1]) as store:
        hang("opened")
        async with store.writing() as connection:
            await people.remember(connection, "test:1", "Ada", 0)
            hang("written")
        hang("committed")


if __name__ == "__main__":
    asyncio.run(main())
