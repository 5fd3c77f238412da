"""The short form of the simulated year: some days, the same code; and that a seed tells one story."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.soak.plan import BEGIN, Plan
from tests.soak.run import soak
from tests.soak.story import Soaked, Story

if TYPE_CHECKING:
    from pathlib import Path

    from tests.soak.figures import Figures

SHORT = Plan(seed=11, days=10, people=9, servers=2, channels=2, matches=8, patience=9, checked=True)
TINY = Plan(seed=6, days=5, people=4, servers=2, channels=1, matches=3, patience=8)


async def test_some_days_leave_nothing_unsettled(tmp_path: Path) -> None:
    figures = await soak(SHORT, tmp_path)
    assert figures.deeds["matches"] >= 5
    assert sum(figures.turns.values()) >= 25
    assert figures.deeds["downtimes"]
    assert figures.deeds["letters to followers"]
    assert {one.requests for month in figures.timed.values() for one in month} == {1}


async def test_one_seed_tells_one_story(tmp_path: Path) -> None:
    def told(figures: Figures) -> object:
        return figures.deeds, figures.requests, figures.turns, figures.posts

    folders = [tmp_path / name for name in ("once", "again")]
    for folder in folders:
        folder.mkdir()
    first, second = [told(await soak(TINY, folder)) for folder in folders]
    assert first == second


def test_failure_tells_the_seed_and_what_led_to_it() -> None:
    story = Story(seed=7)
    story.tell(BEGIN, "Ada does something")
    with pytest.raises(Soaked, match=r"(?s)seed 7: this is wrong.*Ada does something"):
        raise story.fail("this is wrong")
