"""Databases with many finished matches.

One random match of each game is played and resigned through `matches`. Its rows are then copied with other
numbers, players, servers and times, straight into the tables: the same rows that playing would have made. The
ratings are those that the results lead to. `python -m matches.audit` finds no difference.
"""

from __future__ import annotations

import random
import sqlite3
from collections import defaultdict
from contextlib import closing
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import select
from sqlalchemy.engine import make_url

from engine import GAMES
from matches import Database, Matches, Person, Terms, TimeControl
from matches.audience import Audience
from matches.packing import PACK_AFTER
from matches.ratings.history import PastRating, rating_row, recompute_steps
from matches.ratings.values import decode_rating
from matches.times import to_millis
from storage.packed_logs import compress_lines, decompress_lines
from storage.ratings import RatingStepRow
from storage.tables import METADATA

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine.game import Game
    from matches import MatchUpdate
    from storage.ratings import RatingRow

TURNS = 60
MATCHES_OF_SERVER = 500
PEOPLE_OF_SERVER = 25  # so that each of them has played 40 of the matches
RECENT = 60  # matches that ended lately
CHUNK = 10_000  # matches written at once
FIRST_DAY = datetime(2024, 1, 1, 12, tzinfo=UTC)
YEARS = timedelta(days=730)  # between the end of the first match and that of the last
AFTERWARDS = FIRST_DAY + YEARS + timedelta(days=120)
TERMS = Terms(rated=True, time_control=TimeControl.per_move(timedelta(days=3)))
BLACK, WHITE = Person("discord:100000000000000001", "Ada"), Person("discord:100000000000000002", "Bob")
SNOWFLAKE = 100_000_000_000_000_000  # ids of Discord have 18 digits or more
COPIED_TABLES = ("challenges", "matches", "picks", "moves", "logs", "outbox", "tidied")
_SHIFTED = frozenset({"deadline"})

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """The rows of a finished match, by table. Times are in milliseconds since 1970 UTC."""

    game: str
    scores: tuple[int, int]
    ended_at: int
    rows: Mapping[str, Sequence[Row]]


@dataclass(slots=True)
class _Season:
    """What grows while matches are written: the counter of the outbox, and ratings by game."""

    announcements: int = 0
    steps: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    known: dict[str, dict[str, PastRating]] = field(default_factory=lambda: defaultdict(dict))
    last: dict[tuple[str, str], RatingRow] = field(default_factory=dict)


def random_moves(game: Game, turns: int = TURNS) -> list[str]:
    """Return the moves of the first random game that lasts longer. Raises ValueError where there is none."""
    for seed in range(1000):
        rng, position, moves = random.Random(seed), game.initial_position(), list[str]()
        while position.to_move and len(moves) < turns:
            move = rng.choice(position.legal_moves())
            moves.append(str(move))
            position = position.play(move)
        if position.to_move:
            return moves
    raise ValueError(f"No random game of {game.name} lasts {turns} turns.")


async def play_matches(*, packed: bool) -> list[PlayedMatch]:
    """Play a match of each game and resign it; with `packed` it is then packed as in the background."""
    played = []
    for name, game in GAMES.items():
        with TemporaryDirectory() as folder:
            async with await Database.open(f"sqlite:///{folder}/played.db") as database:
                played.append(await _play_match(database, name, game, packed=packed))
    return played


