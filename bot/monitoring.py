"""What happens around each request to Discord, and what operators see of it, the gateway, and readiness."""

from __future__ import annotations

import re
from math import nan
from time import perf_counter
from typing import TYPE_CHECKING, Any

import aiohttp

from matches import DISCORD
from metrics import RATE_LIMIT_SCOPES, Stage

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import SimpleNamespace

    from bot.context import BotClient
    from bot.outbox.pace import RequestPace
    from metrics import Metrics
    from metrics.monitor import Monitor

TOO_MANY_REQUESTS = 429
SCOPE_HEADER = "X-RateLimit-Scope"
# What a request is for, by its path. Only these few words become labels, never a path.
PURPOSES = (
    (re.compile(r"/interactions/\d+/[^/]+/callback$"), "answer"),
    (re.compile(r"/webhooks/\d+/"), "followup"),
    (re.compile(r"/channels/\d+/messages(/\d+)?$"), "message"),
)
STAGES = {"answer": Stage.ANSWER, "followup": Stage.ANSWER, "message": Stage.POST}


def trace_requests(metrics: Metrics, pace: RequestPace) -> aiohttp.TraceConfig:
    """Return the trace with which a client waits for its turn before each request, and measures it."""
    trace = aiohttp.TraceConfig()

    async def begin(
        _session: aiohttp.ClientSession, request: SimpleNamespace, params: aiohttp.TraceRequestStartParams
    ) -> None:
        await pace.wait_for(params.url.path)
        request.started_at = perf_counter()

    async def end(
        _session: aiohttp.ClientSession, request: SimpleNamespace, params: aiohttp.TraceRequestEndParams
    ) -> None:
        purpose, status = _find_purpose(params.method, params.url.path), params.response.status
        metrics.count_discord_request(purpose, str(status))
        if status == TOO_MANY_REQUESTS:
            scope = params.response.headers.get(SCOPE_HEADER, "")
            metrics.count_rate_limit(scope if scope in RATE_LIMIT_SCOPES else "unknown")
        if purpose in STAGES:
            metrics.observe(STAGES[purpose], perf_counter() - request.started_at)

    async def fail(
        _session: aiohttp.ClientSession,
        _request: SimpleNamespace,
        params: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        metrics.count_discord_request(_find_purpose(params.method, params.url.path), "failed")

    if not metrics.is_on:
        trace.on_request_start.append(begin)
        return trace
    # aiohttp's signals accept any coroutine function of these parameters.
    handlers: tuple[tuple[Any, Any], ...] = (
        (trace.on_request_start, begin),
        (trace.on_request_end, end),
        (trace.on_request_exception, fail),
    )
    for signal, handler in handlers:
        signal.append(handler)
    return trace


def _find_purpose(method: str, path: str) -> str:
    if method == "GET":
        return "read"
    return next((purpose for pattern, purpose in PURPOSES if pattern.search(path)), "other")


def watch_bot(monitor: Monitor, client: BotClient) -> None:
    """Have a monitor report the backlog and the gateway, and what makes its role ready."""
    client.matches.work.backlogs.watch(monitor, DISCORD, client.now)

    async def report() -> None:
        client.matches.metrics.set_gateway(gateway_state(client))

    async def check() -> Mapping[str, bool]:
        backlog = await client.matches.work.backlogs.find(DISCORD, now=client.now())
        found = {"database": backlog is not None}
        if client.role.has_gateway:
            shards = gateway_state(client).values()
            found["gateway"] = bool(shards) and all(up for up, _ in shards)
        if client.role.runs_background:
            found["outbox"] = backlog is not None and not backlog.is_outbox_stuck
        return found

    monitor.probes.append(report)
    monitor.check_readiness = check


def gateway_state(client: BotClient) -> Mapping[int, tuple[bool, float]]:
    """Return for each shard of this process whether it is connected, and its latency in seconds.

    The latency is NaN if it is not known. Empty until Discord was asked for the number of shards.
    """
    connected, known = client.gateway.shards, client.shards
    return {
        shard: (connected.get(shard, False), known[shard].latency if shard in known else nan)
        for shard in client.shard_ids or ()
    }
