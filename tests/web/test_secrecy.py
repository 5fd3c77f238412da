"""Secrecy: nothing hidden occurs in any page, file or stream that a spectator receives during a game."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from matches import MatchState
from tests.discord_server.waiting import PATIENCE
from tests.web.environment import ALICE, BOB, FISTS, SECRET

if TYPE_CHECKING:
    import aiohttp

    from matches import MatchId, Person
    from tests.web.environment import Visitor, WebEnvironment

FILES = ("board.png", "board.svg", "game.gif", "record.txt")
QUERIES = (
    "",
    "?part=board",
    "?turn=0",
    "?part=board&turn=0",
    "?side=white&theme=clear",
    "?part=seat",
    "?answers=A1",
    "/analysis",
)


@dataclass(slots=True)
class EavesdroppingVisitor:
    """A visitor without a seat who repeatedly reads every public URL, headers included."""

    visitor: Visitor
    received: list[bytes] = field(default_factory=list)
    streams: list[asyncio.Task[None]] = field(default_factory=list)
    has_received: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, match: MatchId) -> None:
        """Open the event streams of a match, with either side at the bottom."""
        for query in ("", "?side=white"):
            stream = await self.visitor.open_stream(f"/m/{match}/events{query}")
            self.streams.append(asyncio.create_task(self._follow(stream)))

    async def read_everything(self, match: MatchId, *more: str) -> None:
        """Read every URL of a match, and the paths in `more`."""
        paths = ["/", "/new", *(f"/m/{match}{query}" for query in QUERIES), f"/embed/{match}"]
        paths += [f"/m/{match}/{name}" for name in FILES]
        paths += [f"/m/{match}/seat/{seat}" for seat in ("1", "2", "both")]
        for path in (*paths, *more):
            async with self.visitor.session.get(f"{self.visitor.base}{path}") as answer:
                self.received.append(str(answer.raw_headers).encode() + await answer.read())

    def find_hidden(self, *hidden: str) -> list[str]:
        """Return which of these texts occur in anything received so far."""
        return [text for text in hidden if any(text.encode() in data for data in self.received)]

    async def stop_and_find_hidden(self, *hidden: str) -> list[str]:
        """Stop reading, and return which of these texts occur in anything received."""
        for stream in self.streams:
            stream.cancel()
        await asyncio.gather(*self.streams, return_exceptions=True)
        return self.find_hidden(*hidden)

    async def wait_for_text(self, text: str) -> None:
        """Wait until a text was received."""
        async with asyncio.timeout(PATIENCE):
            while not any(text.encode() in data for data in self.received):
                self.has_received.clear()
                await self.has_received.wait()

    async def _follow(self, stream: aiohttp.ClientResponse) -> None:
        async for line in stream.content:
            self.received.append(line)
            self.has_received.set()


@pytest.mark.long
async def test_pick_is_hidden_until_both_have_picked(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS)
    spectator = EavesdroppingVisitor(visitor)
    await spectator.follow(match.id)
    await spectator.read_everything(match.id)
    async with env.visitor() as alice:
        seat = await env.take_seat(alice, match.id, ALICE)
        await alice.post(f"{seat}/pick", data={"pick": "LL"})
        own = await alice.get(seat)
    async with env.visitor() as bob:
        across = await env.take_seat(bob, match.id, BOB)
        other = await bob.get(across)
    await spectator.wait_for_text("Still to pick: Bob")
    await spectator.read_everything(match.id)
    assert await spectator.stop_and_find_hidden("both left", "Adjacent", ">LL<", '"LL"', "=LL") == []
    assert "both left" not in own.visible_text
    # The opponent can choose among all picks and sees none marked.
    assert other.visible_text.count("both left") == other.visible_text.count("both right") == 1
    assert "checked" not in other.text


async def test_revealed_picks_are_public(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS)
    spectator = EavesdroppingVisitor(visitor)
    for person, pick in ((ALICE, "LL"), (BOB, "RR")):
        await env.matches.pick(match.id, person, pick, now=env.clock())
    await spectator.read_everything(match.id)
    assert await spectator.stop_and_find_hidden("both left", "both right") == ["both left", "both right"]


@pytest.mark.long
async def test_whole_game_reveals_nothing_private(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS)
    spectator = EavesdroppingVisitor(visitor)
    await spectator.follow(match.id)
    links = [await env.seat_link(match.id, person) for person in (ALICE, BOB)]
    async with env.visitor() as alice, env.visitor() as bob:
        visitors = MatchVisitors(env, match.id, spectator, {ALICE: alice, BOB: bob})
        await visitors.take_seats()
        await check_picks_stay_hidden(visitors)
        await write_private_data(visitors)
        await check_lines_stay_hidden(visitors)
        await play_to_end(visitors)
        await spectator.read_everything(match.id, *(link.removeprefix(env.base)[:-1] for link in links))
        jars = [cookie for player in (alice, bob) for cookie in player.session.cookie_jar]
        cookies = [cookie.value for cookie in jars if cookie.key == "seat"]
        assert len(cookies) == 2
        keys = [*cookies, *(link.rpartition("/")[2] for link in links), SECRET]
        assert (
            await spectator.stop_and_find_hidden(
                *keys, *PRIVATE_NOTES.values(), ANALYSIS_LINE, ALICE.account, BOB.account
            )
            == []
        )
        assert spectator.find_hidden("Alice") == ["Alice"]
    # The players' own pages contain no tokens, which are only in cookies, and nothing private of the other.
    for player, opponent in ((alice, BOB), (bob, ALICE)):
        pages = "".join(answer.text for answer in player.responses)
        assert not [one for one in (*keys, PRIVATE_NOTES[opponent], ANALYSIS_LINE) if one in pages]


@dataclass(slots=True)
class MatchVisitors:
    """Two players with a browser each, and an eavesdropping spectator."""

    env: WebEnvironment
    match: MatchId
    spectator: EavesdroppingVisitor
    browsers: dict[Person, Visitor]
    seats: dict[Person, str] = field(default_factory=dict)

    async def take_seats(self) -> None:
        """Open the seats of both players."""
        for person, browser in self.browsers.items():
            self.seats[person] = await self.env.take_seat(browser, self.match, person)

    async def act(self, person: Person, action: str, **data: str) -> None:
        """Post an action at a player's seat and follow the redirect."""
        await self.browsers[person].post(f"{self.seats[person]}/{action}", data=data)

    async def read_everything(self, text: str) -> None:
        """Wait until the streams have sent a text, then read everything as spectator and as players."""
        await self.spectator.wait_for_text(text)
        await self.spectator.read_everything(self.match)
        for person, browser in self.browsers.items():
            await browser.get(self.seats[person])
            await browser.get(f"{self.seats[person]}/analysis")

    def find_hidden(self, *hidden: str) -> list[str]:
        """Return which of these texts the spectator or a player has received."""
        pages = [answer.text for browser in self.browsers.values() for answer in browser.responses]
        return [
            *self.spectator.find_hidden(*hidden),
            *(text for text in hidden if any(text in page for page in pages)),
        ]


