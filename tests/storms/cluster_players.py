"""People who play on a cluster through Discord and through its websites, and browsers that watch them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import aiohttp

from matches import (
    Audience,
    MatchError,
    MatchId,
    MatchState,
    Person,
    StorageUnavailable,
    Terms,
    TimeControl,
)
from tests.storms.bots import insist, is_acknowledged
from tests.web.environment import OWN_SITE
from web.play.tokens import SeatToken, TokenPurpose, TokenSigner

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from matches import Matches, MatchView
    from tests.discord_server import Channel, DiscordServer, Guild, Member

SECRET = "a secret of a cluster, long enough"  # noqa: S105 - it opens nothing
TURN_TIME = timedelta(days=1)
TERMS = Terms(time_control=TimeControl.per_move(TURN_TIME), rated=False)
MAX_THINKING = 0.8  # seconds
PATIENCE = aiohttp.ClientTimeout(total=5)  # of somebody who plays in a browser
STREAM_PATIENCE = aiohttp.ClientTimeout(
    total=None, sock_connect=5, sock_read=25
)  # a comment comes every 20 s
STREAM_BUFFER = 2**22  # bytes
RETRY_SECONDS, RECONNECT_SECONDS = 0.2, 0.5
DISCORD, DIRECT, BOTH_WEBS = "Discord", "direct messages", "both websites at once"


@dataclass(slots=True)
class Journal:
    """What people have asked for and what was acknowledged, by match and ply."""

    attempted: dict[tuple[MatchId, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    acknowledged: dict[MatchId, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    answers: Counter[str] = field(default_factory=Counter)
    """The acknowledged moves by way."""
    answered_at: dict[str, float] = field(default_factory=dict)
    """When the request that was acknowledged last was sent, on the monotonic clock.

    By shard, website and pair.
    """

    @property
    def moves(self) -> int:
        """How many moves were acknowledged."""
        return sum(map(len, self.acknowledged.values()))

    def note(self, match: MatchId, ply: int, move: str, way: str) -> None:
        """Note that a move was acknowledged."""
        self.acknowledged[match][ply] = move
        self.answers[way] += 1


@dataclass(slots=True)
class Pair:
    """Two people who play one match after the other, each move on another way."""

    discord: DiscordServer
    matches: Matches
    journal: Journal
    rng: Random
    guild: Guild
    channel: Channel
    members: tuple[Member, Member]
    websites: Sequence[str]
    is_over: bool = False
    match: MatchId | None = None
    _browsers: dict[str, aiohttp.ClientSession] = field(default_factory=dict)
    _seats: dict[tuple[MatchId, str], str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return " and ".join(one.name for one in self.members)

    @property
    def shard(self) -> str:
        """The shard of their server."""
        return f"shard {(self.guild.id >> 22) % 2}"

    async def play(self) -> None:
        """Play until it is over."""
        ways = (DISCORD, DISCORD, DIRECT, *self.websites, *self.websites, BOTH_WEBS)
        try:
            while not self.is_over:
                view = await self._current()
                if view.to_move is None or view.position is None:
                    self.match = None
                    continue
                move = str(self.rng.choice(view.position.legal_moves()))
                await self._attempt(self.rng.choice(ways), view, view.to_move.person, move)
                await asyncio.sleep(self.rng.uniform(0, MAX_THINKING))
        finally:
            for browser in self._browsers.values():
                await browser.close()

    async def _current(self) -> MatchView:
        if self.match is None:
            self.match = (await insist(self._start)).id
        match = self.match
        return await insist(lambda: self.matches.view(match, now=datetime.now(UTC)))

    async def _start(self) -> MatchView:
        """Start a match without the bot, which finds its announcements in the outbox."""
        first, second = (Person(f"discord:{one.id}", one.name) for one in self.members)
        now, challenges = datetime.now(UTC), self.matches.challenges
        while True:
            made = await challenges.create(
                first,
                to=second,
                server=f"discord:{self.guild.id}",
                channel=f"discord:{self.channel.id}",
                game="morelli",
                options={"size": 9},
                terms=TERMS,
                audience=Audience.NAMES,
                now=now,
            )
            with suppress(MatchError):  # a repetition: it was accepted although the commit seemed to fail
                return (await challenges.accept(made.challenge.id, second, now=now)).match

    async def _attempt(self, way: str, view: MatchView, person: Person, move: str) -> None:
        """Ask for a move, and note whether it was acknowledged."""
        ply, asked_at = view.ply + 1, time.monotonic()
        self.journal.attempted[view.id, ply].add(move)
        if way in {DISCORD, DIRECT}:
            front_end = self.shard if way == DISCORD else "shard 0"
            answers = {front_end: await self._command(way, view, person, move)}
        else:
            websites = self.websites if way == BOTH_WEBS else [way]
            played = await asyncio.gather(*(self._post(one, view, person, move) for one in websites))
            answers = dict(zip(websites, played, strict=True))
        for front_end, is_played in answers.items():
            if is_played:
                self.journal.note(view.id, ply, move, way)
                self.journal.answered_at |= {front_end: asked_at, self.name: asked_at}
        if not any(answers.values()):
            await asyncio.sleep(RETRY_SECONDS)

    async def _command(self, way: str, view: MatchView, person: Person, move: str) -> bool:
        """Play a move by command in Discord; return whether that was acknowledged."""
        member = next(one for one in self.members if f"discord:{one.id}" == person.account)
        channel = self.channel if way == DISCORD else member.dm
        reply = await member.command("move", {"move": move, "match": str(view.id)}, channel=channel)
        return is_acknowledged(reply) or (reply.message is not None and "was played" in reply.text)

    async def _post(self, website: str, view: MatchView, person: Person, move: str) -> bool:
        """Play a move on a website; return whether that was acknowledged."""
        browser = self._browsers.get(person.account)
        if browser is None:
            browser = self._browsers[person.account] = aiohttp.ClientSession(
                cookie_jar=aiohttp.CookieJar(unsafe=True),
                headers={"X-Forwarded-For": f"10.1.{len(self._browsers)}.{self.members[0].id % 250}"},
                timeout=PATIENCE,
            )
        try:
            path = await self._take_seat(browser, website, view.id, person)
            form = {"board": str(view.revision), "text": move}
            async with browser.post(
                f"{website}{path}/play", data=form, headers=OWN_SITE, allow_redirects=False
            ) as answer:
                return answer.status == 303
        except (aiohttp.ClientError, TimeoutError, StorageUnavailable):
            return False

    async def _take_seat(
        self, browser: aiohttp.ClientSession, website: str, match: MatchId, person: Person
    ) -> str:
        """Return the path of a person's seat, whose personal link is opened once; the cookie is for all."""
        key = (match, person.account)
        if key not in self._seats:
            generation = await self.matches.people.seat_keys.get_generation(match, person)
            expires_at = datetime.now(UTC) + timedelta(minutes=15)
            token = SeatToken(match, ((person.account, generation),), expires_at)
            link = TokenSigner(SECRET).sign(token, TokenPurpose.LINK)
            async with browser.get(f"{website}/sit/{link}", allow_redirects=False) as answer:
                if answer.status != 303:
                    raise aiohttp.ClientError(f"status {answer.status}")
                self._seats[key] = answer.headers["Location"].partition("?")[0]
        return self._seats[key]


