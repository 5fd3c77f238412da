"""The audit at the end: results, tables, ratings, announcements and moves, each compared with its source."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from matches import MatchId, MatchState, Reader
from matches.tournaments.values import Kind
from storage.tables import RATING_STEPS
from tests.cluster import Violation
from tests.cluster.audit import list_rows
from tests.tournament_year.brackets import compute_bracket
from tests.tournament_year.records import Stored, read_rows, read_tournament
from tests.tournament_year.watch import table_of

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import RowMapping

    from matches import Matches, MatchView
    from storage import Database

ONCE = (
    *("stage_started", "entrant_withdrawn", "tournament_over", "adjudicated", "forfeited"),
    *("clock_lost", "timed_out", "resigned", "started", "choosing", "revealed", "turn"),
)
"""What nobody is told twice; that a game ends soon twice at most."""

ENDS_SOON = "ends_soon"


@dataclass(frozen=True, slots=True)
class Audit:
    """What is audited. `moves` were acknowledged, `corrections` are the organiser's last ones by game."""

    database: Database
    matches: Matches
    numbers: dict[Kind, int]
    moves: dict[MatchId, dict[int, str]]
    corrections: dict[int, tuple[int, int]]
    counts: Counter[str]
    now: datetime

    async def run(self) -> None:
        """Check everything. Raises Violation."""
        for kind, number in self.numbers.items():
            stored = await read_tournament(self.database, number)
            if stored.row["state"] != "over":
                raise Violation(f"{kind} is {stored.row['state']} at {self.now}")
            for game in stored.games.values():
                await self._check_game(stored, game)
            _CHECKS[kind](stored)
            await self._check_views(kind, stored)
        await self._check_matches()
        await self._check_ratings()
        await self._check_told()

    async def _check_game(self, stored: Stored, game: RowMapping) -> None:
        """Compare the result of a game with that of its match, or with the reason why there was none."""
        self.counts[f"decisions: {game['decision'] or game['state']}"] += 1
        if game["state"] == "annulled":
            _check_annulled(stored, game)
            return
        if game["state"] != "over":
            raise Violation(f"never decided: {dict(game)}")
        points = game["first_points"], game["second_points"]
        expected: tuple[int, int | None] | None
        if game["decision"] == "corrected":
            expected = self.corrections.get(game["id"])
        elif game["match"] is None:
            expected = _expect_without_match(stored, game)
        else:
            view = await self.matches.view(MatchId(game["match"]), now=self.now)
            expected = _expect(stored, game, view)
        if points != expected:
            raise Violation(f"{dict(game)} has {points}, not {expected}", game["match"])

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

    async def _check_told(self) -> None:
        """Check that nobody was told twice, and everybody when a stage began and when it was over."""
        told: Counter[tuple[Any, ...]] = Counter()
        by_stage: dict[tuple[str, int, int], int] = defaultdict(int)
        for row in await list_rows(self.database):
            if row["kind"] not in (*ONCE, ENDS_SOON) or row["to"] is None:
                continue
            names = ("to", "platform", "kind", "match", "tournament", "ply", "takebacks", "details")
            told[tuple(row[name] for name in names)] += 1
            if row["kind"] == "stage_started":
                by_stage[row["to"], row["tournament"], json.loads(row["details"])["stage"]] += 1
        if twice := [one for one, number in told.items() if number > 1 + (ENDS_SOON in one)]:
            raise Violation(f"told twice: {twice[:5]} and {len(twice) - 5} more")
        for number in self.numbers.values():
            stored = await read_tournament(self.database, number)
            for stage in stored.stages:
                for one in (one for group in stored.groups(stage) for one in group):
                    account = stored.entrants[one]["account"]
                    is_gone = not account.startswith("discord:")
                    if not is_gone and by_stage[account, number, stage] != 1:
                        raise Violation(f"{account} was not told of stage {stage} of {dict(stored.row)}")
        self.counts["announcements"] += sum(told.values())


def _expect(stored: Stored, game: RowMapping, view: MatchView) -> tuple[int, int] | None:
    """Return the points that follow from the result of a match."""
    result = view.result
    if result is None or view.state is not MatchState.OVER:
        return None
    decisions = {"time": "lost_clock", "forfeited": "by_default", "aborted": "by_default"}
    decision = decisions.get(result.reason, "adjudicated" if result.reason == "adjudicated" else "played")
    if game["decision"] != decision:
        return None
    accounts = [stored.entrants[game[side]]["account"] for side in ("first", "second")]
    if result.winner is not None:
        won = accounts.index(result.winner.person.account)
        points = (2, 0) if won == 0 else (0, 2)
    elif result.outcome is not None:
        points = (1, 1)
    else:
        points = (0, 0)
    if decision == "adjudicated" and game["chances"] is not None:
        chances = game["chances"] / 10_000
        expected = (2, 0) if chances >= 0.85 else (0, 2) if chances <= 0.15 else (1, 1)
        return points if points == expected else None
    return points


