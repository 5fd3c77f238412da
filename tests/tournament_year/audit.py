"""The audit at the end: results, tables, ratings and moves, each compared with its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ai.search import Opponent
from matches import MatchId, MatchState, Reader
from matches.tournaments.values import Kind
from storage.tables import RATING_STEPS, TOURNAMENT_WINS
from tests.cluster import Violation
from tests.tournament_year.facts import read_facts
from tests.tournament_year.final_tables import table_of
from tests.tournament_year.leavers import check_left_games, check_withdrawals
from tests.tournament_year.pairs import CHECKS, compute_rounds
from tests.tournament_year.records import Stored, read_rows, read_tournament
from tests.tournament_year.results import check_chances, check_result
from tests.tournament_year.told import check_told

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from matches import Matches
    from storage import Database
    from tests.tournament_year.happenings import Happenings


@dataclass(frozen=True, slots=True)
class Audit:
    """What is audited.

    `moves` were acknowledged, `happenings` are what people did, `looks` the times of the site, `order` is the
    ladder at the end.
    """

    database: Database
    matches: Matches
    numbers: Mapping[Kind, int]
    moves: Mapping[MatchId, dict[int, str]]
    happenings: Happenings
    looks: Sequence[int]
    order: Sequence[int]
    counts: Counter[str]
    now: datetime

    async def run(self) -> None:
        """Check everything. Raises Violation."""
        opponent = Opponent.start()
        for kind, number in self.numbers.items():
            stored = await read_tournament(self.database, number)
            if stored.row["state"] != "over":
                raise Violation(f"{kind} is {stored.row['state']} at {self.now}")
            facts = await read_facts(self.database, self.matches, stored, self.now)
            for game in stored.games.values():
                self.counts[f"decisions: {game['decision'] or game['state']}"] += 1
                fact = facts.get(game["id"])
                check_result(stored, game, fact, self.happenings.corrections)
                if fact is not None and game["chances"] is not None:
                    check_chances(stored, game, fact, opponent)
                    self.counts["boards assessed again"] += 1
            left = self.happenings.left[kind]
            self.counts["lost clocks that were forgiven"] += check_withdrawals(stored, facts, left)
            if kind is not Kind.LADDER:
                self.counts["games left by somebody"] += check_left_games(stored, facts, self.looks)
            CHECKS[kind](stored)
            await self._check_views(kind, stored)
            await self._check_winners(kind, stored)
        await self._check_matches()
        await self._check_ratings()
        self.counts["announcements"] += await check_told(self.database, self.numbers, self.looks)

    async def _check_views(self, kind: Kind, stored: Stored) -> None:
        """Compare the tables that are shown with those computed anew."""
        if kind in (Kind.KNOCK_OUT, Kind.LADDER):
            return
        number = self.numbers[kind]
        for stage in stored.stages:
            view = await self.matches.tournaments.view(number, Reader(), stage=stage, now=self.now)  # type: ignore[arg-type]
            assert view.stage is not None
            for group in view.stage.groups:
                shown = [(int(row.entrant), row.points) for row in group.table]
                expected = table_of(stored, stage, group.number)
                if shown != expected:
                    raise Violation(f"{kind} {stage}.{group.number} shows {shown}, should be {expected}")
                self.counts["tables compared"] += 1

    async def _check_winners(self, kind: Kind, stored: Stored) -> None:
        """Compare the first places that are kept with those computed anew."""
        own = TOURNAMENT_WINS.c.tournament == self.numbers[kind]
        rows = await read_rows(self.database, TOURNAMENT_WINS, own)
        found = {(row["stage"], row["entrant"]) for row in rows}
        if found != (expected := find_winners(stored, self.order)):
            raise Violation(f"{kind} was won by {found}, should be {expected}")
        self.counts["first places compared"] += len(found)

    async def _check_matches(self) -> None:
        """Check that every match is over, replays, and has every move that was acknowledged."""
        for match, moves in self.moves.items():
            view = await self.matches.view(match, now=self.now)
            if view.state is not MatchState.OVER:
                raise Violation(f"match {match} goes on", match)
            if (difference := (await self.matches.audit(match)).difference) is not None:
                raise Violation(f"match {match} differs: {difference}", match)
            logged = {one.ply: one.text for one in (await self.matches.views.history(match)).moves}
            if logged != moves:
                raise Violation(f"match {match}: acknowledged were {moves}, in the log is {logged}", match)
        self.counts["moves"] += sum(map(len, self.moves.values()))

    async def _check_ratings(self) -> None:
        """Check that adjudicated and forfeited games are not rated, and that others are."""
        if differences := await self.matches.ratings.audit():
            raise Violation(f"ratings differ: {differences}")
        rated = {
            one["match"] for one in await read_rows(self.database, RATING_STEPS) if one["score"] is not None
        }
        for kind, number in self.numbers.items():
            for game in (await read_tournament(self.database, number)).games.values():
                if game["match"] is None or game["state"] == "annulled":
                    continue
                view = await self.matches.view(MatchId(game["match"]), now=self.now)
                history = (await self.matches.views.history(view.id)).moves
                reason = view.result.reason if view.result else None
                may_be = reason not in ("adjudicated", "forfeited", "aborted", "abandoned")
                is_decided = view.result is not None and view.result.outcome is not None
                both_moved = len({one.person.account for one in history}) > 1
                if (view.id in rated) != (may_be and is_decided and both_moved):
                    raise Violation(
                        f"{kind}: match {view.id}, {reason}, is rated: {view.id in rated}", view.id
                    )
        self.counts["matches rated"] += len(rated)


def find_winners(stored: Stored, order: Sequence[int]) -> set[tuple[int, int | None]]:
    """Return who has a first place, of a league for each season; `order` is that of the ladder at the end."""
    remaining = [one for one, row in stored.entrants.items() if row["withdrawn"] is None]
    if stored.kind == Kind.LADDER:
        return {(0, order[0])}
    if len(remaining) < 2:
        return {(0, one) for one in remaining}
    if stored.kind == Kind.KNOCK_OUT:
        return {(0, compute_rounds(stored)[1])}
    if stored.kind == Kind.LEAGUE:
        return {(stage, table_of(stored, stage)[0][0]) for stage in stored.stages}
    return {(0, table_of(stored, len(stored.stages))[0][0])}