@dataclass(slots=True)
class Viewer:
    """A browser that watches the matches of a pair, one after the other, on one website or another."""

    pair: Pair
    websites: Sequence[str]
    turns: dict[MatchId, int] = field(default_factory=dict)
    """The last turn that was shown, by match."""
    connections: int = 0

    async def watch(self) -> None:
        """Watch until cancelled; each match until its end."""
        async with aiohttp.ClientSession(timeout=STREAM_PATIENCE, read_bufsize=STREAM_BUFFER) as browser:
            while True:
                if (match := self.pair.match) is None or match in self.turns:
                    await asyncio.sleep(0.2)
                    continue
                self.turns[match] = 0
                await self._watch_match(browser, match)

    async def _watch_match(self, browser: aiohttp.ClientSession, match: MatchId) -> None:
        """Watch a match until its last turn was shown, and connect again whenever a connection ends."""
        version = ""
        while not await self.has_seen_all(match):
            website = self.websites[self.connections % len(self.websites)]
            self.connections += 1
            headers = {"Last-Event-ID": version} if version else {}
            with suppress(aiohttp.ClientError, TimeoutError):
                async with browser.get(f"{website}/m/{match}/events", headers=headers) as answer:
                    answer.raise_for_status()
                    async for line in answer.content:
                        if line.startswith(b"id: "):
                            version = line[4:].decode().strip()
                            self.turns[match] = int(version.partition(".")[0])
                            if await self.has_seen_all(match):
                                return
            await asyncio.sleep(RECONNECT_SECONDS)

    async def has_seen_all(self, match: MatchId) -> bool:
        """Return whether a match is over and its last turn was shown."""
        view = await insist(lambda: self.pair.matches.view(match, now=datetime.now(UTC)))
        return view.state is MatchState.OVER and self.turns[match] == view.ply
