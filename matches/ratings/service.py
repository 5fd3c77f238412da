"""Reading ratings and results."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from engine import GAMES
from engine.game import Outcome
from matches.computer.accounts import is_computer
from matches.options import find_game, parse_options
from matches.ratings.glicko import Rating
from matches.ratings.history import PastRating, find_difference, recompute_batch
from matches.ratings.values import (
    LeaderboardPage,
    RatingChange,
    RatingStep,
    ResultCounts,
    Results,
    Standing,
    decode_rating,
)
from matches.times import from_millis, to_millis
from matches.values import MatchId, Person
from matches.view_builder import fetch_match
from matches.work.each import for_each
from storage.match import ratings, results

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from engine.game import Game, Side
    from storage import Database
    from storage.match.ratings import LeaderboardRow, RatingRow, RatingStepRow
    from storage.match.results import ResultRow

Key = TypeVar("Key")

PAGE_SIZE = 15
"""Lines of one page of the leaders."""

LONG_LEADERBOARD = 1000
"""Persons from which on the order of a leaderboard is kept, because it takes a while."""

LEADERBOARD_LIFETIME = timedelta(minutes=1)
MAX_KEPT_LEADERBOARDS = 16

BATCHES_AT_ONCE = 25
"""Batches of corrected ratings that are computed before other periodic work has its turn."""


class Ratings:
    """The ratings of a database."""

    def __init__(self, database: Database, games: Mapping[str, Game] = GAMES) -> None:
        self._database = database
        self._games = games
        # By server and game, with the time until which they hold: the persons of long leaderboards, in order.
        self._leaders: dict[tuple[str, str], tuple[datetime, list[str]]] = {}

    async def standings(self, person: Person, *, now: datetime) -> tuple[Standing, ...]:
        """Return a person's ratings, that of the game rated last first."""
        async with self._database.read() as connection:
            rows = await ratings.list_for_person(connection, person.account)
        return tuple(_standing(row.game, row, person, None, to_millis(now)) for row in rows)

    async def history(self, person: Person, game: str, *, now: datetime) -> tuple[RatingStep, ...]:  # noqa: ARG002
        """Return the rated matches of a person at a game, in order, with the rating after each."""
        async with self._database.read() as connection:
            rows = await ratings.list_counted_steps(connection, person.account, game)
        return tuple(
            RatingStep(
                match=MatchId(row.match),
                at=from_millis(row.made_at),
                score=(row.score or 0) / 2,
                rating=_rating_from_row(row),
            )
            for row in rows
        )

    async def results(
        self,
        person: Person,
        server: str,
        game: str,
        *,
        reader: str = "",
        visible: Callable[[Sequence[str]], Awaitable[Collection[str]]] | None = None,
        now: datetime,  # noqa: ARG002
    ) -> Results:
        """Count a person's results at a game in `server`, rated or not. Raises `game_unknown`.

        With `visible` only those count that the account `reader` may know: its own matches, and those in the
        channels that `visible` returns of the channels it is asked about.
        """
        rules = find_game(self._games, game)
        async with self._database.read() as connection:
            rows = await results.list_for_person(connection, person.account, server, game)
        if visible is not None:
            known = await visible(sorted({row.place for row in rows}))
            rows = [row for row in rows if reader in (row.first, row.second) or row.place in known]
        return count_results(rules, person.account, rows)

    async def latest_game(self, person: Person, server: str, *, now: datetime) -> str | None:  # noqa: ARG002
        """Return the game of a person's newest match in `server` that has a result, rated or not, or None."""
        async with self._database.read() as connection:
            return await results.find_latest_game(connection, person.account, server)

    async def leaderboard(self, server: str, game: str, *, page: int = 1, now: datetime) -> LeaderboardPage:
        """Return a page of the ratings at a game of those who ended a rated match in `server`.

        A page number out of range gives the nearest page. The order of LONG_LEADERBOARD persons or more is
        kept for LEADERBOARD_LIFETIME. Raises `game_unknown`.
        """
        find_game(self._games, game)
        until, people = self._leaders.pop((server, game), (now, []))
        async with self._database.read() as connection:
            games = await ratings.list_games(connection)
            if until <= now:
                until = now + LEADERBOARD_LIFETIME
                people = await ratings.list_leaders(connection, server, game, to_millis(now))
            pages = max(1, -(-len(people) // PAGE_SIZE))
            page = min(max(page, 1), pages)
            skipped = (page - 1) * PAGE_SIZE
            rows = await ratings.list_lines(connection, game, people[skipped : skipped + PAGE_SIZE])
        if len(people) >= LONG_LEADERBOARD:
            self._leaders[server, game] = until, people
            while len(self._leaders) > MAX_KEPT_LEADERBOARDS:
                del self._leaders[next(iter(self._leaders))]
        standings = tuple(
            _standing(game, row, Person(row.person, row.name), place, to_millis(now))
            for place, row in enumerate(rows, start=skipped + 1)
        )
        return LeaderboardPage(
            game=game,
            page=page,
            pages=pages,
            people=len(people),
            standings=standings,
            is_recomputing=any(row.game == game and row.stale_from is not None for row in games),
        )

    async def changes(self, match: MatchId, *, now: datetime) -> tuple[RatingChange, ...]:  # noqa: ARG002
        """Return the rating changes of a match in the order of the seats; empty if it does not count.

        The computer's rating never changes, so it has none.

        Raises MatchUnknown.
        """
        async with self._database.read() as connection:
            row = await fetch_match(connection, match)
            steps = [
                step
                for step in await ratings.list_steps_of_match(connection, match)
                if step.score is not None
            ]
            accounts = [step.person for step in steps]
            earlier = (
                await ratings.list_last_steps_before(connection, row.game, steps[0].number, accounts)
                if steps
                else []
            )
        before = {step.person: _rating_from_row(step) for step in earlier}
        after = {step.person: _rating_from_row(step) for step in steps}
        return tuple(
            RatingChange(Person(account, name), before.get(account, Rating()), after[account])
            for account, name in ((row.first, row.first_name), (row.second, row.second_name))
            if account in after and not is_computer(account)
        )

    async def recompute(self, *, batches: int = BATCHES_AT_ONCE) -> bool:
        """Continue what corrected results left to compute, at most `batches` batches for each game.

        Each batch is a short transaction, so nobody waits long. Call it again while it returns True: more is
        left. It may be called twice, by two processes, and after a crash: each batch is computed once. Raises
        ExceptionGroup if a game could not be continued.
        """
        unfinished = list[str]()

        async def continue_game(game: str) -> None:
            for _ in range(batches):
                async with self._database.transaction() as connection:
                    if not await recompute_batch(connection, game):
                        return
            unfinished.append(game)

        await for_each(await self.list_recomputing(), continue_game)
        return bool(unfinished)

    async def list_recomputing(self) -> tuple[str, ...]:
        """Return the games whose ratings are being computed again after a corrected result."""
        async with self._database.read() as connection:
            games = await ratings.list_games(connection)
        return tuple(game.game for game in games if game.stale_from is not None)

    async def audit(self) -> Mapping[str, str]:
        """Replay the ratings of every game; return, by game, where the stored ones first differ.

        What is still being computed again (:meth:`list_recomputing`) is left out.
        """
        async with self._database.read() as connection:
            found = {
                game.game: await find_difference(connection, game)
                for game in await ratings.list_games(connection)
            }
        return {game: where for game, where in found.items() if where is not None}


def _standing(
    game: str, row: RatingRow | LeaderboardRow, person: Person, rank: int | None, now: int
) -> Standing:
    provisional = row.settled_until <= now
    return Standing(
        person=person,
        game=game,
        rating=PastRating(_rating_from_row(row), row.rated_at).at_time(now),
        played=row.played,
        is_provisional=provisional,
        rated_at=from_millis(row.rated_at),
        rank=None if provisional else rank,
    )


def _rating_from_row(row: RatingRow | LeaderboardRow | RatingStepRow) -> Rating:
    return decode_rating(row.rating, row.deviation, row.volatility)


def count_results(game: Game, account: str, rows: Iterable[ResultRow]) -> Results:
    """Count the results of `account` in these matches."""
    total = ResultCounts()
    by_opponent: defaultdict[Person, ResultCounts] = defaultdict(ResultCounts)
    by_side: defaultdict[Side, ResultCounts] = defaultdict(ResultCounts)
    by_start: defaultdict[str, ResultCounts] = defaultdict(ResultCounts)
    for row in rows:
        first = row.first == account
        opponent = Person(row.second, row.second_name) if first else Person(row.first, row.first_name)
        side = game.sides[0 if first else 1]
        score = _score(Outcome(row.outcome), side)
        total = total.plus(score)
        by_opponent[opponent] = by_opponent[opponent].plus(score)
        by_side[side] = by_side[side].plus(score)
        for start in _start_modes(game, row):
            by_start[start] = by_start[start].plus(score)
    return Results(total, _sort_by_count(by_opponent), _sort_by_count(by_side), _sort_by_count(by_start))


def _score(outcome: Outcome, side: Side) -> float:
    if outcome.winner is None:
        return 0.5
    return 1 if outcome.winner is side else 0


def _start_modes(game: Game, row: ResultRow) -> tuple[str, ...]:
    """Return the start mode of a match, if the game has such an option."""
    option = None if game.simultaneous_choice is None else game.simultaneous_choice.option
    return tuple(str(value) for name, value in parse_options(row.options).items() if name == option)


def _sort_by_count(scores: Mapping[Key, ResultCounts]) -> dict[Key, ResultCounts]:
    """Sort by number of results, the most first; ties keep their order."""
    return dict(sorted(scores.items(), key=lambda item: -item[1].played))
