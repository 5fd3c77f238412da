"""Steps of the work in the background: guarded, counted, and logged once."""

from __future__ import annotations

import io
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from metrics.prometheus import PrometheusMetrics
from runtime import logs
from runtime.steps import REMINDER_SECONDS, Steps

if TYPE_CHECKING:
    from collections.abc import Iterator


class Away(Exception):  # noqa: N818 - a state
    pass


@pytest.fixture
def log_stream() -> Iterator[io.StringIO]:
    """Capture the log."""
    stream, root = io.StringIO(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.configure("INFO", stream=stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def events(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


async def succeed() -> None:
    pass


async def fail() -> None:
    raise ValueError("broken")


async def be_away() -> None:
    raise Away("gone")


async def test_failure_is_returned_and_never_raised() -> None:
    steps = Steps()
    assert isinstance(await steps.run("first", fail), ValueError)
    assert await steps.run("second", succeed) is None


async def test_step_that_fails_again_and_again_is_logged_now_and_then(
    log_stream: io.StringIO,
) -> None:
    now = 0.0
    steps = Steps(clock=lambda: now)
    for _ in range(3):
        for _ in range(20):
            await steps.run("first", fail)
        now += REMINDER_SECONDS
    await steps.run("first", succeed)
    await steps.run("first", succeed)
    lines = events(log_stream)
    assert [line["event"] for line in lines] == ["step.failed"] * 3 + ["step.recovered"]
    assert {line["step"] for line in lines} == {"first"}


async def test_expected_error_has_no_traceback(log_stream: io.StringIO) -> None:
    steps = Steps(expected=(Away,))
    await steps.run("first", be_away)
    await steps.run("second", fail)
    away, broken = events(log_stream)
    assert (away["level"], away["error"], "exception" in away) == ("warning", "gone", False)
    assert broken["level"] == "error"
    assert broken["exception"].endswith("ValueError: broken")


async def test_figures_tell_failures_and_what_fails_now() -> None:
    metrics = PrometheusMetrics()
    steps = Steps(metrics)
    for work in (fail, fail, succeed):
        await steps.run("first", work)
    await steps.run("second", fail)
    text = metrics.format().decode()
    for line in (
        'rayuela_step_failures_total{step="first"} 2.0',
        'rayuela_step_failing{step="first"} 0.0',
        'rayuela_step_failures_total{step="second"} 1.0',
        'rayuela_step_failing{step="second"} 1.0',
    ):
        assert line in text.splitlines()
