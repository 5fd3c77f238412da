"""Nobody takes more than a fair share: costly work waits in a queue in which clients take turns."""

from __future__ import annotations

import asyncio
import threading
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

import render
import web.analysis_board.board_page
from tests.games import GAMES
from tests.web.environment import ALICE
from web.analysis_board.board_link import MAX_ALL_MOVES, MAX_MOVES, AnalysisBoard, play_board
from web.server.limits import TooManyRequests
from web.server.work import WorkQueue

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tests.web.environment import Visitor, WebEnvironment
    from web.analysis_board.board_link import PlayedAnalysis

MANY = 30
MAX_PAGE_BYTES = 300_000


@dataclass
class Caller:
    """A request as the queue sees it: a connection that may be closed, or gone."""

    is_open: bool = True
    transport: Any = field(init=False)

    def __post_init__(self) -> None:
        self.transport = self

    def is_closing(self) -> bool:
        return not self.is_open


@dataclass
class Crew:
    """Pieces of work for a queue, and the order in which they were done."""

    queue: WorkQueue
    done: list[str] = field(default_factory=list)
    tasks: list[asyncio.Task[str]] = field(default_factory=list)

    async def ask(self, *names: str, caller: Caller | None = None) -> list[asyncio.Task[str]]:
        """Ask for pieces whose names begin with that of their client, until each waits or is refused."""
        asked = [
            asyncio.create_task(self.queue.run(caller or Caller(), name[0], self._work(name)))  # type: ignore[arg-type]
            for name in names
        ]
        self.tasks += asked
        await asyncio.sleep(0)
        return asked

    def _work(self, name: str) -> Callable[[], str]:
        def work() -> str:
            self.done.append(name)
            if name.endswith("!"):
                raise ValueError(name)
            return name

        return work


@asynccontextmanager
async def held(queue: WorkQueue) -> AsyncIterator[asyncio.Task[bool]]:
    """Keep the only place of a queue while the block runs."""
    gate, has_begun = threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def wait() -> bool:
        loop.call_soon_threadsafe(has_begun.set)
        return gate.wait()

    holder = asyncio.create_task(queue.run(Caller(), "holder", wait))  # type: ignore[arg-type]
    await has_begun.wait()
    try:
        yield holder
    finally:
        gate.set()
        with suppress(asyncio.CancelledError):
            await holder


async def turn_until(condition: Callable[[], bool]) -> None:
    """Let the event loop turn until a condition holds."""
    while not condition():  # noqa: ASYNC110 - the condition is about sockets and threads
        await asyncio.sleep(0)


@pytest.fixture
def crew() -> Crew:
    return Crew(WorkQueue(per_client=3, total=5))


async def test_clients_take_turns(crew: Crew) -> None:
    async with held(crew.queue):
        await crew.ask("a1", "a2", "a3", "b1", "c1")
        assert (crew.done, crew.queue.waiting_count) == ([], 5)
    assert await asyncio.gather(*crew.tasks) == ["a1", "a2", "a3", "b1", "c1"]
    assert crew.done == ["a1", "b1", "c1", "a2", "a3"]


async def test_one_client_may_wait_with_a_few_pieces(crew: Crew) -> None:
    async with held(crew.queue):
        *kept, refused = await crew.ask("a1", "a2", "a3", "a4")
        with pytest.raises(TooManyRequests):
            await refused
    await asyncio.gather(*kept)
    assert crew.done == ["a1", "a2", "a3"]


async def test_a_full_queue_has_a_place_for_a_newcomer_only(crew: Crew) -> None:
    async with held(crew.queue):
        *kept, refused, newcomer = await crew.ask("a1", "a2", "a3", "b1", "b2", "b3", "c1")
        with pytest.raises(TooManyRequests):
            await refused
    await asyncio.gather(*kept, newcomer)
    assert crew.done == ["a1", "b1", "c1", "a2", "b2", "a3"]


