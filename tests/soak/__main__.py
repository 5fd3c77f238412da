"""``python -m tests.soak``: simulate a year, settle every account, print the figures.

Exit code 1 with the seed and the story if anything is wrong, or if a turn has become dearer than allowed.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from tests.soak.figures import ALLOWED
from tests.soak.plan import Plan
from tests.soak.run import soak
from tests.soak.story import Soaked


def main() -> int:
    usual = Plan()
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description="Simulate a year at Discord.")
    parser.add_argument("--seed", type=int, default=usual.seed)
    parser.add_argument("--days", type=int, default=usual.days)
    parser.add_argument("--people", type=int, default=usual.people)
    parser.add_argument("--matches", type=int, default=usual.matches)
    given = parser.parse_args()
    plan = replace(usual, **vars(given))
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.disable(logging.CRITICAL)
    with TemporaryDirectory(prefix="rayuela-soak-") as folder:
        try:
            figures = asyncio.run(soak(plan, Path(folder), lambda line: sys.stderr.write(f"{line}\n")))
        except Soaked as error:
            sys.stderr.write(f"{error}\n")
            return 1
    sys.stdout.write(f"{figures.table(plan)}\n")
    growth = figures.growth()
    return 1 if growth is not None and growth > ALLOWED else 0


if __name__ == "__main__":
    sys.exit(main())
