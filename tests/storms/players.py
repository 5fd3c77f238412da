"""People who play through Discord, and through websites where there are any, and browsers that watch them."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

import aiohttp

from matches import (
    Audience,
    MatchId,
    MatchState,
    Person,
    StorageUnavailable,
    Terms,
    TimeControl,
)
from matches.errors import Refusal
from tests.web.environment import OWN_SITE
from web.play.tokens import SeatToken, TokenPurpose, TokenSigner

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from matches import MatchView
    from tests.discord_server import Channel, Guild, Member, Reply
    from tests.storms.cluster import Cluster

SECRET = "a secret of a cluster, long enough"  # noqa: S105 - it opens nothing
TURN_TIME = timedelta(days=1)
TIMED = Terms(time_control=TimeControl.per_move(TURN_TIME), rated=False)
MAX_THINKING = 0.8  # seconds
PATIENCE = aiohttp.ClientTimeout(total=5)  # of somebody who plays in a browser
STREAM_PATIENCE = aiohttp.ClientTimeout(total=None, sock_connect=5, sock_read=25)  # a comment every 20 s
STREAM_BUFFER = 2**22  # bytes
RETRY_SECONDS, RECONNECT_SECONDS = 0.2, 0.5
DISCORD, DIRECT, BOTH_WEBS = "Discord", "direct messages", "both websites at once"


T = TypeVar("T")


async def insist(action: Callable[[], Awaitable[T]]) -> T:
    """Repeat what the attacks on the database have interrupted."""
    while True:
        try:
            return await action()
        except StorageUnavailable:
            await asyncio.sleep(0.1)


def is_acknowledged(reply: Reply) -> bool:
    """Return whether a player was told that the move is saved: by its board, or by a private sentence."""
    return reply.message is not None and (not reply.message.ephemeral or "**was** saved" in reply.text)


@dataclass(slots=True)
class Journal:
    """What people have asked for and what was acknowledged, by match and ply."""

    attempted: dict[tuple[MatchId, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    acknowledged: dict[MatchId, dict[int, str]] = field(default_factory=lambda: defaultdict(dict))
    answered_at: dict[str, float] = field(default_factory=dict)
    """When the request that was acknowledged last was sent, on the monotonic clock.

    By shard, website and pair.
    """

    @property
    def moves(self) -> int:
        """How many moves were acknowledged."""
        return sum(map(len, self.acknowledged.values()))


@dataclass(slots=True)
class Pair:
    """Two people who play one match after the other, each move on another way."""

    cluster: Cluster
    guild: Guild
    channel: Channel
    members: tuple[Member, Member]
    terms: Terms
    thinking: float  # seconds at most between two moves
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
        return f"shard {(self.guild.id >> 22) % self.cluster.shards}"

    async def play(self) -> None:
        """Play until it is over."""
        rng, websites = self.cluster.rng, self.cluster.websites
        ways = [DISCORD, DISCORD, *((DIRECT, *websites, *websites, BOTH_WEBS) if websites else ())]
        try:
            while not self.is_over:
                view = await self._current()
                if view.to_move is None or view.position is None:
                    self.match = None
                    continue
                move = str(rng.choice(view.position.legal_moves()))
                await self._attempt(rng.choice(ways), view, view.to_move.person, move)
                await asyncio.sleep(rng.uniform(0, self.thinking))
        finally:
            for browser in self._browsers.values():
                await browser.close()

    async def _current(self) -> MatchView:
        if self.match is None:
            self.match = (await insist(self._start)).id
        match = self.match
        return await insist(lambda: self.cluster.matches.view(match, now=datetime.now(UTC)))

    async def _start(self) -> MatchView:
        """Start a match without the bot, which finds its announcements in the outbox."""
        first, second = (Person(f"discord:{one.id}", one.name) for one in self.members)
        now, challenges = datetime.now(UTC), self.cluster.matches.challenges
        while True:
            made = await challenges.create(
                first,
                to=second,
                server=f"discord:{self.guild.id}",
                channel=f"discord:{self.channel.id}",
                game="morelli",
                options={"size": 9},
                terms=self.terms,
                audience=Audience.NAMES,
                now=now,
            )
            with suppress(Refusal):  # a repetition: it was accepted although the commit seemed to fail
                return (await challenges.accept(made.challenge.id, second, now=now)).match

    async def _attempt(self, way: str, view: MatchView, person: Person, move: str) -> None:
        """Ask for a move, and note whether it was acknowledged."""
        journal, ply, asked_at = self.cluster.journal, view.ply + 1, time.monotonic()
        journal.attempted[view.id, ply].add(move)
        if way in {DISCORD, DIRECT}:
            front_end = self.shard if way == DISCORD else "shard 0"
            answers = {front_end: await self._command(way, view, person, move)}
        else:
            websites = self.cluster.websites if way == BOTH_WEBS else [way]
            played = await asyncio.gather(*(self._post(one, view, person, move) for one in websites))
            answers = dict(zip(websites, played, strict=True))
        for front_end, is_played in answers.items():
            if is_played:
                journal.acknowledged[view.id][ply] = move
                journal.answered_at |= {front_end: asked_at, self.name: asked_at}
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
            generation = await self.cluster.matches.people.seats.get_generation(match, person)
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
            websites = self.pair.cluster.websites
            website = websites[self.connections % len(websites)]
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

    async def shows_all(self) -> bool:
        """Return whether it shows the last turn of every match that it has watched."""
        matches = self.pair.cluster.matches
        plies = {match: (await matches.view(match, now=datetime.now(UTC))).ply for match in self.turns}
        return plies == self.turns

    async def has_seen_all(self, match: MatchId) -> bool:
        """Return whether a match is over and its last turn was shown."""
        view = await insist(lambda: self.pair.cluster.matches.view(match, now=datetime.now(UTC)))
        return view.state is MatchState.OVER and self.turns[match] == view.ply