async def test_who_has_left_gets_nothing_and_takes_no_turn(crew: Crew) -> None:
    leaver = Caller()
    async with held(crew.queue):
        left = await crew.ask("a1", "a2", caller=leaver)
        stayed = await crew.ask("a3", "b1")
        leaver.is_open = False
        # They do not count any more: the client has its places again.
        stayed += await crew.ask("a4", "a5")
        assert crew.queue.waiting_count == 4
    await asyncio.gather(*stayed)
    assert crew.done == ["a3", "b1", "a4", "a5"]
    for task in left:
        with pytest.raises(TooManyRequests):
            await task
    gone = Caller()
    gone.transport = None
    with pytest.raises(TooManyRequests):
        await crew.queue.run(gone, "a", crew._work("never"))  # type: ignore[arg-type]
    assert await asyncio.gather(*await crew.ask("b2")) == ["b2"]


async def test_cancelled_pieces_leave_no_hole(crew: Crew) -> None:
    async with held(crew.queue):
        first, second, third, _ = await crew.ask("a1", "a2", "b1", "c1")
        first.cancel()
        third.cancel()
        await asyncio.sleep(0)
    await turn_until(second.done)
    await turn_until(lambda: crew.queue.waiting_count == 0)
    # One that is cancelled just when it gets its place passes it on.
    async with held(crew.queue):
        (chosen,) = await crew.ask("a3")
        (following,) = await crew.ask("b2")
    chosen.cancel()
    assert await following == "b2"
    await asyncio.gather(*await crew.ask("d1", "d2"))
    assert crew.done[:2] == ["a2", "c1"]
    assert crew.done[-2:] == ["d1", "d2"]


async def test_a_thread_keeps_its_place_until_it_has_ended(crew: Crew) -> None:
    async with held(crew.queue) as holder:
        (following,) = await crew.ask("a1")
        holder.cancel()
        await turn_until(holder.done)
        await asyncio.sleep(0)
        assert (crew.done, crew.queue.waiting_count) == ([], 1)
    assert await following == "a1"


async def test_an_exception_reaches_the_one_who_asked(crew: Crew) -> None:
    failing, following = await crew.ask("a!", "b1")
    with pytest.raises(ValueError, match="a!"):
        await failing
    assert await following == "b1"


def hostile_boards(lines: int = 8, *, shared: int = 140) -> AnalysisBoard:
    """Return a board with as many lines of MAX_MOVES as asked for, which begin with the same moves."""
    position, random = GAMES["morphos"].initial_position(size=19), Random(1)
    start, cells = position, list[str]()
    while len(cells) < MAX_MOVES:
        cells.append(str(random.choice(position.legal_moves())))
        position = position.play(position.parse(cells[-1]))
    others = []
    for _ in range(lines):
        moves = cells[:shared]
        position = play_board(AnalysisBoard(start, tuple(moves), shared)).position
        while len(moves) < MAX_MOVES:
            moves.append(str(random.choice(position.legal_moves())))
            position = position.play(position.parse(moves[-1]))
        others.append(tuple(moves))
    return AnalysisBoard(start, tuple(cells), MAX_MOVES, tuple(others))


async def test_the_longest_link_has_a_small_page(visitor: Visitor) -> None:
    board = hostile_boards()
    # As it was shared before the state was in the path.
    page = await visitor.get(f"/analysis/morphos?{board.query()}")
    assert page.status == 200
    assert page.text.count('<li><a href="?at=') == MAX_MOVES
    assert page.text.count('class="remove"') == len(board.other_lines)
    assert len(page.text.encode()) < MAX_PAGE_BYTES


async def test_a_link_with_too_many_moves_shows_its_first_lines(
    env: WebEnvironment, visitor: Visitor
) -> None:
    board = hostile_boards(3, shared=1)
    assert board.all_moves > MAX_ALL_MOVES
    page = await visitor.get(board.url())
    assert env.context.texts("web.analysis.too_many_moves") in page.visible_text
    assert page.text.count('<li><a href="?at=') == MAX_MOVES
    assert page.text.count('class="remove"') == 1


