"""First attempts at puzzles, the ratings of solvers, reports of second solutions, and daily puzzles."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, literal, or_, select, update

from storage.statements import (
    columns_for,
    count_where,
    dialect_insert,
    fetch_row,
    fetch_rows,
    has_row,
    insert_if_new,
    insert_or_update,
    select_rows,
)
from storage.tables import (
    DAILY_PUZZLES,
    MATCHES,
    PUZZLE_ATTEMPTS,
    PUZZLE_RATINGS,
    PUZZLE_REPORTS,
    PUZZLES,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.ext.asyncio import AsyncConnection


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """The first attempt of a person at a puzzle of a game; ratings in whole points."""

    person: str
    puzzle: str
    is_solved: bool
    rating_before: int
    rating_after: int
    made_at: int


@dataclass(frozen=True, slots=True)
class PastAttemptRow(AttemptRow):
    """An attempt with the game of its puzzle."""

    game: str


@dataclass(frozen=True, slots=True)
class SolverRow:
    """The rating of a person at the puzzles of a game, in the units of `matches.ratings.values`."""

    person: str
    game: str
    rating: int
    deviation: int
    volatility: int
    solved: int
    failed: int
    rated_at: int


@dataclass(frozen=True, slots=True)
class ReportRow:
    """What is reported as a second solution: the solver's turns, the last one is that solution."""

    puzzle: str
    turns: str


async def find(connection: AsyncConnection, person: str, puzzle: str) -> AttemptRow | None:
    """Return the attempt of a person at a puzzle, None if there is none."""
    table = PUZZLE_ATTEMPTS.c
    statement = select_rows(AttemptRow, PUZZLE_ATTEMPTS)
    return await fetch_row(
        connection, AttemptRow, statement.where(table.person == person, table.puzzle == puzzle)
    )


async def add(connection: AsyncConnection, attempt: AttemptRow) -> None:
    """Insert the attempt of a person who is locked and has none."""
    await connection.execute(insert(PUZZLE_ATTEMPTS), asdict(attempt))


async def list_newest(
    connection: AsyncConnection, person: str, game: str | None, before: int | None, limit: int
) -> list[PastAttemptRow]:
    """Return at most `limit` attempts of a person from before a time, the newest first."""
    table = PUZZLE_ATTEMPTS.c
    statement = (
        select(*columns_for(PastAttemptRow, {**table, "game": PUZZLES.c.game}))
        .join(PUZZLES, PUZZLES.c.key == table.puzzle)
        .where(table.person == person)
        .order_by(table.made_at.desc(), table.puzzle)
        .limit(limit)
    )
    if game is not None:
        statement = statement.where(PUZZLES.c.game == game)
    if before is not None:
        statement = statement.where(table.made_at < before)
    return await fetch_rows(connection, PastAttemptRow, statement)


# Ratings.


async def list_ratings(connection: AsyncConnection, person: str) -> list[SolverRow]:
    """Return the ratings of a person, by game."""
    statement = select_rows(SolverRow, PUZZLE_RATINGS).where(PUZZLE_RATINGS.c.person == person)
    return await fetch_rows(connection, SolverRow, statement.order_by(PUZZLE_RATINGS.c.game))


async def find_rating(connection: AsyncConnection, person: str, game: str) -> SolverRow | None:
    """Return the rating of a person at a game, None if there is none."""
    table = PUZZLE_RATINGS.c
    statement = select_rows(SolverRow, PUZZLE_RATINGS)
    return await fetch_row(connection, SolverRow, statement.where(table.person == person, table.game == game))


async def save_rating(connection: AsyncConnection, row: SolverRow) -> None:
    """Insert or replace a rating."""
    values = asdict(row)
    key = {name: values.pop(name) for name in ("person", "game")}
    await insert_or_update(connection, PUZZLE_RATINGS, key, **values)


# Reports.


async def add_report(
    connection: AsyncConnection, puzzle: str, person: str, turns: str, now: int, *, work_at: int | None
) -> bool:
    """Insert the report of a person about a puzzle, to be checked from `work_at` on.

    Return False if there is one already.
    """
    key = {"puzzle": puzzle, "person": person}
    return await insert_if_new(connection, PUZZLE_REPORTS, **key, turns=turns, made_at=now, work_at=work_at)


