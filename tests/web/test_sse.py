"""Event streams: every turn once and in order, also after a reconnect and from another process."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update

from matches import Database, Matches, OfferKind, Terms, TimeControl
from storage.tables import MATCHES
from tests.databases import open_database
from tests.marks import remove_marks
from tests.web.environment import ALICE, BOB, FISTS, FREE, running_web
from tests.web.raw import raw_connection, wait_until_open
from web.server.limits import StreamLimiter

if TYPE_CHECKING:
    import aiohttp

    from matches import MatchId
    from tests.web.environment import Visitor, WebEnvironment

EVENT_TIMEOUT = 20


class EventStream:
    """An open event stream, read one event at a time."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response
        self.version = ""

    async def next_event(self) -> dict[str, Any]:
        """Return the payload of the next event. Raises EOFError at the end of the stream."""
        fields: dict[str, str] = {}
        async with asyncio.timeout(EVENT_TIMEOUT):
            async for line in self._response.content:
                text = line.decode().rstrip("\n")
                name, _, value = text.partition(": ")
                if text:
                    fields[name] = value
                elif "data" in fields:
                    self.version = fields["id"]
                    return dict(json.loads(remove_marks(fields["data"])))
                else:
                    fields = {}
        raise EOFError

    @property
    def last_turn(self) -> int:
        """The last turn of the match in the state that the last event has brought."""
        return int(self.version.split(".")[0])

    async def read_until(self, last: int) -> list[int]:
        """Read up to the event with turn `last`; return the numbers of all turns received."""
        numbers: list[int] = []
        while True:
            event = await self.next_event()
            numbers += [number for number, _ in event["turns"]]
            if self.last_turn >= last:
                return numbers

    def close(self) -> None:
        """Close the connection."""
        self._response.close()


async def open_stream(visitor: Visitor, match: MatchId, after: str = "", **headers: str) -> EventStream:
    response = await visitor.open_stream(f"/m/{match}/events", params={"after": after}, headers=headers)
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/event-stream"
    return EventStream(response)


async def version_of(env: WebEnvironment, match: MatchId) -> str:
    return (await env.cached(match)).version


