"""Connections: how many are kept, which are closed, and for how long a client may do nothing."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from tests.web.environment import running_web
from tests.web.raw import FORM, RawConnection, raw_connection, wait_until_open
from web.app import ASSETS
from web.server import connections, forms
from web.server.assets import STATIC_FOLDER
from web.server.connections import ConnectionLimiter
from web.server.limits import StreamLimiter

if TYPE_CHECKING:
    from matches import Database
    from tests.web.environment import WebEnvironment


MORE_THAN_BUFFERS = 16_000_000  # bytes; what the buffers of both sockets hold is less


async def open_idle(
    stack: AsyncExitStack, env: WebEnvironment, count: int, local: str
) -> list[RawConnection]:
    """Open connections from an address one after the other, and send nothing."""
    opened = []
    before = len(env.context.connection_limiter)
    for number in range(1, count + 1):
        opened.append(await stack.enter_async_context(raw_connection(env.base, local)))
        await wait_until_open(env.context, before + number)
    return opened


async def is_served(connection: RawConnection) -> bool:
    connection.request("HEAD", "/nothing")
    return (await connection.read_head())[0] == 404


async def test_new_connection_replaces_the_one_of_its_client_that_is_idle_longest(database: Database) -> None:
    limiter = ConnectionLimiter(total=10, per_client=3)
    async with running_web(database, connection_limiter=limiter) as env, AsyncExitStack() as stack:
        (other,) = await open_idle(stack, env, 1, "127.0.0.2")
        oldest, second, third = await open_idle(stack, env, 3, "127.0.0.1")
        assert await is_served(oldest)  # now `second` is idle longest
        newest = await stack.enter_async_context(raw_connection(env.base, "127.0.0.1"))
        await second.wait_for_end()
        for connection in (other, oldest, third, newest):
            assert await is_served(connection)
        assert len(limiter) == 4


async def test_total_of_connections_is_bounded(database: Database) -> None:
    limiter = ConnectionLimiter(total=4, per_client=3)
    async with running_web(database, connection_limiter=limiter) as env, AsyncExitStack() as stack:
        oldest, *_ = await open_idle(stack, env, 2, "127.0.0.1")
        await open_idle(stack, env, 2, "127.0.0.2")
        newest = await stack.enter_async_context(raw_connection(env.base, "127.0.0.3"))
        await oldest.wait_for_end()
        assert await is_served(newest)
        assert len(limiter) == 4


async def test_busy_connection_is_never_replaced(database: Database) -> None:
    limiter = ConnectionLimiter(total=2, per_client=2)
    async with (
        running_web(database, connection_limiter=limiter, stream_limiter=StreamLimiter()) as env,
        AsyncExitStack() as stack,
    ):
        match = await env.start_match()
        streams = [await stack.enter_async_context(raw_connection(env.base)) for _ in range(2)]
        for stream in streams:
            stream.request("GET", f"/m/{match.id}/events")
            assert (await stream.read_head())[0] == 200
        late = await stack.enter_async_context(raw_connection(env.base, "127.0.0.2"))
        await late.wait_for_end()
        streams[0].close()
        await wait_until_open(env.context, 1)
        assert await is_served(await stack.enter_async_context(raw_connection(env.base, "127.0.0.2")))


async def test_clients_behind_a_proxy_share_only_the_total(database: Database) -> None:
    limiter = ConnectionLimiter(total=10, per_client=1)
    async with (
        running_web(database, connection_limiter=limiter, web_proxies="127.0.0.1") as env,
        AsyncExitStack() as stack,
    ):
        opened = await open_idle(stack, env, 5, "127.0.0.1")
        assert all([await is_served(connection) for connection in opened])


@pytest.mark.parametrize(
    "sent", ["", "GET / HTTP/1.1\r\nHost: 127", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"]
)
async def test_connection_that_sends_no_whole_request_is_closed(
    database: Database, monkeypatch: pytest.MonkeyPatch, sent: str
) -> None:
    monkeypatch.setitem(connections.PROTOCOL_SETTINGS, "keepalive_timeout", 0.2)
    monkeypatch.setitem(connections.PROTOCOL_SETTINGS, "lingering_time", 0.2)
    async with running_web(database) as env, raw_connection(env.base) as connection:
        connection.send(sent.encode())
        await connection.wait_for_end()


async def test_form_that_arrives_too_slowly_is_refused(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "BODY_SECONDS", 0.2)
    monkeypatch.setitem(connections.PROTOCOL_SETTINGS, "lingering_time", 0.2)
    async with running_web(database, allow_local_games=True) as env, raw_connection(env.base) as connection:
        connection.request("POST", "/new", b"game=", {"Content-Type": FORM, "Content-Length": "1000"})
        assert (await connection.read_head())[0] == 408
        await connection.wait_for_end()


async def test_client_that_stops_reading_is_disconnected(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "STALLED_SECONDS", 0.2)
    monkeypatch.setattr("web.app.SWEEP_SECONDS", 0.05)
    async with running_web(database) as env, raw_connection(env.base) as connection:
        connection.pause_reading()
        path = env.application[ASSETS].url("style.css")
        for _ in range(MORE_THAN_BUFFERS // len((STATIC_FOLDER / "style.css").read_bytes())):
            connection.request("GET", path)
        await wait_until_open(env.context, 1)
        await wait_until_open(env.context, 0)


async def test_client_that_leaves_in_the_middle_of_a_form_is_not_an_error(
    database: Database, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    async with running_web(database, allow_local_games=True) as env:
        async with raw_connection(env.base) as connection:
            connection.request("POST", "/new", b"game=", {"Content-Type": FORM, "Content-Length": "1000"})
            await wait_until_open(env.context, 1)
        await wait_until_open(env.context, 0)
    assert "Traceback" not in capsys.readouterr().out
    assert not caplog.records
