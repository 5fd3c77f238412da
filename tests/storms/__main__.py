"""``python -m tests.storms [PART ...]``: kills, races, lost connections; nothing may be lost or doubled.

Prints a line for each part and database. Exit code 1 if anything was lost, doubled or half done.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from runtime import logs
from tests.cluster import Violation
from tests.databases import BACKENDS, POSTGRES_SERVER, temporary_postgres
from tests.storms import Storm
from tests.storms.backups import kill_backups
from tests.storms.cluster import kill_bots, storm_cluster
from tests.storms.migrations import kill_migrations
from tests.storms.notices import kill_senders
from tests.storms.packing import kill_packing
from tests.storms.races import race
from tests.storms.visitors import crowd_website
from tests.storms.workers import kill_workers

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

PARTS: dict[str, Callable[[Storm], Coroutine[Any, Any, str]]] = {
    "kills": kill_bots,
    "races": race,
    "migrations": kill_migrations,
    "worker": kill_workers,
    "backups": kill_backups,
    "packing": kill_packing,
    "notices": kill_senders,
    "visitors": crowd_website,
    "cluster": storm_cluster,
}
"""Each runs on an empty database, the cluster on its own server; it returns counts or raises Violation."""


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.storms", description="Kills, races, lost connections."
    )
    parser.add_argument("part", nargs="*", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--database", choices=BACKENDS, help="both by default")
    for name, value in asdict(Storm()).items():
        if isinstance(value, int):
            parser.add_argument(f"--{name}", type=int, default=value, help=f"{value} by default")
    given = vars(parser.parse_args())
    parts, database = given.pop("part") or [*PARTS], given.pop("database")
    if unknown := set(parts) - PARTS.keys():
        parser.error(f"there is no part {', '.join(unknown)}")
    logs.configure("CRITICAL")  # the loopback Discord reports every request that a kill cuts short
    results = [
        _report(part, kind, Storm(**given))
        for part in parts
        for kind in BACKENDS
        if database in {None, kind} and (kind == "postgresql" or part != "cluster")
    ]
    return int(not all(results))


def _report(part: str, kind: str, storm: Storm) -> bool:
    """Run a part on a new database of a kind and print the closing line; return whether all is well."""
    began = time.monotonic()
    with (
        TemporaryDirectory(prefix="rayuela-storms-") as name,
        temporary_postgres(POSTGRES_SERVER) if kind == "postgresql" else nullcontext() as url,
    ):
        place = replace(storm, url=url or f"sqlite:///{name}/rayuela.db", folder=Path(name))
        try:
            outcome, is_well = asyncio.run(PARTS[part](place)), True
        except Violation as violation:
            outcome, is_well = f"VIOLATION (seed {storm.seed}): {violation}", False
    sys.stdout.write(f"{part}, {kind}, {time.monotonic() - began:.0f} s: {outcome}\n")
    sys.stdout.flush()
    return is_well


if __name__ == "__main__":
    sys.exit(main())
