"""Seats as their players see them: their revocable keys, and what nobody else may read.

A key that a front end issues is valid until the generation of its seat's keys changes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from matches.conditionals.tree import iter_lines, parse_tree
from matches.errors import MatchUnknown, NotInMatch
from matches.fingerprints import fingerprint_from_row
from matches.offers.service import DECLINED
from matches.people.sessions import session_id_of
from matches.platforms import WAYS, find_way
from matches.times import to_millis
from matches.values import OfferKind
from matches.view_builder import fetch_match
from storage.people import seat_keys, seats

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from matches.fingerprints import MatchFingerprint
    from matches.people.sessions import Session, Sessions
    from matches.values import MatchId, Person
    from storage import Database
    from storage.people.seats import SeatRow


@dataclass(frozen=True, slots=True)
class SeatState:
    """What is stored about a seat, and the fingerprint of its match.

    `generations` are those of the keys of both seats, by account. `is_turn_unfinished` is whether the player
    has begun a turn that nobody else sees yet, `has_untold` whether a direct message was tried in vain,
    `has_unseen` whether a mail or push is still to be sent. The kind of the last offer on this board if it
    was declined, the number of answers in the conditional moves and the note are the player's own.
    """

    fingerprint: MatchFingerprint
    generations: Mapping[str, int]
    is_turn_unfinished: bool
    has_untold: bool
    has_unseen: bool
    declined_offer: OfferKind | None
    line_count: int
    note: str = field(repr=False)


def _state_from_row(row: SeatRow, accounts: Collection[str]) -> SeatState:
    tree = () if row.conditional_moves is None else parse_tree(row.conditional_moves)
    return SeatState(
        fingerprint=fingerprint_from_row(row, row.picks, row.rematch),
        generations={row.first: row.first_key or 0, row.second: row.second_key or 0},
        is_turn_unfinished=row.unfinished_by in accounts,
        has_untold=row.has_untold,
        has_unseen=row.has_unseen,
        declined_offer=None if row.declined_offer is None else OfferKind(row.declined_offer),
        line_count=sum(branch.is_own for _, branch in iter_lines(tree)),
        note=row.note or "",
    )


class Seats:
    """The seats of the matches of a database."""

    def __init__(self, database: Database, sessions: Sessions) -> None:
        self._database = database
        self._sessions = sessions

    async def load(self, match: MatchId, accounts: Sequence[str] = ()) -> SeatState:
        """Return the seat of a player in one query; with several `accounts` on one screen, of the first.

        For somebody without a seat there is nothing in it. Raises MatchUnknown.
        """
        async with self._database.read(short=True) as connection:
            ways = [find_way(account) for account in accounts]
            row = await seats.load(connection, match, accounts, ways, DECLINED)
        if row is None:
            raise MatchUnknown(match=match)
        return _state_from_row(row, accounts)

    async def load_of_session(
        self, match: MatchId, secret: str, *, now: datetime
    ) -> tuple[Session, SeatState] | None:
        """Return the session with a secret and the seat of its account, in one query.

        None if there is no such session, or no such match.
        """
        async with self._database.read(short=True) as connection:
            found = await seats.load_of_session(
                connection, match, session_id_of(secret), WAYS, DECLINED, to_millis(now)
            )
        if found is None:
            return None
        row, session = found
        return await self._sessions.use(session, now=now), _state_from_row(row, (session.account,))

    async def get_generation(self, match: MatchId, person: Person) -> int:
        """Return how often the keys of a seat were revoked. Raises MatchUnknown, NotInMatch."""
        generation = (await self.load(match, (person.account,))).generations.get(person.account)
        if generation is None:
            raise NotInMatch(match=match)
        return generation

    async def rotate(self, match: MatchId, person: Person) -> int:
        """Revoke the keys issued so far and return the new generation. Raises MatchUnknown, NotInMatch."""
        async with self._database.transaction() as connection:
            row = await fetch_match(connection, match)
            if person.account not in (row.first, row.second):
                raise NotInMatch(match=match)
            return await seat_keys.rotate(connection, match, person.account)
