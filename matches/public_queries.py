"""For onlookers: what goes on anywhere, and whether anything has happened since they looked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.challenge_checks import challenge_from_row
from matches.times import to_millis
from matches.values import ACTIVE_STATES, ChallengeState, MatchId, MatchState, OfferId, encode_revision
from matches.views import summary_from_row
from storage import challenges, fingerprints, matches

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from matches.match_view import MatchSummary
    from matches.values import Challenge
    from storage import Database


@dataclass(frozen=True, slots=True)
class MatchFingerprint:
    """What differs whenever anything has happened in a match that somebody may see.

    `ply` is that of the last move, `announced_revision` the stamp of the board after the last complete turn,
    `pick_count` counts the fists that are closed, `pending_offer` is the offer that stands. `rest` is a text
    that differs whenever the result or anything about time does, and means nothing else.
    """

    state: MatchState
    ply: int
    announced_revision: int
    pick_count: int
    pending_offer: OfferId | None
    rest: str = ""


class PublicQueries:
    """Matches and challenges of a store, wherever they are."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get_fingerprints(self, match_ids: Iterable[MatchId]) -> dict[MatchId, MatchFingerprint]:
        """Return the pulse of each of these matches."""
        async with self._database.read() as connection:
            rows = await fingerprints.load(connection, sorted(match_ids))
        return {
            MatchId(row.id): MatchFingerprint(
                state=MatchState(row.state),
                ply=row.ply,
                announced_revision=encode_revision(row.turn_ply, row.takebacks),
                pick_count=row.picks,
                pending_offer=None if row.standing is None else OfferId(row.standing),
                rest=f"{row.outcome} {row.reason} {row.deadline} {row.clock} {row.lost if row.clock else 0}",
            )
            for row in rows
        }

    async def list_active(self, limit: int) -> tuple[MatchSummary, ...]:
        """List the matches that are not over."""
        async with self._database.read() as connection:
            rows = await matches.list_by_state(connection, ACTIVE_STATES, limit)
        return tuple(map(summary_from_row, rows))

    async def load_lobby(
        self, server: str, now: datetime, limit: int
    ) -> tuple[tuple[Challenge, ...], tuple[MatchSummary, ...]]:
        """List the open challenges of a server and its matches that are not over."""
        async with self._database.read() as connection:
            challenge_rows = await challenges.list_for_server(
                connection, server, ChallengeState.OPEN, to_millis(now), limit
            )
            rows = await matches.list_by_state(connection, ACTIVE_STATES, limit, server)
        return tuple(challenge_from_row(row, now) for row in challenge_rows), tuple(
            map(summary_from_row, rows)
        )

    async def list_open_challenges(self, now: datetime, limit: int) -> tuple[Challenge, ...]:
        """List the challenges that anyone may accept."""
        async with self._database.read() as connection:
            rows = await challenges.list_open_to_anyone(
                connection, ChallengeState.OPEN, to_millis(now), limit
            )
        return tuple(challenge_from_row(row, now) for row in rows)
