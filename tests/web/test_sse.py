"""The stream of news: every turn, in order, once, also after a lost connection and from another process."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from matches import Database, Matches, OfferKind, Terms, TimeControl
from tests.web.environment import ALICE, BOB, FISTS, FREE

if TYPE_CHECKING:
    import aiohttp

    from matches import MatchId
    from tests.web.environment import Visitor, WebEnvironment

EVENT_TIMEOUT = 20


class EventStream:
    """An open stream of news, read one event at a time."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response
        self.version = ""

    async def next_event(self) -> dict[str, Any]:
        """Return the next event."""
        fields: dict[str, str] = {}
        async with asyncio.timeout(EVENT_TIMEOUT):
            async for line in self._response.content:
                text = line.decode().rstrip("\n")
                name, _, value = text.partition(": ")
                if text:
                    fields[name] = value
                elif "data" in fields:
                    self.version = fields["id"]
                    return dict(json.loads(fields["data"]))
                else:
                    fields = {}
        raise EOFError

    async def read_until(self, last: int) -> list[int]:
        """Read to the event that tells turn `last`; give the numbers of all turns told."""
        numbers: list[int] = []
        while True:
            event = await self.next_event()
            numbers += [number for number, _ in event["turns"]]
            if event["last"] >= last:
                return numbers

    def close(self) -> None:
        """Lose the connection."""
        self._response.close()


async def open_stream(visitor: Visitor, match: MatchId, after: str = "", **headers: str) -> EventStream:
    response = await visitor.open_stream(f"/m/{match}/events", params={"after": after}, headers=headers)
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/event-stream"
    return EventStream(response)


async def version_of(env: WebEnvironment, match: MatchId) -> str:
    return (await env.context.cache.get(match)).version


