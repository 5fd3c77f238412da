"""A turn sends few statements to the database, also after many; ``python -m bench steps`` counts more."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from structlog.contextvars import bound_contextvars

from bench.steps import Steps, count_click, count_command, count_steps
from engine import GAMES
from matches import Database

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path


FEW, MANY = 1, 20  # matches
MAX_GROWTH = 1.1


@pytest.mark.long
async def test_turn_takes_no_more_steps_after_many_matches(tmp_path: Path) -> None:
    found = []
    for number, earlier in enumerate((FEW, FEW, MANY)):
        async with await Database.open(f"sqlite:///{tmp_path}/{number}.db") as database:
            steps = await count_command(database, 2, earlier=earlier)
        found.append([steps.statements.total(), steps.calls.total()])
    _, few, many = found  # the first one fills the caches
    assert [later <= MAX_GROWTH * before for before, later in zip(few, many, strict=True)] == [True, True], (
        found
    )


def test_sweeps_that_run_besides_are_not_counted() -> None:
    start = GAMES["morabaraba"].initial_position()
    with count_steps() as steps:
        steps.is_counting = True
        start.legal_moves()
        assert steps.calls.total() == 0
        with bound_contextvars(interaction=1):
            start.legal_moves()
    assert steps.calls.total() > 0


@pytest.mark.parametrize(
    ("count", "reads", "writes"),
    [
        # Which match; the match, locked. Match, move, announcement; the post.
        pytest.param(count_command, 2, 4, id="move"),
        # The seat; the match, locked. Then the seat, the match, its moves, its tournament, what else waits.
        pytest.param(count_click, 7, 3, id="click", marks=pytest.mark.long),
        # The same, as a session is read with the seat; and how many challenges wait for the account.
        pytest.param(partial(count_click, signed_in=True), 8, 3, id="click signed in"),
    ],
)
async def test_turn_sends_few_statements(
    tmp_path: Path, count: Callable[[Database, int], Awaitable[Steps]], reads: int, writes: int
) -> None:
    async with await Database.open(f"sqlite:///{tmp_path}/rayuela.db") as database:
        steps = await count(database, 2)
    sent = list(steps.statements.elements())
    assert [sum(one.startswith("SELECT") is is_read for one in sent) for is_read in (True, False)] == [
        reads,
        writes,
    ], sent
