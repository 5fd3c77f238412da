"""Work for visitors: one piece at a time, clients in turn, nothing for clients that have gone."""

from __future__ import annotations

import asyncio
import threading
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

import render
from metrics.address import Address
from metrics.monitor import serve_monitor
from storage import Database
from tests.databases import cached_engine
from tests.metrics.figures import read_figures
from tests.web.environment import ALICE, running_web
from tests.web.raw import FORM, RawConnection, raw_connection
from web.match.downloads import MAX_CACHED, MAX_CACHED_BYTES, AnimationCache
from web.server import forms
from web.server.limits import HandlingLimiter, TooManyRequests
from web.server.work_queue import Overloaded, WorkQueue

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from aiohttp import web

    from matches.conditionals import ConditionalMoves
    from tests.web.environment import WebEnvironment

PATIENCE = 60  # seconds
BOARD = "/analysis/morabaraba/board.png"


class Request:
    """A request whose client is connected; nothing else of it matters to a queue."""

    transport: object | None = object()
    protocol: object | None = None


def make_request() -> web.Request:
    return Request()  # type: ignore[return-value]


@asynccontextmanager
async def opened(queue: WorkQueue) -> AsyncIterator[WorkQueue]:
    yield queue
    queue.close()


async def settle() -> None:
    """Let every task run until it waits."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_clients_take_turns() -> None:
    done: list[str] = []
    async with opened(WorkQueue("test", per_client=9, total=99, retry_seconds=1)) as queue:

        async def work(client: str) -> None:
            async with queue.turn(client, make_request()):
                await asyncio.sleep(0)
                done.append(client)

        async with asyncio.TaskGroup() as group:
            for client in "aaaaaabbc":
                group.create_task(work(client))
            await asyncio.sleep(0)
            assert len(queue) == 8
    assert "".join(done) == "aabcabaaa"
    assert len(queue) == 0


async def test_one_thread_does_all_the_work() -> None:
    threads = set[threading.Thread]()
    async with opened(WorkQueue("test", per_client=9, total=99, retry_seconds=1)) as queue:
        run = (
            queue.run("a", make_request(), lambda: threads.add(threading.current_thread())) for _ in range(9)
        )
        await asyncio.gather(*run)
    assert len(threads - {threading.main_thread()}) == len(threads) == 1


async def test_queue_is_short_for_each_client_and_for_all() -> None:
    async with (
        opened(WorkQueue("test", per_client=2, total=3, retry_seconds=7)) as queue,
        AsyncExitStack() as stack,
    ):
        await stack.enter_async_context(queue.turn("a", make_request()))
        waiting = [asyncio.create_task(queue.run(client, make_request(), str)) for client in "aab"]
        await settle()
        with pytest.raises(TooManyRequests) as own:
            await queue.run("a", make_request(), str)
        with pytest.raises(Overloaded) as common:
            await queue.run("b", make_request(), str)
        assert own.value.seconds == common.value.seconds == 7
        # Somebody of whom nothing waits always gets a place.
        waiting.append(asyncio.create_task(queue.run("c", make_request(), str)))
        await settle()
        await stack.aclose()
        assert await asyncio.gather(*waiting) == [""] * 4


async def test_cancelled_request_gives_its_turn_to_the_next() -> None:
    async with opened(WorkQueue("test", per_client=9, total=9, retry_seconds=1)) as queue:
        async with queue.turn("a", make_request()):
            tasks = [asyncio.create_task(queue.run(client, make_request(), str)) for client in "bcd"]
            await settle()
            tasks[0].cancel()
            await settle()
            assert len(queue) == 2
        tasks[1].cancel()  # just as it is its turn
        assert await tasks[2] == ""
        assert await queue.run("e", make_request(), str) == ""


async def test_requests_of_one_client_are_handled_a_few_at_a_time() -> None:
    limiter, inside = HandlingLimiter(per_client=2), list[str]()
    end = asyncio.Event()

    async def handle(client: str) -> None:
        async with limiter.turn(client):
            inside.append(client)
            await end.wait()

    async with asyncio.TaskGroup() as group:
        for client in "aaab":
            group.create_task(handle(client))
        await settle()
        assert inside == ["a", "a", "b"]
        end.set()
    assert inside == ["a", "a", "b", "a"]


class GatedDrawing:
    """Boards that are drawn only when the test lets them; `started` counts them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.started = 0
        self.gate = threading.Semaphore(0)
        draw: Callable[..., object] = getattr(render, name)

        def wait_and_draw(*arguments: object) -> object:
            self.started += 1
            assert self.gate.acquire(timeout=PATIENCE)
            return draw(*arguments)

        monkeypatch.setattr(render, name, wait_and_draw)


async def wait_until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - of the website, which tells nobody
            await asyncio.sleep(0.005)


async def ask(
    stack: AsyncExitStack, env: WebEnvironment, address: str, path: str, count: int
) -> list[RawConnection]:
    """Send a request on each of some new connections."""
    opened = [await stack.enter_async_context(raw_connection(env.base, address)) for _ in range(count)]
    for connection in opened:
        connection.request("GET", path)
    return opened


