"""The simulated year in short, audited: with kills it comes to the same as without; each check can fail."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from matches.tournaments.values import WEEK, Kind
from storage.tables import TOURNAMENT_STAGES
from tests.cluster import Violation
from tests.cluster.audit import list_rows
from tests.tournament_year import pairs, told
from tests.tournament_year.audit import find_winners
from tests.tournament_year.facts import Fact, read_facts
from tests.tournament_year.final_tables import table_of
from tests.tournament_year.ladder import Ladder
from tests.tournament_year.leavers import check_left_games, check_withdrawals
from tests.tournament_year.plan import SHORT
from tests.tournament_year.records import Row, Stored, read_rows, read_tournament
from tests.tournament_year.results import check_result
from tests.tournament_year.year import Year, live_year

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


pytestmark = pytest.mark.long

SMALLEST = replace(
    SHORT,
    entrants={Kind.LEAGUE: 11, Kind.SWISS: 8, Kind.KNOCK_OUT: 6, Kind.LADDER: 6, Kind.ROUND_ROBIN: 4},
    lengths=dict.fromkeys(SHORT.entrants, 4 * WEEK),
    rounds={Kind.LEAGUE: 2, Kind.SWISS: 2},
    persons=12,
    outages=1,
)


@dataclass(frozen=True)
class Past:
    """A year without kills: what it came to, what is stored, and what the checks need to know of it."""

    result: dict[str, Any]
    year: Year
    stored: dict[Kind, Stored]
    facts: dict[Kind, dict[int, Fact]]
    stages: list[Row]
    rows: Sequence[Row]


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Past:
    return asyncio.run(_live(tmp_path_factory.mktemp("year")))


async def _live(folder: Path) -> Past:
    address = f"sqlite:///{folder / 'undisturbed.db'}?timeout=60"
    async with live_year(SMALLEST, address, folder, is_disturbed=False) as year:
        stored = {kind: await read_tournament(year.database, one) for kind, one in year.numbers.items()}
        return Past(
            await year.describe(),
            year,
            stored,
            {
                kind: await read_facts(year.database, year.matches, one, year.now)
                for kind, one in stored.items()
            },
            list(await read_rows(year.database, TOURNAMENT_STAGES)),
            await list_rows(year.database),
        )


async def test_with_kills_it_comes_to_the_same(empty_database_url: str, tmp_path: Path, past: Past) -> None:
    if empty_database_url.startswith("sqlite"):
        empty_database_url = f"sqlite:///{tmp_path / 'disturbed.db'}?timeout=60"
    async with live_year(SMALLEST, empty_database_url, tmp_path) as year:
        assert year.counts["kills during sweep"] > SMALLEST.kills_on_dates
        assert year.counts["outages"] == 1
        assert year.counts["tables compared"] > 4
        assert await year.describe() == past.result


def change(stored: Stored, game: Row, **columns: object) -> Stored:
    """Return a tournament in which a game has other columns."""
    return replace(stored, games={**stored.games, game["id"]: {**game, **columns}})


def without(stored: Stored, game: Row) -> Stored:
    return replace(stored, games={one: row for one, row in stored.games.items() if one != game["id"]})


def find(stored: Stored, **columns: object) -> Row:
    """Return the first game with these columns."""
    games = stored.games.values()
    return next(one for one in games if all(one[name] == value for name, value in columns.items()))


def meet_again(stored: Stored) -> Stored:
    before = find(stored, stage=1)
    return change(stored, find(stored, stage=2), first=before["second"], second=before["first"])


def rest_twice(stored: Stored) -> Stored:
    first = find(stored, stage=1)
    both = change(stored, first, second=None)
    return change(both, find(stored, stage=2), first=first["first"], second=None)


def begin_always(stored: Stored) -> Stored:
    own = next(iter(stored.groups(1)[0]))
    for one in stored.games_of(1):
        if one["second"] == own:
            stored = change(stored, one, first=own, second=one["first"])
    return stored


def go_on_in_vain(stored: Stored) -> Stored:
    """Exchange somebody who plays in the second round of a knock-out for one who has lost."""
    game, there = find(stored, stage=2), {*stored.groups(2)[0]}
    lost = next(one for one in stored.groups(1)[0] if one not in there)
    return change(stored, game, first=lost)


def play_once(stored: Stored) -> Stored:
    return without(stored, find(stored, number=2))


@pytest.mark.parametrize(
    ("kind", "damage"),
    [
        (Kind.SWISS, meet_again),
        (Kind.SWISS, rest_twice),
        (Kind.SWISS, lambda stored: without(stored, find(stored, stage=1))),
        (Kind.LEAGUE, lambda stored: without(stored, find(stored, stage=1))),
        (Kind.LEAGUE, begin_always),
        (Kind.ROUND_ROBIN, lambda stored: without(stored, find(stored, stage=1))),
        (Kind.KNOCK_OUT, go_on_in_vain),
        (Kind.KNOCK_OUT, play_once),
    ],
)
def test_wrong_pairs_are_found(past: Past, kind: Kind, damage: Callable[[Stored], Stored]) -> None:
    pairs.CHECKS[kind](past.stored[kind])
    with pytest.raises(Violation):
        pairs.CHECKS[kind](damage(past.stored[kind]))


@pytest.mark.parametrize(
    ("decision", "columns"),
    [
        ("played", {"first_points": 1, "second_points": 1}),
        ("played", {"decision": "lost_clock"}),
        ("played", {"state": "open"}),
        ("lost_clock", {"decision": "played"}),
        ("lost_clock", {"ended_at": 1}),
        ("adjudicated", {"chances": 9_000, "first_points": 0, "second_points": 2}),
    ],
)
def test_wrong_results_are_found(past: Past, decision: str, columns: dict[str, object]) -> None:
    stored, game = next(
        (stored, game)
        for stored in past.stored.values()
        for game in stored.games.values()
        if game["decision"] == decision and game["match"]
        if decision == "adjudicated" or game["first_points"] != 1
    )
    fact = past.facts[Kind(stored.kind)][game["id"]]
    check_result(stored, game, fact, {})
    with pytest.raises(Violation):
        check_result(stored, {**game, **columns}, fact, {})


def test_wrong_tables_and_winners_are_found(past: Past) -> None:
    stored, order = past.stored[Kind.ROUND_ROBIN], past.year.watch.ladder.order
    first, _ = table_of(stored, 1)[0]
    lost = stored
    for one in stored.games_of(1):
        if one["state"] == "over" and first in (one["first"], one["second"]):
            points = (0, 2) if one["first"] == first else (2, 0)
            lost = change(lost, one, first_points=points[0], second_points=points[1])
    assert table_of(lost, 1) != table_of(stored, 1)
    assert find_winners(lost, order) != find_winners(stored, order)


def test_wrong_withdrawals_are_found(past: Past) -> None:
    kind, stored = next(
        (kind, one)
        for kind, one in past.stored.items()
        if any("lost_clocks" in (entry["details"] or "") for entry in one.log)
    )
    left = past.year.happenings.left[kind]
    check_withdrawals(stored, past.facts[kind], left)
    log = [one for one in stored.log if "lost_clocks" not in (one["details"] or "")]
    with pytest.raises(Violation, match="withdrawn for lost clocks"):
        check_withdrawals(replace(stored, log=log), past.facts[kind], left)
    account = next(iter(stored.entrants.values()))["account"]
    with pytest.raises(Violation, match="have left"):
        check_withdrawals(stored, past.facts[kind], [*left, (1, account)])


@pytest.mark.parametrize("columns", [{"state": "annulled"}, {"decision": "by_default"}])
def test_games_that_nobody_left_are_found(past: Past, columns: dict[str, object]) -> None:
    stored, facts, looks = past.stored[Kind.LEAGUE], past.facts[Kind.LEAGUE], past.year.watch.looks
    check_left_games(stored, facts, looks)
    with pytest.raises(Violation):
        check_left_games(change(stored, find(stored, decision="played"), **columns), facts, looks)


def test_wrong_announcements_are_found(past: Past) -> None:
    rows = [one for one in past.rows if one["to"]]
    known = [one for one in rows if one["kind"] in told.ONCE or one["kind"] == told.ENDS_SOON]
    told.check_once(known)
    with pytest.raises(Violation, match="told twice"):
        told.check_once([*known, next(one for one in known if one["kind"] in told.ONCE)])
    stored, looks = past.stored[Kind.LEAGUE], past.year.watch.looks
    told.check_begin(stored, rows)
    with pytest.raises(Violation, match="not told of stage"):
        told.check_begin(stored, [])
    told.check_withdrawn(stored, rows)
    with pytest.raises(Violation, match="told that they are withdrawn"):
        told.check_withdrawn(stored, [])
    told.check_warnings(stored, rows, looks)
    with pytest.raises(Violation, match="not told that games end soon"):
        told.check_warnings(stored, [], looks)


@pytest.mark.parametrize("columns", [{"ended_at": None}, {"ended_at": 2**50}])
def test_late_stages_are_found(past: Past, columns: dict[str, object]) -> None:
    row = min(past.stages, key=lambda one: int(one["ends_at"]))
    past.year.watch.check_date(row)
    with pytest.raises(Violation, match="not over on its date"):
        past.year.watch.check_date({**row, **columns})


@pytest.mark.parametrize("column", ["starts_at", "ends_at"])
def test_wrong_dates_are_found(past: Past, column: str) -> None:
    kinds = {number: kind for kind, number in past.year.numbers.items()}
    for row in past.stages:
        kind = kinds[row["tournament"]]
        past.year.watch.check_begin(kind, past.stored[kind], row)
        with pytest.raises(Violation, match="should have begun"):
            past.year.watch.check_begin(kind, past.stored[kind], {**row, column: row[column] + 1})


def test_wrong_order_of_the_ladder_is_found(past: Past) -> None:
    stored, ladder = past.stored[Kind.LADDER], Ladder(Counter())
    ladder.begin(stored)
    before = ladder.order[:]
    assert before != past.year.watch.ladder.order
    with pytest.raises(Violation, match="the ladder at"):
        ladder.check_order(replace(stored, games={}, log=[]), past.year.watch.looks[-1])
