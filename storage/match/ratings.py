"""Ratings: the current one of each person and game, and every rating step that led to it.

Ratings, deviations and volatilities are whole numbers in the units of `matches.ratings.history`. The steps of
a game are numbered in order; a writer locks the game's counter first, so that there is one writer at a time.
A step without a score was revoked and does not count. Steps from the game's `stale_from` on, and the ratings
that they lead to, still have to be recomputed.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, case, delete, func, insert, select, update

from storage.people.people import DELETED_PREFIX
from storage.statements import columns_for, dialect_insert, fetch_dict, fetch_rows, select_rows
from storage.tables import PEOPLE, RATING_GAMES, RATING_STEPS, RATINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import ColumnElement
    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A person's rating at a game at `rated_at`, after `played` counted matches.

    It is not provisional until `settled_until`, in milliseconds since 1970 UTC.
    """

    person: str
    game: str
    rating: int
    deviation: int
    volatility: int
    rated_at: int
    played: int
    settled_until: int


@dataclass(frozen=True, slots=True)
class RatingStepRow:
    """One person's part in a rated match: the `score` in half points, and the rating after it."""

    game: str
    number: int
    person: str
    match: int
    opponent: str
    score: int | None
    server: str
    made_at: int
    rating: int
    deviation: int
    volatility: int


@dataclass(frozen=True, slots=True)
class RatingGameRow:
    """The number of a game's `last` step, and the first that has to be recomputed, or None."""

    game: str
    last: int
    stale_from: int | None


@dataclass(frozen=True, slots=True)
class LeaderboardRow(RatingRow):
    """One line of a leaderboard."""

    name: str


# The columns that a new rating replaces.
_UPDATED_COLUMNS = ("rating", "deviation", "volatility", "rated_at", "played", "settled_until")


async def lock_game(connection: AsyncConnection, game: str, *, increment: int = 0) -> RatingGameRow:
    """Lock the step counter of a game until the commit, add `increment` to it and return it."""
    insertion = dialect_insert(connection, RATING_GAMES).values(game=game, last=increment)
    statement = insertion.on_conflict_do_update(
        index_elements=["game"], set_={"last": RATING_GAMES.c.last + increment}
    )
    returned = await connection.execute(
        statement.returning(*columns_for(RatingGameRow, dict(RATING_GAMES.c)))
    )
    return RatingGameRow(*returned.one())


async def set_stale_from(connection: AsyncConnection, game: str, number: int | None) -> None:
    """Record from which step on a game has to be recomputed; None if all its steps are right."""
    await connection.execute(
        update(RATING_GAMES).where(RATING_GAMES.c.game == game).values(stale_from=number)
    )


async def list_games(connection: AsyncConnection) -> list[RatingGameRow]:
    """Return the games with at least one rating."""
    return await fetch_rows(
        connection, RatingGameRow, select_rows(RatingGameRow, RATING_GAMES).order_by(RATING_GAMES.c.game)
    )


async def get(connection: AsyncConnection, game: str, people: Iterable[str]) -> list[RatingRow]:
    """Return the ratings of persons at a game, as far as they have one."""
    where = (RATINGS.c.game == game, RATINGS.c.person.in_(sorted(people)))
    return await _fetch_ratings(connection, *where)


async def list_for_people(
    connection: AsyncConnection, people: Iterable[str], games: Iterable[str]
) -> list[RatingRow]:
    """Return the ratings of persons at some games, as far as they have one."""
    where = (RATINGS.c.person.in_(sorted(people)), RATINGS.c.game.in_(sorted(games)))
    return await _fetch_ratings(connection, *where)


async def list_for_person(connection: AsyncConnection, person: str) -> list[RatingRow]:
    """Return all ratings of a person, the latest changed first."""
    return await _fetch_ratings(connection, RATINGS.c.person == person)


async def save(connection: AsyncConnection, ratings: Sequence[RatingRow]) -> None:
    """Insert or replace ratings."""
    if ratings:
        insertion = dialect_insert(connection, RATINGS)
        updated = {name: insertion.excluded[name] for name in _UPDATED_COLUMNS}
        statement = insertion.on_conflict_do_update(index_elements=["person", "game"], set_=updated)
        await connection.execute(statement, [asdict(rating) for rating in ratings])


async def remove(connection: AsyncConnection, game: str, people: Iterable[str]) -> None:
    """Delete the ratings of persons who have no counted step any more."""
    where = (RATINGS.c.game == game, RATINGS.c.person.in_(sorted(people)))
    await connection.execute(delete(RATINGS).where(*where))


async def add_steps(connection: AsyncConnection, steps: Sequence[RatingStepRow]) -> None:
    """Append rating steps."""
    await connection.execute(insert(RATING_STEPS), [asdict(step) for step in steps])


async def update_steps(connection: AsyncConnection, steps: Sequence[RatingStepRow]) -> None:
    """Update the scores and ratings of existing steps."""
    if steps:
        keys, updated = ("game", "number", "person"), ("score", "rating", "deviation", "volatility")
        where = (RATING_STEPS.c[name] == bindparam(f"b_{name}") for name in keys)
        statement = update(RATING_STEPS).where(*where)
        rows = [{f"b_{name}": value for name, value in asdict(step).items()} for step in steps]
        await connection.execute(statement.values({name: bindparam(f"b_{name}") for name in updated}), rows)


async def list_steps_of_match(connection: AsyncConnection, match: int) -> list[RatingStepRow]:
    """Return the two steps of a match, or none if it was never rated."""
    return await _fetch_steps(connection, RATING_STEPS.c.match == match)


