"""How costs grow with the number of finished matches, and the bytes that one takes.

A database with few finished matches and one with many, on SQLite and, where a server is available, on
PostgreSQL, have the same matches in progress. What the bot does is timed on both in turn, so that the load of
the machine affects both alike, and the medians of many rounds are compared: the processor time of this
process and, on PostgreSQL, of the server's processes for it. In both a server has as many matches as every
other, and a person too, since who has played more has more to be shown.

RAYUELA_GROWTH is the number of matches in the large database.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import defaultdict
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from sqlalchemy.engine import make_url

from bench.commits import new_databases
from bench.finished_matches import (
    AFTERWARDS,
    TURNS,
    account_of,
    begin_match,
    fill,
    mark_sent,
    play_matches,
    server_of,
)
from bench.table import Row
from engine import GAMES
from matches import DISCORD, Database, Matches, MatchState, Person
from matches.explorer.lines import ExplorerBoard
from matches.log_audit import audit_match
from matches.values import ACTIVE_STATES, MatchId
from web.lobby.lobby_page import FRONT
from web.pages.front_page import FRONT_ACTIVE, FRONT_FINISHED, WORTH_WATCHING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence

    from bench.finished_matches import PlayedMatch
    from matches import MatchView

    Task = Callable[["Installation", int], Awaitable[float]]
    Work = Callable[[Matches], Iterable[Awaitable[Any]]]

MANY = int(os.environ.get("RAYUELA_GROWTH", "20000"))
RUNNING = 20  # matches in progress
OPENING = 4  # moves that were played in each of them
SAMPLE = 20  # matches of the large database that are audited
GAME, OTHER_GAME = "morelli", "morabaraba"
MAX_GROWTH = 1.2
SERVER = server_of(0)
PLAYERS = tuple(Person(account_of(0, number), f"Player {number} of 0") for number in range(4))
ADA = PLAYERS[0]
FINISHED = MatchId(500)  # one of the finished matches


@dataclass(slots=True)
class Installation:
    """A database with finished matches, the same matches in progress as every other, and its services."""

    url: str
    database: Database
    matches: Matches
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    running: list[MatchView] = field(default_factory=list)
    backends: list[Path] = field(default_factory=list)

    def clock(self) -> float:
        """Return the processor time used so far, in seconds."""
        return time.process_time() + sum(map(processor_seconds, self.backends))

    async def begin_match(self, number: int) -> None:
        """Begin a match of two players of the first server."""
        black, white = PLAYERS[number % 2], PLAYERS[2 + number // 2 % 2]
        self.running.append(await begin_match(self.matches, OTHER_GAME, black, white, SERVER, AFTERWARDS))

    async def play_turn(self, number: int) -> float:
        """Play a random turn of a match in progress, and note that its post was sent; return the seconds."""
        index = number % len(self.running)
        view = self.running[index]
        seat, position = view.to_move, view.position
        if seat is None or position is None:
            raise RuntimeError(f"Match {view.id} is over: play fewer rounds.")
        text, start = str(self.chance.choice(position.legal_moves())), self.clock()
        update = await self.matches.play(
            view.id, seat.person, [text], seen_revision=view.revision, now=AFTERWARDS
        )
        self.running[index] = update.match
        await mark_sent(self.matches, update, AFTERWARDS)
        return self.clock() - start

    async def end_match(self, number: int) -> float:
        """Begin another match and play a little; return the seconds in which it is resigned."""
        await self.begin_match(number)
        for _ in range(2):
            await self.play_turn(-1)
        view = self.running.pop()
        start = self.clock()
        update = await self.matches.resign(view.id, view.seats[0].person, now=AFTERWARDS)
        seconds = self.clock() - start
        await mark_sent(self.matches, update, AFTERWARDS)
        return seconds


def find_backends(url: str) -> list[Path]:
    """Return the folders of the processes in which a PostgreSQL server on this machine serves a database."""
    name, found = f" {make_url(url).database} ", list[Path]()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            title = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if title.startswith("postgres: ") and name in title:
                found.append(folder)
    return found


def processor_seconds(folder: Path) -> float:
    """Return the processor time of the process with a folder in /proc, in seconds; 0 if it has ended."""
    with suppress(OSError):
        return int((folder / "schedstat").read_text(encoding="ascii").split()[0]) / 1e9
    return 0.0


@cache
def _start_board() -> ExplorerBoard:
    return ExplorerBoard.of(GAMES[GAME].initial_position())


def _timed(work: Work) -> Task:
    """Return a task that does `work` and returns the seconds that it took."""

    async def task(one: Installation, _: int) -> float:
        start = one.clock()
        for each in work(one.matches):
            await each
        return one.clock() - start

    return task


async def _start_up(one: Installation, _: int) -> float:
    start = one.clock()
    async with await Database.open(one.url) as database:
        matches = Matches(database)
        await matches.clocks.heartbeat(AFTERWARDS)
        await matches.posting.places.list_used(DISCORD)
        await matches.computer.restore(now=AFTERWARDS)
    return one.clock() - start


WORK: dict[str, Work] = {
    "/games": lambda matches: (
        matches.views.list_active_of(ADA, SERVER),
        matches.people.following.list_followed(ADA.account),
    ),
    "/turns": lambda matches: (matches.views.list_awaiting(ADA),),
    "/lobby": lambda matches: (
        matches.public_queries.load_lobby(SERVER, now=AFTERWARDS),
        matches.people.blocks.list_blocked(ADA, now=AFTERWARDS),
    ),
    "/leaderboard": lambda matches: (matches.ratings.leaderboard(SERVER, GAME, now=AFTERWARDS),),
    "/profile": lambda matches: (
        matches.ratings.standings(ADA, now=AFTERWARDS),
        matches.ratings.results(ADA, SERVER, GAME, now=AFTERWARDS),
        matches.ratings.list_recomputing(),
        matches.ratings.history(ADA, GAME, now=AFTERWARDS),
    ),
    "the front page": lambda matches: (
        matches.public_queries.find_matches(ACTIVE_STATES, limit=FRONT_ACTIVE),
        matches.public_queries.find_matches(
            (MatchState.OVER,), minimum_plies=WORTH_WATCHING, limit=FRONT_FINISHED
        ),
        matches.public_queries.list_lobby(limit=FRONT, now=AFTERWARDS),
    ),
    "the page of a finished match": lambda matches: (matches.view(FINISHED, now=AFTERWARDS),),
    "its replay": lambda matches: (matches.replay(FINISHED, now=AFTERWARDS),),
    "a pass of the outbox": lambda matches: (matches.announcements.claim_due(DISCORD, now=AFTERWARDS),),
    "the search for outdated posts": lambda matches: (
        matches.posting.outdated_posts.list(DISCORD, now=AFTERWARDS),
    ),
    "a sweep of the clocks": lambda matches: (
        matches.clocks.tick(AFTERWARDS),
        matches.challenges.expire(now=AFTERWARDS),
    ),
    "a sweep of the reminders": lambda matches: (
        matches.people.reminders.remind(now=AFTERWARDS),
        matches.people.following.announce_digests(now=AFTERWARDS),
    ),
    "a position of the opening explorer": lambda matches: (
        matches.explorer.load(_start_board()),
        matches.explorer.list_starts(GAME),
    ),
    "counting five matches for the opening explorer": lambda matches: (
        matches.explorer.counts.count(batches=1),
    ),
    "packing, with nothing to pack": lambda matches: (matches.work.packing.pack(now=AFTERWARDS),),
    "the daily deletion": lambda matches: (
        matches.people.personal_data.finish_erasures(now=AFTERWARDS),
        matches.people.personal_data.delete_old(now=AFTERWARDS),
    ),
}
TASKS: dict[str, Task] = {
    "a turn": Installation.play_turn,
    "the end of a rated match": Installation.end_match,
    **{name: _timed(work) for name, work in WORK.items()},
    "start-up": _start_up,
}


@asynccontextmanager
async def installation(
    url: str, count: int, played: Sequence[PlayedMatch], recent: Sequence[PlayedMatch]
) -> AsyncIterator[Installation]:
    """Fill a new database with `count` finished matches, recent ones, and the matches in progress."""
    await fill(url, count, played, recent)
    async with await Database.open(url) as database:
        one = Installation(url, database, Matches(database))
        for number in range(RUNNING):
            await one.begin_match(number)
        for number in range(RUNNING * OPENING):
            await one.play_turn(number)
        yield one


async def audit_sample(one: Installation, count: int) -> None:
    """Audit some of the finished matches. Raises RuntimeError for a difference."""
    for number in random.Random(2).sample(range(1, count + 1), min(SAMPLE, count)):
        found = await audit_match(one.database, MatchId(number))
        if found.difference is not None:
            raise RuntimeError(f"match {number} differs: {found.difference}")


@cache
def _played(*, packed: bool) -> list[PlayedMatch]:
    return asyncio.run(play_matches(packed=packed))


async def _measure(
    urls: tuple[str, str],
    counts: tuple[int, int],
    played: tuple[Sequence[PlayedMatch], Sequence[PlayedMatch]],
    rounds: int,
) -> dict[str, tuple[float, float]]:
    """Return the milliseconds of each task on the small and on the large database: the medians."""
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    async with (
        installation(urls[0], counts[0], *played) as few,
        installation(urls[1], counts[1], *played) as many,
    ):
        await audit_sample(many, counts[1])
        for number in range(rounds):
            for name, task in TASKS.items():
                for one in (few, many) if number % 2 else (many, few):
                    one.backends = find_backends(one.url)
                    times[name, one.url].append(1000 * await task(one, number))
    return {name: (median(times[name, urls[0]]), median(times[name, urls[1]])) for name in TASKS}


def rows(few: int = 1000, many: int = MANY, rounds: int = 50) -> Iterator[Row]:
    """Measure what costs processor time with few and with many finished matches."""
    played = _played(packed=True), _played(packed=False)
    with new_databases() as small, new_databases() as large:
        for kind, url in large.items():
            found = asyncio.run(_measure((small[kind], url), (few, many), played, rounds))
            for name, (before, after) in found.items():
                comparison = f"{after / before:.2f} times {before:.3g} ms with {few}"
                goal = f"{MAX_GROWTH} times"
                yield Row(f"{kind}, {many}: {name}", after, "ms", goal=goal, comparison=comparison)


async def _count_bytes(url: str) -> int:
    """Return the bytes of a database with its indexes; migrate it first."""
    statement = "SELECT pg_database_size(current_database())"
    if url.startswith("sqlite"):
        statement = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    async with await Database.open(url) as database, database.read() as connection:
        return int((await connection.exec_driver_sql(statement)).scalar_one())


async def _measure_match(url: str, count: int, played: PlayedMatch) -> float:
    """Return the bytes of one of `count` copies of a match in a new database."""
    empty = await _count_bytes(url)
    await fill(url, count, [played])
    return (await _count_bytes(url) - empty) / count


def size_rows(packed: int = 10_000, unpacked: int = 1000, games: int = len(GAMES)) -> Iterator[Row]:
    """Measure the bytes of a finished match, before and after it is packed, in so many copies of it."""
    sizes: dict[str, list[float]] = defaultdict(list)
    for count, is_packed in ((unpacked, False), (packed, True)):
        for played in _played(packed=is_packed)[:games]:
            with new_databases() as urls:
                for kind, url in urls.items():
                    size = asyncio.run(_measure_match(url, count, played))
                    sizes[f"{kind}, {played.game}, {TURNS} moves"].append(size)
    for name, (before, after) in sizes.items():
        yield Row(name, after, "bytes", goal="at most 3,072", comparison=f"{before:,.0f} before packing")