async def is_checked(connection: AsyncConnection, puzzle: str, turns: str) -> bool:
    """Return whether a report of these turns was checked."""
    table = PUZZLE_REPORTS.c
    where = (table.puzzle == puzzle, table.turns == turns, table.work_at.is_(None))
    return await has_row(connection, select(literal(1)).where(*where))


async def find_due_report(connection: AsyncConnection, now: int) -> ReportRow | None:
    """Return the report that waits longest for a check; None if none can be checked now. Locks nothing."""
    table = PUZZLE_REPORTS.c
    statement = select_rows(ReportRow, PUZZLE_REPORTS).where(table.work_at <= now)
    ordered = statement.order_by(table.work_at, table.puzzle, table.person).limit(1)
    return await fetch_row(connection, ReportRow, ordered)


async def lease_report(connection: AsyncConnection, row: ReportRow, now: int, until: int) -> bool:
    """Lease the reports of a turn until a time; return False if none is due any more.

    Whoever calls this has locked the puzzle, so that nobody locks these rows in another order.
    """
    table = PUZZLE_REPORTS.c
    same = (table.puzzle == row.puzzle, table.turns == row.turns)
    if not await has_row(connection, select(literal(1)).where(*same, table.work_at <= now)):
        return False
    leased = update(PUZZLE_REPORTS).where(*same, table.work_at.is_not(None)).values(work_at=until)
    await connection.execute(leased)
    return True


async def is_any_report_due(connection: AsyncConnection, now: int | None = None) -> bool:
    """Return whether a report is not checked, or can be checked at `now`; locks nothing."""
    work_at = PUZZLE_REPORTS.c.work_at
    is_due = work_at.is_not(None) if now is None else work_at <= now
    return await has_row(connection, select(PUZZLE_REPORTS.c.puzzle).where(is_due).limit(1))


async def end_check(connection: AsyncConnection, puzzle: str, turns: str) -> None:
    """Record that the reports of these turns were checked."""
    table = PUZZLE_REPORTS.c
    where = (table.puzzle == puzzle, table.turns == turns)
    await connection.execute(update(PUZZLE_REPORTS).where(*where).values(work_at=None))


async def has_report(connection: AsyncConnection, puzzle: str, person: str) -> bool:
    """Return whether a person has reported a puzzle."""
    table = PUZZLE_REPORTS.c
    where = (table.puzzle == puzzle, table.person == person)
    return (await connection.execute(select(literal(1)).where(*where))).first() is not None


async def count_reports_by(connection: AsyncConnection, person: str, since: int) -> int:
    """Count the puzzles that a person has reported since a time."""
    table = PUZZLE_REPORTS.c
    return await count_where(connection, PUZZLE_REPORTS, table.person == person, table.made_at > since)


# Daily puzzles.


async def find_daily(connection: AsyncConnection, day: str) -> str | None:
    """Return the key of the puzzle of a day, None if none was chosen."""
    return await connection.scalar(select(DAILY_PUZZLES.c.puzzle).where(DAILY_PUZZLES.c.day == day))


async def find_oldest_daily(connection: AsyncConnection, audiences: Sequence[str]) -> str | None:
    """Return which puzzle that everybody may see was that of a day longest ago; None if none was."""
    shown = select(DAILY_PUZZLES.c.puzzle).join(PUZZLES, PUZZLES.c.key == DAILY_PUZZLES.c.puzzle)
    shown = shown.outerjoin(MATCHES, MATCHES.c.id == PUZZLES.c.match)
    is_shown = or_(PUZZLES.c.match.is_(None), MATCHES.c.audience.in_(audiences))
    statement = shown.where(PUZZLES.c.withdrawn.is_(None), is_shown).group_by(DAILY_PUZZLES.c.puzzle)
    return await connection.scalar(statement.order_by(func.max(DAILY_PUZZLES.c.day)).limit(1))


async def save_daily(connection: AsyncConnection, day: str, puzzle: str, replaced: str | None) -> str:
    """Make a puzzle that of a day, unless it has one other than `replaced`; return the key of the day's."""
    insertion = dialect_insert(connection, DAILY_PUZZLES).values(day=day, puzzle=puzzle)
    is_replaced = DAILY_PUZZLES.c.puzzle == (replaced or "")
    values = {"puzzle": insertion.excluded.puzzle}
    await connection.execute(
        insertion.on_conflict_do_update(index_elements=["day"], set_=values, where=is_replaced)
    )
    found = await find_daily(connection, day)
    return puzzle if found is None else found