@pytest.mark.parametrize("index", range(8))
def test_no_line_is_lost_when_another_comes_into_view(index: int) -> None:
    board = hostile_boards()
    shown = board.with_line(index)
    assert shown.all_moves == board.all_moves == MAX_MOVES + 8 * 10
    assert play_board(shown).board == shown
    early = AnalysisBoard(board.start, board.other_lines[0][1:2], 1, (board.moves, *board.other_lines[:7]))
    assert not play_board(early).is_cut


@pytest.fixture
async def crowd() -> AsyncIterator[aiohttp.ClientSession]:
    """Open connections from another address, one for each request."""
    connector = aiohttp.TCPConnector(local_addr=("127.0.0.2", 0), limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        yield session


async def send_many(
    env: WebEnvironment, crowd: aiohttp.ClientSession, path: str
) -> list[asyncio.Task[aiohttp.ClientResponse]]:
    """Send MANY requests at once, until all wait in the queue."""
    tasks = [asyncio.create_task(crowd.get(f"{env.base}{path}")) for _ in range(MANY)]
    await turn_until(lambda: env.context.work.waiting_count == MANY)
    return tasks


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the first moves of the analysis boards that the website plays."""
    found = list[str]()

    def record(board: AnalysisBoard) -> PlayedAnalysis:
        found.append(board.moves[0])
        return play_board(board)

    monkeypatch.setattr(web.analysis_board.board_page, "play_board", record)
    return found


def board_of(move: str) -> str:
    """Return the link of an analysis board with one move."""
    return AnalysisBoard(GAMES["morabaraba"].initial_position()).with_moves(move).url()


async def test_another_visitor_is_served_next(
    env: WebEnvironment, visitor: Visitor, crowd: aiohttp.ClientSession, played: list[str]
) -> None:
    async with held(env.context.work):
        tasks = await send_many(env, crowd, board_of("A1"))
        answer = asyncio.create_task(visitor.get(board_of("G7")))
        await turn_until(lambda: env.context.work.waiting_count == MANY + 1)
    assert (await answer).status == 200
    assert {(await task).status for task in tasks} == {200}
    assert played.index("G7") <= 1
    assert len(played) == MANY + 1


async def test_one_address_is_told_to_wait(
    env: WebEnvironment, crowd: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(env.context.work, "_per_client", MANY)
    async with held(env.context.work):
        tasks = await send_many(env, crowd, board_of("A1"))
        refused = await crowd.get(f"{env.base}{board_of('A1')}")
        assert (refused.status, refused.headers["Retry-After"]) == (429, "5")
    assert {(await task).status for task in tasks} == {200}


async def test_nothing_is_done_for_closed_connections(
    env: WebEnvironment, visitor: Visitor, crowd: aiohttp.ClientSession, played: list[str]
) -> None:
    async with held(env.context.work):
        tasks = await send_many(env, crowd, board_of("A1"))
        before = len(env.context.connection_limiter)
        for task in tasks:
            task.cancel()
        await turn_until(lambda: len(env.context.connection_limiter) == before - MANY)
    assert (await visitor.get(board_of("G7"))).status == 200
    assert played == ["G7"]


async def test_an_animation_is_made_once(
    env: WebEnvironment, visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    made, animate = list[int](), render.animate_game

    def count(boards: Any, *rest: Any) -> Any:
        made.append(len(boards))
        return animate(boards, *rest)

    monkeypatch.setattr(render, "animate_game", count)
    path = f"/m/{match.id}/game.gif"
    async with held(env.context.slow_work):
        both = [asyncio.create_task(visitor.get(path)) for _ in range(2)]
        await turn_until(lambda: env.context.slow_work.waiting_count == 2)
    assert [(await one).status for one in both] == [200, 200]
    await visitor.get(path)
    assert made == [3]
    await env.matches.resign(match.id, ALICE, now=env.clock())
    tags = {(await visitor.get(path)).headers["ETag"] for _ in range(2)}
    assert (made, len(tags)) == ([3, 3], 1)
    await visitor.get(f"{path}?theme=clear")
    other = await env.start_match()
    await visitor.get(f"/m/{other.id}/game.gif")
    assert made == [3, 3, 3, 1]
