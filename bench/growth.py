"""How costs grow with the number of finished matches: ``python -m bench.growth``.

A database with few finished matches and one with many, on SQLite and, where a server is available, on
PostgreSQL, have the same matches in progress. What the bot does is timed on both in turn, so that the load of
the machine affects both alike, and the medians of many rounds are compared: the processor time of this
process and, on PostgreSQL, of the server's processes for it. In both a server has as many matches as every
other, and a person too, since who has played more has more to be shown.

RAYUELA_GROWTH is the number of matches in the large database. Its bytes are listed by table and index.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import sys
import time
from collections import defaultdict
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from uuid import uuid4

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import update
from sqlalchemy.engine import make_url

from bench.finished_matches import AFTERWARDS, TERMS, account_of, fill, play_matches, server_of
from bench.storage_turn import POSTGRES_URL, run_statement
from bench.table import Row, format_table
from engine import GAMES
from matches import DISCORD, Database, Matches, MatchState, Person
from matches.audience import Audience
from matches.log_audit import audit_match
from matches.values import ACTIVE_STATES, MatchId
from storage.tables import MATCHES
from web.pages.front_page import FRONT_ACTIVE, FRONT_CHALLENGES, FRONT_FINISHED, WORTH_WATCHING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence

    from bench.finished_matches import PlayedMatch
    from matches import MatchView

FEW = 1000
MANY = int(os.environ.get("RAYUELA_GROWTH", "20000"))
ROUNDS = 50
RUNNING = 20  # matches in progress
OPENING = 4  # moves that were played in each of them
SAMPLE = 20  # matches of the large database that are audited
SIZED = {True: 10_000, False: 1000}  # matches of each game whose bytes are measured: packed, and before
LISTED = 20  # bytes of a match in a table or index that has a row
GAME, OTHER_GAME = "morelli", "morabaraba"
MAX_GROWTH = 1.2
SERVER = server_of(0)
PLAYERS = tuple(Person(account_of(0, number), f"Player {number} of 0") for number in range(4))


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
        return time.process_time() + sum(map(_processor_seconds, self.backends))

    async def begin_match(self, number: int) -> None:
        """Begin a match of two players of the first server."""
        black, white = PLAYERS[number % 2], PLAYERS[2 + number // 2 % 2]
        made = await self.matches.challenges.create(
            black,
            to=white,
            server=SERVER,
            channel=SERVER,
            game=OTHER_GAME,
            terms=TERMS,
            colour=GAMES[OTHER_GAME].sides[0],
            now=AFTERWARDS,
        )
        update = await self.matches.challenges.accept(made.challenge.id, white, now=AFTERWARDS)
        for one in (made.announcement, update.announcement):
            if one is not None:
                await self.matches.announcements.mark_sent(one.id, "1/1", now=AFTERWARDS)
        self.running.append(update.match)

    def choose_move(self, number: int) -> tuple[MatchView, Person, str]:
        """Return a match in progress, the player to move, and a random legal move."""
        view = self.running[number % len(self.running)]
        seat, position = view.to_move, view.position
        if seat is None or position is None:
            raise RuntimeError(f"Match {view.id} is over: play fewer rounds.")
        return view, seat.person, str(self.chance.choice(position.legal_moves()))

    async def play(self, number: int, view: MatchView, person: Person, text: str) -> None:
        """Play a move, and note that its post was sent."""
        update = await self.matches.play(view.id, person, [text], seen_revision=view.revision, now=AFTERWARDS)
        self.running[number % len(self.running)] = update.match
        if update.announcement is not None:
            await self.matches.announcements.mark_sent(update.announcement.id, "1/1", now=AFTERWARDS)


def find_backends(url: str) -> list[Path]:
    """Return the folders of the processes in which a PostgreSQL server on this machine serves a database."""
    name, found = f" {make_url(url).database} ", list[Path]()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            title = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if title.startswith("postgres: ") and name in title:
                found.append(folder)
    return found


def _processor_seconds(folder: Path) -> float:
    with suppress(OSError):
        return int((folder / "schedstat").read_text(encoding="ascii").split()[0]) / 1e9
    return 0.0


async def _play_turn(one: Installation, number: int) -> float:
    view, person, text = one.choose_move(number)
    start = one.clock()
    await one.play(number, view, person, text)
    return one.clock() - start


async def _end_match(one: Installation, number: int) -> float:
    await one.begin_match(number)
    for _ in range(2):
        await one.play(len(one.running) - 1, *one.choose_move(len(one.running) - 1))
    view = one.running.pop()
    start = one.clock()
    update = await one.matches.resign(view.id, view.seats[0].person, now=AFTERWARDS)
    took = one.clock() - start
    if update.announcement is not None:
        await one.matches.announcements.mark_sent(update.announcement.id, "1/1", now=AFTERWARDS)
    return took


async def _list_own(one: Installation) -> None:
    await one.matches.views.list_active_of(PLAYERS[0], SERVER)
    await one.matches.people.following.list_followed(PLAYERS[0].account)


async def _list_awaiting(one: Installation) -> None:
    await one.matches.views.list_awaiting(PLAYERS[0])


async def _load_lobby(one: Installation) -> None:
    await one.matches.public_queries.load_lobby(SERVER, now=AFTERWARDS)
    await one.matches.people.blocks.list_blocked(PLAYERS[0], now=AFTERWARDS)


async def _load_leaderboard(one: Installation) -> None:
    await one.matches.ratings.leaderboard(SERVER, GAME, now=AFTERWARDS)


async def _load_profile(one: Installation) -> None:
    ratings = one.matches.ratings
    await ratings.standings(PLAYERS[0], now=AFTERWARDS)
    await ratings.results(PLAYERS[0], SERVER, GAME, now=AFTERWARDS)
    await ratings.list_recomputing()
    await ratings.history(PLAYERS[0], GAME, now=AFTERWARDS)


async def _load_front_page(one: Installation) -> None:
    queries = one.matches.public_queries
    await queries.find_matches(ACTIVE_STATES, limit=FRONT_ACTIVE)
    await queries.find_matches((MatchState.OVER,), minimum_plies=WORTH_WATCHING, limit=FRONT_FINISHED)
    await queries.list_open_challenges(now=AFTERWARDS, limit=FRONT_CHALLENGES + 1)


async def _load_finished_match(one: Installation) -> None:
    await one.matches.view(MatchId(FEW // 2), now=AFTERWARDS)


async def _replay_finished_match(one: Installation) -> None:
    await one.matches.replay(MatchId(FEW // 2), now=AFTERWARDS)


async def _send_outbox(one: Installation) -> None:
    await one.matches.announcements.claim_due(DISCORD, now=AFTERWARDS)


async def _find_outdated(one: Installation) -> None:
    await one.matches.posting.outdated_posts.list(DISCORD, now=AFTERWARDS)


async def _sweep_clocks(one: Installation) -> None:
    await one.matches.clocks.tick(AFTERWARDS)
    await one.matches.challenges.expire(now=AFTERWARDS)


async def _sweep_reminders(one: Installation) -> None:
    await one.matches.people.reminders.remind(now=AFTERWARDS)
    await one.matches.people.following.announce_digests(now=AFTERWARDS)


async def _pack(one: Installation) -> None:
    await one.matches.work.packing.pack(now=AFTERWARDS)


async def _delete_old(one: Installation) -> None:
    await one.matches.people.personal_data.finish_erasures(now=AFTERWARDS)
    await one.matches.people.personal_data.delete_old(now=AFTERWARDS)


async def _start_up(one: Installation) -> None:
    async with await Database.open(one.url) as database:
        matches = Matches(database)
        await matches.clocks.heartbeat(AFTERWARDS)
        await matches.posting.places.list_used(DISCORD)
        await matches.computer.restore(now=AFTERWARDS)


def _timed(
    work: Callable[[Installation], Awaitable[None]],
) -> Callable[[Installation, int], Awaitable[float]]:
    """Return a task that does `work` and returns the seconds that it took."""

    async def task(one: Installation, _: int) -> float:
        start = one.clock()
        await work(one)
        return one.clock() - start

    return task


TASKS: dict[str, Callable[[Installation, int], Awaitable[float]]] = {
    "a turn": _play_turn,
    "the end of a rated match": _end_match,
    "/games": _timed(_list_own),
    "/turns": _timed(_list_awaiting),
    "/lobby": _timed(_load_lobby),
    "/leaderboard": _timed(_load_leaderboard),
    "/profile": _timed(_load_profile),
    "the front page": _timed(_load_front_page),
    "the page of a finished match": _timed(_load_finished_match),
    "its replay": _timed(_replay_finished_match),
    "a pass of the outbox": _timed(_send_outbox),
    "the search for outdated posts": _timed(_find_outdated),
    "a sweep of the clocks": _timed(_sweep_clocks),
    "a sweep of the reminders": _timed(_sweep_reminders),
    "packing, with nothing to pack": _timed(_pack),
    "the daily deletion": _timed(_delete_old),
    "start-up": _timed(_start_up),
}


@asynccontextmanager
async def temporary_urls(folder: Path) -> AsyncIterator[dict[str, str]]:
    """Return the URL of a new database of each kind that is available; they are dropped at the end."""
    name = f"rayuela_bench_{uuid4().hex}"
    urls = {"SQLite": f"sqlite:///{folder / name}.db"}
    try:
        await run_statement(f"CREATE DATABASE {name}")
    except OSError as error:
        print(f"PostgreSQL left out: {error}", file=sys.stderr)
        yield urls
        return
    try:
        yield {
            **urls,
            "PostgreSQL": make_url(POSTGRES_URL).set(database=name).render_as_string(hide_password=False),
        }
    finally:
        await run_statement(f"DROP DATABASE {name} WITH (FORCE)")


@asynccontextmanager
async def installation(
    url: str, count: int, played: Sequence[PlayedMatch], recent: Sequence[PlayedMatch]
) -> AsyncIterator[Installation]:
    """Open a new database with `count` finished matches, recent ones, and the matches in progress."""
    async with await Database.open(url):
        pass
    await fill(url, count, played, recent)
    async with await Database.open(url) as database:
        one = Installation(url, database, Matches(database))
        for number in range(RUNNING):
            await one.begin_match(number)
        for number in range(RUNNING * OPENING):
            await one.play(number, *one.choose_move(number))
        async with database.transaction() as connection:  # as the finished ones: shown to everybody
            own = [view.id for view in one.running]
            await connection.execute(
                update(MATCHES).where(MATCHES.c.id.in_(own)).values(audience=Audience.NAMES)
            )
        yield one


async def measure_growth(
    few: Installation, many: Installation, rounds: int = ROUNDS
) -> dict[str, tuple[float, float]]:
    """Return the milliseconds of each task on both databases: the medians of the rounds."""
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    for number in range(rounds):
        for name, task in TASKS.items():
            for one in (few, many) if number % 2 else (many, few):
                one.backends = find_backends(one.url)
                times[name, one.url].append(1000 * await task(one, number))
    return {name: (median(times[name, few.url]), median(times[name, many.url])) for name in TASKS}


async def audit_sample(one: Installation, count: int) -> None:
    """Audit some of the finished matches. Raises RuntimeError for a difference."""
    for number in random.Random(2).sample(range(1, count + 1), min(SAMPLE, count)):
        found = await audit_match(one.database, MatchId(number))
        if found.difference is not None:
            raise RuntimeError(f"match {number} differs: {found.difference}")


async def list_sizes(url: str) -> dict[str, int]:
    """Return the bytes of each table and index of a database."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(str(parsed.database))) as connection:
            return dict(connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").fetchall())
    plain = parsed.set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
    try:
        rows = await connection.fetch(
            "SELECT relname, pg_table_size(oid) AS size FROM pg_class "
            "WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')"
        )
    finally:
        await connection.close()
    return {row["relname"]: row["size"] for row in rows}


async def measure(folder: Path) -> list[Row]:
    """Return the rows of the table: bytes of a match, then the costs."""
    rows = list[Row]()
    packed, recent = await play_matches(packed=True), await play_matches(packed=False)
    async with AsyncExitStack() as stack:
        small, large = [await stack.enter_async_context(temporary_urls(folder)) for _ in range(2)]
        for kind, url in large.items():
            few = await stack.enter_async_context(installation(small[kind], FEW, packed, recent))
            many = await stack.enter_async_context(installation(url, MANY, packed, recent))
            await audit_sample(many, MANY)
            for name, (before, after) in (await measure_growth(few, many)).items():
                growth = f"{after / before:.2f} times {before:.3g} ms with {FEW}"
                rows.append(
                    Row(f"{kind}: {name}", after, "ms", goal=f"{MAX_GROWTH} times", comparison=growth)
                )
    return rows


async def measure_bytes(folder: Path) -> list[Row]:
    """Return the bytes of a finished match of 60 moves, by table and index, before and after it is packed."""
    rows = list[Row]()
    states = {state: await play_matches(packed=state) for state in (False, True)}
    for index, game in enumerate(GAMES):
        sizes: dict[bool, dict[str, dict[str, float]]] = {}
        for state, played in states.items():
            async with temporary_urls(folder) as urls:
                sizes[state] = {}
                for kind, url in urls.items():
                    async with await Database.open(url):
                        pass
                    empty, count = await list_sizes(url), SIZED[state]
                    await fill(url, count, [played[index]])
                    sizes[state][kind] = {
                        name: max(0, size - empty.get(name, 0)) / count
                        for name, size in (await list_sizes(url)).items()
                    }
        rows += _size_rows(game, sizes)
    return rows


def _size_rows(game: str, sizes: dict[bool, dict[str, dict[str, float]]]) -> Iterator[Row]:
    for kind, packed in sizes[True].items():
        unpacked = sizes[False][kind]
        for name in sorted(unpacked, key=lambda name: -unpacked[name]):
            if max(unpacked[name], packed[name]) >= LISTED:
                yield _size_row(f"{kind}, {game}: {name}", packed[name], unpacked[name])
        yield _size_row(f"{kind}, {game}: all", sum(packed.values()), sum(unpacked.values()), "at most 3,072")


def _size_row(label: str, packed: float, unpacked: float, goal: str = "") -> Row:
    return Row(label, packed, "bytes", goal=goal, comparison=f"{unpacked:,.0f} before packing")


def rows() -> list[Row]:
    """Measure the costs in new databases."""
    with TemporaryDirectory() as folder:
        return asyncio.run(measure(Path(folder)))


def size_rows() -> list[Row]:
    """Measure the bytes in new databases."""
    with TemporaryDirectory() as folder:
        return asyncio.run(measure_bytes(Path(folder)))


if __name__ == "__main__":
    print(format_table("Bytes of a finished match of 60 moves", size_rows()), end="\n\n")
    print(format_table(f"With {MANY} finished matches", rows()))
