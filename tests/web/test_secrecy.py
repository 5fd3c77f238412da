"""A spectator's eyes: every answer and stream of a whole game is read, and nothing hidden is there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from matches import MatchState
from tests.web.environment import ALICE, BOB, FISTS, SECRET

if TYPE_CHECKING:
    import aiohttp

    from matches import MatchId, Person
    from tests.web.environment import Visitor, WebEnvironment

FILES = ("board.png", "board.svg", "game.gif", "record.txt")
QUERIES = (
    "",
    "?part=stage",
    "?turn=0",
    "?part=stage&turn=0",
    "?side=white&theme=clear",
    "?part=seat",
    "?answers=A1",
)


@dataclass(slots=True)
class EavesdroppingVisitor:
    """Somebody without a seat who reads all that there is, bytes and headers, again and again."""

    visitor: Visitor
    received: list[bytes] = field(default_factory=list)
    streams: list[asyncio.Task[None]] = field(default_factory=list)
    has_received: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, match: MatchId) -> None:
        """Follow the news from now on, from both sides."""
        for query in ("", "?side=white"):
            stream = await self.visitor.open_stream(f"/m/{match}/events{query}")
            self.streams.append(asyncio.create_task(self._follow(stream)))

    async def read_everything(self, match: MatchId, *more: str) -> None:
        """Read everything that can be asked for now."""
        paths = ["/", "/new", *(f"/m/{match}{query}" for query in QUERIES)]
        paths += [f"/m/{match}/{name}" for name in FILES]
        paths += [f"/m/{match}/seat/{seat}" for seat in ("1", "2", "both")]
        for path in (*paths, *more):
            async with self.visitor.session.get(f"{self.visitor.base}{path}") as answer:
                self.received.append(str(answer.raw_headers).encode() + await answer.read())

    def find_hidden(self, *hidden: str) -> list[str]:
        """Tell which of these texts stand anywhere in what was read so far."""
        return [text for text in hidden if any(text.encode() in one for one in self.received)]

    async def stop_and_find_hidden(self, *hidden: str) -> list[str]:
        """Stop reading, and tell which of these texts stand anywhere in it."""
        for stream in self.streams:
            stream.cancel()
        await asyncio.gather(*self.streams, return_exceptions=True)
        return self.find_hidden(*hidden)

    async def wait_for_text(self, text: str) -> None:
        """Wait until the streams have told something."""
        async with asyncio.timeout(20):
            while not any(text.encode() in one for one in self.received):
                self.has_received.clear()
                await self.has_received.wait()

    async def _follow(self, stream: aiohttp.ClientResponse) -> None:
        async for line in stream.content:
            self.received.append(line)
            self.has_received.set()


async def test_pick_is_seen_by_nobody_before_both_are_in(env: WebEnvironment, visitor: Visitor) -> None:
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
    # The other person is offered all picks alike, and told of none.
    assert other.visible_text.count("both left") == other.visible_text.count("both right") == 1
    assert "checked" not in other.text


async def test_revealed_picks_are_seen_by_all(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS)
    spectator = EavesdroppingVisitor(visitor)
    for person, pick in ((ALICE, "LL"), (BOB, "RR")):
        await env.matches.pick(match.id, person, pick, now=env.clock())
    await spectator.read_everything(match.id)
    assert await spectator.stop_and_find_hidden("both left", "both right") == ["both left", "both right"]


async def test_whole_game_shows_nobody_what_is_for_another(env: WebEnvironment, visitor: Visitor) -> None:
    match = await env.start_match(FISTS)
    spectator = EavesdroppingVisitor(visitor)
    await spectator.follow(match.id)
    links = [await env.seat_link(match.id, person) for person in (ALICE, BOB)]
    async with env.visitor() as alice, env.visitor() as bob:
        table = MatchVisitors(env, match.id, spectator, {ALICE: alice, BOB: bob})
        await table.take_seats()
        await check_picks_stay_hidden(table)
        await write_private_data(table)
        await check_lines_stay_hidden(table)
        await play_to_end(table)
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
    # The players themselves get no key in a page either, only in the cookie; and nothing of each other.
    for player in (alice, bob):
        pages = "".join(answer.text for answer in player.responses)
        assert not [one for one in (*keys, *PRIVATE_NOTES.values(), ANALYSIS_LINE) if one in pages]


@dataclass(slots=True)
class MatchVisitors:
    """Two people at the table, with a browser each, and somebody who reads along."""

    env: WebEnvironment
    match: MatchId
    spectator: EavesdroppingVisitor
    browsers: dict[Person, Visitor]
    seats: dict[Person, str] = field(default_factory=dict)

    async def take_seats(self) -> None:
        """Have both take their seats."""
        for person, browser in self.browsers.items():
            self.seats[person] = await self.env.take_seat(browser, self.match, person)

    async def act(self, person: Person, action: str, **data: str) -> None:
        """Do something at a seat; it is led back to the board."""
        await self.browsers[person].post(f"{self.seats[person]}/{action}", data=data)

    async def read_everything(self, text: str) -> None:
        """Have the streams tell something, and everybody read all that there is then."""
        await self.spectator.wait_for_text(text)
        await self.spectator.read_everything(self.match)
        for person, browser in self.browsers.items():
            await browser.get(self.seats[person])

    def find_hidden(self, *hidden: str) -> list[str]:
        """Tell which of these texts anybody has read."""
        seen = [answer.text for browser in self.browsers.values() for answer in browser.responses]
        return [
            *self.spectator.find_hidden(*hidden),
            *(one for one in hidden if any(one in text for text in seen)),
        ]


PRIVATE_NOTES = {ALICE: "a plan that nobody is to read", BOB: "what I think of that plan"}
ANALYSIS_LINE = "G1-G4 A2-B3 and so on"
LINES = (
    (("D1-D4",), ("A2-B3",), ("F1-F4",), ("A4-B4",)),
    (("D1-D4",), ("A2-B3",), ("G1-G4",), ("A5-B5",)),
)
SAVED_MOVES = ("A4-B4", "A5-B5", "F1-F4", "G1-G4")


async def check_picks_stay_hidden(table: MatchVisitors) -> None:
    """Both close their fists; what the first holds is seen when both are in."""
    await table.act(ALICE, "pick", pick="RR")
    await table.spectator.wait_for_text("Still to pick: Bob")
    await table.spectator.read_everything(table.match)
    assert table.spectator.find_hidden("both right", "Facing", '"RR"', "=RR") == []
    await table.act(BOB, "pick", pick="RR")
    await table.read_everything("Alice (Black) to play.")


async def write_private_data(table: MatchVisitors) -> None:
    """Write notes, put a line of an analysis away, and settle turns beforehand."""
    matches, now = table.env.matches, table.env.clock()
    for person, text in PRIVATE_NOTES.items():
        await matches.notes.save(table.match, person, text, now=now)
    await matches.analysis_lines.save(ANALYSIS_LINE, ALICE, now=now)
    for line in LINES:
        await matches.conditionals.add_line(table.match, BOB, line, seen_revision=0, now=now)


async def check_lines_stay_hidden(table: MatchVisitors) -> None:
    """Have a settled turn answer; a turn in the making and a takeback bring nothing else to light."""
    await table.act(ALICE, "play", board="0", text="D1-D4")
    await table.read_everything("A2-B3")
    assert (await table.env.view(table.match)).ply == 2
    assert table.find_hidden(*SAVED_MOVES) == []
    async with table.env.visitor() as phone:
        seat = await table.env.take_seat(phone, table.match, ALICE)
        assert "Where does E1 go?" in (await phone.get(f"{seat}?answers=E1")).visible_text
        assert "Black E1-E4" in (await phone.get(f"{seat}?text=E1-E4")).visible_text
    await table.act(ALICE, "offer", board="2", kind="takeback")
    await table.read_everything("asks for a takeback")
    offer = (await table.env.view(table.match)).pending_offer
    assert offer is not None
    await table.act(BOB, "answer", offer=str(offer.id), answer="accept")
    await table.read_everything('"whole":true')
    assert (await table.env.view(table.match)).ply == 0
    assert table.find_hidden(*SAVED_MOVES, "E1-E4", "Where does") == []


async def play_to_end(table: MatchVisitors) -> None:
    """Play whatever can be played until the match is over."""
    view = await table.env.view(table.match)
    while view.state is MatchState.PLAYING:
        assert view.to_move is not None
        assert view.position is not None
        move = str(view.position.legal_moves()[-1])
        await table.act(view.to_move.person, "play", board=str(view.revision), text=move)
        view = await table.env.view(table.match)
        if view.ply % 12 == 1:
            await table.spectator.read_everything(table.match)
    await table.spectator.wait_for_text(f'"last":{view.ply}')
