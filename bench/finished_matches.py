"""Databases with many finished matches.

One random match of each game is played and resigned through `matches`. Its rows are then copied with other
numbers, players, servers and times, straight into the tables: the same rows that playing would have made. The
ratings are those that the results lead to: on every server the same pairs play the same results at the same
intervals, so they are computed once. `python -m matches.audit` finds no difference.
"""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from bench.games import long_random_game
from engine import GAMES
from matches import DISCORD, Database, Matches, Person, Terms, TimeControl
from matches.audience import Audience
from matches.ratings.history import PastRating, rating_row, recompute_steps
from matches.ratings.values import decode_rating
from matches.times import to_millis
from matches.work.packing import PACK_AFTER
from storage.match.ratings import RatingRow, RatingStepRow
from storage.tables import METADATA
from tests.databases import execute_statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from matches import ChallengeUpdate, MatchUpdate, MatchView

    _Change = Callable[["_Copy"], Any]
    _Filler = Callable[["_Copy"], "Row"]

TURNS = 60
MATCHES_OF_SERVER = 500
PEOPLE_OF_SERVER = 25  # so that each of them has played 40 of the matches
REMATCH = 10  # every how many matches one is a rematch, so that its challenge is kept
RECENT = 60  # matches that ended lately
CHUNK = 5000  # matches written in one transaction
FIRST_DAY = datetime(2024, 1, 1, 12, tzinfo=UTC)
YEARS = timedelta(days=730)  # between the end of the first match and that of the last
AFTERWARDS = FIRST_DAY + YEARS + timedelta(days=120)
TERMS = Terms(rated=True, time_control=TimeControl.per_move(timedelta(days=3)))
BLACK, WHITE = Person("discord:100000000000000001", "Ada"), Person("discord:100000000000000002", "Bob")
SCORES = (0, 2)  # Black resigns
SNOWFLAKE = 100_000_000_000_000_000  # ids of Discord have 18 digits or more
COPIED_TABLES = ("challenges", "matches", "picks", "moves", "packed_logs", "outbox", "cleaned_posts")

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


async def play_matches(*, packed: bool) -> list[PlayedMatch]:
    """Play a match of each game and resign it; with `packed` it is then packed as in the background."""
    played = []
    for game in GAMES:
        with TemporaryDirectory() as folder:
            async with await Database.open(f"sqlite:///{folder}/played.db") as database:
                played.append(await _play_match(database, game, packed=packed))
    return played


async def mark_sent(matches: Matches, update: ChallengeUpdate | MatchUpdate, now: datetime) -> None:
    """Note that the post of an update was sent."""
    if update.announcement is not None:
        await matches.announcements.mark_sent(update.announcement.id, "1/1", now=now)


async def begin_match(
    matches: Matches, game: str, black: Person, white: Person, server: str, now: datetime
) -> MatchView:
    """Begin a match that everybody may see, and note that its posts were sent."""
    made = await matches.challenges.create(
        black,
        to=white,
        server=server,
        channel=server,
        game=game,
        terms=TERMS,
        colour=GAMES[game].sides[0],
        audience=Audience.NAMES,
        now=now,
    )
    accepted = await matches.challenges.accept(made.challenge.id, white, now=now)
    await mark_sent(matches, made, now)
    await mark_sent(matches, accepted, now)
    return accepted.match


