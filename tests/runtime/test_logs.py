"""Logs are structured, include those of libraries, and contain no secrets."""

from __future__ import annotations

import io
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from runtime import logs

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = "MTAwMDAwMDAw.GloopB.a-made-up-token"  # noqa: S105 - it opens nothing


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def restore_logging() -> Iterator[None]:
    root, client = logging.getLogger(), logging.getLogger("discord")
    handlers, levels = root.handlers[:], (root.level, client.level)
    yield
    root.handlers[:] = handlers
    root.setLevel(levels[0])
    client.setLevel(levels[1])
    structlog.reset_defaults()


def logged_lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_own_lines_are_json() -> None:
    stream = io.StringIO()
    logs.configure("INFO", stream=stream)
    structlog.stdlib.get_logger("bot.here").info("started", servers=2)
    (line,) = logged_lines(stream)
    assert (line["event"], line["servers"], line["level"], line["logger"]) == (
        "started",
        2,
        "info",
        "bot.here",
    )
    assert line["timestamp"].endswith("Z")


def test_lines_of_the_client_library_come_through() -> None:
    stream = io.StringIO()
    logs.configure("INFO", stream=stream)
    logging.getLogger("discord.gateway").info("Shard ID %s has connected", 0)
    assert logged_lines(stream)[0]["event"] == "Shard ID 0 has connected"


def test_client_library_never_speaks_at_debug_level() -> None:
    stream = io.StringIO()
    logs.configure("DEBUG", stream=stream)
    logging.getLogger("discord.gateway").debug("event with somebody's pick")
    logging.getLogger("urllib3.connectionpool").debug("POST /fcm/send/the-secret-of-a-browser")
    structlog.stdlib.get_logger("bot").debug("heard")
    assert [line["event"] for line in logged_lines(stream)] == ["heard"]


def test_terminal_gets_lines_for_reading() -> None:
    stream = Terminal()
    logs.configure("INFO", stream=stream)
    structlog.stdlib.get_logger("bot").info("started")
    assert "started" in stream.getvalue()
    assert not stream.getvalue().startswith("{")


@pytest.mark.parametrize(
    "values",
    [
        {"token": TOKEN},
        {"deep": {"list": [f"Bot {TOKEN}"]}},
        {"error": ValueError(TOKEN)},
        {"url": "https://discord.com/api/v10/interactions/12/aW50-TOKEN/callback"},
        {"url": "https://discord.com/api/v10/webhooks/12/aW50-TOKEN/messages/@original"},
        {"url": "https://rayuela.example/sit/aW50.TOKEN"},
    ],
)
def test_secrets_are_hidden(values: dict[str, Any]) -> None:
    stream = io.StringIO()
    logs.configure("INFO", TOKEN, stream=stream)
    structlog.stdlib.get_logger("bot").info("said", **values)
    assert TOKEN not in stream.getvalue()
    assert "aW50" not in stream.getvalue()
    assert logs.HIDDEN in stream.getvalue()


def test_people_are_hidden_in_paths() -> None:
    stream = io.StringIO()
    logs.configure("INFO", stream=stream)
    logging.getLogger("discord.http").warning(
        "limited: GET %s", "https://discord.com/api/v10/guilds/5/members/9123"
    )
    assert "guilds/5/members/[hidden]" in stream.getvalue()


def test_secrets_are_hidden_in_tracebacks() -> None:
    stream = io.StringIO()
    logs.configure("INFO", TOKEN, stream=stream)
    try:
        int(TOKEN)
    except ValueError:
        logging.getLogger("discord.client").exception("failed")
    (line,) = logged_lines(stream)
    assert "ValueError" in line["exception"]
    assert TOKEN not in line["exception"]


def test_rest_of_a_path_stays() -> None:
    stream = io.StringIO()
    logs.configure("INFO", stream=stream)
    structlog.stdlib.get_logger("bot").info("sent", url="/webhooks/12/secret/messages/34?wait=1")
    assert logged_lines(stream)[0]["url"] == f"/webhooks/12/{logs.HIDDEN}/messages/34?wait=1"


@pytest.mark.long
@pytest.mark.parametrize("library", [False, True])
def test_similar_messages_do_not_flood_the_log(library: bool) -> None:
    stream, clock = io.StringIO(), [0.0]
    logs.configure("INFO", stream=stream)
    (handler,) = logging.getLogger().handlers
    handler.filters[:] = [logs.FloodFilter(lambda: clock[0])]

    def fail(number: int) -> None:
        if library:
            logging.getLogger("asyncio").error("socket.accept() failed for %s", number)
        else:
            structlog.stdlib.get_logger("web").error("web.failed", count=number)

    for number in range(5000):
        fail(number)
    structlog.stdlib.get_logger("web").error("web.other")
    clock[0] += logs.PERIOD_SECONDS
    fail(0)
    *similar, other, after = logged_lines(stream)
    assert len(similar) == logs.MAX_SIMILAR
    assert (other["event"], after["left_out"]) == ("web.other", 5000 - logs.MAX_SIMILAR)


def test_every_error_number_is_found_however_many_there_are() -> None:
    stream = io.StringIO()
    logs.configure("ERROR", stream=stream)
    count = logs.MAX_SIMILAR + 20
    for number in range(count):
        try:
            int(TOKEN)
        except ValueError:
            structlog.stdlib.get_logger("web").exception("web.failed", number=f"e{number}")
    lines = logged_lines(stream)
    assert [line["number"] for line in lines] == [f"e{number}" for number in range(count)]
    assert ["exception" in line for line in lines] == [number < logs.MAX_SIMILAR for number in range(count)]
    assert lines[-1]["error"] == "ValueError"


def test_memory_for_kinds_of_messages_is_bounded() -> None:
    flood = logs.FloodFilter(lambda: 0.0)
    for number in range(10 * logs.MAX_KINDS):
        record = logging.LogRecord("x", logging.ERROR, "", 0, f"{number} failed", None, None)
        assert flood.filter(record)
    assert len(flood) == logs.MAX_KINDS
