"""The stream of news: every turn, in order, once, also after a lost connection and from another process."""

from __future__ import annotations

import asyncio
import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from matches import Matches, OfferKind, Pace, Store, Terms
from tests.web.stage import ALICE, BOB, FISTS, FREE

if TYPE_CHECKING:
    import aiohttp

    from matches import MatchId
    from tests.web.stage import Stage, Visitor

PATIENCE = 20


class Stream:
    """An open stream of news, read one event at a time."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response
        self.mark = ""

    async def next(self) -> dict[str, Any]:
        """Give the next event."""
        told: dict[str, str] = {}
        async with asyncio.timeout(PATIENCE):
            async for line in self._response.content:
                text = line.decode().rstrip("\n")
                name, _, value = text.partition(": ")
                if text:
                    told[name] = value
                elif "data" in told:
                    self.mark = told["id"]
                    return dict(json.loads(told["data"]))
                else:
                    told = {}
        raise EOFError

    async def until(self, last: int) -> list[int]:
        """Read to the event that tells turn `last`; give the numbers of all turns told."""
        numbers: list[int] = []
        while True:
            event = await self.next()
            numbers += [number for number, _ in event["turns"]]
            if event["last"] >= last:
                return numbers

    def close(self) -> None:
        """Lose the connection."""
        self._response.close()


async def watch(visitor: Visitor, match: MatchId, after: str = "", **headers: str) -> Stream:
    response = await visitor.open(f"/m/{match}/events", params={"after": after}, headers=headers)
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/event-stream"
    return Stream(response)


async def mark_of(stage: Stage, match: MatchId) -> str:
    return (await stage.house.shelf.get(match)).mark


async def test_turn_is_told_as_it_is_made(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    stream = await watch(visitor, match.id, await mark_of(stage, match.id))
    await stage.play(match.id, "D1-D4")
    event = await stream.next()
    assert event["last"] == 1
    assert [number for number, _ in event["turns"]] == [1]
    assert "D1-D4" in event["turns"][0][1]
    assert "Bob (White) is to move." in event["people"]
    assert "<svg" in event["stage"]


async def test_whoever_comes_late_is_told_everything(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    await stage.play(match.id, "D1-D4", "A2-B3")
    stream = await watch(visitor, match.id)
    assert await stream.until(2) == [1, 2]


async def test_nothing_is_told_twice_or_left_out_after_a_lost_connection(
    stage: Stage, visitor: Visitor
) -> None:
    match = await stage.begin()
    told: list[int] = []
    mark = await mark_of(stage, match.id)
    for round_ in range(4):
        stream = await watch(visitor, match.id, **{"Last-Event-ID": mark})
        await stage.play(match.id)
        told += await stream.until(3 * round_ + 1)
        mark = stream.mark
        stream.close()
        await stage.play(match.id)
        await stage.play(match.id)
    assert told == list(range(1, 11))
    stream = await watch(visitor, match.id, **{"Last-Event-ID": mark})
    assert await stream.until(12) == [11, 12]


async def test_mark_that_is_none_is_told_everything(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    await stage.play(match.id, "D1-D4")
    for mark in ("x", "-1.0.0", "9999999999.1.0", "³.1.0", "1" * 100):
        stream = await watch(visitor, match.id, mark)
        assert await stream.until(1) == [1]


async def test_mark_of_a_turn_that_was_never_made_has_the_page_made_anew(
    stage: Stage, visitor: Visitor
) -> None:
    match = await stage.begin()
    await stage.play(match.id, "D1-D4")
    stream = await watch(visitor, match.id, "9.0.12345678")
    event = await stream.next()
    assert (event["whole"], event["last"]) == (True, 1)


async def test_page_is_made_anew_once_moves_are_taken_back(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    await stage.play(match.id, "D1-D4", "A2-B3")
    mark = await mark_of(stage, match.id)
    offer = await stage.matches.offers.make(match.id, BOB, OfferKind.TAKEBACK, now=stage.clock())
    assert offer.match.standing is not None
    await stage.matches.offers.answer(offer.match.standing.id, ALICE, accept=True, now=stage.clock())
    await stage.play(match.id, "A3-B4")
    stream = await watch(visitor, match.id, mark)
    event = await stream.next()
    assert (event["whole"], event["last"]) == (True, 2)


async def test_offers_and_ends_are_told(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    stream = await watch(visitor, match.id, await mark_of(stage, match.id))
    await stage.matches.offer_end(match.id, BOB, now=stage.clock())
    assert "Bob offers to end" in (await stream.next())["people"]
    await stage.matches.answer_end(match.id, ALICE, accept=True, now=stage.clock())
    event = await stream.next()
    assert "A draw." in event["people"]
    assert event["turns"] == []


async def test_all_about_time_is_told(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin(terms=Terms(pace=Pace.per_move(timedelta(days=3))))
    clocks = stage.matches.clocks
    await clocks.tick(stage.clock())
    stream = await watch(visitor, match.id, await mark_of(stage, match.id))

    async def told() -> str:
        return " ".join(re.sub(r"<[^>]+>", " ", (await stream.next())["people"]).split())

    await clocks.give_time(match.id, BOB, timedelta(days=1), now=stage.clock())
    assert "Alice has until 2026-05-05 12:00 UTC" in await told()
    await clocks.offer_pause(match.id, BOB, now=stage.clock())
    assert "Bob offers to pause the clock." in await told()
    await clocks.answer_pause(match.id, ALICE, accept=True, now=stage.clock())
    paused = await told()
    assert "The clock is paused." in paused
    assert "has until" not in paused
    await clocks.resume(match.id, BOB, now=stage.clock())
    assert "Alice has until" in await told()
    await clocks.begin_vacation(ALICE, now=stage.clock())
    assert "on vacation" in await told()
    await clocks.end_vacation(ALICE, now=stage.clock())
    assert "Alice has until 2026-05-05 12:00 UTC" in await told()
    stage.clock.pass_(hours=2)
    await clocks.beat(stage.clock())  # nobody was there meanwhile: that time is given back
    assert "Alice has until 2026-05-05 14:00 UTC" in await told()


async def test_fists_are_told_when_they_open_and_not_before(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin(FISTS)
    stream = await watch(visitor, match.id, await mark_of(stage, match.id))
    await stage.matches.pick(match.id, BOB, "LR", now=stage.clock())
    event = await stream.next()
    assert "still to pick: Alice" in event["people"]
    assert event["started"] is False
    await stage.matches.pick(match.id, ALICE, "LR", now=stage.clock())
    event = await stream.next()
    assert event["started"] is True
    assert "<svg" in event["stage"]


async def test_run_is_told_when_it_is_complete(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin(FREE)
    await stage.play(match.id, "A1")
    stream = await watch(visitor, match.id, await mark_of(stage, match.id))
    await stage.play(match.id, "A2")
    event = await stream.next()
    assert event["turns"] == []
    assert "1 done, 1 to go" in event["people"]
    await stage.play(match.id, "A3")
    event = await stream.next()
    assert [number for number, _ in event["turns"]] == [2]
    assert "A2 and A3" in event["turns"][0][1]


async def test_what_another_process_does_is_told_within_a_second(
    stage: Stage, visitor: Visitor, database: str
) -> None:
    match = await stage.begin()
    stream = await watch(visitor, match.id, await mark_of(stage, match.id))
    async with await Store.open(database) as second:
        elsewhere = Matches(second)
        begun = asyncio.get_running_loop().time()
        await elsewhere.play(match.id, ALICE, ["D1-D4"], now=stage.clock())
        assert await stream.until(1) == [1]
    assert asyncio.get_running_loop().time() - begun < 1.5  # a second, and what a busy machine takes


async def test_each_look_has_its_own_board(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    boards = set()
    for query in ("", "&side=white", "&theme=clear"):
        stream = Stream(await visitor.open(f"/m/{match.id}/events?after={query}"))
        boards.add((await stream.next())["stage"])
    assert len(boards) == 3


async def test_many_watch_one_match(stage: Stage) -> None:
    match = await stage.begin()
    mark = await mark_of(stage, match.id)
    async with asyncio.TaskGroup() as group:
        ready = asyncio.Barrier(41)

        async def follow(number: int) -> None:
            async with stage.visitor(f"127.0.0.{2 + number % 10}") as visitor:
                stream = await watch(visitor, match.id, mark)
                await ready.wait()
                assert await stream.until(1) == [1]

        for number in range(40):
            group.create_task(follow(number))
        await ready.wait()
        await stage.play(match.id, "D1-D4")


async def test_table_that_closes_ends_its_streams(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    stream = await watch(visitor, match.id, await mark_of(stage, match.id))
    stage.house.live.close()
    with pytest.raises(EOFError):
        await stream.next()


async def test_no_stream_of_a_match_that_is_not_there(visitor: Visitor) -> None:
    assert (await visitor.get("/m/77/events")).status == 404
