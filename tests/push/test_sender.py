"""Rows of the outbox for browsers: each is sent once to each browser, whatever becomes of the others."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from matches import AnnouncementKind, Grant, Matches
from matches.platforms import PUSH
from matches.posting.announcements import LEASE, announce
from matches.times import to_millis
from push.delivery import Pusher
from push.keys import Keys
from push.message import Message
from push.sender import MAX_RETRY_DELAY, PushSender
from storage.posting import outbox
from tests.databases import open_database
from tests.games import GAMES
from tests.matches.scenario import ALICE, NOON, later, start_match
from tests.push.service import HOST, StubBrowser
from tests.web.environment import ManualClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from datetime import datetime

    from matches import Announcement, Database
    from tests.push.service import PushService


@dataclass(slots=True)
class World:
    """A sender, its service, and notices about one match."""

    database: Database
    matches: Matches
    service: PushService
    clock: ManualClock
    obsolete: set[int] = field(default_factory=set)
    match: int = 0

    def sender(self, now: Callable[[], datetime] | None = None) -> PushSender:
        """Return a sender as another process has it, by default with the clock of this world."""

        async def make_pusher() -> Pusher:
            keys = await Keys(self.matches, self.clock).get()
            return Pusher(keys, "mailto:play@example.org", (HOST,), self.service.authority)

        return PushSender(self.matches, self.compose, make_pusher, now or self.clock)

    async def compose(self, announcement: Announcement, _now: datetime) -> Message | None:
        number = int(announcement.id)
        if number in self.obsolete:
            return None
        return Message(number, f"m{self.match}", "Your turn", "", "/", expires_at=later(days=1))

    async def subscribe(self, *browsers: StubBrowser) -> None:
        """Sign Alice in with browsers that show notifications."""
        for one in browsers:
            sessions = self.matches.people.sessions
            secret = await sessions.start(ALICE, Grant(frozenset(), "token"), device="", now=NOON)
            session = await sessions.find(secret, now=NOON)
            assert session is not None
            await one.subscribe(self.matches, session)

    async def write(self) -> int:
        """Write a notice for Alice, due now."""
        async with self.database.transaction() as connection:
            made = await announce(
                connection,
                AnnouncementKind.TURN,
                match=self.match,
                by=ALICE.account,
                recipients=(),
                server="",
                channel="",
                now=to_millis(self.clock()),
                to=ALICE.account,
            )
            await outbox.postpone(connection, made.id, to_millis(self.clock()), platform=PUSH)
        return int(made.id)

    async def is_open(self, number: int) -> bool:
        async with self.database.read() as connection:
            row = await outbox.get(connection, number)
        return row is not None and row.sent_at is None

    async def devices(self) -> list[str]:
        found = await self.matches.people.push.list_for(ALICE.account, now=self.clock())
        return sorted(one.endpoint.rpartition("/")[2] for one in found)


@pytest.fixture
async def world(sqlite_url: str, service: PushService) -> AsyncIterator[World]:
    async with open_database(sqlite_url) as database:
        matches = Matches(database, games=GAMES)
        started = World(database, matches, service, ManualClock(NOON))
        started.match = int((await start_match(matches)).id)
        yield started


@asynccontextmanager
async def quick_silence(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    with monkeypatch.context() as patched:
        patched.setattr("push.guard.TIMEOUT_SECONDS", (60, 0.5))  # a request arrives before
        yield


def counts(*browsers: StubBrowser) -> list[int]:
    return [len(one.received) for one in browsers]


async def test_each_browser_gets_each_notice_once(world: World) -> None:
    browsers = [world.service.browser("phone"), world.service.browser("laptop")]
    await world.subscribe(*browsers)
    sender = world.sender()
    for number in (await world.write(), await world.write()):
        await sender.send_due()
        assert not await world.is_open(number)
    await sender.send_due()
    assert counts(*browsers) == [2, 2]
    # Both are about the same match: while a device is off its service keeps the newest.
    assert [len(one.waiting) for one in browsers] == [1, 1]


async def test_only_the_browser_that_failed_is_tried_again_by_any_process(world: World) -> None:
    phone, laptop = world.service.browser("phone"), world.service.browser("laptop", 500, 503)
    await world.subscribe(phone, laptop)
    number = await world.write()
    for _ in range(3):
        await world.sender().send_due()
        world.clock.advance(seconds=MAX_RETRY_DELAY.total_seconds())
    assert (counts(phone, laptop), laptop.requests) == ([1, 1], 3)
    assert not await world.is_open(number)


@pytest.mark.parametrize("status", [404, 410])
async def test_browser_that_is_gone_is_forgotten(world: World, status: int) -> None:
    phone, laptop = world.service.browser("phone"), world.service.browser("laptop", status)
    await world.subscribe(phone, laptop)
    number = await world.write()
    await world.sender().send_due()
    assert await world.devices() == ["phone"]
    assert not await world.is_open(number)


async def test_too_large_push_is_not_repeated(world: World) -> None:
    phone = world.service.browser("phone", 413)
    await world.subscribe(phone)
    number = await world.write()
    await world.sender().send_due()
    assert not await world.is_open(number)
    assert await world.devices() == ["phone"]


def logged_text(capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> str:
    """Return what was logged: printed, or logged as usual if an earlier test has configured the logs."""
    return capsys.readouterr().out + caplog.text


@pytest.mark.parametrize("status", [401, 403])
async def test_refused_key_alarms_and_deletes_nothing(
    world: World, status: int, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    phone = world.service.browser("phone", status)
    await world.subscribe(phone)
    number = await world.write()
    await world.sender().send_due()
    assert await world.devices() == ["phone"]
    assert await world.is_open(number)
    log = logged_text(capsys, caplog)
    assert "push.refused" in log
    assert phone.endpoint not in log
    world.clock.advance(minutes=5)
    await world.sender().send_due()
    assert (counts(phone), await world.is_open(number)) == ([1], False)


@pytest.mark.long
async def test_service_that_refuses_the_key_is_tried_less_and_less(world: World) -> None:
    phone, laptop = world.service.browser("phone", *[403] * 9), world.service.browser("laptop", *[403] * 9)
    await world.subscribe(phone, laptop)
    numbers, sender, minutes = [], world.sender(), []
    for minute in range(0, 4 * 60, 5):
        if minute % 60 == 0:
            numbers.append(await world.write())
        before = phone.requests + laptop.requests
        await sender.send_due()
        minutes += [minute] if phone.requests + laptop.requests > before else []
        world.clock.advance(minutes=5)
    assert minutes == [0, 5, 15, 35, 75, 135, 195]
    assert await world.devices() == ["laptop", "phone"]
    phone.statuses.clear()
    laptop.statuses.clear()
    world.clock.advance(hours=1)
    for _ in numbers:
        await sender.send_due()
    assert counts(phone, laptop) == [len(numbers)] * 2
    assert [await world.is_open(one) for one in numbers] == [False] * len(numbers)


async def test_notice_that_fails_unexpectedly_is_tried_less_and_less(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    await world.subscribe(world.service.browser("phone"))
    number = await world.write()
    composed = list[float]()

    async def fail(_announcement: Announcement, now: datetime) -> Message | None:
        composed.append((now - NOON).total_seconds())
        raise ValueError("broken")

    monkeypatch.setattr(World, "compose", lambda _world, *arguments: fail(*arguments))
    sender = world.sender()
    for _ in range(30):
        await sender.send_due()
        world.clock.advance(seconds=5)
    assert composed == [0, 5, 15, 35, 75]
    assert await world.is_open(number)
    assert logged_text(capsys, caplog).count("push.failed") == len(composed)


@pytest.mark.parametrize(("asked", "waited"), [("40", 40), ("0", 1), ("99999", 3600), ("9" * 400, 3600)])
async def test_busy_service_says_when_to_come_back(world: World, asked: str, waited: int) -> None:
    phone = world.service.browser("phone", 429, Retry_After=asked)
    await world.subscribe(phone)
    await world.write()
    sender = world.sender()
    for seconds, requests in ((0, 1), (waited - 0.5, 1), (0.5, 2)):
        world.clock.advance(seconds=seconds)
        await sender.send_due()
        assert phone.requests == requests


@pytest.mark.long
async def test_silent_service_is_left_alone_for_a_while(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone, laptop = world.service.browser("phone", None), world.service.browser("laptop", None)
    await world.subscribe(phone, laptop)
    async with quick_silence(monkeypatch):
        sender = world.sender()
        await world.write()
        await sender.send_due()
        asked = phone.requests + laptop.requests
        world.clock.advance(seconds=10)
        await sender.send_due()
    assert phone.requests + laptop.requests == asked
    world.clock.advance(minutes=5)
    await sender.send_due()
    assert counts(phone, laptop) == [1, 1]


async def test_what_is_obsolete_or_too_late_is_dropped(world: World) -> None:
    phone = world.service.browser("phone")
    await world.subscribe(phone)
    number = await world.write()
    world.obsolete = {number}
    await world.sender().send_due()
    late = await world.write()
    world.clock.advance(days=1)
    await world.sender().send_due()
    assert [await world.is_open(one) for one in (number, late)] == [False, False]
    assert phone.requests == 0


async def test_nothing_is_sent_to_a_session_that_ended(world: World) -> None:
    phone = world.service.browser("phone")
    await world.subscribe(phone)
    number = await world.write()
    await world.matches.people.sessions.end(ALICE.account)
    await world.sender().send_due()
    assert (phone.requests, await world.is_open(number)) == (0, False)


async def test_killed_process_repeats_a_push_at_most_with_the_same_topic_and_id(world: World) -> None:
    phone = world.service.browser("phone")
    await world.subscribe(phone)
    await world.write()
    killed = world.sender()
    (claimed,) = await world.matches.announcements.claim_due(PUSH, now=world.clock())
    message = await world.compose(claimed, NOON)
    assert message is not None
    browsers = await world.matches.people.push.list_for(ALICE.account, now=NOON)
    await killed._push_to_all(browsers, message, NOON)
    await world.sender().send_due()
    assert counts(phone) == [1]  # it is claimed
    world.clock.advance(seconds=LEASE.total_seconds())
    await world.sender().send_due()
    assert counts(phone) == [2]
    assert {(one.topic, one.payload["id"]) for one in phone.received} == {(f"m{world.match}", message.id)}
    assert [one.payload for one in phone.waiting.values()] == [phone.received[1].payload]


async def test_two_processes_send_a_notice_once(world: World) -> None:
    phone = world.service.browser("phone")
    await world.subscribe(phone)
    await world.write()
    await asyncio.gather(world.sender().send_due(), world.sender().send_due())
    assert counts(phone) == [1]


async def test_browser_knows_when_it_was_used(world: World) -> None:
    await world.subscribe(world.service.browser("phone"))
    await world.write()
    await world.sender().send_due()
    (stored,) = await world.matches.people.push.list_for(ALICE.account, now=NOON)
    assert replace(stored).used_at == NOON


async def test_clock_that_moves_on_between_two_looks_holds_nothing_up(world: World) -> None:
    phone = world.service.browser("phone")
    await world.subscribe(phone)
    await world.write()

    def tick() -> datetime:
        world.clock.advance(milliseconds=1)
        return world.clock()

    await world.sender(tick).send_due()
    assert phone.requests == 1
