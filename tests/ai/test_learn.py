"""Weights are learned from games of the search against itself."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from ai.kernel import Kernel
from ai.weights import GAME_PHASES, PHASES, Weights
from tools import learn
from tools.learn import Course, Lesson

if TYPE_CHECKING:
    from ai.weights import Table


def learn_little(weights: Weights, size: int) -> Weights:
    """Return what one short lesson teaches, on boards of that size."""
    course = Course(({"size": size},), (Lesson(1, 30),))
    ((learned, _),) = learn.learn(Kernel(), "morelli", weights, course, random.Random(1))
    return learned


def head(table: Table) -> Table:
    return {name: row[:GAME_PHASES] for name, row in table.items()}


@pytest.mark.long
def test_the_same_seed_teaches_the_same_and_the_small_board_only_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(learn, "MAX_PLIES", 20)
    begun = learn.forget(Weights.load("morelli"))
    before = learn_little(begun, 11)
    assert learn_little(begun, 11) == before != begun
    after = learn_little(learn.extend_to_small_board(before), 9)
    assert head(after.policy) == before.policy
    assert head(after.value) == before.value
    rows = (*after.policy.values(), *after.value.values())
    assert {len(row) for row in rows} == {PHASES}
    assert any(row[:GAME_PHASES] != row[GAME_PHASES:] for row in rows)