def _expect_without_match(stored: Stored, game: RowMapping) -> tuple[int, int | None] | None:
    """Return the points of a game that was not played."""
    withdrawn = {
        side: stored.entrants[game[side]]["withdrawn"] is not None
        for side in ("first", "second")
        if game[side] is not None
    }
    stage = stored.stages[game["stage"]]
    match game["decision"]:
        case "bye":
            return (2, None) if game["second"] is None else None
        case "blocked":
            return 1, 1
        case "adjudicated":
            return (1, 1) if game["ended_at"] >= stage["ends_at"] else None
        case "by_default" if stored.kind == Kind.LADDER:
            return (0, 2)
        case "by_default":
            points = game["first_points"], game["second_points"]
            loser = "first" if points[0] == 0 else "second"
            logged = [one["about"] for one in stored.log if one["act"] in ("withdrawn", "excluded")]
            is_left = withdrawn[loser] or stored.entrants[game[loser]]["account"] in logged
            return points if is_left and sorted(points) == [0, 2] else None
    return None


def _check_annulled(stored: Stored, game: RowMapping) -> None:
    """Check why a game counts for nobody: a player left early, or nobody answered a challenge."""
    if stored.kind == Kind.LADDER and game["match"] is None:
        return
    logged = {one["about"]: one["made_at"] for one in stored.log if one["act"] in ("withdrawn", "excluded")}
    for side in ("first", "second"):
        own, account = game[side], stored.entrants[game[side]]["account"]
        if account not in logged or stored.kind not in (Kind.LEAGUE, Kind.ROUND_ROBIN):
            continue
        rows = [one for one in stored.games_of(game["stage"]) if own in (one["first"], one["second"])]
        if all(one["state"] == "annulled" for one in rows):
            return
    raise Violation(f"annulled without a reason: {dict(game)}")


def _check_swiss(stored: Stored) -> None:
    pairs = [frozenset((one["first"], one["second"])) for one in stored.games.values() if one["second"]]
    byes = [one["first"] for one in stored.games.values() if one["second"] is None]
    if len(set(pairs)) < len(pairs):
        raise Violation("a pair has met twice in a Swiss tournament")
    if len(set(byes)) < len(byes):
        raise Violation("somebody had two byes")
    for stage in stored.stages:
        players = Counter(
            one for game in stored.games_of(stage) for one in (game["first"], game["second"]) if one
        )
        if players != Counter(stored.groups(stage)[0]):
            raise Violation(f"not everybody plays once in round {stage}")


def _check_league(stored: Stored) -> None:
    for season in stored.stages:
        for number, group in enumerate(stored.groups(season), 1):
            games = stored.games_of(season, number)
            pairs = Counter(frozenset((one["first"], one["second"])) for one in games)
            if pairs != Counter(map(frozenset, combinations(group, 2))):
                raise Violation(f"not all meet once in season {season}, division {number}")
            begun = Counter(one["first"] for one in games)
            if any(abs(2 * begun[one] - len(group) + 1) > 1 for one in group):
                raise Violation(f"the sides of season {season}, division {number} are not balanced: {begun}")


def _check_knock_out(stored: Stored) -> None:
    entrants = {number: one for number, one in stored.entrants.items() if one["seed"] is not None}
    left_in = {
        number: one["withdrawn_in"] for number, one in entrants.items() if one["withdrawn"] is not None
    }
    games = [
        (one["stage"], one["first"], one["second"], (one["first_points"], one["second_points"] or 0))
        for one in stored.games.values()
        if one["state"] == "over"
    ]
    seeds = {number: one["seed"] for number, one in entrants.items()}
    rounds, _winner = compute_bracket(seeds, left_in, games, len(stored.stages))
    for stage, pairs in enumerate(rounds, 1):
        expected = {frozenset(one for one in pair if one is not None) for pair in pairs} - {frozenset()}
        found = {
            frozenset(one for one in (game["first"], game["second"]) if one is not None)
            for game in stored.games_of(stage)
        }
        if found != expected:
            raise Violation(f"round {stage} of the knock-out has {found}, not {expected}")


def _check_ladder(stored: Stored) -> None:
    """Check that no challenge was annulled early; the order itself is checked in every step."""
    for game in stored.games.values():
        if game["state"] == "annulled" and game["ended_at"] < stored.stages[1]["ends_at"]:
            raise Violation(f"annulled before the end: {dict(game)}")


_CHECKS = {
    Kind.SWISS: _check_swiss,
    Kind.LEAGUE: _check_league,
    Kind.KNOCK_OUT: _check_knock_out,
    Kind.LADDER: _check_ladder,
}
