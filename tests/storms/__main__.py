"""``python -m tests.storms [PART ...]``: kills, races, lost connections; nothing may be lost or doubled.

Prints a line for each part and database. Exit code 1 if anything was lost, doubled or half done.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from runtime import logs
from tests.databases import BACKENDS, POSTGRES_SERVER, temporary_postgres
from tests.storms import Violation, attempts
from tests.storms.backups import kill_backups
from tests.storms.bots import kill_bots, terminate_backends
from tests.storms.cluster import storm_cluster
from tests.storms.migrations import kill_migrations
from tests.storms.packing import kill_packing
from tests.storms.races import race
from tests.storms.workers import kill_workers

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

PARTS = ("kills", "races", "backends", "migrations", "worker", "backups", "packing", "cluster")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of everything, at most; a part other than the races begins nothing new after `seconds`."""

    seconds: int = 60
    seed: int = 1
    matches: int = 12  # played at once
    kills: int = 60
    attacks: int = 200  # on the connections
    processes: int = 4  # that race
    challenges: int = 20
    accepts: int = 12  # of each challenge by each process
    turns: int = 8  # of each match
    migrations: int = 55
    cut: int = 30  # seconds for which the network of the cluster is cut


async def run_part(part: str, url: str, folder: Path, sizes: Sizes) -> str:
    """Run a part on an empty database, the cluster on a server of its own; return its counts.

    Raises Violation.
    """
    seed, matches, seconds = sizes.seed, sizes.matches, sizes.seconds
    storms: dict[str, Callable[[], Awaitable[str]]] = {
        "kills": lambda: kill_bots(url, folder, seed, matches, attempts(sizes.kills, seconds)),
        "races": lambda: race(url, seed, sizes.processes, sizes.challenges, sizes.accepts, sizes.turns),
        "backends": lambda: terminate_backends(url, folder, seed, matches, attempts(sizes.attacks, seconds)),
        "backups": lambda: kill_backups(url, folder, seed, attempts(sizes.kills, seconds)),
        "packing": lambda: kill_packing(url, seed, matches, attempts(sizes.kills, seconds)),
        "worker": lambda: kill_workers(url, seed, matches, attempts(sizes.kills, seconds)),
        "migrations": lambda: kill_migrations(url, folder, seed, attempts(sizes.migrations, seconds)),
        "cluster": lambda: storm_cluster(folder, seed, matches, sizes.kills, seconds, sizes.cut),
    }
    return await storms[part]()


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.storms", description="Kills, races, lost connections."
    )
    parser.add_argument("part", nargs="*", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--database", choices=BACKENDS, help="both by default")
    for name, value in asdict(Sizes()).items():
        parser.add_argument(f"--{name}", type=int, default=value, help=f"{value} by default")
    given = vars(parser.parse_args())
    parts, database = given.pop("part") or PARTS, given.pop("database")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(unknown)}")
    logs.configure("CRITICAL")  # the loopback Discord reports every request that a kill cuts short
    results = [
        _report(part, kind, Sizes(**given))
        for part in parts
        for kind in BACKENDS
        if database in {None, kind} and (kind == "postgresql" or part not in {"backends", "cluster"})
    ]
    return int(not all(results))


def _report(part: str, kind: str, sizes: Sizes) -> bool:
    """Run a part on a new database of a kind and print the closing line; return whether all is well."""
    began = time.monotonic()
    with TemporaryDirectory(prefix="rayuela-storms-") as name:
        folder = Path(name)
        try:
            if kind == "sqlite":
                outcome = asyncio.run(run_part(part, f"sqlite:///{folder / 'rayuela.db'}", folder, sizes))
            else:
                with temporary_postgres(POSTGRES_SERVER) as url:
                    outcome = asyncio.run(run_part(part, url, folder, sizes))
            is_well = True
        except Violation as violation:
            outcome, is_well = f"VIOLATION (seed {sizes.seed}): {violation}", False
    sys.stdout.write(f"{part}, {kind}, {time.monotonic() - began:.0f} s: {outcome}\n")
    sys.stdout.flush()
    return is_well


if __name__ == "__main__":
    sys.exit(main())