PRIVATE_NOTES = {ALICE: "a plan that nobody is to read", BOB: "what I think of that plan"}
ANALYSIS_LINE = "G1-G4 A2-B3 and so on"
LINES = (
    (("D1-D4",), ("A2-B3",), ("F1-F4",), ("A4-B4",)),
    (("D1-D4",), ("A2-B3",), ("G1-G4",), ("A5-B5",)),
)
SAVED_MOVES = ("A4-B4", "A5-B5", "F1-F4", "G1-G4")


async def check_picks_stay_hidden(visitors: MatchVisitors) -> None:
    """Let both players pick; the first pick is hidden until both are in."""
    await visitors.act(ALICE, "pick", pick="RR")
    await visitors.spectator.wait_for_text("Still to pick: Bob")
    await visitors.spectator.read_everything(visitors.match)
    assert visitors.spectator.find_hidden("both right", "Facing", '"RR"', "=RR") == []
    await visitors.act(BOB, "pick", pick="RR")
    await visitors.read_everything("Alice (Black) to play.")


async def write_private_data(visitors: MatchVisitors) -> None:
    """Save private notes, a line of analysis, and conditional moves."""
    matches, now = visitors.env.matches, visitors.env.clock()
    for person, text in PRIVATE_NOTES.items():
        await matches.people.notes.save(visitors.match, person, text, now=now)
    await matches.people.analysis_lines.save(ANALYSIS_LINE, ALICE, now=now)
    for line in LINES:
        await matches.conditionals.add_line(visitors.match, BOB, line, seen_revision=0, now=now)


async def check_lines_stay_hidden(visitors: MatchVisitors) -> None:
    """Let a conditional move be played; the other lines stay hidden, also after a preview and a takeback."""
    await visitors.act(ALICE, "play", board="0", text="D1-D4")
    await visitors.read_everything("A2-B3")
    assert (await visitors.env.view(visitors.match)).ply == 2
    assert visitors.find_hidden(*SAVED_MOVES) == []
    async with visitors.env.visitor() as phone:
        seat = await visitors.env.take_seat(phone, visitors.match, ALICE)
        assert "Where does E1 go?" in (await phone.get(f"{seat}?answers=E1")).visible_text
        assert "Black moves E1-E4" in (await phone.get(f"{seat}?text=E1-E4")).visible_text
    await visitors.act(ALICE, "offer", board="2", kind="takeback")
    await visitors.read_everything("asks for a takeback")
    offer = (await visitors.env.view(visitors.match)).pending_offer
    assert offer is not None
    await visitors.act(BOB, "answer", offer=str(offer.id), answer="accept")
    await visitors.read_everything("id: 0.1.")
    assert (await visitors.env.view(visitors.match)).ply == 0
    assert visitors.find_hidden(*SAVED_MOVES, "E1-E4", "Where does") == []


async def play_to_end(visitors: MatchVisitors) -> None:
    """Play legal moves until the match is over."""
    view = await visitors.env.view(visitors.match)
    while view.state is MatchState.PLAYING:
        assert view.to_move is not None
        assert view.position is not None
        move = str(view.position.legal_moves()[-1])
        await visitors.act(view.to_move.person, "play", board=str(view.revision), text=move)
        view = await visitors.env.view(visitors.match)
        if view.ply % 12 == 1:
            await visitors.spectator.read_everything(visitors.match)
    await visitors.spectator.wait_for_text(f"id: {view.ply}.")