async def _play_match(database: Database, game: str, *, packed: bool) -> PlayedMatch:
    matches, now, chance, server = Matches(database), FIRST_DAY, random.Random(1), f"discord:{SNOWFLAKE}"
    match = (await begin_match(matches, game, BLACK, WHITE, server, now)).id
    for ply, text in enumerate(long_random_game(GAMES[game].initial_position(), TURNS)):
        now += chance.random() * timedelta(days=2)
        update = await matches.play(match, (BLACK, WHITE)[ply % 2], [text], now=now)
        await mark_sent(matches, update, now)
    for outdated in await matches.posting.outdated_posts.list(DISCORD, now=now):
        await matches.posting.outdated_posts.mark_edited(outdated.announcement, now=now)
    await mark_sent(matches, await matches.resign(match, BLACK, now=now), now)
    before = await _read_rows(database)
    if packed:
        await begin_match(matches, game, BLACK, WHITE, server, now)  # the newest rows are not deleted
        await matches.work.packing.pack(now=now + 2 * PACK_AFTER)
    rows = await _read_rows(database)
    own = {name: [row for row in rows[name] if _is_of_first_match(name, row)] for name in rows}
    return PlayedMatch(game, to_millis(now), before["challenges"][0], own)


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
    """Write `count` copies of the played matches into a database without rows.

    With `recent`, which are not packed, `recent_count` copies of these follow, which ended three days before
    AFTERWARDS. Raises ValueError for a count that is not the same number of matches on each server.
    """
    if count % MATCHES_OF_SERVER:
        raise ValueError(f"{count} is not a multiple of {MATCHES_OF_SERVER}.")
    season = _Season(count // MATCHES_OF_SERVER, played, recent)
    async with await Database.open(url) as database:
        await _insert(database, season.servers_and_people())
        for start in range(0, count, CHUNK):
            await _insert(database, season.copies(range(start, min(start + CHUNK, count))))
        await _insert(database, season.recent_copies(count, recent_count))
        await _insert(database, season.ratings())
    if not url.startswith("sqlite"):
        # The sequences after the ids that were given, and what the server does by itself after a while.
        sequences = (
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"  # noqa: S608 - our own names
            for table in ("challenges", "matches", "outbox")
        )
        await execute_statements(url, *sequences, "VACUUM ANALYZE")


async def _insert(database: Database, rows: Mapping[str, Sequence[Row]]) -> None:
    async with database.transaction() as connection:
        for table, found in rows.items():
            if found:
                await connection.execute(METADATA.tables[table].insert(), found)


def server_of(number: int) -> str:
    """Return the id of a server, numbered from 0."""
    return f"discord:{SNOWFLAKE + 1 + number}"


def account_of(server: int, number: int) -> str:
    """Return the account of a player of a server, numbered from 0."""
    return f"discord:{2 * SNOWFLAKE + server * PEOPLE_OF_SERVER + number}"


@dataclass(frozen=True, slots=True)
class _Copy:
    """A copy of a played match: its number, server and players, and by how many milliseconds it is later."""

    number: int
    server: str
    post: str
    people: Sequence[str]
    shift: int
    rematch_of: int
    first_announcement: int


class _Template:
    """A played match whose rows can be filled for a copy; those of a packed rematch have its challenge."""

    def __init__(self, played: PlayedMatch, *, is_rematch: bool = False) -> None:
        self.ended_at = played.ended_at
        rows = dict(played.rows)
        if is_rematch:
            rows["challenges"] = [{**played.challenge, "rematch_of": 1}]
            rows["matches"] = [{**row, "challenge": 1} for row in rows["matches"]]
        self._fillers = {
            table: [_make_filler(table, number, row) for number, row in enumerate(found)]
            for table, found in rows.items()
        }

    def add_rows(self, copy: _Copy, rows: dict[str, list[Row]]) -> None:
        """Add the rows of a copy, by table."""
        for table, fillers in self._fillers.items():
            rows[table] += [fill_row(copy) for fill_row in fillers]


def _make_filler(table: str, number: int, row: Row) -> _Filler:
    """Return a function that returns the row of a copy; `number` counts the rows of the table from 0."""
    changes = {
        name: change
        for name, value in row.items()
        if value is not None and (change := _change_of(table, number, name, value)) is not None
    }
    return lambda copy: {**row, **{name: change(copy) for name, change in changes.items()}}


def _change_of(table: str, row: int, name: str, value: Any) -> _Change | None:
    """Return what the value of a column is in a copy; None if it is the same. `row` counts from 0."""
    by_name: dict[str, _Change] = {
        **dict.fromkeys(("id", "match", "challenge"), lambda copy: copy.number),
        **dict.fromkeys(("server", "place"), lambda copy: copy.server),
        "rematch_of": lambda copy: copy.rematch_of,
        "post": lambda copy: copy.post,
        "announcement": lambda copy: copy.first_announcement + value - 1,
    }
    if table == "outbox":
        by_name["id"] = lambda copy: copy.first_announcement + row
        by_name["request"] = lambda copy: SNOWFLAKE + copy.first_announcement + row
    if name in by_name:
        return by_name[name]
    if name.endswith("_at") or name == "deadline":
        return lambda copy: value + copy.shift
    if isinstance(value, str) and "discord:" in value:
        return lambda copy: value.replace(BLACK.account, copy.people[0]).replace(
            WHITE.account, copy.people[1]
        )
    return None


class _Season:
    """All matches: rounds in which every server plays one, each server a little later than the one before."""

    def __init__(self, servers: int, played: Sequence[PlayedMatch], recent: Sequence[PlayedMatch]) -> None:
        self._servers, self._played, self._recent = servers, played, recent
        self._announcements = max(len(one.rows["outbox"]) for one in (*played, *recent))
        self._between_rounds = YEARS // MATCHES_OF_SERVER // timedelta(milliseconds=1)
        self._between_servers = self._between_rounds // servers
        self._templates = [[_Template(one, is_rematch=flag) for one in played] for flag in (False, True)]
        chance = random.Random(1)
        self._pairs = [chance.sample(range(PEOPLE_OF_SERVER), 2) for _ in range(MATCHES_OF_SERVER)]
        self._steps: dict[int, list[RatingStepRow]] = {}
        self._last: dict[tuple[str, str], RatingRow] = {}
        for first in range(len(played)):
            self._rate(range(first, MATCHES_OF_SERVER, len(played)))

    def _rate(self, rounds: Sequence[int]) -> None:
        """Compute the ratings of a game on the first server; its rounds are given."""
        game, known = self._played[rounds[0] % len(self._played)].game, dict[str, PastRating]()
        for place, number in enumerate(rounds):
            first, match = place * self._servers + 1, number * self._servers + 1
            pair, now = self._accounts(number, 0), self._ended_at(number, 0)
            steps = [
                RatingStepRow(game, first, one, match, other, score, server_of(0), now, 0, 0, 0)
                for one, other, score in zip(pair, reversed(pair), SCORES, strict=True)
            ]
            self._steps[number] = recompute_steps(steps, known)
            for step in self._steps[number]:
                rating = decode_rating(step.rating, step.deviation, step.volatility)
                known[step.person] = PastRating(rating, step.made_at)
                before = self._last.get((step.person, game))
                self._last[step.person, game] = rating_row(step, 1 if before is None else before.played + 1)

    def _ended_at(self, in_round: int, server: int) -> int:
        start = to_millis(FIRST_DAY + timedelta(days=90))
        return start + in_round * self._between_rounds + server * self._between_servers

    def _accounts(self, in_round: int, server: int) -> list[str]:
        return [account_of(server, one) for one in self._pairs[in_round]]

    def servers_and_people(self) -> dict[str, list[Row]]:
        """Return the rows of all servers and of their players."""
        everybody = [(server, one) for server in range(self._servers) for one in range(PEOPLE_OF_SERVER)]
        return {
            "servers": [{"server": server_of(number), "met_at": 0} for number in range(self._servers)],
            "people": [
                {"account": account_of(server, one), "name": f"Player {one} of {server}", "met_at": 0}
                for server, one in everybody
            ],
        }

    def copies(self, numbers: Iterable[int]) -> dict[str, list[Row]]:
        """Return the rows of the matches with these numbers, counted from 0, and of their rating steps."""
        rows: dict[str, list[Row]] = {table: [] for table in (*COPIED_TABLES, "rating_steps")}
        for number in numbers:
            in_round, server = divmod(number, self._servers)
            template = self._templates[in_round % REMATCH == REMATCH - 1][in_round % len(self._played)]
            template.add_rows(self._copy(number, in_round, self._ended_at(in_round, server), template), rows)
            people = self._accounts(in_round, server)
            for step, person, opponent in zip(self._steps[in_round], people, reversed(people), strict=True):
                row = asdict(step)
                row |= {"person": person, "opponent": opponent, "server": server_of(server)}
                row |= {"number": step.number + server, "match": number + 1}
                rows["rating_steps"].append(row | {"made_at": step.made_at + server * self._between_servers})
        return rows

    def recent_copies(self, first: int, count: int) -> dict[str, list[Row]]:
        """Return the rows of copies numbered from `first` on, which ended three days before AFTERWARDS."""
        rows: dict[str, list[Row]] = {table: [] for table in COPIED_TABLES}
        templates = [_Template(one) for one in self._recent]
        ended_at = to_millis(AFTERWARDS - timedelta(days=3))
        for number in range(count if templates else 0):
            template = templates[number % len(templates)]
            template.add_rows(self._copy(first + number, number, ended_at, template), rows)
        return rows

    def _copy(self, number: int, in_round: int, ended_at: int, template: _Template) -> _Copy:
        server = number % self._servers
        return _Copy(
            number + 1,
            server_of(server),
            f"{SNOWFLAKE + server}/{SNOWFLAKE + number + 1}",
            self._accounts(in_round, server),
            ended_at - template.ended_at,
            max(1, number + 1 - self._servers),
            number * self._announcements + 1,
        )

    def ratings(self) -> dict[str, list[Row]]:
        """Return the rows of the last ratings, and of how many rated matches of each game there are."""
        ratings = list[Row]()
        numbers = {account_of(0, one): one for one in range(PEOPLE_OF_SERVER)}
        for server in range(self._servers):
            later = server * self._between_servers
            for row in self._last.values():
                moved = {"person": account_of(server, numbers[row.person]), "rated_at": row.rated_at + later}
                moved |= {"settled_until": row.settled_until and row.settled_until + later}
                ratings.append(asdict(row) | moved)
        games = [
            {
                "game": one.game,
                "last": len(range(first, MATCHES_OF_SERVER, len(self._played))) * self._servers,
            }
            for first, one in enumerate(self._played)
        ]
        return {"ratings": ratings, "rating_games": games}
