"""Unfinished games on their end date: the computer assesses the board, and that decides.

A worker takes a game for a minute (:meth:`Adjudication.claim`), searches, and says what it found. Where no
worker can, or none does for :data:`PATIENCE`, the game is a draw: nothing waits for a person.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from engine import get_game
from engine.game import Outcome
from matches.times import to_millis
from matches.tournaments.hooks import decide
from matches.tournaments.results import DRAW, LOSS, WIN, Decision, GameState
from matches.updates import AnnouncementKind
from matches.values import EndReason, MatchId
from matches.view_builder import fetch_match
from storage.tournament import games, tournaments

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine.game import Game, Position
    from matches.locking import MatchLocker
    from matches.tournaments.records import Records
    from storage import Database
    from storage.statements import Columns

SIMULATIONS = 25_600
WINNING_CHANCES = 0.85
"""From these chances on a player wins."""

PATIENCE = timedelta(hours=6)
LEASE = timedelta(minutes=1)
SCALE = 10_000  # chances are stored as whole numbers
NO_GRACE = timedelta(0)


@dataclass(frozen=True, slots=True)
class AssessmentJob:
    """A board that a worker is to assess with :data:`SIMULATIONS`; `game` is the game of the tournament."""

    game: int
    position: Position


class Adjudication:
    """The games of a database that wait for an assessment."""

    def __init__(self, database: Database, locker: MatchLocker, all_games: Mapping[str, Game]) -> None:
        self._database = database
        self._locker = locker
        self._games = all_games

    async def has_work(self, *, now: datetime) -> bool:
        """Return whether :meth:`claim` would find something. Cheap."""
        async with self._database.read(short=True) as connection:
            return await games.any_to_assess(connection, to_millis(now))

    async def claim(self, *, now: datetime) -> AssessmentJob | None:
        """Return a board to assess, leased for a minute; None if there is none.

        The caller ends with :meth:`decide`. Two processes never get the same one at a time.
        """
        if not await self.has_work(now=now):
            return None
        async with self._database.transaction() as connection:
            game = await games.claim_to_assess(connection, to_millis(now), to_millis(now + LEASE))
            if game is None or game.match is None:
                return None
            row = await fetch_match(connection, game.match)
        rules = get_game(row.game, row.rules_version, self._games)
        return AssessmentJob(game.id, rules.load(row.position or ""))

    async def decide(self, game: int, chances: float | None, *, now: datetime) -> bool:
        """Decide a game by the chances of the game's first side, from 0 to 1; None: a draw, without them.

        Return whether it was still undecided. Announced as ADJUDICATED to both players, and never rated.
        """
        async with self._database.read() as connection:
            found = await games.get(connection, game)
        if found is None or found.match is None:
            return False
        async with self._locker.lock(MatchId(found.match), now) as locked:
            row = await games.get(locked.connection, game)
            if row is None or row.assess_at is None or locked.row.reason != EndReason.ADJUDICATED:
                return False
            accounts = await tournaments.list_accounts(locked.connection, [row.first, row.second or 0])
            sides = locked.game.sides
            outcome = find_outcome(chances, sides[0].value, sides[1].value)
            is_same = accounts[row.first] == locked.row.first
            own = None if chances is None else chances if is_same else 1 - chances
            await locked.change(outcome=outcome, packed=False, changed_at=locked.now)
            columns: Columns = {"assess_at": None}  # of a game that was annulled meanwhile
            if row.state == GameState.OPEN:
                columns = {
                    **decide(_points(own), Decision.ADJUDICATED),
                    "news_at": locked.now,
                    "chances": None if own is None else round(SCALE * own),
                }
            await games.change(locked.connection, game, **columns)
            players = tuple(seat.person for seat in locked.seats)
            details = {} if chances is None else {"chances": round(100 * chances)}
            await locked.announce(AnnouncementKind.ADJUDICATED, players, details=details, grace=NO_GRACE)
        return True

    async def decide_late(self, records: Records, now: datetime) -> bool:
        """Decide as draws the games that no worker has assessed in time; return whether there were any."""
        limit, is_any = to_millis(now - PATIENCE), False
        for game in records.games:
            if game.assess_at is not None and (game.ended_at or 0) <= limit:
                is_any = await self.decide(game.id, None, now=now) or is_any
        return is_any


def find_outcome(chances: float | None, first: str, second: str) -> Outcome:
    """Return the outcome for the chances of the first side, with the names of both sides."""
    points = _points(chances)
    return Outcome(first) if points[0] == WIN else Outcome(second) if points[1] == WIN else Outcome.DRAW


def _points(chances: float | None) -> tuple[int, int]:
    if chances is None or 1 - WINNING_CHANCES < chances < WINNING_CHANCES:
        return DRAW, DRAW
    return (WIN, LOSS) if chances >= WINNING_CHANCES else (LOSS, WIN)
