"""A website on a loopback address over a real database, its players, and visitors who send requests."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import TYPE_CHECKING, Any

import aiohttp

from matches import (
    Announcement,
    Audience,
    Database,
    Grant,
    Matches,
    MatchId,
    MatchView,
    Person,
    ShownNames,
    Terms,
)
from matches.times import to_millis
from matches.values import ACTIVE_STATES
from metrics.address import bind
from runtime.settings import parse_settings
from storage.people import people
from tests.games import GAMES, READER_TEXTS, RULE_BOOKS
from tests.marks import IS_MARKED, remove_marks, report_faults
from tests.web.marks import find_page_faults
from web import app
from web.context import CONTEXT
from web.server.limits import RequestLimiter, StreamLimiter
from web.settings import WebSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from aiohttp import web

    from engine.game import Game, OptionValue, Side
    from i18n import Texts
    from rules.content import RuleBooks
    from web.context import WebContext
    from web.match.cache import CachedMatch
    from web.server.connections import ConnectionLimiter

SERVER, CHANNEL = "test:server", "test:place"
ALICE, BOB, CAROL = (Person(f"test:{name.lower()}", name) for name in ("Alice", "Bob", "Carol"))
PAGES = ("text/html", "application/atom+xml")
DOCUMENT = re.compile(r"/(privacy|terms)\b")  # in Markdown files, not in the catalogue
SECRET = "a secret for tests, long enough to be one"  # noqa: S105 - it opens nothing
SMALL: dict[str, OptionValue] = {"size": 9}
FISTS: dict[str, OptionValue] = {"size": 9, "setup": "fists"}
FREE: dict[str, OptionValue] = {"size": 9, "setup": "free"}
UNRATED = Terms(rated=False)
OWN_SITE = {"Sec-Fetch-Site": "same-origin"}
# A website with these settings offers to sign in, and notifications, and knows sessions; no Discord answers.
SIGN_IN_SETTINGS: dict[str, Any] = {
    "discord_client_id": "1" * 18,
    "discord_client_secret": "made-up_client-secret",
    "mail_from": "Rayuela <play@example.org>",
}


@dataclass(slots=True)
class ManualClock:
    """The time of a test; it only changes when the test advances it."""

    time: datetime = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def advance(self, **amount: float) -> None:
        """Advance the time by the arguments of a timedelta."""
        self.time += timedelta(**amount)


@dataclass(slots=True)
class PageResponse:
    """A response with its complete body."""

    status: int
    headers: Mapping[str, str]
    text: str
    url: str

    @property
    def visible_text(self) -> str:
        """The text with entities unescaped and white space collapsed; tags and attributes are kept."""
        return unescape(re.sub(r"\s+", " ", self.text))


@dataclass(slots=True)
class Visitor:
    """A browser that keeps cookies and runs no scripts."""

    base: str
    session: aiohttp.ClientSession
    responses: list[PageResponse] = field(default_factory=list)
    streams: list[aiohttp.ClientResponse] = field(default_factory=list)

    async def get(self, path: str, **more: Any) -> PageResponse:
        return await self.request("GET", path, **more)

    async def post(self, path: str, headers: Mapping[str, str] = OWN_SITE, **more: Any) -> PageResponse:
        return await self.request("POST", path, headers=headers, **more)

    async def open_stream(self, path: str, **more: Any) -> aiohttp.ClientResponse:
        """Open a response that does not end; it is closed at the latest when the visitor is."""
        response = await self.session.get(f"{self.base}{path}", **more)
        self.streams.append(response)
        return response

    async def request(self, method: str, path: str, **more: Any) -> PageResponse:
        url = path if path.startswith("http") else f"{self.base}{path}"
        async with self.session.request(method, url, **more) as response:
            body = await response.read()
            text = body.decode("utf-8", "replace")
            if IS_MARKED:
                if response.content_type in PAGES and not DOCUMENT.search(url):
                    report_faults(url, find_page_faults(text))
                text = remove_marks(text)
            answer = PageResponse(response.status, response.headers, text, response.url.raw_path_qs)
        self.responses.append(answer)
        return answer


@dataclass(slots=True)
class WebEnvironment:
    """A running website, its matches, and the announcements that it has sent to other front ends."""

    base: str
    database: Database
    matches: Matches
    application: web.Application
    clock: ManualClock
    announced: list[Announcement] = field(default_factory=list)

    @property
    def context(self) -> WebContext:
        return self.application[CONTEXT]

    @asynccontextmanager
    async def visitor(self, local: str | None = None) -> AsyncIterator[Visitor]:
        """Return a new visitor; `local` is the loopback address of the client."""
        connector = aiohttp.TCPConnector(local_addr=None if local is None else (local, 0))
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(connector=connector, cookie_jar=jar) as session:
            visitor = Visitor(self.base, session)
            yield visitor
            for stream in visitor.streams:
                stream.close()

    async def start_match(
        self,
        options: Mapping[str, OptionValue] | None = None,
        game: str = "morelli",
        *,
        people: tuple[Person, Person] = (ALICE, BOB),
        server: str = SERVER,
        terms: Terms = UNRATED,
        audience: Audience | None = Audience.NAMES,
    ) -> MatchView:
        """Start a match in which the first of `people` moves first, by default a small one of Morelli.

        With None as its audience the server and the channel decide who may see it.
        """
        challenge_update = await self.matches.challenges.create(
            people[0],
            to=people[1],
            server=server,
            channel=CHANNEL,
            game=game,
            options=SMALL if options is None else options,
            colour=GAMES[game].sides[0],
            terms=terms,
            audience=audience,
            now=self.clock(),
        )
        return (
            await self.matches.challenges.accept(challenge_update.challenge.id, people[1], now=self.clock())
        ).match

    async def play(self, match: MatchId, *moves: str) -> MatchView:
        """Play moves for the players to move, as another front end does; without texts any legal move."""
        view = await self.matches.view(match, now=self.clock())
        for text in moves or (None,):
            assert view.to_move is not None
            assert view.position is not None
            move_text = str(view.position.legal_moves()[0]) if text is None else text
            update = await self.matches.play(match, view.to_move.person, [move_text], now=self.clock())
            view = update.match
        return view

    async def list_active(self) -> list[MatchView]:
        """Return the matches that are not over, the latest changed first."""
        found = await self.matches.public_queries.find_matches(ACTIVE_STATES, limit=100)
        return [await self.view(one.id) for one in found.matches]

    async def view(self, match: MatchId) -> MatchView:
        return await self.matches.view(match, now=self.clock())

    async def cached(self, match: MatchId) -> CachedMatch:
        """Return what the website has cached of a match as it is now, with the names that its players see."""
        fingerprint = (await self.matches.public_queries.get_fingerprints([match]))[match]
        return await self.context.cache.get_at(match, fingerprint, ShownNames.REAL)

    async def seat_link(self, match: MatchId, person: Person) -> str:
        """Return a link to a person's seat."""
        return await app.WebSeatLinks(self.context).seat_url(await self.view(match), person)

    async def start_seat_session(self, person: Person) -> str:
        """Sign a person in, without Discord, and return the secret for the cookie `session`."""
        grant, now = Grant(frozenset(), "token"), to_millis(self.clock())
        async with self.database.transaction() as connection:
            await people.ensure(connection, person.account, person.name, now)
        return await self.matches.people.sessions.start(
            person, grant, device="Firefox on Linux", now=self.clock()
        )

    async def take_seat(self, visitor: Visitor, match: MatchId, person: Person) -> str:
        """Open the link to a person's seat in a visitor's browser, and return the path of the seat."""
        answer = await visitor.get(await self.seat_link(match, person))
        assert answer.status == 200
        return answer.url


