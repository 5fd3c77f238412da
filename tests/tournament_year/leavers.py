"""Who no longer plays, and what that does to their games: computed anew from matches and what people did.

Two lost clocks without a move in between, or one before the first move, withdraw. Of whoever has left, all
games of a group in which everybody meets are annulled if fewer than half were over, else the others are lost.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from matches import is_deleted
from matches.tournaments.values import Kind
from tests.cluster import Violation
from tests.tournament_year.final_tables import LEFT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.tournament_year.facts import Fact
    from tests.tournament_year.records import Row, Stored

SIDES = ("first", "second")


def check_withdrawals(stored: Stored, facts: Mapping[int, Fact], left: Sequence[tuple[int, str]]) -> int:
    """Check who was withdrawn when; `left` are the times and acts of those who wanted or had to leave.

    Returns how many lost clocks did not withdraw. Raises Violation.
    """
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for one in stored.log:
        if one["act"] in LEFT and "absent" not in (one["details"] or ""):
            why = "lost_clocks" if "lost_clocks" in one["details"] else one["act"]
            found[why].append((one["made_at"], one["about"]))
    clocks, warned = _list_lost_clocks(stored, facts)
    if sorted(found["lost_clocks"]) != sorted(clocks):
        raise Violation(f"{stored.kind}: withdrawn for lost clocks {found['lost_clocks']}, not {clocks}")
    others = [(at, about) for act in LEFT for at, about in found[act]]
    accounts = {row["account"] for row in stored.entrants.values()}
    stayed = [(at, about) for at, about in others if not is_deleted(about)]
    expected = [(at, about) for at, about in left if about in accounts]
    if sorted(stayed) != sorted(expected):
        raise Violation(f"{stored.kind}: {stayed} have left, not {expected}")
    return warned


def _list_lost_clocks(stored: Stored, facts: Mapping[int, Fact]) -> tuple[list[tuple[int, str]], int]:
    """Return when whom lost clocks withdraw by the rules, and how many lost clocks are only warned of."""
    if stored.kind == Kind.LADDER:
        return [], 0
    found, warned = [], 0
    for account in sorted({one["account"] for one in stored.entrants.values()}):
        out = [one["made_at"] for one in stored.log if one["act"] in LEFT and one["about"] == account]
        own = [one for one in facts.values() if account in {seat.person.account for seat in one.view.seats}]
        lost = sorted(
            (one for one in own if one.reason in ("time", "aborted") and account in one.losers),
            key=lambda one: one.ended_at,
        )
        before: int | None = None
        for at, group in groupby(lost, key=lambda one: one.ended_at):
            games = list(group)
            is_never = any(not one.moves.get(account) for one in games)
            is_second = before is not None and not any(one.has_moved(account, before, at) for one in own)
            is_gone = any(_has_left(stored, account, time, at) for time in out)
            if is_gone:
                pass
            elif is_never or is_second or len(games) > 1:
                found.append((at, account))
            else:
                warned += 1
            before = at
    return found, warned


def _has_left(stored: Stored, account: str, time: int, at: int) -> bool:
    """Return whether somebody who left at a time is still away, not having come back with a new season."""
    if time >= at:
        return False
    numbers = [one for one, row in stored.entrants.items() if row["account"] == account]
    return not any(
        time < row["starts_at"] <= at
        and any(one in group for group in stored.groups(number) for one in numbers)
        for number, row in stored.stages.items()
    )


@dataclass(slots=True)
class _Stage:
    """The games of a stage while those who leave are taken out of it one after the other."""

    games: Sequence[Row]
    facts: Mapping[int, Fact]
    may_annul: bool
    annulled: set[int] = field(default_factory=set)
    points: dict[int, tuple[int, int]] = field(default_factory=dict)
    out: set[int] = field(default_factory=set)

    def leave(self, leavers: Iterable[int], at: int) -> None:
        """Let entrants leave whom the site finds gone at a time."""
        self.out |= set(leavers)
        for entrant in sorted(leavers):
            own = [one for one in self.games if entrant in (one["first"], one["second"])]
            own = [one for one in own if one["id"] not in self.annulled]
            left = [one for one in own if not self._is_over(one, at)]
            if self.may_annul and 2 * (len(own) - len(left)) < len(own):
                self.annulled |= {one["id"] for one in own}
                continue
            for one in left:
                if one["match"] is None:
                    self.points[one["id"]] = (0, 2) if one["first"] == entrant else (2, 0)
        for one in self.games:
            players = (one["first"], one["second"])
            is_open = one["match"] is not None and not self._is_over(one, at)
            if is_open and one["id"] not in self.annulled and self.out & {*players}:
                first, second = (0 if each in self.out else 2 for each in players)
                self.points[one["id"]] = first, second

    def _is_over(self, game: Row, at: int) -> bool:
        if game["id"] in self.points:
            return True
        fact = self.facts.get(game["id"])
        if fact is None:
            is_never_played = game["decision"] in ("bye", "blocked")
            return is_never_played or (game["decision"] == "adjudicated" and game["ended_at"] < at)
        if fact.reason in ("forfeited", "left", "adjudicated"):
            return fact.reason == "adjudicated" and game["ended_at"] is not None and game["ended_at"] < at
        return fact.ended_at <= at


def check_left_games(stored: Stored, facts: Mapping[int, Fact], looks: Sequence[int]) -> int:
    """Check which games of each stage are annulled or lost by default, by who left when. Raises Violation.

    `looks` are the times at which the site did what was due. Returns how many games were left.
    """
    count = 0
    for number, row in stored.stages.items():
        stage = _Stage(
            stored.games_of(number), facts, may_annul=stored.kind in (Kind.LEAGUE, Kind.ROUND_ROBIN)
        )
        entrants = {one for group in stored.groups(number) for one in group}
        accounts = {stored.entrants[one]["account"]: one for one in entrants}
        seen: dict[int, list[int]] = defaultdict(list)
        for one in stored.log:
            is_before = one["made_at"] < row["ends_at"] or "lost_clocks" in (one["details"] or "")
            is_of_stage = row["starts_at"] <= one["made_at"] <= row["ended_at"] and is_before
            if one["act"] in LEFT and one["about"] in accounts and is_of_stage:
                seen[looks[bisect_left(looks, one["made_at"])]].append(accounts[one["about"]])
        for at in sorted(seen):
            stage.leave(seen[at], at)
        _compare(stored, number, stage)
        count += len(stage.annulled) + len(stage.points)
    return count


def _compare(stored: Stored, number: int, stage: _Stage) -> None:
    annulled = {one["id"] for one in stage.games if one["state"] == "annulled"}
    points = {
        one["id"]: (one["first_points"], one["second_points"])
        for one in stage.games
        if one["decision"] == "by_default"
    }
    expected = {one: both for one, both in stage.points.items() if one not in stage.annulled}
    if annulled != stage.annulled or points != expected:
        raise Violation(
            f"{stored.kind} {number}: annulled are {annulled}, should be {stage.annulled};"
            f" lost by default {points}, should be {expected}"
        )
