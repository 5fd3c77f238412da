"""What each match says of itself, without its tournament: how it ended, when, and who moved when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from matches import MatchId
from matches.times import to_millis
from storage.tables import MATCHES
from tests.tournament_year.records import read_rows

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from matches import Matches, MatchView
    from storage import Database
    from tests.tournament_year.records import Stored


@dataclass(frozen=True, slots=True)
class Fact:
    """A match that is over. `losers` are accounts, none after a draw; `moves` are the times of each player.

    Times are in milliseconds. `ended_at` of a match that its end date ended is when its board was assessed.
    """

    view: MatchView
    reason: str
    losers: frozenset[str]
    ended_at: int
    moves: Mapping[str, list[int]]

    def has_moved(self, account: str, after: int, before: int) -> bool:
        """Return whether somebody made a move between two times."""
        return any(after < at < before for at in self.moves.get(account, ()))


async def read_facts(database: Database, matches: Matches, stored: Stored, now: datetime) -> dict[int, Fact]:
    """Return the facts of the matches of a tournament that are over, by the ids of its games."""
    changed = {row["id"]: row["changed_at"] for row in await read_rows(database, MATCHES)}
    found = {}
    for game in stored.games.values():
        if game["match"] is None:
            continue
        view = await matches.view(MatchId(game["match"]), now=now)
        if view.result is None:
            continue
        moves: dict[str, list[int]] = {}
        for one in (await matches.views.history(view.id)).moves:
            moves.setdefault(one.person.account, []).append(to_millis(one.played_at))
        found[game["id"]] = Fact(view, view.result.reason, _find_losers(view), changed[game["match"]], moves)
    return found


def _find_losers(view: MatchView) -> frozenset[str]:
    """Return who lost: both if a match ended without an outcome."""
    result, players = view.result, frozenset(seat.person.account for seat in view.seats)
    if result is None or result.outcome is None:
        return players
    if result.winner is None:
        return frozenset()
    return players - {result.winner.person.account}
