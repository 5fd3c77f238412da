"""The figures of the website."""

from __future__ import annotations

import io
import json
import logging
import re
from typing import TYPE_CHECKING

import pytest
import structlog
from sqlalchemy import select, update

from metrics.address import Address
from metrics.monitor import serve_monitor
from runtime import logs
from storage import Database
from storage.tables import MATCHES, OUTBOX, REQUESTS
from tests.databases import cached_engine
from tests.metrics.figures import read_figures, read_status
from tests.web.environment import ALICE, running_web
from tests.web.test_sse import open_stream
from web.background import watch_website

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.environment import Visitor, WebEnvironment


@pytest.fixture
def log_stream() -> Iterator[io.StringIO]:
    """Capture what an operator sees of a website by default, and nothing less severe."""
    stream, root = io.StringIO(), logging.getLogger()
    handlers, level = root.handlers[:], root.level
    logs.configure("WARNING", stream=stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


async def test_requests_and_streams(database_url: str) -> None:
    async with (
        serve_monitor(Address("127.0.0.1", 0)) as monitor,
        Database(cached_engine(database_url), monitor.metrics) as database,
        running_web(database) as env,
        env.visitor() as visitor,
    ):
        watch_website(monitor, env.context)
        env.context.matches.work.backlogs.watch(monitor, "test", env.context.now)
        match = await env.start_match()
        await visitor.get("/")
        await visitor.get("/nowhere")
        stream = await open_stream(visitor, match.id)
        await stream.next_event()
        figures = await read_figures(monitor)
        assert await read_status(monitor, "/readyz") == (200, {"database": True})
    assert figures.value("streams") == 1
    assert figures.value("web_requests_total", method="GET", status="200") == 1
    assert figures.value("web_requests_total", method="GET", status="404") == 1
    assert figures.value("stage_seconds_count", stage="web_request") == 2
    assert figures.value("database_up") == 1


async def test_turn_is_logged_with_the_request_that_its_row_in_the_outbox_names(
    env: WebEnvironment, visitor: Visitor, log_stream: io.StringIO
) -> None:
    logs.configure("INFO", stream=log_stream)
    match = await env.start_match()
    seat = await env.take_seat(visitor, match.id, ALICE)
    await visitor.post(f"{seat}/play", data={"board": "0", "text": "D1-D4"})
    async with env.database.read() as connection:
        made = (await connection.execute(select(OUTBOX.c.id, OUTBOX.c.request).order_by(OUTBOX.c.id))).all()
        others = (await connection.execute(select(REQUESTS))).all()
    (line,) = map(json.loads, log_stream.getvalue().splitlines())
    assert (line["event"], line["announcement"], line["match"]) == ("change.committed", made[-1].id, match.id)
    assert line["request"] == made[-1].request
    assert line["request"] < 0  # the ids of Discord's interactions are positive
    assert not others  # what only one process can receive needs no row of its own


async def test_error_number_of_a_page_is_in_the_log_with_its_match(
    env: WebEnvironment, visitor: Visitor, log_stream: io.StringIO
) -> None:
    match = await env.start_match()
    async with env.database.transaction() as connection:
        await connection.execute(update(MATCHES).values(position="not a position"))
    page = await visitor.get(f"/m/{match.id}")
    (line,) = map(json.loads, log_stream.getvalue().splitlines())
    assert page.status == 500
    assert line["number"] in re.findall(r"\w+", page.text)
    assert line["match"] == match.id
    assert "NotationError" in line["exception"]