@asynccontextmanager
async def running_web(
    database: Database,
    *,
    clock: ManualClock | None = None,
    allow_local_games: bool = False,
    has_mail: bool = False,
    has_computer: bool = False,
    request_limiter: RequestLimiter | None = None,
    stream_limiter: StreamLimiter | None = None,
    connection_limiter: ConnectionLimiter | None = None,
    discord_connector: aiohttp.BaseConnector | None = None,
    announce: Callable[[Announcement], Awaitable[None]] | None = None,
    texts: Texts = READER_TEXTS,
    games: Mapping[str, Game] = GAMES,
    rule_books: RuleBooks = RULE_BOOKS,
    **settings: Any,
) -> AsyncIterator[WebEnvironment]:
    """Run a website over an open database on a free port. The default rate limit is never reached."""
    announced: list[Announcement] = []

    async def record(announcement: Announcement) -> None:
        announced.append(announcement)

    web_settings = parse_settings(WebSettings, {"web_port": "0", **settings})
    now = clock or ManualClock()
    with bind(web_settings.web_host, web_settings.web_port) as listener:
        application = app.build(
            database,
            web_settings,
            SECRET,
            games=games,
            texts=texts,
            rule_books=rule_books,
            port=listener.getsockname()[1],
            now=now,
            announce=announce or record,
            allow_local_games=allow_local_games,
            has_mail=has_mail,
            has_computer=lambda: has_computer,
            request_limiter=RequestLimiter(rate=1e6, burst=10**6)
            if request_limiter is None
            else request_limiter,
            stream_limiter=stream_limiter,
            connection_limiter=connection_limiter,
            discord_connector=discord_connector,
        )
        async with app.serve(application, listener):
            base = f"http://127.0.0.1:{listener.getsockname()[1]}"
            yield WebEnvironment(base, database, Matches(database, games=games), application, now, announced)


def first_side(game: str) -> Side:
    return GAMES[game].sides[0]
