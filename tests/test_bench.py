"""Benchmarks end with an error where they get no figures. .ci/run runs all of them at their smallest size."""

from __future__ import annotations

import asyncio
import inspect
import math
import random
import time
import tomllib
from typing import TYPE_CHECKING

import pytest
from yarl import URL

from ai.levels import Level
from ai.weights import FOLDER, load_ratings
from bench import ai_ratings
from bench.__main__ import PARTS, Part, measure
from bench.ai_strength import is_balanced, start_position
from bench.table import Row
from bench.web import run_spectators
from matches import Audience, Database
from tests.web.environment import running_web

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 60.0  # seconds; more than any of these tests takes


def wait_for_ever() -> list[Row]:
    asyncio.run(asyncio.Event().wait())
    return []


def run(rows: list[Row]) -> list[Row]:
    return measure("idle", Part("Idle", lambda: rows, {}), smallest=False, limit=PATIENCE)


def test_figures_are_returned() -> None:
    assert run([Row("turns", 3, "")]) == [Row("turns", 3, "")]


@pytest.mark.parametrize("rows", [[], [Row("turns", math.nan, "")], [Row("turns", math.inf, "")]])
def test_missing_figures_are_an_error(rows: list[Row]) -> None:
    with pytest.raises(SystemExit, match="idle: figures are missing"):
        run(rows)


@pytest.mark.parametrize("endless", [wait_for_ever, lambda: time.sleep(PATIENCE)])
def test_part_that_never_ends_is_an_error(endless: object) -> None:
    with pytest.raises(SystemExit, match="idle: no figures within"):
        measure("idle", Part("Idle", endless, {}), smallest=False, limit=0.01)  # type: ignore[arg-type]


def test_every_part_takes_its_smallest_size() -> None:
    for part in PARTS.values():
        assert part.smallest
        inspect.signature(part.measure).bind(**part.smallest)


@pytest.mark.long
def test_games_begin_where_chances_are_even_if_asked() -> None:
    for balanced in (False, True):
        position = start_position("morabaraba", {}, random.Random(0), balanced=balanced)
        assert is_balanced(position) == balanced


def test_rating_of_master_is_added_to_those_of_the_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A player who wins 13 of 14 games (with a lost and a won one: 14 of 16) is 338 points better."""
    text = (FOLDER / "morelli.toml").read_text("utf-8")
    (tmp_path / "morelli.toml").write_text(text, "utf-8")
    monkeypatch.setattr(ai_ratings, "FOLDER", tmp_path)
    monkeypatch.setattr(ai_ratings, "play", lambda *_: 13.0)
    before = {level: round(rating) for (game, level), rating in load_ratings().items() if game == "morelli"}
    found = ai_ratings.rate_master("morelli", before, pairs=7)
    assert found == {Level.MASTER: pytest.approx(before[Level.EXPERT] + 338, abs=2)}
    ai_ratings.write_ratings("morelli", before | found)
    after = tomllib.loads((tmp_path / "morelli.toml").read_text("utf-8"))
    assert after == tomllib.loads(text) | {"ratings": before | found}
    assert [name for name in after["ratings"] if name in list(Level)] == list(Level)


@pytest.mark.long
async def test_spectators_of_a_public_match_see_its_turns(tmp_path: Path) -> None:
    async with (
        await Database.open(f"sqlite:///{tmp_path}/rayuela.db") as database,
        running_web(database) as env,
    ):
        match = await env.start_match(audience=Audience.NAMES)
        async with run_spectators(URL(env.base).port or 0, match.id, 3) as wait_for_event:
            await env.play(match.id)
            first, middle, last = await wait_for_event()
            assert first <= middle <= last


@pytest.mark.long
async def test_spectators_of_a_private_match_are_an_error(tmp_path: Path) -> None:
    async with (
        await Database.open(f"sqlite:///{tmp_path}/rayuela.db") as database,
        running_web(database) as env,
    ):
        match = await env.start_match(audience=Audience.PLAYERS)
        with pytest.raises(RuntimeError, match="The spectators have ended"):
            async with run_spectators(URL(env.base).port or 0, match.id, 3):
                pass
