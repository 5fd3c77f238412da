"""Results of games: each must follow from its match, or from the reason why there was none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.worker.assessments import assess_board
from matches.tournaments.values import Kind
from tests.cluster import Violation
from tests.tournament_year.final_tables import LEFT
from tests.tournament_year.site import SIMULATIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ai.search import Opponent
    from tests.tournament_year.facts import Fact
    from tests.tournament_year.records import Row, Stored


def check_result(
    stored: Stored, game: Row, fact: Fact | None, corrections: Mapping[int, tuple[int, int]]
) -> None:
    """Compare the result of a game with that of its match. Raises Violation."""
    if game["state"] == "annulled":
        if stored.kind not in (Kind.LEAGUE, Kind.ROUND_ROBIN, Kind.LADDER):
            raise Violation(f"annulled without a reason: {dict(game)}")
        return
    if game["state"] != "over":
        raise Violation(f"never decided: {dict(game)}")
    points = game["first_points"], game["second_points"]
    expected: tuple[int, int | None] | None
    if game["decision"] == "corrected":
        expected = corrections.get(game["id"])
    elif game["match"] is None:
        expected = _expect_without_match(stored, game)
    else:
        expected = None if fact is None else _expect(stored, game, fact)
    if points != expected:
        raise Violation(f"{dict(game)} has {points}, not {expected}", game["match"])


def _expect(stored: Stored, game: Row, fact: Fact) -> tuple[int, int] | None:
    """Return the points that follow from the result of a match, None if it contradicts the decision."""
    decisions = {"time": "lost_clock", "aborted": "lost_clock"}
    decisions |= dict.fromkeys(("forfeited", "left"), "by_default")
    decision = decisions.get(fact.reason, "adjudicated" if fact.reason == "adjudicated" else "played")
    if game["decision"] != decision or (decision != "adjudicated" and game["ended_at"] != fact.ended_at):
        return None
    accounts = [stored.entrants[game[side]]["account"] for side in ("first", "second")]
    lost = [account in fact.losers for account in accounts]
    points = (1, 1) if not any(lost) else (0 if lost[0] else 2, 0 if lost[1] else 2)
    if decision == "adjudicated":
        chances = 0.5 if game["chances"] is None else game["chances"] / 10_000
        expected = (2, 0) if chances >= 0.85 else (0, 2) if chances <= 0.15 else (1, 1)
        return points if points == expected else None
    return points


def check_chances(stored: Stored, game: Row, fact: Fact, opponent: Opponent) -> None:
    """Assess the last board of a match again, and compare the chances of the first player."""
    position = fact.view.position
    assert position is not None
    chances = assess_board(opponent, position, SIMULATIONS)
    is_first = fact.view.seats[0].person.account == stored.entrants[game["first"]]["account"]
    own = None if chances is None else round(10_000 * (chances if is_first else 1 - chances))
    if own is None or abs(own - game["chances"]) > 1:
        raise Violation(f"the chances were {own}: {dict(game)}", game["match"])


def _expect_without_match(stored: Stored, game: Row) -> tuple[int, int | None] | None:
    """Return the points of a game that was not played; by default they are checked by who has left."""
    stage = stored.stages[game["stage"]]
    match game["decision"]:
        case "bye":
            return (2, None) if game["second"] is None else None
        case "blocked":
            return 1, 1
        case "adjudicated":
            return (1, 1) if game["ended_at"] >= stage["ends_at"] else None
        case "by_default" if stored.kind == Kind.LADDER:
            left = [each for each in (game["first"], game["second"]) if _has_left(stored, each, game)]
            return (2, 0) if min(left, default=0) == game["second"] else (0, 2)
        case "by_default":
            return game["first_points"], game["second_points"]
    return None


def _has_left(stored: Stored, entrant: int, game: Row) -> bool:
    """Return whether an entrant had left when a game was decided."""
    own = stored.entrants[entrant]
    return any(
        one["act"] in LEFT
        and one["about"] == own["account"]
        and own["joined_at"] <= one["made_at"] <= game["ended_at"]
        for one in stored.log
    )
