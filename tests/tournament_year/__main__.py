"""``python -m tests.soak tournaments``: simulate a year of tournaments, audit it, and print what happened.

Then the year is run again without kills: it must come to the same: the twelve digits that are printed, which
are equal on each database too. Exit code 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from contextlib import nullcontext
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tests.cluster import Violation
from tests.databases import POSTGRES_SERVER, temporary_postgres
from tests.tournament_year.plan import SHORT, YearPlan
from tests.tournament_year.year import live_year

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak tournaments", description=__doc__)
    parser.add_argument("--seed", type=int, default=YearPlan().seed)
    parser.add_argument("--kills", type=float, default=YearPlan().kills, help="the share of requests")
    parser.add_argument("--short", action="store_true", help="two months of small tournaments")
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--once", action="store_true", help="do not run it again without kills")
    given = parser.parse_args(arguments)
    plan = replace(SHORT if given.short else YearPlan(), seed=given.seed, kills=given.kills)
    found = []
    for is_disturbed in (True, False)[: 1 if given.once else 2]:
        began, used = time.monotonic(), time.process_time()
        with (
            TemporaryDirectory(prefix="rayuela-year-") as name,
            temporary_postgres(POSTGRES_SERVER) if given.postgresql else nullcontext() as address,
        ):
            folder = Path(name)
            url = address or f"sqlite:///{folder / 'rayuela.db'}?timeout=60"
            try:
                counts, result = asyncio.run(_run(plan, url, folder, is_disturbed=is_disturbed))
            except Violation as error:
                sys.stderr.write(f"seed {plan.seed}: {error}\n")
                return 1
        counts["milliseconds of processor time: people and checks"] = round(
            1000 * (time.process_time() - used)
        )
        lines = [f"{name}: {number:,}" for name, number in sorted(counts.items())]
        seconds, digest = time.monotonic() - began, sha256(repr(result).encode()).hexdigest()[:12]
        what = "PostgreSQL" if given.postgresql else "SQLite"
        what += ", with kills" if is_disturbed else ", without kills"
        title = f"seed {plan.seed}, {what}, {seconds:.0f} s, comes to {digest}:"
        sys.stdout.write("\n  ".join([title, *lines]) + "\n")
        sys.stdout.flush()
        found.append(result)
    if found[0] != found[-1]:
        sys.stderr.write(f"seed {plan.seed}: without kills it comes to something else\n")
        return 1
    return 0


async def _run(
    plan: YearPlan, url: str, folder: Path, *, is_disturbed: bool
) -> tuple[Counter[str], dict[str, Any]]:
    async with live_year(plan, url, folder, _report, is_disturbed=is_disturbed) as year:
        return year.counts, await year.describe()


def _report(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main())