async def test_turn_is_sent_when_it_is_played(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    await env.play(match.id, "D1-D4")
    event = await stream.next_event()
    assert stream.last_turn == 1
    assert [number for number, _ in event["turns"]] == [1]
    assert "D1-D4" in event["turns"][0][1]
    assert "Bob (White) to play." in event["players"]
    assert "<svg" in event["board"]


async def test_new_client_receives_all_turns(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    stream = await open_stream(visitor, match.id)
    assert await stream.read_until(2) == [1, 2]


async def test_reconnecting_client_receives_every_turn_once(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    received: list[int] = []
    version = await version_of(env, match.id)
    for round_ in range(4):
        stream = await open_stream(visitor, match.id, **{"Last-Event-ID": version})
        await env.play(match.id)
        received += await stream.read_until(3 * round_ + 1)
        version = stream.version
        stream.close()
        await env.play(match.id)
        await env.play(match.id)
    assert received == list(range(1, 11))
    stream = await open_stream(visitor, match.id, **{"Last-Event-ID": version})
    assert await stream.read_until(12) == [11, 12]


async def test_malformed_version_receives_all_turns(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4")
    for version in ("x", "-1.0.0", "9999999999.1.0", "³.1.0", "1" * 100):
        stream = await open_stream(visitor, match.id, version)
        assert await stream.read_until(1) == [1]


async def test_version_of_a_future_turn_receives_all_turns(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4")
    stream = await open_stream(visitor, match.id, "9.0.12345678")
    event = await stream.next_event()
    assert (event["since"], [number for number, _ in event["turns"]]) == (0, [1])


async def test_after_a_takeback_all_turns_are_sent(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    version = await version_of(env, match.id)
    offer = await env.matches.offers.make(match.id, BOB, OfferKind.TAKEBACK, now=env.clock())
    assert offer.match.pending_offer is not None
    await env.matches.offers.answer(offer.match.pending_offer.id, ALICE, accept=True, now=env.clock())
    await env.play(match.id, "A3-B4")
    stream = await open_stream(visitor, match.id, version)
    event = await stream.next_event()
    assert (event["since"], [number for number, _ in event["turns"]]) == (0, [1, 2])


async def test_client_that_subscribes_with_an_old_state_receives_the_new_one(env: WebEnvironment) -> None:
    """The turn is played, and others have heard of it, between the look at the match and the subscription."""
    match, broadcaster = (await env.start_match()).id, env.context.broadcaster
    old = await env.cached(match)
    with broadcaster.subscribe(old) as first:
        await env.play(match, "D1-D4")
        assert await first.wait(EVENT_TIMEOUT)
        with broadcaster.subscribe(old) as second:
            assert await second.wait(EVENT_TIMEOUT)
            assert second.cached.last_turn == 1


async def test_match_that_cannot_be_read_keeps_no_other_stream_waiting(
    env: WebEnvironment, visitor: Visitor
) -> None:
    broken, match = await env.start_match(), await env.start_match()
    await open_stream(visitor, broken.id, await version_of(env, broken.id))
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    async with env.database.transaction() as connection:
        await connection.execute(update(MATCHES).values(takebacks=1))
        await connection.execute(update(MATCHES).where(MATCHES.c.id == broken.id).values(position="?"))
    await stream.next_event()
    assert stream.version.split(".")[1] == "1"


async def test_offers_and_results_are_sent(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    await env.matches.offers.make(match.id, BOB, OfferKind.END, now=env.clock())
    assert "Bob offers to end" in (await stream.next_event())["players"]
    await env.matches.offers.answer_end(match.id, ALICE, accept=True, now=env.clock())
    event = await stream.next_event()
    assert "It is a draw." in event["players"]
    assert event["turns"] == []


@pytest.mark.long
async def test_all_changes_of_the_clock_are_sent(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(terms=Terms(time_control=TimeControl.per_move(timedelta(days=3))))
    clocks = env.matches.clocks
    await clocks.tick(env.clock())
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))

    async def next_players() -> str:
        return " ".join(re.sub(r"<[^>]+>", " ", (await stream.next_event())["players"]).split())

    await clocks.timeouts.give_time(match.id, BOB, timedelta(days=1), now=env.clock())
    assert "Alice has until 5 May 2026, 12:00 UTC" in await next_players()
    await clocks.pauses.offer(match.id, BOB, now=env.clock())
    assert "Bob offers to pause the clock." in await next_players()
    await clocks.pauses.answer(match.id, ALICE, accept=True, now=env.clock())
    paused = await next_players()
    assert "The clock is paused." in paused
    assert "has until" not in paused
    await clocks.pauses.resume(match.id, BOB, now=env.clock())
    assert "Alice has until" in await next_players()
    await clocks.vacations.begin(ALICE, now=env.clock())
    assert "on vacation" in await next_players()
    await clocks.vacations.end(ALICE, now=env.clock())
    assert "Alice has until 5 May 2026, 12:00 UTC" in await next_players()
    env.clock.advance(hours=2)
    await clocks.heartbeat(env.clock())  # downtime is added to the deadline
    assert "Alice has until 5 May 2026, 14:00 UTC" in await next_players()


async def test_picks_are_sent_only_when_they_are_revealed(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS)
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    await env.matches.pick(match.id, BOB, "LR", now=env.clock())
    event = await stream.next_event()
    assert "Still to pick: Alice" in event["players"]
    assert event["started"] is False
    await env.matches.pick(match.id, ALICE, "LR", now=env.clock())
    event = await stream.next_event()
    assert event["started"] is True
    assert "<svg" in event["board"]


async def test_run_of_placements_is_sent_when_it_is_complete(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FREE)
    await env.play(match.id, "A1")
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    version = await version_of(env, match.id)
    await env.play(match.id, "A2")
    assert await version_of(env, match.id) == version
    await env.play(match.id, "A3")
    event = await stream.next_event()
    assert [number for number, _ in event["turns"]] == [2]
    assert "A2 and A3" in event["turns"][0][1]


@pytest.mark.long
async def test_moves_of_another_process_are_sent_within_a_second(
    env: WebEnvironment, visitor: Visitor, database_url: str
) -> None:
    match = await env.start_match()
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    async with open_database(database_url, 2) as second:
        elsewhere = Matches(second)
        started = asyncio.get_running_loop().time()
        await elsewhere.play(match.id, ALICE, ["D1-D4"], now=env.clock())
        assert await stream.read_until(1) == [1]
    assert asyncio.get_running_loop().time() - started < 1.5  # one second and a margin for a busy machine


async def test_board_follows_the_view_options(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    boards = set()
    for query in ("", "&side=white", "&theme=clear"):
        stream = EventStream(await visitor.open_stream(f"/m/{match.id}/events?after={query}"))
        boards.add((await stream.next_event())["board"])
    assert len(boards) == 3


@pytest.mark.long
async def test_many_watch_one_match(env: WebEnvironment) -> None:
    match = await env.start_match()
    version = await version_of(env, match.id)
    async with asyncio.TaskGroup() as group:
        ready = asyncio.Barrier(41)

        async def follow(number: int) -> None:
            async with env.visitor(f"127.0.0.{2 + number % 10}") as visitor:
                stream = await open_stream(visitor, match.id, version)
                await ready.wait()
                assert await stream.read_until(1) == [1]

        for number in range(40):
            group.create_task(follow(number))
        await ready.wait()
        await env.play(match.id, "D1-D4")


async def test_closing_website_ends_its_streams(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    env.context.broadcaster.close()
    with pytest.raises(EOFError):
        await stream.next_event()


async def test_viewer_beyond_the_limit_of_streams_gets_all_turns_by_asking_again(database: Database) -> None:
    limiter = StreamLimiter(per_client=1, total=2)
    async with running_web(database, stream_limiter=limiter) as env, env.visitor("127.0.0.1") as visitor:
        match = await env.start_match()
        version = await version_of(env, match.id)
        stream = await open_stream(visitor, match.id, version)
        received = []
        for _ in range(3):
            await env.play(match.id)
            answer = await visitor.get(f"/m/{match.id}/events", headers={"Last-Event-ID": version})
            assert answer.status == 200
            assert re.match(r"retry: \d{5}\n\n", answer.text)
            assert answer.text.endswith("event: poll\ndata: 1\n\n")
            received += [int(number) for number in re.findall(r'id=\\"t(\d+)', answer.text)]
            version = re.findall(r"^id: (.+)", answer.text, re.MULTILINE)[-1]
        assert received == [1, 2, 3]
        assert await stream.read_until(3) == [1, 2, 3]
        async with env.visitor("127.0.0.2") as other, env.visitor("127.0.0.3") as late:
            await open_stream(other, match.id)
            assert (await late.get(f"/m/{match.id}/events")).text.endswith("event: poll\ndata: 1\n\n")


async def test_place_of_a_closed_stream_is_free_at_once(database: Database) -> None:
    async with running_web(database, stream_limiter=StreamLimiter(per_client=1)) as env:
        match = await env.start_match()
        for _ in range(5):
            async with raw_connection(env.base) as connection:
                connection.request("GET", f"/m/{match.id}/events?after={await version_of(env, match.id)}")
                head = await connection.read_head()
                assert head[0] == 200
                async with asyncio.timeout(EVENT_TIMEOUT / 2):  # less than until the next comment
                    await connection.reader.readline()  # the length of the chunk
                    assert await connection.reader.readline() == b"retry: 1500\n"
            await wait_until_open(env.context, 0)


async def test_unknown_match_has_no_stream(visitor: Visitor) -> None:
    assert (await visitor.get("/m/77/events")).status == 404
