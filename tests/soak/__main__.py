"""``python -m tests.soak``: simulate a year, audit what it leaves behind, print what happened.

Exit code 1, with the seed and the last events, if anything is wrong.
``python -m tests.soak tournaments`` is a year of tournaments: :mod:`tests.tournament_year`.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from runtime import logs
from tests.databases import POSTGRES_SERVER, temporary_postgres
from tests.soak.cluster import MIN_PROCESSES
from tests.soak.event_log import SimulationFailure
from tests.soak.plan import SimulationPlan
from tests.soak.simulation import run_simulation
from tests.tournament_year import __main__ as tournament_year


def main() -> int:
    if sys.argv[1:2] == ["tournaments"]:
        return tournament_year.main(sys.argv[2:])
    defaults = SimulationPlan()
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Simulate a year at Discord.")
    parser.add_argument("--seed", type=int, default=defaults.seed)
    parser.add_argument("--days", type=int, default=defaults.days)
    parser.add_argument("--people", type=int, default=defaults.people)
    parser.add_argument("--matches", type=int, default=defaults.matches)
    parser.add_argument(
        "--processes", type=int, default=defaults.processes, help="several: a cluster on PostgreSQL"
    )
    given = parser.parse_args()
    plan = replace(defaults, **vars(given))
    is_cluster = plan.processes != 1
    if is_cluster and plan.processes < MIN_PROCESSES:
        parser.error(f"a cluster has at least {MIN_PROCESSES} processes")
    logs.configure("CRITICAL")  # the faults fill the bot's log with expected errors
    with (
        TemporaryDirectory(prefix="rayuela-soak-") as folder,
        temporary_postgres(POSTGRES_SERVER) if is_cluster else nullcontext() as url,
    ):
        try:
            counts = asyncio.run(
                run_simulation(
                    plan, Path(folder), lambda line: sys.stderr.write(f"{line}\n"), postgres_url=url
                )
            )
        except SimulationFailure as error:
            sys.stderr.write(f"{error}\n")
            return 1
    lines = [f"seed {plan.seed}: {plan.days} days, {plan.people} people"]
    lines += [f"  {name}: {count:,}" for name, count in sorted(counts.items())]
    sys.stdout.write("\n".join([*lines, ""]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
