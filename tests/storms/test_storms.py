"""The smallest storm of each kind, so that `python -m tests.storms` cannot rot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.storms.__main__ import Sizes, run_part

if TYPE_CHECKING:
    from pathlib import Path

SMALLEST = Sizes(matches=1, kills=1, processes=2, challenges=3, accepts=2, turns=1, migrations=1)


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
    ],
)
async def test_smallest_storm_is_clean(tmp_path: Path, part: str, outcome: str) -> None:
    assert (await run_part(part, f"sqlite:///{tmp_path / 'rayuela.db'}", tmp_path, SMALLEST)).startswith(
        outcome
    )
