"""Which results count, and that the ratings follow them: in the transaction in which a match ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Outcome
from matches.concerns import Concern
from matches.ratings.ledger import Rateable, revise
from matches.terms import read_terms
from storage import results

if TYPE_CHECKING:
    from engine.game import Game
    from matches.concerns import End
    from matches.holding import Held
    from matches.ratings.ledger import Scores
    from storage import Connection
    from storage.matches import MatchRow


class Rated(Concern):
    """The ratings: they change when a match ends, and when its result is corrected."""

    async def after_end(self, held: Held, end: End) -> None:  # noqa: ARG002
        """Rate both people."""
        await follow(held.connection, held.row, held.game, held.now)

    async def after_correction(self, held: Held, was: End, end: End) -> None:  # noqa: ARG002
        """Have both people rated as if it had ended so at once."""
        await follow(held.connection, held.row, held.game, held.now)


async def follow(connection: Connection, row: MatchRow, game: Game, now: int) -> None:
    """Make the ratings say what the result of a match says, as its row tells it; as often as one likes.

    Whoever corrects a result, or takes it back, calls this after having written it, in the same transaction.
    """
    end = Rateable(row.id, row.game, row.server, (row.first, row.second), now)
    await revise(connection, end, await _scores(connection, row, game))


async def _scores(connection: Connection, row: MatchRow, game: Game) -> Scores | None:
    """Give the scores of a match, None where it does not count.

    It counts where the people agreed that it should, the game began at its own first board, there is an
    outcome, and each of them has moved at least once.
    """
    if row.outcome is None or row.base is not None or not read_terms(row.terms).rated:
        return None
    if await results.movers(connection, row.id) < 2:
        return None
    winner = Outcome(row.outcome).winner
    if winner is None:
        return 1, 1
    return (2, 0) if winner is game.sides[0] else (0, 2)
