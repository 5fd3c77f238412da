"""Versions of the program that are measured, alone or side by side; and what their pictures cost.

An earlier commit is checked out into a folder of its own, and its own code is run there, with an environment
of its own if its requirements are not those of this version. Needs git.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.table import Row, format_number
from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LOCK = "requirements.lock"
PICTURE_COST = Path(__file__).with_name("picture_cost.py")
GOALS = {
    "a turn, one match": "at most 25",
    "a turn, one match: processor time": "at most 10",
    "a turn, one match: requests to Discord": "exactly 1",
    "a turn, 20 matches at once: processor time": "at most 10",
    "turns per second": "at least 100",
    "memory, idle": "at most 100",
    "picture of a match that goes on": "at most 2.5",
    "  size: picture of a match that goes on": "at most 22",
}


@dataclass(slots=True)
class Version:
    """A version in `folder`, run by `python`, and what was measured of it: values by label and unit."""

    folder: Path = ROOT
    python: str = sys.executable
    measured: dict[tuple[str, str], list[float]] = field(default_factory=dict)

    def add(self, label: str, unit: str, *values: float) -> None:
        """Add values of one kind."""
        self.measured.setdefault((label, unit), []).extend(values)

    def rows(self, before: Version | None = None) -> Iterator[Row]:
        """Return the medians of all kinds, beside those of another version."""
        for (label, unit), values in self.measured.items():
            goal = GOALS.get(label) or GOALS.get(label.rpartition(",")[0], "")
            comparison = ""
            if before is not None:
                earlier = median(before.measured[label, unit])
                ratio = f"; {median(values) / earlier:.2f} of it" if earlier else ""
                comparison = f"before: {format_number(earlier)} {unit}{ratio}"
            yield Row.from_values(label, values, unit, goal=goal and f"{goal} {unit}", comparison=comparison)


@contextmanager
def check_out(commit: str) -> Iterator[Version]:
    """Check out a commit into a new folder, and install what it needs if that differs."""
    with TemporaryDirectory(prefix="rayuela-before-") as parent:
        folder = Path(parent) / "tree"
        _run("git", "worktree", "add", "--quiet", "--detach", str(folder), commit)
        try:
            version = Version(folder)
            if (folder / LOCK).read_bytes() != (ROOT / LOCK).read_bytes():
                _run("sh", "tools/venv", sys.executable, str(folder / ".venv"), str(folder / LOCK))
                version.python = str(folder / ".venv/bin/python")
            yield version
        finally:
            _run("git", "worktree", "remove", "--force", str(folder))


def _run(*command: str) -> None:
    subprocess.run(command, cwd=ROOT, check=True, stdout=sys.stderr)  # noqa: S603


def measure_pictures(versions: Sequence[Version], rounds: int, games: int) -> None:
    """Add the cost of each picture, the least of several rounds."""
    costs = [[_picture_costs(version, games) for version in versions] for _ in range(rounds)]
    for version, own in zip(versions, zip(*costs, strict=True), strict=True):
        for kind, figures in own[0].items():
            times = zip(*(cost[kind]["times"] for cost in own), strict=True)
            version.add(kind, "ms", *map(min, times))
            version.add(f"  size: {kind}", "kB", *(size / 1000 for size in figures["sizes"]))


def _picture_costs(version: Version, games: int) -> dict[str, dict[str, list[float]]]:
    result = subprocess.run(  # noqa: S603 - this interpreter, or that of the other version
        [version.python, "-P", str(PICTURE_COST), str(games)],
        env=os.environ | {"PYTHONPATH": str(version.folder)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    costs: dict[str, dict[str, list[float]]] = json.loads(result.stdout)
    return costs


def rows(rounds: int = 2, games: int = 4) -> Iterator[Row]:
    """Return what the pictures of this version cost."""
    version = Version()
    measure_pictures([version], rounds, games)
    return version.rows()
