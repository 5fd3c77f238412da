"""What operators see of the website besides its requests: the open event streams."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metrics.monitor import Monitor
    from web.context import WebContext


def watch_website(monitor: Monitor, context: WebContext) -> None:
    """Have a monitor report the number of open streams."""

    async def report() -> None:
        context.matches.metrics.set_gauges({"streams": context.stream_limiter.open_count})

    monitor.probes.append(report)