async def _play_match(database: Database, name: str, game: Game, *, packed: bool) -> PlayedMatch:
    matches, now, chance = Matches(database), FIRST_DAY, random.Random(1)

    async def post(update: MatchUpdate) -> MatchUpdate:
        if update.announcement is not None:
            await matches.announcements.mark_sent(update.announcement.id, "0/0", now=now)
        return update

    server, channel = f"discord:{SNOWFLAKE}", f"discord:{SNOWFLAKE}"
    made = await matches.challenges.create(
        BLACK,
        to=WHITE,
        server=server,
        channel=channel,
        game=name,
        terms=TERMS,
        colour=game.sides[0],
        now=now,
    )
    await matches.announcements.mark_sent(made.announcement.id, "0/0", now=now)
    update = await post(await matches.challenges.accept(made.challenge.id, WHITE, now=now))
    for text in random_moves(game):
        now += chance.random() * timedelta(days=2)
        seat = update.match.to_move
        assert seat is not None  # noqa: S101 - no random game ends so early
        update = await post(await matches.play(update.match.id, seat.person, [text], now=now))
    for outdated in await matches.outdated_posts.list(now=now):
        await matches.outdated_posts.mark_edited(outdated.announcement, now=now)
    await post(await matches.resign(update.match.id, BLACK, now=now))
    if packed:
        await matches.packing.pack(now=now + 2 * PACK_AFTER)
    async with database.read() as connection:
        rows = {
            table: [
                dict(row) for row in (await connection.execute(select(METADATA.tables[table]))).mappings()
            ]
            for table in COPIED_TABLES
        }
    return PlayedMatch(name, (0, 2), to_millis(now), rows)


