"""The order of the ladder, followed from look to look by its games, challenges and days without a game."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from tests.cluster import Violation
from tests.tournament_year.seasons import apply_wins, drop

if TYPE_CHECKING:
    from collections import Counter

    from tests.tournament_year.records import Row, Stored

REACH = 3
_MILLISECOND = timedelta(milliseconds=1)
ANSWER = timedelta(days=5) // _MILLISECOND
IDLE = timedelta(days=30) // _MILLISECOND
LENGTH = timedelta(weeks=6) // _MILLISECOND


@dataclass(slots=True)
class Ladder:
    """What the order is at the last look. Times are in milliseconds."""

    counts: Counter[str]
    order: list[int] = field(default_factory=list)
    _began: int = 0
    _known: set[int] = field(default_factory=set)  # challenges
    _applied: set[int] = field(default_factory=set)  # games
    _dropped: dict[int, int] = field(default_factory=dict)
    _logged: int = 0
    _is_over: bool = False

    def begin(self, stored: Stored) -> None:
        """Note the order by seed, with which it begins."""
        self.order = sorted(stored.entrants, key=lambda one: int(stored.entrants[one]["seed"]))
        self._began = stored.stages[1]["starts_at"]

    def look(self, stored: Stored, now: int) -> None:
        """Take in what happened since the last look, and compare it with what is stored. Raises Violation."""
        if self._is_over or not self.order:
            return
        self._check_challenges(stored, now)
        self._check_drops(stored, now)
        self.check_order(stored, now)
        self._is_over = stored.stages[1]["state"] == "over"

    def _check_challenges(self, stored: Stored, now: int) -> None:
        """Check that new challenges were allowed, and that none waits or is played for too long."""
        end = stored.stages[1]["ends_at"]
        for one in stored.games.values():
            if one["id"] not in self._known:
                self._known.add(one["id"])
                self._check_new(stored, one)
            if one["state"] == "waiting" and (one["answer_by"] <= now or end <= now):
                raise Violation(f"a challenge waits longer than it may: {dict(one)} at {now}")
            is_played = one["state"] == "open" and one["assess_at"] is None
            if is_played and not now < one["ends_at"] <= min(one["opened_at"] + LENGTH, end):
                raise Violation(f"a game of the ladder lasts too long: {dict(one)} at {now}")
            if one["state"] == "annulled" and one["ended_at"] < end:
                raise Violation(f"a challenge was annulled before the end: {dict(one)}")

    def _check_new(self, stored: Stored, game: Row) -> None:
        """Check who challenges whom. Places are those of the last look: people act in between."""
        own, other = game["second"], game["first"]
        order = [*self.order, *(one for one in stored.entrants if one not in self.order)]
        gone = {one for one, row in stored.entrants.items() if row["withdrawn"] is not None}
        between = (
            order[order.index(other) + 1 : order.index(own)] if other in order[: order.index(own)] else None
        )
        if between is None or len([one for one in between if one not in gone]) >= REACH:
            raise Violation(f"{own} may not challenge {other} in {self.order}: {dict(game)}")
        running = [
            one
            for one in stored.games.values()
            if one["id"] < game["id"] and one["state"] in ("waiting", "open")
        ]
        if any(one["second"] == own or one["first"] == other for one in running):
            raise Violation(f"{own} or {other} has a challenge already: {dict(game)}, {running}")

    def _check_drops(self, stored: Stored, now: int) -> None:
        """Check that exactly those went down who had no game and no challenge for 30 days."""
        busy = {
            each
            for one in stored.games.values()
            if one["state"] in ("waiting", "open")
            for each in (one["first"], one["second"])
        }
        entrants = {one: row for one, row in stored.entrants.items() if row["withdrawn"] is None}
        expected = {
            one
            for one, row in entrants.items()
            if one not in busy and now - self._last_active(stored, one, row) >= IDLE
        }
        accounts = {row["account"]: one for one, row in stored.entrants.items()}
        new = [one for one in stored.log if one["act"] == "dropped" and one["id"] > self._logged]
        found = {accounts[one["about"]] for one in new if one["about"] in accounts}
        is_over = stored.stages[1]["state"] == "over"
        if found != expected and not is_over:
            raise Violation(f"on the ladder went down {found}, should have {expected} at {now}")
        self._dropped |= dict.fromkeys(found, now)

    def _last_active(self, stored: Stored, entrant: int, row: Row) -> int:
        times: list[int] = [self._began, row["joined_at"], self._dropped.get(entrant, 0)]
        for one in stored.games.values():
            if entrant not in (one["first"], one["second"]):
                continue
            points = one["first_points"] if one["first"] == entrant else one["second_points"]
            times.append(one["opened_at"] or 0)
            if not (one["decision"] == "by_default" and points == 0):
                times.append(one["ended_at"] or 0)
        return max(times)

    def check_order(self, stored: Stored, now: int) -> None:
        """Take results and drops into the order, and compare it with the stored one."""
        entrants = stored.entrants
        order = [one for one in self.order if entrants[one]["withdrawn"] is None]
        order += [one for one, row in entrants.items() if one not in self.order and row["withdrawn"] is None]
        new = [
            one for one in stored.games.values() if one["state"] == "over" and one["id"] not in self._applied
        ]
        new = sorted((one for one in new if one["news_at"] is None), key=lambda one: int(one["ended_at"]))
        earlier = [_win(one) for one in new if one["ended_at"] < now]
        later = [_win(one) for one in new if one["ended_at"] >= now]
        accounts = {row["account"]: one for one, row in entrants.items() if row["withdrawn"] is None}
        drops = [one for one in stored.log if one["act"] == "dropped" and one["id"] > self._logged]
        idle = [accounts[one["about"]] for one in drops if one["about"] in accounts]
        orders = [
            drop(
                apply_wins(drop(apply_wins(order, earlier), frozenset(idle[:number])), later),
                frozenset(idle[number:]),
            )
            for number in range(len(idle) + 1)
        ]  # challenges that end now without an answer keep both from being idle until then
        found = sorted(accounts.values(), key=lambda one: int(entrants[one]["rank"] or 0))
        if found not in orders:
            raise Violation(f"the ladder at {now} is {found}, by its games {orders[0]}; {drops}, {new}")
        self.order = found
        self._applied |= {one["id"] for one in new}
        self._logged = max((one["id"] for one in drops), default=self._logged)
        self.counts["ladder: drops"] += len(idle)
        self.counts["ladder: games"] += len(new)


def _win(game: Row) -> tuple[int, int]:
    """Return winner and loser; after a draw both are the same."""
    first, second = game["first"], game["second"]
    if game["first_points"] == game["second_points"]:
        return first, first
    return (first, second) if game["first_points"] > game["second_points"] else (second, first)
