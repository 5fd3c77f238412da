"""What people were told: nothing twice, everybody when a stage began, and before their games were decided."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter, defaultdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from matches.tournaments.values import Kind
from tests.cluster import Violation
from tests.cluster.audit import list_rows
from tests.tournament_year.final_tables import LEFT
from tests.tournament_year.persons import PLATFORMS
from tests.tournament_year.records import Row, Stored, read_tournament

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from storage import Database

ONCE = (
    *("stage_started", "tournament_over", "adjudicated", "forfeited"),
    *("clock_lost", "timed_out", "resigned", "started", "choosing", "revealed", "turn"),
)
"""What nobody is told twice; that a game ends soon twice at most."""

ENDS_SOON, WITHDRAWN = "ends_soon", "entrant_withdrawn"
BEFORE = [timedelta(days=days) // timedelta(milliseconds=1) for days in (14, 2)]


async def check_told(database: Database, numbers: Mapping[Kind, int], looks: Sequence[int]) -> int:
    """Check all announcements of the tournaments; return how many there were. Raises Violation."""
    kinds = (*ONCE, ENDS_SOON, WITHDRAWN)
    rows = [one for one in await list_rows(database) if one["kind"] in kinds and one["to"]]
    check_once([one for one in rows if one["kind"] != WITHDRAWN])
    for kind, number in numbers.items():
        stored = await read_tournament(database, number)
        check_begin(stored, rows)
        check_withdrawn(stored, rows)
        if kind is not Kind.LADDER:
            check_warnings(stored, rows, looks)
    return len(rows)


def check_once(rows: Iterable[Row]) -> None:
    told: Counter[tuple[Any, ...]] = Counter()
    for row in rows:
        names = ("to", "platform", "kind", "match", "tournament", "ply", "takebacks", "details")
        told[tuple(row[name] for name in names)] += 1
    if twice := [one for one, number in told.items() if number > 1 + (ENDS_SOON in one)]:
        raise Violation(f"told twice: {twice[:5]} and {len(twice) - 5} more")


def check_begin(stored: Stored, rows: Iterable[Row]) -> None:
    told: dict[tuple[str, int], int] = defaultdict(int)
    for row in rows:
        if row["kind"] == "stage_started" and row["tournament"] == stored.row["id"]:
            told[row["to"], json.loads(row["details"])["stage"]] += 1
    for stage in stored.stages:
        for one in (one for group in stored.groups(stage) for one in group):
            account = stored.entrants[one]["account"]
            if account.startswith(PLATFORMS) and told[account, stage] != 1:
                raise Violation(f"{account} was not told of stage {stage} of {dict(stored.row)}")


def check_withdrawn(stored: Stored, rows: Iterable[Row]) -> None:
    """Check that whoever was excluded, absent twice or lost clocks was told so, each time once."""
    accounts = {row["account"] for row in stored.entrants.values()}
    told = Counter(
        (one["to"], one["made_at"])
        for one in rows
        if one["kind"] == WITHDRAWN and one["tournament"] == stored.row["id"] and one["to"] in accounts
    )
    expected = Counter(
        (one["about"], one["made_at"])
        for one in stored.log
        if one["act"] in LEFT and json.loads(one["details"])["why"] in ("lost_clocks", "excluded", "absent")
    )
    living = {one: number for one, number in expected.items() if one[0].startswith(PLATFORMS)}
    if told != living:
        raise Violation(f"{stored.kind}: told that they are withdrawn {told}, not {living}")


def check_warnings(stored: Stored, rows: Iterable[Row], looks: Sequence[int]) -> None:
    """Check that both players of a game were told at the first look in its last two weeks and two days."""
    told = {(row["match"], row["to"], row["made_at"]) for row in rows if row["kind"] == ENDS_SOON}
    expected = set()
    for game in stored.games.values():
        ends_at = stored.stages[game["stage"]]["ends_at"]
        if game["match"] is None or game["ends_at"] != ends_at or game["state"] == "annulled":
            continue
        due = [ends_at - before for before in BEFORE if game["opened_at"] < ends_at - before]
        warned = {looks[bisect_left(looks, one)] for one in due if one <= looks[-1]}
        for side in ("first", "second"):
            account = stored.entrants[game[side]]["account"]
            if account.startswith(PLATFORMS):
                expected |= {
                    (game["match"], account, at) for at in warned if at < min(game["ended_at"], ends_at)
                }
    if missing := expected - told:
        raise Violation(f"{stored.kind}: not told that games end soon: {sorted(missing)[:5]}, {len(missing)}")
