"""``python -m tests.soak``: simulate a year, audit what it leaves behind, print what was measured.

Exit code 1, with the seed and the last events, if anything is wrong; also if a plain turn takes more work at
the end of the year than MAX_GROWTH allows.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from runtime import logs
from tests.soak.event_log import SimulationFailure
from tests.soak.plan import SimulationPlan
from tests.soak.simulation import run_simulation


def main() -> int:
    defaults = SimulationPlan()
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Simulate a year at Discord.")
    parser.add_argument("--seed", type=int, default=defaults.seed)
    parser.add_argument("--days", type=int, default=defaults.days)
    parser.add_argument("--people", type=int, default=defaults.people)
    parser.add_argument("--matches", type=int, default=defaults.matches)
    given = parser.parse_args()
    plan = replace(defaults, **vars(given))
    logs.configure("CRITICAL")  # the faults fill the bot's log with expected errors
    with TemporaryDirectory(prefix="rayuela-soak-") as folder:
        try:
            metrics = asyncio.run(
                run_simulation(plan, Path(folder), lambda line: sys.stderr.write(f"{line}\n"))
            )
        except SimulationFailure as error:
            sys.stderr.write(f"{error}\n")
            return 1
    sys.stdout.write(f"{metrics.format_table(plan)}\n")
    return int(metrics.has_grown_too_much())


if __name__ == "__main__":
    sys.exit(main())
