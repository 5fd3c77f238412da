"""Which results count, and that the ratings follow them: in the transaction in which a match ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Outcome
from matches.locking import MatchHooks
from matches.ratings.history import RatedMatch, recompute
from matches.terms import parse_terms
from storage import results

if TYPE_CHECKING:
    from engine.game import Game
    from matches.hook_events import MatchEnded
    from matches.locking import LockedMatch
    from matches.ratings.history import Scores
    from storage import Connection
    from storage.matches import MatchRow


class RatingHooks(MatchHooks):
    """The ratings: they change when a match ends, and when its result is corrected."""

    async def after_end(self, locked: LockedMatch, end: MatchEnded) -> None:  # noqa: ARG002
        """Rate both people."""
        await update_ratings(locked.connection, locked.row, locked.game, locked.now)

    async def after_correction(self, locked: LockedMatch, old_end: MatchEnded, end: MatchEnded) -> None:  # noqa: ARG002
        """Have both people rated as if it had ended so at once."""
        await update_ratings(locked.connection, locked.row, locked.game, locked.now)


async def update_ratings(connection: Connection, row: MatchRow, game: Game, now: int) -> None:
    """Make the ratings say what the result of a match says, as its row tells it; as often as one likes.

    Whoever corrects a result, or takes it back, calls this after having written it, in the same transaction.
    """
    match = RatedMatch(row.id, row.game, row.server, (row.first, row.second), now)
    await recompute(connection, match, await _match_scores(connection, row, game))


async def _match_scores(connection: Connection, row: MatchRow, game: Game) -> Scores | None:
    """Return the scores of a match, None where it does not count.

    It counts where the people agreed that it should, the game began at its own first board, there is an
    outcome, and each of them has moved at least once.
    """
    if row.outcome is None or row.base is not None or not parse_terms(row.terms).rated:
        return None
    if await results.count_distinct_movers(connection, row.id) < 2:
        return None
    winner = Outcome(row.outcome).winner
    if winner is None:
        return 1, 1
    return (2, 0) if winner is game.sides[0] else (0, 2)
