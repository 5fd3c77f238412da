"""A whole simulation: set up, lived through, settled, reckoned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.soak import audit
from tests.soak.environment import create_environment
from tests.soak.simulation import Simulation

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.soak.metrics import Metrics
    from tests.soak.plan import SimulationPlan


async def run_simulation(
    plan: SimulationPlan, folder: Path, report_progress: Callable[[str], object] = lambda _line: None
) -> Metrics:
    """Simulate in a folder of its own and give the figures.

    `report_progress` hears once a month how far it is.

    Raises Soaked with the seed and the story where anything is not as it must be.
    """
    async with create_environment(plan, folder, report_progress) as env:
        try:
            await Simulation(env).run()
            await audit.drain_outbox(env)
            await audit.audit_simulation(env)
        except Exception as error:
            if isinstance(error, AssertionError):
                raise
            raise env.log.failure(repr(error)) from error
    return env.metrics
