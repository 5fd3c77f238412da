"""A table on a loopback address over a real database, people at it, and the requests that they make."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING, Any

import aiohttp

from engine import GAMES
from matches import Announcement, Matches, MatchId, MatchView, Person, Store, Terms
from web import app
from web.house import HOUSE
from web.limits import Requests, Streams
from web.settings import WebSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from aiohttp import web

    from engine.game import Setting, Side
    from web.house import House

SERVER, PLACE = "test:server", "test:place"
ALICE, BOB, CAROL = (Person(f"test:{name.lower()}", name) for name in ("Alice", "Bob", "Carol"))
SECRET = "a secret for tests, long enough to be one"  # noqa: S105 - it opens nothing
SMALL: dict[str, Setting] = {"size": 9}
FISTS: dict[str, Setting] = {"size": 9, "setup": "fists"}
FREE: dict[str, Setting] = {"size": 9, "setup": "free"}
UNRATED = Terms(rated=False)
OWN_SITE = {"Sec-Fetch-Site": "same-origin"}


@dataclass(slots=True)
class Clock:
    """The time of a test; it stands still unless it is moved."""

    at: datetime = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def pass_(self, **amount: float) -> None:
        self.at += timedelta(**amount)


@dataclass(slots=True)
class Answer:
    """What came back, read to its end."""

    status: int
    headers: Mapping[str, str]
    text: str
    url: str

    @property
    def words(self) -> str:
        """What a person reads of it, and what stands in attributes."""
        return unescape(re.sub(r"\s+", " ", self.text))


@dataclass(slots=True)
class Visitor:
    """Somebody with a browser that keeps cookies and runs no script."""

    base: str
    session: aiohttp.ClientSession
    seen: list[Answer] = field(default_factory=list)
    streams: list[aiohttp.ClientResponse] = field(default_factory=list)

    async def get(self, path: str, **more: Any) -> Answer:
        return await self.ask("GET", path, **more)

    async def post(self, path: str, headers: Mapping[str, str] = OWN_SITE, **more: Any) -> Answer:
        return await self.ask("POST", path, headers=headers, **more)

    async def open(self, path: str, **more: Any) -> aiohttp.ClientResponse:
        """Begin to read an answer that does not end; it is closed at the latest when the visitor leaves."""
        response = await self.session.get(f"{self.base}{path}", **more)
        self.streams.append(response)
        return response

    async def ask(self, method: str, path: str, **more: Any) -> Answer:
        url = path if path.startswith("http") else f"{self.base}{path}"
        async with self.session.request(method, url, **more) as response:
            body = await response.read()
            text = body.decode("utf-8", "replace")
            answer = Answer(response.status, response.headers, text, response.url.raw_path_qs)
        self.seen.append(answer)
        return answer


@dataclass(slots=True)
class Stage:
    """The table, its matches, and everything that it has had told elsewhere."""

    base: str
    store: Store
    matches: Matches
    application: web.Application
    clock: Clock
    told: list[Announcement] = field(default_factory=list)

    @property
    def house(self) -> House:
        return self.application[HOUSE]

    @asynccontextmanager
    async def visitor(self, local: str | None = None) -> AsyncIterator[Visitor]:
        """Give somebody new; `local` is the loopback address that they come from."""
        connector = aiohttp.TCPConnector(local_addr=None if local is None else (local, 0))
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(connector=connector, cookie_jar=jar) as session:
            somebody = Visitor(self.base, session)
            yield somebody
            for stream in somebody.streams:
                stream.close()

    async def begin(
        self,
        options: Mapping[str, Setting] | None = None,
        game: str = "morelli",
        *,
        people: tuple[Person, Person] = (ALICE, BOB),
        server: str = SERVER,
        terms: Terms = UNRATED,
    ) -> MatchView:
        """Begin a match that Alice moves first in, by default a small one of Morelli."""
        step = await self.matches.challenge(
            people[0],
            to=people[1],
            server=server,
            place=PLACE,
            game=game,
            options=SMALL if options is None else options,
            colour=GAMES[game].sides[0],
            terms=terms,
            now=self.clock(),
        )
        return (await self.matches.accept(step.challenge.id, people[1], now=self.clock())).match

    async def play(self, match: MatchId, *texts: str) -> MatchView:
        """Have whoever is to move play each text in turn, as in another front end; without texts any move."""
        view = await self.matches.view(match, now=self.clock())
        for text in texts or (None,):
            assert view.to_move is not None
            assert view.position is not None
            chosen = str(view.position.legal_moves()[0]) if text is None else text
            turn = await self.matches.play(match, view.to_move.person, [chosen], now=self.clock())
            view = turn.match
        return view

    async def view(self, match: MatchId) -> MatchView:
        return await self.matches.view(match, now=self.clock())

    async def link(self, match: MatchId, person: Person) -> str:
        """Give a link to a person's seat."""
        return await app.Doors(self.house).seat(await self.view(match), person)

    async def sit(self, visitor: Visitor, match: MatchId, person: Person) -> str:
        """Have a visitor take a person's seat, and give its address."""
        answer = await visitor.get(await self.link(match, person))
        assert answer.status == 200
        return answer.url


@asynccontextmanager
async def table_over(
    store: Store,
    *,
    clock: Clock | None = None,
    open_house: bool = False,
    requests: Requests | None = None,
    streams: Streams | None = None,
    tell: Callable[[Announcement], Awaitable[None]] | None = None,
    **settings: Any,
) -> AsyncIterator[Stage]:
    """Serve a table over an open store at a port of its own."""
    told: list[Announcement] = []

    async def note(announcement: Announcement) -> None:
        told.append(announcement)

    known = WebSettings.model_validate({"web_port": 0, **settings})
    time = clock or Clock()
    with app.listen(known) as taken:
        application = app.build(
            store,
            known,
            SECRET,
            port=taken.getsockname()[1],
            now=time,
            tell=tell or note,
            open_house=open_house,
            requests=Requests(rate=1e6, burst=10**6) if requests is None else requests,
            streams=streams,
        )
        async with app.serving(application, taken):
            base = f"http://127.0.0.1:{taken.getsockname()[1]}"
            yield Stage(base, store, Matches(store), application, time, told)


def first_side(game: str) -> Side:
    return GAMES[game].sides[0]