async def list_steps(connection: AsyncConnection, game: str, first: int, until: int) -> list[RatingStepRow]:
    """Return the steps of a game with numbers from `first` to before `until`, in order.

    Those that do not count are included.
    """
    steps = RATING_STEPS.c
    return await _fetch_steps(connection, steps.game == game, steps.number >= first, steps.number < until)


async def list_last_steps_before(
    connection: AsyncConnection, game: str, number: int, people: Iterable[str]
) -> list[RatingStepRow]:
    """Return the last counted step before a number, for each of some persons."""
    same = RATING_STEPS.alias("same")
    last = (
        select(func.max(same.c.number))
        .where(
            same.c.person == PEOPLE.c.account,
            same.c.game == game,
            same.c.number < number,
            same.c.score.is_not(None),
        )
        .scalar_subquery()
    )
    wanted = (
        select(PEOPLE.c.account, last.label("number"))
        .where(PEOPLE.c.account.in_(sorted(people)))
        .cte("wanted")
    )
    steps = RATING_STEPS.c
    found = and_(steps.person == wanted.c.account, steps.game == game, steps.number == wanted.c.number)
    return await fetch_rows(
        connection,
        RatingStepRow,
        select_rows(RatingStepRow, RATING_STEPS).select_from(wanted.join(RATING_STEPS, found)),
    )


async def list_counted_steps(connection: AsyncConnection, person: str, game: str) -> list[RatingStepRow]:
    """Return a person's counted steps at a game, in order."""
    conditions = (RATING_STEPS.c.person == person, RATING_STEPS.c.game == game)
    return await _fetch_steps(connection, *conditions, RATING_STEPS.c.score.is_not(None))


async def list_first_steps(connection: AsyncConnection, person: str) -> dict[str, int]:
    """Return the number of a person's first step at each game that they have steps at."""
    steps = RATING_STEPS.c
    query = select(steps.game, func.min(steps.number)).where(steps.person == person).group_by(steps.game)
    return await fetch_dict(connection, query)


async def count_played(
    connection: AsyncConnection, game: str, people: Iterable[str]
) -> dict[str, tuple[int, int]]:
    """Return how many steps of persons at a game count, and the number of the last; nobody without one."""
    steps = RATING_STEPS.c
    query = (
        select(steps.person, func.count(), func.max(steps.number))
        .where(steps.person.in_(sorted(people)), steps.game == game, steps.score.is_not(None))
        .group_by(steps.person)
    )
    return {person: (played, last) for person, played, last in await connection.execute(query)}


async def list_ratings(connection: AsyncConnection, game: str, after: str, limit: int) -> list[RatingRow]:
    """Return `limit` ratings of a game, of the persons after the account `after`, in that order."""
    where = (RATINGS.c.game == game, RATINGS.c.person > after)
    statement = select_rows(RatingRow, RATINGS).where(*where).order_by(RATINGS.c.person).limit(limit)
    return await fetch_rows(connection, RatingRow, statement)


async def list_leaders(connection: AsyncConnection, server: str, game: str, now: int) -> list[str]:
    """Return the persons rated at a game in `server`, the best first.

    Those whose ratings are provisional at `now` come last. Persons whose data were erased are left out.
    """
    statement = (
        select(RATINGS.c.person)
        .where(RATINGS.c.game == game, _is_rated_in(server, game), _is_listed())
        .order_by(
            case((RATINGS.c.settled_until > now, 0), else_=1), RATINGS.c.rating.desc(), RATINGS.c.person
        )
    )
    return list(await connection.scalars(statement))


async def list_lines(connection: AsyncConnection, game: str, people: Sequence[str]) -> list[LeaderboardRow]:
    """Return the lines of persons in a leaderboard, in this order; none for those without a rating."""
    sources = {**RATINGS.c, "name": PEOPLE.c.name}
    statement = (
        select(*columns_for(LeaderboardRow, sources))
        .select_from(RATINGS.join(PEOPLE, PEOPLE.c.account == RATINGS.c.person))
        .where(RATINGS.c.game == game, RATINGS.c.person.in_(people))
    )
    rows = {row.person: row for row in await fetch_rows(connection, LeaderboardRow, statement)}
    return [rows[person] for person in people if person in rows]


def _is_rated_in(server: str, game: str) -> ColumnElement[bool]:
    """Return the condition that a rating is that of a person with a counted step at a game in `server`.

    These persons are found one after the other in `ix_rating_steps_leaders`, each with one search, so that
    neither other servers nor the number of steps matter.
    """
    steps = RATING_STEPS.c
    first = select(func.min(steps.person).label("person")).where(
        steps.server == server, steps.game == game, steps.score.is_not(None)
    )
    found = first.cte("rated_people", recursive=True)
    following = first.where(steps.person > found.c.person).scalar_subquery()
    found = found.union_all(select(following).where(found.c.person.is_not(None)))
    return RATINGS.c.person.in_(select(found.c.person).where(found.c.person.is_not(None)))


def _is_listed() -> ColumnElement[bool]:
    """Return the condition that a rating is not that of a person whose data were erased."""
    return RATINGS.c.person.not_like(f"{DELETED_PREFIX}%")


async def _fetch_ratings(connection: AsyncConnection, *where: ColumnElement[bool]) -> list[RatingRow]:
    statement = (
        select_rows(RatingRow, RATINGS).where(*where).order_by(RATINGS.c.rated_at.desc(), RATINGS.c.game)
    )
    return await fetch_rows(connection, RatingRow, statement)


async def _fetch_steps(connection: AsyncConnection, *where: ColumnElement[bool]) -> list[RatingStepRow]:
    statement = (
        select_rows(RatingStepRow, RATING_STEPS)
        .where(*where)
        .order_by(RATING_STEPS.c.number, RATING_STEPS.c.person)
    )
    return await fetch_rows(connection, RatingStepRow, statement)
