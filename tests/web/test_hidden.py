"""A spectator's eyes: every answer and stream of a whole game is read, and nothing hidden is there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from matches import MatchState
from tests.web.stage import ALICE, BOB, FISTS, SECRET

if TYPE_CHECKING:
    import aiohttp

    from matches import MatchId
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

    async def finds(self, *hidden: str) -> list[str]:
        """Tell which of these texts stand anywhere in what was read."""
        for stream in self.streams:
            stream.cancel()
        await asyncio.gather(*self.streams, return_exceptions=True)
        return [text for text in hidden if any(text.encode() in one for one in self.read)]

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


async def test_no_key_is_in_anything_that_a_spectator_gets(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    spectator = Spectator(visitor)
    await spectator.watch(match.id)
    links = [await stage.link(match.id, person) for person in (ALICE, BOB)]
    cookies: list[str] = []
    async with stage.visitor() as alice, stage.visitor() as bob:
        players = {ALICE: alice, BOB: bob}
        seats = {person: await stage.sit(players[person], match.id, person) for person in players}
        for player in players.values():
            cookies += [cookie.value for cookie in player.session.cookie_jar]
        view = await stage.view(match.id)
        while view.state is MatchState.PLAYING:
            assert view.to_move is not None
            assert view.position is not None
            person, seat = view.to_move.person, seats[view.to_move.person]
            move = str(view.position.legal_moves()[-1])
            data = {"board": str(view.ply), "text": move}
            await players[person].post(f"{seat}/play", data=data)
            view = await stage.view(match.id)
            if view.ply % 10 == 1:
                await spectator.look(match.id)
        await spectator.told(f'"last":{view.ply}')
        await spectator.look(match.id, *(f"{link.removeprefix(stage.base)[:-1]}" for link in links))
        assert len(cookies) == 2
        hidden = [*cookies, *(link.rpartition("/")[2] for link in links), SECRET]
        assert await spectator.finds(*hidden, ALICE.account, BOB.account) == []
        assert await spectator.finds("Alice") == ["Alice"]
    # The players themselves get no key in a page either, only in the cookie.
    for player in (alice, bob):
        pages = "".join(answer.text for answer in player.seen)
        assert not [one for one in hidden if one in pages]


async def test_question_in_the_making_is_seen_by_its_player_alone(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    spectator = Spectator(visitor)
    await spectator.watch(match.id)
    async with stage.visitor() as alice:
        seat = await stage.sit(alice, match.id, ALICE)
        assert "Black D1-D4" in (await alice.get(f"{seat}?text=D1-D4")).words
        await spectator.look(match.id)
    assert await spectator.finds("D1-D4", "Where does") == []


async def test_what_people_keep_for_themselves_is_seen_by_nobody_else(stage: Stage, visitor: Visitor) -> None:
    match = await stage.begin()
    spectator = Spectator(visitor)
    await spectator.watch(match.id)
    secret = "a plan that nobody is to read"  # noqa: S105 - a note of a player
    lines = [
        (("D1-D4",), ("A2-B3",), ("F1-F4",), ("A4-B4",)),
        (("D1-D4",), ("A2-B3",), ("G1-G4",), ("A5-B5",)),
    ]
    for line in lines:
        await stage.matches.conditionals.keep(match.id, BOB, line, seen_ply=0, now=stage.clock())
    await stage.matches.notes.write(match.id, BOB, secret, now=stage.clock())
    hidden = (secret, "A4-B4", "A5-B5", "F1-F4", "G1-G4")
    async with stage.visitor() as alice, stage.visitor() as bob:
        seats = {one: await stage.sit(who, match.id, one) for one, who in ((ALICE, alice), (BOB, bob))}
        await spectator.look(match.id)
        await alice.post(f"{seats[ALICE]}/play", data={"board": "0", "text": "D1-D4"})
        await spectator.told("A2-B3")
        await spectator.look(match.id)
        await alice.get(seats[ALICE])
        await bob.get(seats[BOB])
        assert (await stage.view(match.id)).ply == 2
        assert await spectator.finds(*hidden) == []
        for player in (alice, bob):
            assert not [one for one in hidden if any(one in answer.text for answer in player.seen)]
