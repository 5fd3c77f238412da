"""The answers that build a move step by step, for tests that play lessons through a front end."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from engine.game import MoveChoice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Move, Position


def answers_for(start: Position, wanted: Move) -> tuple[str, ...]:
    """Return the answers to the questions of :meth:`Position.next_choice` that lead to a move."""

    def search(path: tuple[str, ...]) -> tuple[str, ...] | None:
        step = start.next_choice(path)
        if not isinstance(step, MoveChoice):
            return path if step == wanted else None
        options: Sequence[str] = step.options
        if step.multiple:
            sizes = range(len(options) + 1)
            options = [",".join(some) or "-" for size in sizes for some in combinations(step.options, size)]
        return next((found for one in options if (found := search((*path, one)))), None)

    found = search(())
    assert found is not None
    return found
