"""The port for operators: ``/metrics`` for Prometheus, ``/healthz`` and ``/readyz``.

It is served by the event loop of the process, so an answer to ``/healthz`` shows that the loop turns.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import structlog

from metrics import NO_METRICS, Metrics, Stage
from metrics.address import Address, bind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from aiohttp import web

    from metrics.prometheus import PrometheusMetrics

log = structlog.stdlib.get_logger(__name__)

LOOP_SECONDS = 0.5  # between two measurements of the event loop
ANSWER_SECONDS = 5.0  # for everything that a probe asks, such as the database


class MetricsUnavailable(Exception):  # noqa: N818 - a state, and the name says it
    """The address of METRICS cannot be listened on: `reason` is why, `text_key` names a text about it."""

    text_key = "starting.metrics"

    def __init__(self, error: OSError) -> None:
        self.reason = str(error.strerror or error)
        super().__init__(self.reason)


async def _is_starting() -> Mapping[str, bool]:
    return {"started": False}


@dataclass(slots=True)
class Monitor:
    """What is served: the figures, the `probes` that update them before they are read, and the readiness.

    `check_readiness` returns by name what must be true for the process to be ready. `address` is the one
    listened on, None if nothing is served. What a probe raises is logged; checks must not raise.
    """

    metrics: Metrics = NO_METRICS
    address: Address | None = None
    probes: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    check_readiness: Callable[[], Awaitable[Mapping[str, bool]]] = _is_starting


@asynccontextmanager
async def serve_monitor(address: Address | None) -> AsyncIterator[Monitor]:
    """Serve a monitor on an address while the block runs; None serves and measures nothing.

    Raises MetricsUnavailable.
    """
    if address is None:
        yield Monitor()
        return
    # Imported here, so that they cost nothing without the setting.
    from aiohttp import web  # noqa: PLC0415

    from metrics.prometheus import PrometheusMetrics  # noqa: PLC0415

    metrics = PrometheusMetrics()
    monitor = Monitor(metrics)
    runner = web.AppRunner(
        _build(monitor, metrics), handle_signals=False, access_log=None, shutdown_timeout=1
    )
    await runner.setup()
    measuring = asyncio.create_task(_measure_event_loop(metrics))
    try:
        try:
            listener = bind(address.host, address.port)
        except OSError as error:
            raise MetricsUnavailable(error) from error
        site = web.SockSite(runner, listener)
        await site.start()
        monitor.address = Address(address.host, listener.getsockname()[1])
        log.info("metrics.ready", address=str(monitor.address))
        yield monitor
    finally:
        measuring.cancel()
        await runner.cleanup()


async def _measure_event_loop(metrics: Metrics) -> None:
    """Record again and again how late the event loop is, until cancelled."""
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LOOP_SECONDS
        await asyncio.sleep(LOOP_SECONDS)
        metrics.observe(Stage.EVENT_LOOP, max(0.0, loop.time() - due))


def _build(monitor: Monitor, metrics: PrometheusMetrics) -> web.Application:
    from aiohttp import web  # noqa: PLC0415 - as above

    from metrics.prometheus import CONTENT_TYPE  # noqa: PLC0415

    async def show_figures(_request: web.Request) -> web.Response:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                for probe in monitor.probes:
                    await try_probe(probe)
        except TimeoutError:
            metrics.set_gauges({"database_up": 0})
        return web.Response(body=metrics.format(), headers={"Content-Type": CONTENT_TYPE})

    async def show_health(_request: web.Request) -> web.Response:
        return web.json_response({"alive": True})

    async def show_readiness(_request: web.Request) -> web.Response:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                found = dict(await monitor.check_readiness())
        except TimeoutError:
            found = {"answered": False}
        return web.json_response(found, status=200 if all(found.values()) else 503)

    async def try_probe(probe: Callable[[], Awaitable[None]]) -> None:
        try:
            await probe()
        except Exception:
            log.exception("metrics.probe_failed")  # the other figures are shown all the same

    app = web.Application()
    app.add_routes(
        [
            web.get("/metrics", show_figures),
            web.get("/healthz", show_health),
            web.get("/readyz", show_readiness),
        ]
    )
    return app
