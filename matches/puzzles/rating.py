"""The rating of a first attempt: a match between the solver and the puzzle, by Glicko-2."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from matches.puzzles.values import Attempt
from matches.ratings.glicko import Rating, decay, update_rating
from matches.ratings.values import decode_rating, encode_rating
from storage.puzzle import attempts, puzzles
from storage.puzzle.attempts import AttemptRow, SolverRow

if TYPE_CHECKING:
    from storage import Connection
    from storage.puzzle.puzzles import PuzzleRow

_MILLISECOND = timedelta(milliseconds=1)


async def rate_attempt(
    connection: Connection, row: PuzzleRow, person: str, *, is_solved: bool, now: int
) -> tuple[Attempt, bool]:
    """Rate the first attempt of a person at a puzzle; return the first one, and whether it is this one.

    The person and the puzzle are locked. Whoever solves a puzzle wins against it. A solver's deviation grows
    with the time since the last puzzle; that of a puzzle does not, because it stays the same.
    """
    existing = await attempts.find(connection, person, row.key)
    if existing is not None:
        return Attempt.from_row(existing), False
    known = await attempts.find_rating(connection, person, row.game)
    solver, puzzle = _solver_rating(known, now), decode_rating(row.rating, row.deviation, row.volatility)
    score = float(is_solved)
    rated = update_rating(solver, [(puzzle, score)])
    attempt = AttemptRow(person, row.key, is_solved, round(solver.rating), round(rated.rating), now)
    await attempts.add(connection, attempt)
    solved, failed = (0, 0) if known is None else (known.solved, known.failed)
    counts = (solved + is_solved, failed + (not is_solved))
    await attempts.save_rating(connection, SolverRow(person, row.game, *encode_rating(rated), *counts, now))
    puzzle_rated = encode_rating(update_rating(puzzle, [(solver, 1 - score)]))
    await puzzles.save_result(connection, row, puzzle_rated, is_solved=is_solved)
    return Attempt.from_row(attempt), True


def _solver_rating(row: SolverRow | None, now: int) -> Rating:
    if row is None:
        return Rating()
    rating = decode_rating(row.rating, row.deviation, row.volatility)
    return decay(rating, max(now - row.rated_at, 0) * _MILLISECOND)
