"""The hooks that update ratings in the transaction in which a match ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Outcome
from matches.computer.accounts import find_computer_rating, is_computer
from matches.locking import MatchHooks
from matches.ratings.history import RatedMatch, rescore
from matches.terms import parse_terms
from matches.values import UNRATED_REASONS
from storage.match import results

if TYPE_CHECKING:
    from engine.game import Game
    from matches.computer.accounts import ComputerRatings
    from matches.hook_events import MatchEnded
    from matches.locking import LockedMatch
    from matches.ratings.history import Scores
    from storage import Connection
    from storage.match.matches import MatchRow


class RatingHooks(MatchHooks):
    """Updates ratings when a match ends and when its result is corrected."""

    def __init__(self, computer_ratings: ComputerRatings) -> None:
        self._computer_ratings = computer_ratings

    async def after_end(self, locked: LockedMatch, end: MatchEnded) -> None:  # noqa: ARG002
        """Rate both players."""
        await update_ratings(locked.connection, locked.row, locked.game, locked.now, self._computer_ratings)


async def update_ratings(
    connection: Connection, row: MatchRow, game: Game, now: int, computer_ratings: ComputerRatings
) -> None:
    """Make the ratings agree with the stored result of a match. Idempotent.

    Call this after every change of a result, in the same transaction. What follows from a corrected result is
    computed later, if it is much (see :meth:`matches.ratings.service.Ratings.recompute`).
    """
    match = RatedMatch(row.id, row.game, row.server, (row.first, row.second), now)
    fixed = {
        account: rating
        for account in match.people
        if (rating := find_computer_rating(computer_ratings, row.game, account)) is not None
    }
    scores = await _match_scores(connection, row, game)
    if any(is_computer(account) and account not in fixed for account in match.people):
        scores = None
    await rescore(connection, match, scores, fixed)


async def _match_scores(connection: Connection, row: MatchRow, game: Game) -> Scores | None:
    """Return the scores of a match, or None if it does not count.

    It counts if its terms say so, it started from the game's own initial position, it has an outcome that the
    players decided, and both have moved.
    """
    if (
        row.outcome is None
        or row.reason in UNRATED_REASONS
        or row.base is not None
        or not parse_terms(row.terms).rated
    ):
        return None
    if await results.count_distinct_movers(connection, row.id) < 2:
        return None
    winner = Outcome(row.outcome).winner
    if winner is None:
        return 1, 1
    return (2, 0) if winner is game.sides[0] else (0, 2)
