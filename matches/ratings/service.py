"""Ratings and results, to be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.options import find_game
from matches.ratings.glicko import Rating
from matches.ratings.ledger import Known, difference
from matches.ratings.tally import counted
from matches.ratings.values import Leaders, RatingChange, RatingStep, Standing, read_rating
from matches.reading import fetch
from matches.times import millis, moment
from matches.values import MatchId, Person
from storage import ratings, results

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from matches.ratings.values import Results
    from storage import Store
    from storage.ratings import LeaderRow, RatingRow, StepRow

PAGE = 15
"""Lines of one page of the leaders."""


class Ratings:
    """The ratings of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def standings(self, person: Person, *, now: datetime) -> tuple[Standing, ...]:
        """Give a person's ratings, that of the game rated last first."""
        async with self._store.reading() as connection:
            rows = await ratings.of_person(connection, person.account)
        return tuple(_standing(row.game, row, person, None, millis(now)) for row in rows)

    async def course(self, person: Person, game: str, *, now: datetime) -> tuple[RatingStep, ...]:  # noqa: ARG002
        """Give the rated matches of a person at a game, in order, with the rating after each."""
        async with self._store.reading() as connection:
            rows = await ratings.course(connection, person.account, game)
        return tuple(
            RatingStep(
                match=MatchId(row.match),
                at=moment(row.made_at),
                score=(row.score or 0) / 2,
                rating=_rating(row),
            )
            for row in rows
        )

    async def results(self, person: Person, server: str, game: str, *, now: datetime) -> Results:  # noqa: ARG002
        """Count a person's results at a game in `server`, rated or not. Raises GameUnknown."""
        rules = find_game(game)
        async with self._store.reading() as connection:
            rows = await results.of_person(connection, person.account, server, game)
        return counted(rules, person.account, rows)

    async def leaders(self, server: str, game: str, *, page: int = 1, now: datetime) -> Leaders:
        """Give a page of the ratings at a game of those who ended a rated match in `server`.

        A page that does not exist gives the one nearest to it. Raises GameUnknown.
        """
        find_game(game)
        async with self._store.reading() as connection:
            people = await ratings.count(connection, server, game)
            pages = max(1, -(-people // PAGE))
            page = min(max(page, 1), pages)
            skipped = (page - 1) * PAGE
            rows = await ratings.leaders(connection, server, game, millis(now), PAGE, skipped)
        standings = tuple(
            _standing(game, row, Person(row.person, row.name), place, millis(now))
            for place, row in enumerate(rows, start=skipped + 1)
        )
        return Leaders(game=game, page=page, pages=pages, people=people, standings=standings)

    async def changes(self, match: MatchId, *, now: datetime) -> tuple[RatingChange, ...]:  # noqa: ARG002
        """Give what a match did to the ratings of its people, by seat; nothing where it does not count.

        Raises MatchUnknown.
        """
        async with self._store.reading() as connection:
            row = await fetch(connection, match)
            steps = [step for step in await ratings.of_match(connection, match) if step.score is not None]
            people = [step.person for step in steps]
            earlier = await ratings.before(connection, row.game, steps[0].number, people) if steps else []
        before = {step.person: _rating(step) for step in earlier}
        after = {step.person: _rating(step) for step in steps}
        return tuple(
            RatingChange(Person(account, name), before.get(account, Rating()), after[account])
            for account, name in ((row.first, row.first_name), (row.second, row.second_name))
            if account in after
        )

    async def audit(self) -> Mapping[str, str]:
        """Replay every game's ratings and say, by game, where what is stored first differs."""
        async with self._store.reading() as connection:
            found = {game: await difference(connection, game) for game in await ratings.games(connection)}
        return {game: where for game, where in found.items() if where is not None}


def _standing(game: str, row: RatingRow | LeaderRow, person: Person, place: int | None, now: int) -> Standing:
    provisional = row.settled_until <= now
    return Standing(
        person=person,
        game=game,
        rating=Known(_rating(row), row.rated_at).now(now),
        played=row.played,
        provisional=provisional,
        rated_at=moment(row.rated_at),
        place=None if provisional else place,
    )


def _rating(row: RatingRow | LeaderRow | StepRow) -> Rating:
    return read_rating(row.rating, row.deviation, row.volatility)