async def test_another_visitor_is_served_after_one_piece_of_each(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = GatedDrawing(monkeypatch, "to_png")
    async with running_web(database) as env, AsyncExitStack() as stack:
        await ask(stack, env, "127.0.0.2", BOARD, 60)
        await wait_until(lambda: drawing.started == 1 and len(env.context.work) > 1)
        (visitor,) = await ask(stack, env, "127.0.0.3", BOARD, 1)
        waiting = len(env.context.work)
        await wait_until(lambda: len(env.context.work) == waiting + 1)
        for _ in range(3):  # the one that is drawn, one more of the first client, the visitor's
            drawing.gate.release()
        status, _ = await visitor.read_head()
        assert status == 200
        assert drawing.started <= 4
        for _ in range(60):
            drawing.gate.release()


async def test_slow_forms_leave_the_turns_of_their_client_to_others(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "BODY_SECONDS", 10 * PATIENCE)
    async with running_web(database, allow_local_games=True) as env, AsyncExitStack() as stack:
        for connection in await ask(stack, env, "127.0.0.2", "/rules", 20):
            await connection.read_head()
            connection.request("POST", "/new", b"game=", {"Content-Type": FORM, "Content-Length": "1000"})
        (other,) = await ask(stack, env, "127.0.0.2", "/rules", 1)
        assert (await other.read_head())[0] == 200


async def test_board_of_another_visitor_need_not_wait_for_the_database(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, end = asyncio.Event(), asyncio.Event()
    async with running_web(database) as env, env.visitor() as player, env.visitor("127.0.0.3") as visitor:
        match = await env.start_match()
        seat = await env.take_seat(player, match.id, ALICE)
        get = env.context.matches.conditionals.get

        async def get_slowly(*arguments: Any) -> ConditionalMoves:
            asked.set()
            await end.wait()
            return await get(*arguments)

        monkeypatch.setattr(env.context.matches.conditionals, "get", get_slowly)
        page = asyncio.create_task(player.get(f"{seat}/analysis"))
        await asked.wait()
        async with asyncio.timeout(PATIENCE):
            assert (await visitor.get(BOARD)).status == 200
        end.set()
        assert (await page).status == 200


def test_animations_that_are_kept_are_few() -> None:
    cache = AnimationCache()
    for number in range(MAX_CACHED + 1):
        cache.add(str(number), b"")
    assert cache.get("0") is None
    assert cache.get("1") == b""
    cache.add("long", bytes(MAX_CACHED_BYTES))
    cache.add("short", b"GIF")
    assert cache.get("long") is None
    assert cache.get("short") == b"GIF"


@pytest.mark.long
async def test_requests_of_clients_that_have_gone_are_counted(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = GatedDrawing(monkeypatch, "to_png")
    async with (
        serve_monitor(Address("127.0.0.1", 0)) as monitor,
        Database(cached_engine(database_url), monitor.metrics) as database,
        running_web(database) as env,
        AsyncExitStack() as stack,
    ):
        gone = await ask(stack, env, "127.0.0.2", BOARD, 12)
        await wait_until(lambda: drawing.started == 1 and len(env.context.work) == 7)
        for connection in gone:
            connection.writer.transport.abort()
        await wait_until(lambda: len(env.context.connection_limiter) == 0 and len(env.context.work) == 0)
        drawing.gate.release()
        figures = await read_figures(monitor)
    assert figures.value("web_requests_total", method="GET", status="499") == 12


@pytest.mark.long
@pytest.mark.parametrize("name", ["to_png", "animate_game"])
async def test_nothing_is_drawn_for_clients_that_have_gone(
    database: Database, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    drawing = GatedDrawing(monkeypatch, name)
    async with running_web(database) as env, AsyncExitStack() as stack:
        match = await env.start_match()
        path = BOARD if name == "to_png" else f"/m/{match.id}/game.gif"
        queue = env.context.work if name == "to_png" else env.context.long_work
        gone = await ask(stack, env, "127.0.0.2", path, 40)
        await wait_until(lambda: drawing.started == 1 and len(queue) > 1)
        for connection in gone:
            connection.writer.transport.abort()
        await wait_until(lambda: len(env.context.connection_limiter) == 0)
        await wait_until(lambda: len(queue) == 0)
        for _ in range(2):
            drawing.gate.release()
        (visitor,) = await ask(stack, env, "127.0.0.3", path, 1)
        assert (await visitor.read_head())[0] == 200
        assert drawing.started == 2


@pytest.mark.long
async def test_animation_is_made_once(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = GatedDrawing(monkeypatch, "animate_game")
    drawing.gate.release(9)
    async with running_web(database) as env, env.visitor() as visitor:
        match = await env.start_match()
        await env.play(match.id)
        for _ in range(2):
            async with asyncio.TaskGroup() as group:
                for _ in range(3):
                    group.create_task(visitor.get(f"/m/{match.id}/game.gif"))
        assert [answer.status for answer in visitor.responses] == [200] * 6
        assert drawing.started == 1
        await env.play(match.id)
        await visitor.get(f"/m/{match.id}/game.gif")
        assert drawing.started == 2


@pytest.mark.long
async def test_too_many_animations_are_refused(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = GatedDrawing(monkeypatch, "animate_game")
    async with running_web(database) as env, AsyncExitStack() as stack:
        match = await env.start_match()
        connections = await ask(stack, env, "127.0.0.2", f"/m/{match.id}/game.gif", 8)
        heads = [asyncio.create_task(connection.read_head()) for connection in connections]
        await wait_until(lambda: sum(head.done() for head in heads) == 3)  # one is drawn, four wait
        drawing.gate.release(9)
        found = [await head for head in heads]
        assert sorted(status for status, _ in found) == [200] * 5 + [429] * 3
        assert all("Retry-After: " in head for status, head in found if status == 429)
