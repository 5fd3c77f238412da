"""The table, the rule that decides between equals, withdrawals, and places that can still be reached."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.tournaments.pairing.round_robin import pair_round_robin
from matches.tournaments.reachable_places import ReachablePlaces, find_reachable_places
from matches.tournaments.results import Decision, EntrantId, GameState, TournamentGame
from matches.tournaments.standings import Explanation, TieBreak, build_table
from matches.tournaments.withdrawals import withdraw
from tests.matches.tournaments.games import RESULTS, entrants, game, read_games

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.tournaments.results import Entrant

ALL = tuple(map(EntrantId, range(1, 11)))


def explain(count: int, text: str, *, withdrawn: Sequence[int] = ()) -> list[str]:
    """Return the table as lines: the entrant, half points, and what decided against the next one."""
    lines = []
    for row in build_table(entrants(count, withdrawn=withdrawn), read_games(text)):
        why = row.above_next
        lines.append(f"{row.entrant} {row.points}" + (f" {why.rule} {why.own}>{why.next}" if why else ""))
    return lines


@pytest.mark.parametrize(
    ("count", "games", "table"),
    [
        pytest.param(0, "", [], id="nobody"),
        pytest.param(1, "", ["1 0"], id="one"),
        pytest.param(2, "1 2 0-1", ["2 2 points 2>0", "1 0"], id="points"),
        pytest.param(
            3, "1 2 0-1\n1 3 1-0\n2 3 annulled", ["2 2 direct 2>0", "1 2 points 2>0", "3 0"], id="direct"
        ),
        pytest.param(
            4,
            "1 2 draw\n1 3 1-0\n4 1 1-0\n2 4 1-0\n2 3 0-1\n3 4 1-0",
            ["3 4 points 4>3", "1 3 sonneborn_berger 11>7", "2 3 points 3>2", "4 2"],
            id="Sonneborn-Berger",
        ),
        pytest.param(2, "1 2 draw", ["1 1 seed 1>2", "2 1"], id="seed"),
        pytest.param(
            2,
            "1 2 0-1 lost_clock\n2 1 0-1",
            ["2 2 lost_clocks 0>1", "1 2"],
            id="lost clocks",
        ),
        pytest.param(
            3,
            "2 1 0-1\n1 3 0-1\n2 3 1-0",
            ["3 2 direct 2>0", "1 2 second_side 1>0", "2 2"],
            id="second side, then the rules again",
        ),
        pytest.param(
            2, "2 1 0-1 blocked\n1 2 0-1 by_default", ["1 2 seed 1>2", "2 2"], id="wins that are not played"
        ),
    ],
)
def test_table(count: int, games: str, table: list[str]) -> None:
    assert explain(count, games) == table


def test_who_withdrew_is_below_all_others() -> None:
    assert explain(3, "1 2 1-0\n1 3 1-0\n2 3 1-0", withdrawn=[1]) == [
        "2 2 points 2>0",
        "3 0 withdrawn 0>1",
        "1 4",
    ]


def test_row_counts_games() -> None:
    games = read_games("1 2 1-0\n3 1 draw\n1 4 0-1 lost_clock\n5 1 0-1\n1 5 annulled\n2 3 open")
    games.append(game(9, 1, None, "1-0", Decision.BYE))
    row = next(row for row in build_table(entrants(5), games) if row.entrant == 1)
    assert (row.points, row.games, row.wins, row.draws, row.losses) == (7, 5, 3, 1, 1)
    assert (row.lost_clocks, row.second_side_wins) == (1, 1)


def random_games(count: int, seed: int, open_games: int) -> list[TournamentGame]:
    random = Random(seed)
    pairings = pair_round_robin(entrants(count))
    ids = list(range(1, len(pairings) + 1))
    left = set(random.sample(ids, min(open_games, len(ids))))
    return [
        game(id_, one.first, one.second, GameState.OPEN if id_ in left else random.choice([*RESULTS]))
        for id_, one in zip(ids, pairings, strict=True)
    ]


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 9), st.integers(0, 10**6))
def test_table_is_complete_and_ordered(count: int, seed: int) -> None:
    games = random_games(count, seed, 0)
    table = build_table(entrants(count), games)
    assert [row.place for row in table] == [*range(1, count + 1)]
    assert sum(row.points for row in table) == 2 * len(games)
    assert build_table(entrants(count)[::-1], games[::-1]) == table
    for above, below in pairwise(table):
        assert above.points >= below.points
        why = above.above_next
        assert why is not None
        assert {above.entrant, below.entrant} <= set(why.tied)
        less_is_better = why.rule in {TieBreak.SEED, TieBreak.LOST_CLOCKS}
        assert (why.own < why.next) == less_is_better
        assert why.own != why.next
        if why.rule is TieBreak.POINTS:
            assert (why.own, why.next) == (above.points, below.points)


@pytest.mark.parametrize(
    ("games", "changed"),
    [
        # Half of the games are over: the others are lost.
        ("1 2 1-0\n1 3 0-1\n4 1 open\n1 5 waiting\n2 3 open", {3: (2, 0), 4: (0, 2)}),
        # Fewer: all are annulled.
        ("1 2 1-0\n1 3 open\n4 1 open\n2 3 open", {1: None, 2: None, 3: None}),
        ("1 2 annulled\n2 3 open", {}),
    ],
)
def test_withdrawal(games: str, changed: dict[int, tuple[int, int] | None]) -> None:
    after = withdraw(EntrantId(1), read_games(games), may_annul=True)
    assert {one.id: one.points for one in after} == changed
    whole = {one.id: one for one in read_games(games)} | {one.id: one for one in after}
    assert withdraw(EntrantId(1), whole.values(), may_annul=True) == ()


def test_withdrawal_outside_a_round_robin_annuls_nothing() -> None:
    (lost,) = withdraw(EntrantId(2), read_games("1 2 open"), may_annul=False)
    assert (lost.points, lost.decision) == ((2, 0), Decision.BY_DEFAULT)


def true_places(people: Sequence[Entrant], games: Sequence[TournamentGame]) -> dict[EntrantId, set[int]]:
    """Return all places that each can reach, one game after another."""
    left = next((one for one in games if one.state is GameState.OPEN), None)
    if left is None:
        return {row.entrant: {row.place} for row in build_table(people, games)}
    places: dict[EntrantId, set[int]] = {one.id: set() for one in people}
    for points in RESULTS.values():
        over = replace(left, state=GameState.OVER, points=points, decision=Decision.PLAYED)
        for one, seen in true_places(people, [over if one.id == left.id else one for one in games]).items():
            places[one] |= seen
    return places


@settings(deadline=None, max_examples=15)
@given(st.integers(2, 7), st.integers(0, 10**6), st.integers(0, 5))
def test_reachable_places_hold_the_true_ones(count: int, seed: int, left: int) -> None:
    games = random_games(count, seed, left)
    true = true_places(entrants(count), games)
    for one, found in find_reachable_places(
        entrants(count), games, build_table(entrants(count), games)
    ).items():
        assert found.best <= min(true[one]) <= max(true[one]) <= found.worst
        if found.is_exact:
            assert (found.best, found.worst) == (min(true[one]), max(true[one]))


def test_rounds_that_are_not_paired_widen_the_bounds() -> None:
    games = read_games("1 2 1-0\n3 4 1-0")
    rows = build_table(entrants(4), games)
    assert find_reachable_places(entrants(4), games, rows)[ALL[3]] == ReachablePlaces(4, 4, is_exact=True)
    left = entrants(4, withdrawn=[2])
    found = find_reachable_places(left, games, build_table(left, games), rounds_left=1)
    assert found[ALL[3]] == ReachablePlaces(1, 3, is_exact=False)
    assert found[ALL[1]] == ReachablePlaces(4, 4, is_exact=False)


def test_explanation_names_the_tied_and_their_numbers() -> None:
    table = build_table(entrants(3), read_games("1 2 0-1\n1 3 1-0\n2 3 annulled"))
    assert table[0].above_next == Explanation(TieBreak.DIRECT, 2, 0, (ALL[0], ALL[1]))
