"""``python -m tests.storms.migrator_process URL``: migrate a database on a signal."""

import asyncio
import sys

from tests.databases import migrate_database

if __name__ == "__main__":
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    asyncio.run(migrate_database(sys.argv[1]))
    sys.stdout.write("done\n")
