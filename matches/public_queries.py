"""Queries for spectators: active matches, open challenges, and fingerprints that reveal changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.challenge_checks import challenge_from_row
from matches.times import to_millis
from matches.values import ACTIVE_STATES, ChallengeState, MatchId, MatchState, OfferId, encode_revision
from matches.views import summary_from_row
from storage import challenges, fingerprints, matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from engine.game import Game
    from matches.match_view import MatchSummary
    from matches.values import Challenge
    from storage import Database


@dataclass(frozen=True, slots=True)
class MatchFingerprint:
    """A value that differs after every visible change of a match.

    `announced_revision` is the board revision after the last complete turn, `pick_count` the number of picks
    made in a simultaneous choice. `rest` is an opaque text that changes with the result and the clock.
    """

    state: MatchState
    announced_revision: int
    pick_count: int
    pending_offer: OfferId | None
    rest: str = ""


class PublicQueries:
    """Matches and challenges of a database, on all servers."""

    def __init__(self, database: Database, games: Mapping[str, Game]) -> None:
        self._database = database
        self._games = games

    async def get_fingerprints(self, match_ids: Iterable[MatchId]) -> dict[MatchId, MatchFingerprint]:
        """Return the fingerprints of those of `match_ids` that exist."""
        async with self._database.read() as connection:
            rows = await fingerprints.load(connection, sorted(match_ids))
        return {
            MatchId(row.id): MatchFingerprint(
                state=MatchState(row.state),
                announced_revision=encode_revision(row.turn_ply, row.takebacks),
                pick_count=row.picks,
                pending_offer=None if row.standing is None else OfferId(row.standing),
                rest=f"{row.outcome} {row.reason} {row.deadline} {row.clock} {row.lost if row.clock else 0}",
            )
            for row in rows
        }

    async def list_active(self, *, limit: int = 50) -> tuple[MatchSummary, ...]:
        """Return the matches of all servers that are not over, the latest changed first."""
        async with self._database.read() as connection:
            # One state at a time: only then the index of states is in the order of the list.
            rows = [
                row
                for state in ACTIVE_STATES
                for row in await matches.list_by_state(connection, (state,), limit)
            ]
        rows.sort(key=lambda row: (row.changed_at, row.id), reverse=True)
        return tuple(summary_from_row(row, self._games) for row in rows[:limit])

    async def load_lobby(
        self, server: str, *, now: datetime, limit: int = 200
    ) -> tuple[tuple[Challenge, ...], tuple[MatchSummary, ...]]:
        """Return the open challenges of `server`, the newest first, and its matches that are not over.

        At most `limit` of each. The matches are those changed last, the latest first.
        """
        async with self._database.read() as connection:
            challenge_rows = await challenges.list_for_server(
                connection, server, ChallengeState.OPEN, to_millis(now), limit
            )
            rows = await matches.list_by_state(connection, ACTIVE_STATES, limit, server)
        return tuple(challenge_from_row(row, now) for row in challenge_rows), tuple(
            summary_from_row(row, self._games) for row in rows
        )

    async def list_open_challenges(self, *, now: datetime, limit: int = 50) -> tuple[Challenge, ...]:
        """Return the challenges of all servers that anyone may accept, the newest first."""
        async with self._database.read() as connection:
            rows = await challenges.list_open_to_anyone(
                connection, ChallengeState.OPEN, to_millis(now), limit
            )
        return tuple(challenge_from_row(row, now) for row in rows)
