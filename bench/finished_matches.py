"""Databases with many finished matches.

One random match of each game is played and resigned through `matches`. Its rows are then copied with other
numbers, players, servers and times, straight into the tables: the same rows that playing would have made. The
ratings are those that the results lead to: on every server the same pairs play the same results at the same
intervals, so they are computed once. `python -m matches.audit` finds no difference.
"""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import select
from sqlalchemy.engine import make_url

from engine import GAMES
from matches import Database, Matches, Person, Terms, TimeControl
from matches.audience import Audience
from matches.ratings.history import PastRating, rating_row, recompute_steps
from matches.ratings.values import decode_rating
from matches.times import to_millis
from matches.work.packing import PACK_AFTER
from storage.match.ratings import RatingRow, RatingStepRow
from storage.tables import METADATA

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from engine.game import Game
    from matches import ChallengeUpdate, MatchUpdate

    _Change = Callable[["_Copy"], Any]

TURNS = 60
MATCHES_OF_SERVER = 500
PEOPLE_OF_SERVER = 25  # so that each of them has played 40 of the matches
REMATCH = 10  # every how many matches one is a rematch, so that its challenge is kept
RECENT = 60  # matches that ended lately
CHUNK = 20_000  # matches written at once
FIRST_DAY = datetime(2024, 1, 1, 12, tzinfo=UTC)
YEARS = timedelta(days=730)  # between the end of the first match and that of the last
AFTERWARDS = FIRST_DAY + YEARS + timedelta(days=120)
TERMS = Terms(rated=True, time_control=TimeControl.per_move(timedelta(days=3)))
BLACK, WHITE = Person("discord:100000000000000001", "Ada"), Person("discord:100000000000000002", "Bob")
SCORES = (0, 2)  # Black resigns
SNOWFLAKE = 100_000_000_000_000_000  # ids of Discord have 18 digits or more
COPIED_TABLES = ("challenges", "matches", "picks", "moves", "packed_logs", "outbox", "cleaned_posts")
_SHIFTED = frozenset({"deadline"})

CACHE = 1 << 30  # bytes, of SQLite while a database is filled

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """The rows of a finished match, by table. Times are in milliseconds since 1970 UTC.

    `challenge` is the row of its challenge, which `rows` has only if the match is not packed.
    """

    game: str
    ended_at: int
    challenge: Row
    rows: Mapping[str, Sequence[Row]]


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

    server = f"discord:{SNOWFLAKE}"

    async def challenge() -> ChallengeUpdate:
        made = await matches.challenges.create(
            BLACK,
            to=WHITE,
            server=server,
            channel=server,
            game=name,
            terms=TERMS,
            colour=game.sides[0],
            now=now,
        )
        await matches.announcements.mark_sent(made.announcement.id, "0/0", now=now)
        return made

    made = await challenge()
    update = await post(await matches.challenges.accept(made.challenge.id, WHITE, now=now))
    for text in random_moves(game):
        now += chance.random() * timedelta(days=2)
        seat = update.match.to_move
        assert seat is not None  # noqa: S101 - no random game ends so early
        update = await post(await matches.play(update.match.id, seat.person, [text], now=now))
    for outdated in await matches.posting.outdated_posts.list(now=now):
        await matches.posting.outdated_posts.mark_edited(outdated.announcement, now=now)
    await post(await matches.resign(update.match.id, BLACK, now=now))
    before = await _read_rows(database)
    if packed:
        await challenge()  # another one: the newest rows are not deleted
        await matches.work.packing.pack(now=now + 2 * PACK_AFTER)
    rows = await _read_rows(database)
    own = {name: [row for row in rows[name] if _is_of_first_match(name, row)] for name in rows}
    return PlayedMatch(name, to_millis(now), before["challenges"][0], own)


async def _read_rows(database: Database) -> dict[str, list[Row]]:
    async with database.read() as connection:
        return {
            table: [
                dict(row) for row in (await connection.execute(select(METADATA.tables[table]))).mappings()
            ]
            for table in COPIED_TABLES
        }