async def fill(
    url: str, count: int, played: Sequence[PlayedMatch], recent: Sequence[PlayedMatch] = ()
) -> None:
    """Write `count` copies of the played matches into a migrated database without rows.

    With `recent`, which are not packed, RECENT copies of these follow, which ended three days ago.
    """
    writer = await _open_writer(url)
    season, chance = _Season(), random.Random(1)
    servers = max(1, count // MATCHES_OF_SERVER)
    try:
        await writer.write(
            "servers", [{"server": server_of(number), "met_at": 0} for number in range(servers)]
        )
        people = (
            {"account": account_of(server, number), "name": f"Player {number} of {server}", "met_at": 0}
            for server in range(servers)
            for number in range(PEOPLE_OF_SERVER)
        )
        await writer.write("people", list(people))
        for start in range(0, count, CHUNK):
            numbers = range(start + 1, min(start + CHUNK, count) + 1)
            await _write(writer, _copies(numbers, count, servers, played, season, chance))
        if recent:
            numbers = range(count + 1, count + RECENT + 1)
            await _write(writer, _copies(numbers, count, servers, recent, season, chance))
        last = [{"game": game, "last": number} for game, number in season.steps.items()]
        await writer.write("rating_games", last)
        await writer.write("ratings", [asdict(row) for row in season.last.values()])
    finally:
        await writer.close()


async def _write(writer: _SqliteWriter | _PostgresWriter, tables: Mapping[str, Sequence[Row]]) -> None:
    for table, rows in tables.items():
        await writer.write(table, rows)


def server_of(number: int) -> str:
    """Return the id of a server, numbered from 0."""
    return f"discord:{SNOWFLAKE + 1 + number}"


def account_of(server: int, number: int) -> str:
    """Return the account of a player of a server, numbered from 0."""
    return f"discord:{2 * SNOWFLAKE + server * PEOPLE_OF_SERVER + number}"


def _copies(
    numbers: Iterable[int],
    count: int,
    servers: int,
    played: Sequence[PlayedMatch],
    season: _Season,
    chance: random.Random,
) -> dict[str, list[Row]]:
    """Return the rows of the matches with these numbers, by table, in the order in which they are written."""
    tables: dict[str, list[Row]] = {table: [] for table in COPIED_TABLES}
    steps: dict[str, list[RatingStepRow]] = defaultdict(list)
    for number in numbers:
        one, server = played[number % len(played)], number % servers
        pair = [account_of(server, each) for each in chance.sample(range(PEOPLE_OF_SERVER), 2)]
        ended_at = to_millis(
            AFTERWARDS - timedelta(days=3)
            if number > count
            else FIRST_DAY + timedelta(days=90) + YEARS * (number / count)
        )
        copier = _Copier(number, server, pair, ended_at - one.ended_at, season)
        for table, rows in one.rows.items():
            tables[table] += (copier.copy(table, row) for row in rows)
        season.steps[one.game] += 1
        for index in (0, 1):
            steps[one.game].append(
                RatingStepRow(
                    game=one.game,
                    number=season.steps[one.game],
                    person=pair[index],
                    match=number,
                    opponent=pair[1 - index],
                    score=one.scores[index],
                    server=server_of(server),
                    made_at=ended_at,
                    rating=0,
                    deviation=0,
                    volatility=0,
                )
            )
    tables["rating_steps"] = [
        asdict(step) for game, made in steps.items() for step in _rate(game, made, season)
    ]
    return tables


def _rate(game: str, steps: Sequence[RatingStepRow], season: _Season) -> list[RatingStepRow]:
    """Return the steps with their ratings, and remember the last of each person."""
    rated = recompute_steps(steps, season.known[game])
    for step in rated:
        rating = decode_rating(step.rating, step.deviation, step.volatility)
        season.known[game][step.person] = PastRating(rating, step.made_at)
        before = season.last.get((step.person, game))
        season.last[step.person, game] = rating_row(step, 1 if before is None else before.played + 1)
    return rated


@dataclass(slots=True)
class _Copier:
    """Copies rows of a played match: for another number, server and pair, and moved in time."""

    number: int
    server: int
    pair: Sequence[str]
    shift: int
    season: _Season

    def copy(self, table: str, row: Row) -> Row:
        """Return the row of the copy."""
        copied = {name: self._convert(name, value) for name, value in row.items()}
        if table in {"challenges", "matches"}:
            copied |= {"id": self.number, "audience": Audience.NAMES}
        elif table == "outbox":
            self.season.announcements += 1
            copied |= {"id": self.season.announcements, "request": SNOWFLAKE + self.season.announcements}
            if row["post"] is not None:
                copied["post"] = f"{SNOWFLAKE + self.server}/{SNOWFLAKE + self.season.announcements}"
        elif table == "tidied":
            copied["announcement"] = self.season.announcements - 1  # the one before the last post
        elif table == "logs":
            *lines, times, moves = decompress_lines(row["text"]).split("\n")
            first, _, others = times.partition(" ")
            copied["text"] = compress_lines("\n".join([*lines, f"{int(first) + self.shift} {others}", moves]))
        return copied

    def _convert(self, name: str, value: Any) -> Any:
        if value is None:
            return None
        if name in {"match", "challenge"}:
            return self.number
        if name in {"server", "place"}:
            return server_of(self.server)
        if name.endswith("_at") or name in _SHIFTED:
            return value + self.shift
        if isinstance(value, str) and "discord:" in value:
            return value.replace(BLACK.account, self.pair[0]).replace(WHITE.account, self.pair[1])
        return value


class _SqliteWriter:
    """Writes rows into an SQLite file, as fast as it can."""

    def __init__(self, path: str) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA synchronous = OFF")

    async def write(self, table: str, rows: Sequence[Row]) -> None:
        """Write rows into a table."""
        if rows:
            names = ", ".join(f'"{name}"' for name in rows[0])
            values = ", ".join("?" for _ in rows[0])
            statement = f'INSERT INTO "{table}" ({names}) VALUES ({values})'  # noqa: S608 - our own names
            self._connection.execute("BEGIN")
            self._connection.executemany(statement, [tuple(row.values()) for row in rows])
            self._connection.execute("COMMIT")

    async def close(self) -> None:
        """Write everything into the database file."""
        with closing(self._connection):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


class _PostgresWriter:
    """Writes rows into a PostgreSQL database, as fast as it can."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def write(self, table: str, rows: Sequence[Row]) -> None:
        """Write rows into a table."""
        if rows:
            await self._connection.copy_records_to_table(
                table, records=[tuple(row.values()) for row in rows], columns=list(rows[0]), timeout=600
            )

    async def close(self) -> None:
        """Set the sequences after the last ids, and do what the server does by itself after a while."""
        for table in ("challenges", "matches", "outbox"):
            await self._connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"  # noqa: S608 - our own names
            )
        await self._connection.execute("VACUUM ANALYZE", timeout=600)
        await self._connection.close()


async def _open_writer(url: str) -> _SqliteWriter | _PostgresWriter:
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return _SqliteWriter(str(parsed.database))
    plain = parsed.set(drivername="postgresql").render_as_string(hide_password=False)
    return _PostgresWriter(await asyncpg.connect(plain))
