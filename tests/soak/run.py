"""A whole simulation: set up, lived through, settled, reckoned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.soak import accounts
from tests.soak.stage import set_up
from tests.soak.year import Year

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.soak.figures import Figures
    from tests.soak.plan import Plan


async def soak(plan: Plan, folder: Path, tell: Callable[[str], object] = lambda _line: None) -> Figures:
    """Simulate in a folder of its own and give the figures; `tell` hears once a month how far it is.

    Raises Soaked with the seed and the story where anything is not as it must be.
    """
    async with set_up(plan, folder, tell) as stage:
        try:
            await Year(stage).run()
            await accounts.settle(stage)
            await accounts.reckon(stage)
        except Exception as error:
            if isinstance(error, AssertionError):
                raise
            raise stage.story.fail(repr(error)) from error
    return stage.figures