async def test_turn_is_told_as_it_is_made(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    await env.play(match.id, "D1-D4")
    event = await stream.next_event()
    assert event["last"] == 1
    assert [number for number, _ in event["turns"]] == [1]
    assert "D1-D4" in event["turns"][0][1]
    assert "Bob (White) to play." in event["people"]
    assert "<svg" in event["stage"]


async def test_whoever_comes_late_is_told_everything(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    stream = await open_stream(visitor, match.id)
    assert await stream.read_until(2) == [1, 2]


async def test_nothing_is_told_twice_or_left_out_after_a_lost_connection(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    told: list[int] = []
    mark = await version_of(env, match.id)
    for round_ in range(4):
        stream = await open_stream(visitor, match.id, **{"Last-Event-ID": mark})
        await env.play(match.id)
        told += await stream.read_until(3 * round_ + 1)
        mark = stream.version
        stream.close()
        await env.play(match.id)
        await env.play(match.id)
    assert told == list(range(1, 11))
    stream = await open_stream(visitor, match.id, **{"Last-Event-ID": mark})
    assert await stream.read_until(12) == [11, 12]


async def test_version_that_is_none_is_told_everything(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4")
    for mark in ("x", "-1.0.0", "9999999999.1.0", "³.1.0", "1" * 100):
        stream = await open_stream(visitor, match.id, mark)
        assert await stream.read_until(1) == [1]


async def test_version_of_a_turn_that_was_never_made_has_the_page_made_anew(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4")
    stream = await open_stream(visitor, match.id, "9.0.12345678")
    event = await stream.next_event()
    assert (event["whole"], event["last"]) == (True, 1)


async def test_page_is_made_anew_once_moves_are_taken_back(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    await env.play(match.id, "D1-D4", "A2-B3")
    mark = await version_of(env, match.id)
    offer = await env.matches.offers.make(match.id, BOB, OfferKind.TAKEBACK, now=env.clock())
    assert offer.match.pending_offer is not None
    await env.matches.offers.answer(offer.match.pending_offer.id, ALICE, accept=True, now=env.clock())
    await env.play(match.id, "A3-B4")
    stream = await open_stream(visitor, match.id, mark)
    event = await stream.next_event()
    assert (event["whole"], event["last"]) == (True, 2)


async def test_offers_and_ends_are_told(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    await env.matches.offer_end(match.id, BOB, now=env.clock())
    assert "Bob offers to end" in (await stream.next_event())["people"]
    await env.matches.answer_end(match.id, ALICE, accept=True, now=env.clock())
    event = await stream.next_event()
    assert "It is a draw." in event["people"]
    assert event["turns"] == []


async def test_all_about_time_is_told(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(terms=Terms(time_control=TimeControl.per_move(timedelta(days=3))))
    clocks = env.matches.clocks
    await clocks.tick(env.clock())
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))

    async def told() -> str:
        return " ".join(re.sub(r"<[^>]+>", " ", (await stream.next_event())["people"]).split())

    await clocks.give_time(match.id, BOB, timedelta(days=1), now=env.clock())
    assert "Alice has until 2026-05-05 12:00 UTC" in await told()
    await clocks.offer_pause(match.id, BOB, now=env.clock())
    assert "Bob offers to pause the clock." in await told()
    await clocks.answer_pause(match.id, ALICE, accept=True, now=env.clock())
    paused = await told()
    assert "The clock is paused." in paused
    assert "has until" not in paused
    await clocks.resume(match.id, BOB, now=env.clock())
    assert "Alice has until" in await told()
    await clocks.begin_vacation(ALICE, now=env.clock())
    assert "on vacation" in await told()
    await clocks.end_vacation(ALICE, now=env.clock())
    assert "Alice has until 2026-05-05 12:00 UTC" in await told()
    env.clock.advance(hours=2)
    await clocks.heartbeat(env.clock())  # nobody was there meanwhile: that time is given back
    assert "Alice has until 2026-05-05 14:00 UTC" in await told()


async def test_picks_are_told_when_they_are_revealed_and_not_before(
    env: WebEnvironment, visitor: Visitor
) -> None:
    match = await env.start_match(FISTS)
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    await env.matches.pick(match.id, BOB, "LR", now=env.clock())
    event = await stream.next_event()
    assert "Still to pick: Alice" in event["people"]
    assert event["started"] is False
    await env.matches.pick(match.id, ALICE, "LR", now=env.clock())
    event = await stream.next_event()
    assert event["started"] is True
    assert "<svg" in event["stage"]


async def test_run_is_told_when_it_is_complete(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FREE)
    await env.play(match.id, "A1")
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    await env.play(match.id, "A2")
    event = await stream.next_event()
    assert event["turns"] == []
    assert "1 done, 1 to go" in event["people"]
    await env.play(match.id, "A3")
    event = await stream.next_event()
    assert [number for number, _ in event["turns"]] == [2]
    assert "A2 and A3" in event["turns"][0][1]


async def test_what_another_process_does_is_told_within_a_second(
    env: WebEnvironment, visitor: Visitor, database_url: str
) -> None:
    match = await env.start_match()
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    async with await Database.open(database_url) as second:
        elsewhere = Matches(second)
        begun = asyncio.get_running_loop().time()
        await elsewhere.play(match.id, ALICE, ["D1-D4"], now=env.clock())
        assert await stream.read_until(1) == [1]
    assert asyncio.get_running_loop().time() - begun < 1.5  # a second, and what a busy machine takes


async def test_each_look_has_its_own_board(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    boards = set()
    for query in ("", "&side=white", "&theme=clear"):
        stream = EventStream(await visitor.open_stream(f"/m/{match.id}/events?after={query}"))
        boards.add((await stream.next_event())["stage"])
    assert len(boards) == 3


async def test_many_watch_one_match(env: WebEnvironment) -> None:
    match = await env.start_match()
    mark = await version_of(env, match.id)
    async with asyncio.TaskGroup() as group:
        ready = asyncio.Barrier(41)

        async def follow(number: int) -> None:
            async with env.visitor(f"127.0.0.{2 + number % 10}") as visitor:
                stream = await open_stream(visitor, match.id, mark)
                await ready.wait()
                assert await stream.read_until(1) == [1]

        for number in range(40):
            group.create_task(follow(number))
        await ready.wait()
        await env.play(match.id, "D1-D4")


async def test_website_that_closes_ends_its_streams(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match()
    stream = await open_stream(visitor, match.id, await version_of(env, match.id))
    env.context.broadcaster.close()
    with pytest.raises(EOFError):
        await stream.next_event()


async def test_no_stream_of_a_match_that_is_not_there(visitor: Visitor) -> None:
    assert (await visitor.get("/m/77/events")).status == 404
