"""The setting, the port, and what the documents say about the figures."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest

import metrics.monitor
from metrics import InteractionOutcome, Stage
from metrics.address import Address, parse_address
from metrics.monitor import MetricsUnavailable, Monitor, serve_monitor
from metrics.prometheus import GAUGES, PrometheusMetrics
from tests.metrics.figures import read_figures, read_status

ROOT = Path(__file__).resolve().parent.parent.parent
DASHBOARD = ROOT / "docs" / "grafana-dashboard.json"
ANY_PORT = Address("127.0.0.1", 0)
SUFFIXES = {"histogram": ("_bucket", "_sum", "_count"), "counter": ("",), "gauge": ("",)}


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:9464", Address("127.0.0.1", 9464)),
        (" localhost:0 ", Address("localhost", 0)),
        ("[::1]:9464", Address("::1", 9464)),
    ],
)
def test_address(text: str, address: Address) -> None:
    assert parse_address(text) == address
    assert str(address) == text.strip()


@pytest.mark.parametrize("text", ["9464", ":9464", "127.0.0.1", "127.0.0.1:", "::1:9464", "[127.0.0.1]:1"])
@pytest.mark.parametrize("more", ["", "x", "99999"])
def test_other_addresses_are_refused(text: str, more: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_address(text + more)


async def test_without_the_setting_nothing_is_served() -> None:
    async with serve_monitor(None) as monitor:
        assert monitor == Monitor()
        assert not monitor.metrics.is_on


async def test_probe_that_fails_keeps_no_other_figure_from_being_shown() -> None:
    async def fail() -> None:
        raise ValueError("broken")

    async with serve_monitor(ANY_PORT) as monitor:

        async def report() -> None:
            monitor.metrics.set_gauges({"streams": 3})

        monitor.probes += [fail, report]
        assert (await read_figures(monitor)).value("streams") == 3


async def test_process_that_starts_is_alive_but_not_ready() -> None:
    async with serve_monitor(ANY_PORT) as monitor:
        assert await read_status(monitor, "/healthz") == (200, {"alive": True})
        assert await read_status(monitor, "/readyz") == (503, {"started": False})
        assert "process_resident_memory_bytes" in (await read_figures(monitor)).text


async def test_lateness_of_the_event_loop_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics.monitor, "LOOP_SECONDS", 0.01)
    async with serve_monitor(ANY_PORT) as monitor:
        while not (await read_figures(monitor)).value("stage_seconds_count", stage=Stage.EVENT_LOOP):
            pass


async def test_port_in_use_is_an_error_with_a_reason() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(MetricsUnavailable, match="in use"):
        async with serve_monitor(Address("127.0.0.1", taken.getsockname()[1])):
            pass


def series_names() -> set[str]:
    """Return the names of all series that any process can have."""
    metrics = PrometheusMetrics()
    metrics.count_turns("morelli", 1)
    metrics.count_interaction("component", InteractionOutcome.DONE)
    metrics.count_post("turn", is_sent=True)
    metrics.count_discord_request("answer", "200")
    metrics.count_rate_limit("user")
    metrics.count_web_request("GET", 200)
    metrics.set_gateway({0: (True, 0.1)})
    metrics.count_step("reminders", is_failed=True)
    metrics.set_gauges(dict.fromkeys(GAUGES, 0))
    types = re.findall(r"^# TYPE (\S+) (\S+)", metrics.format().decode(), re.MULTILINE)
    return {f"{name}{suffix}" for name, kind in types for suffix in SUFFIXES[kind]}


def dashboard() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(DASHBOARD.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("panel", dashboard()["panels"], ids=lambda panel: str(panel["title"]))
def test_panel_asks_for_figures_that_exist(panel: dict[str, Any]) -> None:
    assert panel["targets"]
    for target in panel["targets"]:
        assert target["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        named = re.findall(r"\b(?:rayuela_\w+|process_\w+|up\b)", target["expr"])
        assert named
        assert set(named) <= series_names() | {"up"}
        stages = re.findall(r'stage=~?"([\w|]+)"', target["expr"])
        assert {stage for found in stages for stage in found.split("|")} <= set(Stage)


def test_panels_do_not_overlap() -> None:
    taken = [
        (x, y)
        for panel in dashboard()["panels"]
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(taken) == len(set(taken))
    assert max(x for x, _ in taken) < 24
    assert len({panel["id"] for panel in dashboard()["panels"]}) == len(dashboard()["panels"])


def operating() -> str:
    return (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")


def test_document_lists_every_figure() -> None:
    listed = set(re.findall(r"^\| `(rayuela_\w+)`", operating(), re.MULTILINE))
    names = {re.sub(r"_(bucket|sum|count)$", "", name) for name in series_names()}
    assert listed == {name for name in names if name.startswith("rayuela_")}
    assert {f"`{stage}`" for stage in Stage} <= set(re.findall(r"`\w+`", operating()))


def test_alerts_ask_for_figures_that_exist() -> None:
    alerts = re.findall(r"^ +expr: (.*)$", operating(), re.MULTILINE)
    named = [re.findall(r"\b(?:rayuela|process)_\w+", alert) for alert in alerts]
    assert named
    assert all(named)
    assert {name for names in named for name in names} <= series_names()
