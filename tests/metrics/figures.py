"""Reading the figures of a monitor over HTTP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

if TYPE_CHECKING:
    from metrics.monitor import Monitor


@dataclass(frozen=True, slots=True)
class Figures:
    """What ``/metrics`` answered, and each value by the name and the labels of its series."""

    text: str
    values: dict[tuple[str, frozenset[tuple[str, str]]], float]

    def value(self, name: str, **labels: str) -> float:
        """Return a value. Raises KeyError if there is none with exactly these labels."""
        return self.values[f"rayuela_{name}", frozenset(labels.items())]


async def read_figures(monitor: Monitor) -> Figures:
    """Read ``/metrics``."""
    async with aiohttp.ClientSession() as session, session.get(f"http://{monitor.address}/metrics") as answer:
        assert answer.status == 200
        text = await answer.text()
    samples = (one for family in text_string_to_metric_families(text) for one in family.samples)
    return Figures(text, {(one.name, frozenset(one.labels.items())): one.value for one in samples})


async def read_status(monitor: Monitor, path: str) -> tuple[int, dict[str, Any]]:
    """Return the status and the body of ``/healthz`` or ``/readyz``."""
    async with aiohttp.ClientSession() as session, session.get(f"http://{monitor.address}{path}") as answer:
        return answer.status, await answer.json()
