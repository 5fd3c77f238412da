"""A spectator's eyes: every answer and stream of a whole game is read, and nothing hidden is there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from matches import MatchState
from tests.web.stage import ALICE, BOB, FISTS, SECRET

if TYPE_CHECKING:
    import aiohttp

    from matches import MatchId, Person
    from tests.web.stage import Stage, Visitor

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
class Spectator:
    """Somebody without a seat who reads all that there is, bytes and headers, again and again."""

    visitor: Visitor
    read: list[bytes] = field(default_factory=list)
    streams: list[asyncio.Task[None]] = field(default_factory=list)
    heard: asyncio.Event = field(default_factory=asyncio.Event)

    async def watch(self, match: MatchId) -> None:
        """Follow the news from now on, from both sides."""
        for query in ("", "?side=white"):
            stream = await self.visitor.open(f"/m/{match}/events{query}")
            self.streams.append(asyncio.create_task(self._follow(stream)))

    async def look(self, match: MatchId, *more: str) -> None:
        """Read everything that can be asked for now."""
        paths = ["/", "/new", *(f"/m/{match}{query}" for query in QUERIES)]
        paths += [f"/m/{match}/{name}" for name in FILES]
        paths += [f"/m/{match}/seat/{seat}" for seat in ("1", "2", "both")]
        for path in (*paths, *more):
            async with self.visitor.session.get(f"{self.visitor.base}{path}") as answer:
                self.read.append(str(answer.raw_headers).encode() + await answer.read())

    def has(self, *hidden: str) -> list[str]:
        """Tell which of these texts stand anywhere in what was read so far."""
        return [text for text in hidden if any(text.encode() in one for one in self.read)]

    async def finds(self, *hidden: str) -> list[str]:
        """Stop reading, and tell which of these texts stand anywhere in it."""
        for stream in self.streams:
            stream.cancel()
        await asyncio.gather(*self.streams, return_exceptions=True)
        return self.has(*hidden)

    async def told(self, text: str) -> None:
        """Wait until the streams have told something."""
        async with asyncio.timeout(20):
            while not any(text.encode() in one for one in self.read):
                self.heard.clear()
                await self.heard.wait()

    async def _follow(self, stream: aiohttp.ClientResponse) -> None:
        async for line in stream.content:
            self.read.append(line)
            self.heard.set()


async def test_pick_is_seen_by_nobody_before_both_are_in(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin(FISTS)
    spectator = Spectator(visitor)
    await spectator.watch(match.id)
    await spectator.look(match.id)
    async with stage.visitor() as alice:
        seat = await stage.sit(alice, match.id, ALICE)
        await alice.post(f"{seat}/pick", data={"pick": "LL"})
        own = await alice.get(seat)
    async with stage.visitor() as bob:
        across = await stage.sit(bob, match.id, BOB)
        other = await bob.get(across)
    await spectator.told("still to pick: Bob")
    await spectator.look(match.id)
    assert await spectator.finds("both left", "Adjacent", ">LL<", '"LL"', "=LL") == []
    assert "both left" not in own.words
    # The other person is offered all picks alike, and told of none.
    assert other.words.count("both left") == other.words.count("both right") == 1
    assert "checked" not in other.text


async def test_opened_fists_are_seen_by_all(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin(FISTS)
    spectator = Spectator(visitor)
    for person, pick in ((ALICE, "LL"), (BOB, "RR")):
        await stage.matches.pick(match.id, person, pick, now=stage.clock())
    await spectator.look(match.id)
    assert await spectator.finds("both left", "both right") == ["both left", "both right"]


async def test_whole_game_shows_nobody_what_is_for_another(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin(FISTS)
    spectator = Spectator(visitor)
    await spectator.watch(match.id)
    links = [await stage.link(match.id, person) for person in (ALICE, BOB)]
    async with stage.visitor() as alice, stage.visitor() as bob:
        table = Players(stage, match.id, spectator, {ALICE: alice, BOB: bob})
        await table.sit()
        await picks_stay_hidden(table)
        await keep_to_themselves(table)
        await lines_stay_hidden(table)
        await play_to_the_end(table)
        await spectator.look(match.id, *(link.removeprefix(stage.base)[:-1] for link in links))
        jars = [cookie for player in (alice, bob) for cookie in player.session.cookie_jar]
        cookies = [cookie.value for cookie in jars if cookie.key == "seat"]
        assert len(cookies) == 2
        keys = [*cookies, *(link.rpartition("/")[2] for link in links), SECRET]
        assert await spectator.finds(*keys, *KEPT.values(), SKETCH, ALICE.account, BOB.account) == []
        assert spectator.has("Alice") == ["Alice"]
    # The players themselves get no key in a page either, only in the cookie; and nothing of each other.
    for player in (alice, bob):
        pages = "".join(answer.text for answer in player.seen)
        assert not [one for one in (*keys, *KEPT.values(), SKETCH) if one in pages]


@dataclass(slots=True)
class Players:
    """Two people at the table, with a browser each, and somebody who reads along."""

    stage: Stage
    match: MatchId
    spectator: Spectator
    browsers: dict[Person, Visitor]
    seats: dict[Person, str] = field(default_factory=dict)

    async def sit(self) -> None:
        """Have both take their seats."""
        for person, browser in self.browsers.items():
            self.seats[person] = await self.stage.sit(browser, self.match, person)

    async def do(self, person: Person, deed: str, **data: str) -> None:
        """Do something at a seat; it is led back to the board."""
        await self.browsers[person].post(f"{self.seats[person]}/{deed}", data=data)

    async def look(self, told: str) -> None:
        """Have the streams tell something, and everybody read all that there is then."""
        await self.spectator.told(told)
        await self.spectator.look(self.match)
        for person, browser in self.browsers.items():
            await browser.get(self.seats[person])

    def leaks(self, *hidden: str) -> list[str]:
        """Tell which of these texts anybody has read."""
        seen = [answer.text for browser in self.browsers.values() for answer in browser.seen]
        return [*self.spectator.has(*hidden), *(one for one in hidden if any(one in text for text in seen))]


KEPT = {ALICE: "a plan that nobody is to read", BOB: "what I think of that plan"}
SKETCH = "G1-G4 A2-B3 and so on"
LINES = (
    (("D1-D4",), ("A2-B3",), ("F1-F4",), ("A4-B4",)),
    (("D1-D4",), ("A2-B3",), ("G1-G4",), ("A5-B5",)),
)
SETTLED = ("A4-B4", "A5-B5", "F1-F4", "G1-G4")


async def picks_stay_hidden(table: Players) -> None:
    """Both close their fists; what the first holds is seen when both are in."""
    await table.do(ALICE, "pick", pick="RR")
    await table.spectator.told("still to pick: Bob")
    await table.spectator.look(table.match)
    assert table.spectator.has("both right", "Facing", '"RR"', "=RR") == []
    await table.do(BOB, "pick", pick="RR")
    await table.look("Alice (Black) is to move.")


async def keep_to_themselves(table: Players) -> None:
    """Write notes, put a line of an analysis away, and settle turns beforehand."""
    matches, now = table.stage.matches, table.stage.clock()
    for person, text in KEPT.items():
        await matches.notes.write(table.match, person, text, now=now)
    await matches.drawer.put(SKETCH, ALICE, now=now)
    for line in LINES:
        await matches.conditionals.keep(table.match, BOB, line, seen_ply=0, now=now)


async def lines_stay_hidden(table: Players) -> None:
    """Have a settled turn answer; a turn in the making and a takeback bring nothing else to light."""
    await table.do(ALICE, "play", board="0", text="D1-D4")
    await table.look("A2-B3")
    assert (await table.stage.view(table.match)).ply == 2
    assert table.leaks(*SETTLED) == []
    async with table.stage.visitor() as phone:
        seat = await table.stage.sit(phone, table.match, ALICE)
        assert "Where does E1 go?" in (await phone.get(f"{seat}?answers=E1")).words
        assert "Black E1-E4" in (await phone.get(f"{seat}?text=E1-E4")).words
    await table.do(ALICE, "offer", board="2", kind="takeback")
    await table.look("asks to take back")
    offer = (await table.stage.view(table.match)).standing
    assert offer is not None
    await table.do(BOB, "answer", offer=str(offer.id), answer="accept")
    await table.look('"whole":true')
    assert (await table.stage.view(table.match)).ply == 0
    assert table.leaks(*SETTLED, "E1-E4", "Where does") == []


async def play_to_the_end(table: Players) -> None:
    """Play whatever can be played until the match is over."""
    view = await table.stage.view(table.match)
    while view.state is MatchState.PLAYING:
        assert view.to_move is not None
        assert view.position is not None
        move = str(view.position.legal_moves()[-1])
        await table.do(view.to_move.person, "play", board=str(view.stamp), text=move)
        view = await table.stage.view(table.match)
        if view.ply % 12 == 1:
            await table.spectator.look(table.match)
    await table.spectator.told(f'"last":{view.ply}')