def _is_of_first_match(table: str, row: Row) -> bool:
    columns = ("id",) if table in {"challenges", "matches"} else ("match", "challenge")
    return any(row.get(column) == 1 for column in columns)


async def fill(
    url: str,
    count: int,
    played: Sequence[PlayedMatch],
    recent: Sequence[PlayedMatch] = (),
    recent_count: int = RECENT,
) -> None:
    """Write `count` copies of the played matches into a migrated database without rows.

    With `recent`, which are not packed, `recent_count` copies of these follow, which ended three days before
    AFTERWARDS. Raises ValueError for a count that is not the same number of matches on each server.
    """
    if count % MATCHES_OF_SERVER:
        raise ValueError(f"{count} is not a multiple of {MATCHES_OF_SERVER}.")
    season = _Season(count, played, recent)
    writer = await _open_writer(url)
    try:
        await writer.write("servers", ("server", "met_at"), ((one.id, 0) for one in season.servers))
        people = (
            (account, f"Player {number} of {one.number}", 0)
            for one in season.servers
            for number, account in enumerate(one.accounts)
        )
        await writer.write("people", ("account", "name", "met_at"), people)
        for start in range(0, count, CHUNK):
            numbers = range(start, min(start + CHUNK, count))
            await _write_copies(writer, [season.copy(number) for number in numbers])
            await writer.write("rating_steps", _names(RatingStepRow), season.rating_steps(numbers))
        await _write_copies(writer, season.copy_recent(recent_count))
        await writer.write("ratings", _names(RatingRow), season.ratings())
        await writer.write("rating_games", ("game", "last"), season.rating_games())
    finally:
        await writer.close()


async def _write_copies(writer: _SqliteWriter | _PostgresWriter, copies: Sequence[_Copy]) -> None:
    for table in COPIED_TABLES:
        rows = (row.fill(copy) for copy in copies for row in copy.template.rows[table])
        await writer.write(table, METADATA.tables[table].c.keys(), rows)


def _names(row_type: type[Any]) -> list[str]:
    return [field.name for field in fields(row_type)]


def server_of(number: int) -> str:
    """Return the id of a server, numbered from 0."""
    return f"discord:{SNOWFLAKE + 1 + number}"


def account_of(server: int, number: int) -> str:
    """Return the account of a player of a server, numbered from 0."""
    return f"discord:{2 * SNOWFLAKE + server * PEOPLE_OF_SERVER + number}"


class _Server:
    """A server and the accounts of its players."""

    def __init__(self, number: int) -> None:
        self.number, self.id = number, server_of(number)
        self.accounts = [account_of(number, one) for one in range(PEOPLE_OF_SERVER)]


@dataclass(frozen=True, slots=True)
class _Copy:
    """A copy of a played match: its number, server and pair, and by how much it is later, in milliseconds."""

    template: _Template
    number: int
    server: _Server
    first: str
    second: str
    shift: int
    rematch_of: int
    first_announcement: int


@dataclass(frozen=True, slots=True)
class _RowTemplate:
    """The values of a row, and what they are in a copy, by column."""

    values: Sequence[Any]
    changes: Sequence[tuple[int, _Change]]

    def fill(self, copy: _Copy) -> list[Any]:
        """Return the row of a copy."""
        values = [*self.values]
        for column, change in self.changes:
            values[column] = change(copy)
        return values


class _Template:
    """The rows of a played match; those of a packed rematch include its challenge."""

    def __init__(self, played: PlayedMatch, *, is_rematch: bool = False) -> None:
        self.game, self.ended_at = played.game, played.ended_at
        rows = dict(played.rows)
        if is_rematch:
            rows["challenges"] = [{**played.challenge, "rematch_of": 1}]
            rows["matches"] = [{**row, "challenge": 1} for row in rows["matches"]]
        self.rows = {
            table: [_row_template(table, number, row) for number, row in enumerate(found)]
            for table, found in rows.items()
        }


def _row_template(table: str, number: int, row: Row) -> _RowTemplate:
    if "audience" in row:
        row = {**row, "audience": Audience.NAMES}
    changes = (
        None if value is None else _change_of(table, number, name, value) for name, value in row.items()
    )
    return _RowTemplate(
        [*row.values()], [(column, change) for column, change in enumerate(changes) if change is not None]
    )


