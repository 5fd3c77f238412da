"""The smallest storm of each kind, so that `python -m tests.storms` cannot rot."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.storms import Storm
from tests.storms.__main__ import PARTS
from tests.storms.postgres_server import is_postgres_installed

if TYPE_CHECKING:
    from pathlib import Path

SMALLEST = Storm(matches=1, kills=1, processes=2, challenges=3, accepts=2, turns=1)


@pytest.mark.long
@pytest.mark.parametrize(
    ("part", "outcome"),
    [
        ("kills", "1 kills, 1 matches at once"),
        (
            "races",
            "2 processes, 12 accepts of 3 challenges, 3 contested turns, 3 reminders, ",
        ),
        ("migrations", "1 migrations killed"),
        ("worker", "1 kills, 1 matches at once"),
        ("backups", "1 commands killed (backup, restore)"),
        ("packing", "1 times 2 processes killed"),
        ("notices", "1 kills, "),
        ("visitors", "1 attacks with 100 requests"),
    ],
)
async def test_smallest_storm_is_clean(tmp_path: Path, part: str, outcome: str) -> None:
    storm = replace(SMALLEST, url=f"sqlite:///{tmp_path / 'rayuela.db'}", folder=tmp_path)
    assert (await PARTS[part](storm)).startswith(outcome)


@pytest.mark.long
async def test_small_storm_of_a_cluster_is_clean(tmp_path: Path) -> None:
    if not is_postgres_installed() and os.environ.get("RAYUELA_REQUIRE_POSTGRES") != "1":
        pytest.skip("Debian's PostgreSQL is not installed")
    outcome = await PARTS["cluster"](Storm(folder=tmp_path, matches=2, kills=8, seconds=20, cut=4))
    faults = ("connections terminated", "restart (immediate)", "restart (fast)", "cut of 4 s")
    assert [fault for fault in faults if fault not in outcome] == []
    assert ", 0 connections" not in outcome
