"""Websites on one PostgreSQL: a turn of one reaches the streams of the other."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy.engine import make_url

from matches import Database, Matches
from storage.connections.changes import APPLICATION_NAME
from tests.processes import running_web_process
from tests.web.environment import ALICE, BOB, SECRET, ManualClock, Visitor, WebEnvironment, running_web
from tests.web.test_seat_page import confirm_move
from tests.web.test_sse import EventStream, open_stream

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from matches import MatchId

TURNS = 6
WEBSITES = 2  # a process, and that of the test
NEVER = 1e6  # seconds
RETURN_SECONDS = 20.0
COUNT_LISTENERS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND datname = $2"
END_LISTENERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = $2"
)


@dataclass(slots=True)
class TwoWebsites:
    """A match of two people who play at the website of a process, and a spectator's stream at the test's."""

    env: WebEnvironment
    match: MatchId
    seats: dict[str, tuple[Visitor, str]]  # the browser and the path of the seat, by account
    stream: EventStream
    turn: int = 0

    async def play(self) -> None:
        """Play a turn at the first website, and wait until it is at the other."""
        view = await self.env.view(self.match)
        assert view.to_move is not None
        assert view.position is not None
        visitor, seat = self.seats[view.to_move.person.account]
        move = {"board": str(view.revision), "text": str(view.position.legal_moves()[0])}
        page = await visitor.post(f"{seat}/play", data=move)
        if 'id="confirm"' in page.text:
            await confirm_move(visitor, seat, page)
        self.turn += 1
        assert await self.stream.read_until(self.turn) == [self.turn]


@asynccontextmanager
async def two_websites(url: str, folder: Path) -> AsyncIterator[TwoWebsites]:
    settings = {"ROLE": "web", "WEB_SECRET": SECRET}
    async with (
        await Database.open(url) as database,
        running_web(database, clock=ManualClock(datetime.now(UTC))) as env,
        running_web_process(folder, url, **settings) as first,
        env.visitor() as spectator,
        env.visitor() as alice,
        env.visitor() as bob,
    ):
        match = (await env.start_match()).id
        seats = {}
        for visitor, person in ((alice, ALICE), (bob, BOB)):
            visitor.base = first
            page = await visitor.get((await env.seat_link(match, person)).replace(env.base, first))
            assert page.status == 200
            seats[person.account] = visitor, page.url
        version = (await env.cached(match)).version
        yield TwoWebsites(env, match, seats, await open_stream(spectator, match, version))


async def wait_for_listeners(connection: asyncpg.Connection, asked: tuple[str, str]) -> None:
    """Wait until all websites listen."""
    async with asyncio.timeout(RETURN_SECONDS):
        while await connection.fetchval(COUNT_LISTENERS, *asked) < WEBSITES:  # noqa: ASYNC110 - of others
            await asyncio.sleep(0.05)


@pytest.mark.long
async def test_turns_of_one_process_reach_streams_of_another_at_once_and_by_polling_without_a_connection(
    empty_postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.match.sse.SLOW_POLL_SECONDS", NEVER)  # who listens does not poll
    url = make_url(empty_postgres_url).set(drivername="postgresql")
    connection = await asyncpg.connect(url.render_as_string(hide_password=False))
    asked = APPLICATION_NAME, str(url.database)
    try:
        async with two_websites(empty_postgres_url, tmp_path) as websites:
            await wait_for_listeners(connection, asked)
            for _ in range(TURNS):
                await websites.play()
            assert len(await connection.fetch(END_LISTENERS, *asked)) == WEBSITES
            await websites.play()
            await wait_for_listeners(connection, asked)
            for _ in range(TURNS):
                await websites.play()
    finally:
        await connection.close()


@pytest.mark.long
async def test_change_is_announced_when_it_is_committed(empty_postgres_url: str) -> None:
    async with (
        await Database.open(empty_postgres_url) as database,
        running_web(database) as env,
        await Database.open(empty_postgres_url) as other,
    ):
        match = (await env.start_match()).id
        heard: asyncio.Queue[MatchId] = asyncio.Queue()
        started = asyncio.Event()
        listening = asyncio.create_task(Matches(other).listen(started.set, heard.put_nowait))
        await started.wait()
        await env.play(match, "D1-D4")
        async with asyncio.timeout(RETURN_SECONDS):
            assert await heard.get() == match
        listening.cancel()
        await asyncio.wait({listening})
        assert listening.cancelled()
        await env.play(match, "A2-B3")
        assert heard.empty()


async def test_sqlite_announces_nothing(env: WebEnvironment) -> None:
    assert not env.matches.can_listen
    assert not env.context.broadcaster.is_listening