def _change_of(table: str, row: int, name: str, value: Any) -> _Change | None:
    """Return what the value of a column is in a copy; None if it is the same. `row` counts from 0."""
    by_name: dict[str, _Change] = {
        **dict.fromkeys(("id", "match", "challenge"), lambda copy: copy.number),
        **dict.fromkeys(("server", "place"), lambda copy: copy.server.id),
        "rematch_of": lambda copy: copy.rematch_of,
        "post": lambda copy: f"{SNOWFLAKE + copy.server.number}/{SNOWFLAKE + copy.number}",
        "announcement": lambda copy: copy.first_announcement + value - 1,
    }
    if table == "outbox":
        by_name["id"] = lambda copy: copy.first_announcement + row
        by_name["request"] = lambda copy: SNOWFLAKE + copy.first_announcement + row
    if name in by_name:
        return by_name[name]
    if name.endswith("_at") or name in _SHIFTED:
        return lambda copy: value + copy.shift
    if isinstance(value, str) and "discord:" in value:
        return lambda copy: value.replace(BLACK.account, copy.first).replace(WHITE.account, copy.second)
    return None


class _Season:
    """All matches: rounds in which every server plays one, each server a little later than the one before."""

    def __init__(self, count: int, played: Sequence[PlayedMatch], recent: Sequence[PlayedMatch]) -> None:
        self.servers = [_Server(number) for number in range(count // MATCHES_OF_SERVER)]
        self._between_rounds = YEARS // MATCHES_OF_SERVER // timedelta(milliseconds=1)
        self._between_servers = self._between_rounds // len(self.servers)
        self._count, self._played, self._recent = count, played, recent
        self._announcements = max(len(one.rows["outbox"]) for one in (*played, *recent))
        self._templates = [[_Template(one, is_rematch=flag) for one in played] for flag in (False, True)]
        chance = random.Random(1)
        self._pairs = [chance.sample(range(PEOPLE_OF_SERVER), 2) for _ in range(MATCHES_OF_SERVER)]
        self._steps: dict[int, list[RatingStepRow]] = {}
        self._last: dict[tuple[str, str], RatingRow] = {}
        for first in range(len(played)):
            self._rate(range(first, MATCHES_OF_SERVER, len(played)))

    def _rate(self, rounds: Sequence[int]) -> None:
        """Compute the ratings of a game on the first server; its rounds are given."""
        server = self.servers[0]
        game, known = self._played[rounds[0] % len(self._played)].game, dict[str, PastRating]()
        for place, number in enumerate(rounds):
            pair = [server.accounts[one] for one in self._pairs[number]]
            steps = [
                RatingStepRow(
                    game=game,
                    number=place * len(self.servers) + 1,
                    person=pair[index],
                    match=number * len(self.servers) + 1,
                    opponent=pair[1 - index],
                    score=SCORES[index],
                    server=server.id,
                    made_at=self._ended_at(number, 0),
                    rating=0,
                    deviation=0,
                    volatility=0,
                )
                for index in (0, 1)
            ]
            self._steps[number] = recompute_steps(steps, known)
            for step in self._steps[number]:
                rating = decode_rating(step.rating, step.deviation, step.volatility)
                known[step.person] = PastRating(rating, step.made_at)
                before = self._last.get((step.person, game))
                self._last[step.person, game] = rating_row(step, 1 if before is None else before.played + 1)

    def _ended_at(self, number: int, server: int) -> int:
        start = to_millis(FIRST_DAY + timedelta(days=90))
        return start + number * self._between_rounds + server * self._between_servers

    def copy(self, number: int) -> _Copy:
        """Return a copy, numbered from 0."""
        in_round, server = divmod(number, len(self.servers))
        is_rematch = in_round % REMATCH == REMATCH - 1
        template = self._templates[is_rematch][in_round % len(self._played)]
        shift = self._ended_at(in_round, server) - template.ended_at
        return self._copy(template, number + 1, server, self._pairs[in_round], shift)

    def copy_recent(self, count: int) -> list[_Copy]:
        """Return copies, numbered after all others, that ended three days before AFTERWARDS."""
        templates = [_Template(one) for one in self._recent]
        ended_at = to_millis(AFTERWARDS - timedelta(days=3))
        return [
            self._copy(
                template := templates[number % len(templates)],
                self._count + number + 1,
                number % len(self.servers),
                self._pairs[number],
                ended_at - template.ended_at,
            )
            for number in range(count if templates else 0)
        ]

    def _copy(self, template: _Template, number: int, server: int, pair: Sequence[int], shift: int) -> _Copy:
        one = self.servers[server]
        black, white = (one.accounts[index] for index in pair)
        earlier = max(1, number - len(self.servers))
        announcement = (number - 1) * self._announcements + 1
        return _Copy(template, number, one, black, white, shift, earlier, announcement)

    def rating_steps(self, numbers: Iterable[int]) -> Iterator[tuple[Any, ...]]:
        """Yield the rating steps of the matches with these numbers, counted from 0."""
        for number in numbers:
            in_round, index = divmod(number, len(self.servers))
            server, later = self.servers[index], index * self._between_servers
            pair = [server.accounts[one] for one in self._pairs[in_round]]
            for step, person, opponent in zip(self._steps[in_round], pair, reversed(pair), strict=True):
                yield (
                    *(step.game, step.number + index, person, number + 1, opponent, step.score, server.id),
                    *(step.made_at + later, step.rating, step.deviation, step.volatility),
                )

    def ratings(self) -> Iterator[tuple[Any, ...]]:
        """Yield the last ratings."""
        first = self.servers[0]
        for server in self.servers:
            accounts = dict(zip(first.accounts, server.accounts, strict=True))
            later = server.number * self._between_servers
            for row in self._last.values():
                yield (
                    *(accounts[row.person], row.game, row.rating, row.deviation, row.volatility),
                    *(row.rated_at + later, row.played, row.settled_until and row.settled_until + later),
                )

    def rating_games(self) -> Iterator[tuple[str, int]]:
        """Yield how many rated matches of each game there are."""
        for first, one in enumerate(self._played):
            yield one.game, len(range(first, MATCHES_OF_SERVER, len(self._played))) * len(self.servers)


class _SqliteWriter:
    """Writes rows into an SQLite file, as fast as it can."""

    def __init__(self, path: str) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{CACHE >> 10}"):
            self._connection.execute(f"PRAGMA {pragma}")

    async def write(self, table: str, names: Iterable[str], rows: Iterable[Sequence[Any]]) -> None:
        """Write rows into a table."""
        columns = [f'"{name}"' for name in names]
        values = ", ".join("?" for _ in columns)
        self._connection.execute("BEGIN")
        self._connection.executemany(
            f'INSERT INTO "{table}" ({", ".join(columns)}) VALUES ({values})',  # noqa: S608 - our own names
            rows,
        )
        self._connection.execute("COMMIT")

    async def close(self) -> None:
        """Write everything into the database file, as the program finds it."""
        with closing(self._connection):
            self._connection.execute("PRAGMA journal_mode = WAL")


class _PostgresWriter:
    """Writes rows into a PostgreSQL database, as fast as it can."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def write(self, table: str, names: Iterable[str], rows: Iterable[Sequence[Any]]) -> None:
        """Write rows into a table."""
        await self._connection.copy_records_to_table(table, records=rows, columns=[*names], timeout=600)

    async def close(self) -> None:
        """Set the sequences after the last ids, and do what the server does by itself after a while."""
        for table in ("challenges", "matches", "outbox"):
            await self._connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"  # noqa: S608 - our own names
            )
        await self._connection.execute("VACUUM ANALYZE", timeout=1800)
        await self._connection.close()


async def _open_writer(url: str) -> _SqliteWriter | _PostgresWriter:
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return _SqliteWriter(str(parsed.database))
    plain = parsed.set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
    with suppress(asyncpg.InsufficientPrivilegeError):  # else each row is checked against others
        await connection.execute("SET session_replication_role = replica")
    await connection.execute("SET synchronous_commit = off")
    return _PostgresWriter(connection)
