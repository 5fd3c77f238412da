"""Standing challenges: they stay open while fewer than so many of their matches are under way.

Whoever accepts one gets a copy, accepted at once, from which the match begins. A place is free again when
such a match is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.challenge_checks import check_open, is_paused
from matches.challenge_writing import STANDING_LIFETIME, get_row
from matches.errors import Refusal
from matches.times import from_millis, to_millis
from matches.values import ChallengeState, MatchState
from storage.match import challenges, lobby

if TYPE_CHECKING:
    from datetime import datetime

    from matches.values import Person
    from storage import Connection, Database
    from storage.match.challenges import ChallengeRow
    from storage.match.lobby import StandingRow

RENEWED_BEFORE = STANDING_LIFETIME / 14
"""How much of its lifetime a standing challenge loses before the database looks for its maker again."""


async def take_place(connection: Connection, standing: int, person: Person, now: datetime) -> ChallengeRow:
    """Write the copy of a standing challenge that `person` has accepted, and return it.

    Raises `challenge_withdrawn`, `standing_paused`, `standing_full`, `standing_playing`.
    """
    if not await challenges.lock_open(connection, standing, ChallengeState.OPEN):
        check_open(await get_row(connection, standing), person, now)
    # Read under the lock: of two who want the last place, the second sees the match of the first.
    row = await get_row(connection, standing)
    if is_paused(row, now):
        raise Refusal("standing_paused")
    if row.games is not None and row.running >= row.games:
        raise Refusal("standing_full")
    if await lobby.plays_from(connection, standing, person.account):
        raise Refusal("standing_playing")
    copy = await challenges.add(
        connection,
        by=row.by,
        to=None,
        server=row.server,
        place=row.place,
        game=row.game,
        options=row.options,
        terms=row.terms,
        colour=row.colour,
        state=ChallengeState.ACCEPTED,
        accepted_by=person.account,
        made_at=to_millis(now),
        expires_at=to_millis(now),
        closed_at=to_millis(now),
        audience=row.audience,
        standing=standing,
    )
    return await get_row(connection, copy)


async def renew(database: Database, now: datetime) -> None:
    """Keep standing challenges open whose makers were seen lately; the others pause when their time is over.

    May be called often, and by several processes.
    """
    until = to_millis(now + STANDING_LIFETIME - RENEWED_BEFORE)
    async with database.read() as connection:
        rows = await lobby.list_standing_until(connection, ChallengeState.OPEN, until, MatchState.PLAYING)
    later = {row.id: pauses_at for row in rows if (pauses_at := _pauses_at(row)) > row.expires_at}
    if later:
        async with database.transaction() as connection:
            for challenge, expires_at in sorted(later.items()):
                await lobby.prolong(connection, challenge, ChallengeState.OPEN, expires_at)


def _pauses_at(row: StandingRow) -> int:
    """Return when a challenge pauses, in milliseconds: its lifetime after its maker was seen last."""
    seen = max(row.visited_at or 0, row.moved_first_at or 0, row.moved_second_at or 0)
    return to_millis(from_millis(seen) + STANDING_LIFETIME)
