"""For onlookers: what goes on anywhere, and whether anything has happened since they looked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches.admission import read_challenge
from matches.asked import ChallengeState
from matches.stamps import write_stamp
from matches.times import millis
from matches.values import UNDER_WAY, MatchId, MatchState, OfferId
from matches.views import summary
from storage import challenges, matches, watching

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from matches.asked import Challenge
    from matches.values import MatchSummary
    from storage import Store


@dataclass(frozen=True, slots=True)
class Pulse:
    """What differs whenever anything has happened in a match that somebody may see.

    `ply` is that of the last move, `told` the stamp of the board after the last complete turn, `picks` counts
    the fists that are closed, `offer` is the offer that stands. `rest` is a text that differs whenever the
    result or anything about time does, and means nothing else.
    """

    state: MatchState
    ply: int
    told: int
    picks: int
    offer: OfferId | None
    rest: str = ""


class Watching:
    """Matches and challenges of a store, wherever they are."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def pulses(self, numbers: Iterable[MatchId]) -> dict[MatchId, Pulse]:
        """Give the pulse of each of these matches."""
        async with self._store.reading() as connection:
            rows = await watching.pulses(connection, sorted(numbers))
        return {
            MatchId(row.id): Pulse(
                state=MatchState(row.state),
                ply=row.ply,
                told=write_stamp(row.turn_ply, row.takebacks),
                picks=row.picks,
                offer=None if row.standing is None else OfferId(row.standing),
                rest=f"{row.outcome} {row.reason} {row.deadline} {row.clock} {row.lost if row.clock else 0}",
            )
            for row in rows
        }

    async def under_way(self, limit: int) -> tuple[MatchSummary, ...]:
        """List the matches that are not over."""
        async with self._store.reading() as connection:
            rows = await matches.of_states(connection, UNDER_WAY, limit)
        return tuple(map(summary, rows))

    async def lobby(
        self, server: str, now: datetime, limit: int
    ) -> tuple[tuple[Challenge, ...], tuple[MatchSummary, ...]]:
        """List the open challenges of a server and its matches that are not over."""
        async with self._store.reading() as connection:
            made = await challenges.of_server(connection, server, ChallengeState.OPEN, millis(now), limit)
            rows = await matches.of_states(connection, UNDER_WAY, limit, server)
        return tuple(read_challenge(row, now) for row in made), tuple(map(summary, rows))

    async def open_challenges(self, now: datetime, limit: int) -> tuple[Challenge, ...]:
        """List the challenges that anyone may accept."""
        async with self._store.reading() as connection:
            rows = await challenges.to_anyone(connection, ChallengeState.OPEN, millis(now), limit)
        return tuple(read_challenge(row, now) for row in rows)
