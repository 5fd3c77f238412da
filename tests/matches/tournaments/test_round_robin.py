"""Berger tables, their sides, and the order in which games open."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.tournaments.pairing.round_robin import berger_table, choose_games_to_open, pair_round_robin
from matches.tournaments.results import Decision, EntrantId, GameState, TournamentGame
from tests.matches.tournaments.games import entrants, game

# FIDE Handbook C.05, annex 1.
PUBLISHED = {
    4: """
        1-4 2-3
        4-3 1-2
        2-4 3-1
    """,
    6: """
        1-6 2-5 3-4
        6-4 5-3 1-2
        2-6 3-1 4-5
        6-5 1-4 2-3
        3-6 4-2 5-1
    """,
    8: """
        1-8 2-7 3-6 4-5
        8-5 6-4 7-3 1-2
        2-8 3-1 4-7 5-6
        8-6 7-5 1-4 2-3
        3-8 4-2 5-1 6-7
        8-7 1-6 2-5 3-4
        4-8 5-3 6-2 7-1
    """,
    10: """
        1-10 2-9 3-8 4-7 5-6
        10-6 7-5 8-4 9-3 1-2
        2-10 3-1 4-9 5-8 6-7
        10-7 8-6 9-5 1-4 2-3
        3-10 4-2 5-1 6-9 7-8
        10-8 9-7 1-6 2-5 3-4
        4-10 5-3 6-2 7-1 8-9
        10-9 1-8 2-7 3-6 4-5
        5-10 6-4 7-3 8-2 9-1
    """,
}


@pytest.mark.parametrize("size", PUBLISHED)
def test_table_is_the_published_one(size: int) -> None:
    published = [set(line.split()) for line in PUBLISHED[size].strip().splitlines()]
    assert [{f"{one}-{other}" for one, other in pairs} for pairs in berger_table(size)] == published


@pytest.mark.parametrize("size", [-2, 3])
def test_table_of_an_odd_number_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match="even number"):
        berger_table(size)


@given(st.integers(0, 24), st.integers(1, 3))
def test_everybody_meets_everybody_with_balanced_sides(count: int, games: int) -> None:
    pairings = pair_round_robin(entrants(count), games=games)
    met = Counter(frozenset((one.first, one.second)) for one in pairings)
    ids = [EntrantId(one) for one in range(1, count + 1)]
    assert met == {frozenset(pair): games for pair in combinations(ids, 2)}
    assert all(one.points is None and one.decision is None for one in pairings)
    sides = Counter(one.first for one in pairings)
    sides.subtract(one.second for one in pairings if one.second is not None)
    assert all(abs(surplus) <= 1 for surplus in sides.values())
    for number in {one.round for one in pairings}:
        players = Counter(one.first for one in pairings if one.round == number and one.number == 1)
        players.update(
            one.second
            for one in pairings
            if one.round == number and one.number == 1 and one.second is not None
        )
        assert set(players.values()) == {1}


def test_blocked_pair_gets_half_a_point_each() -> None:
    pairings = pair_round_robin(entrants(4), blocks=frozenset({frozenset(map(EntrantId, (1, 3)))}))
    (blocked,) = [one for one in pairings if one.is_blocked]
    assert {blocked.first, blocked.second} == {1, 3}
    assert (blocked.points, blocked.decision) == ((1, 1), Decision.BLOCKED)


def stored(count: int) -> list[TournamentGame]:
    return [
        TournamentGame(id_, 1, one.first, one.second, round=one.round)
        for id_, one in enumerate(pair_round_robin(entrants(count)), 1)
    ]


@pytest.mark.parametrize("count", [2, 3, 7, 10, 13])
def test_five_games_of_each_player_open_first(count: int) -> None:
    opened = choose_games_to_open(stored(count))
    busy = Counter(player for one in opened for player in one.players)
    assert max(busy.values()) == min(5, count - 1)
    waiting = [one for one in stored(count) if one not in opened]
    assert all(any(busy[player] == 5 for player in one.players) for one in waiting)


@pytest.mark.parametrize("count", [7, 10])
def test_every_game_opens_once_others_end(count: int) -> None:
    games = {one.id: one for one in stored(count)}
    opened: list[int] = []
    while chosen := choose_games_to_open([*games.values()]):
        opened += [one.id for one in chosen]
        for one in chosen:
            games[one.id] = replace(one, state=GameState.OVER, points=(1, 1))
    assert sorted(opened) == sorted(games)


def test_games_of_other_tournaments_count_and_no_limit_opens_all() -> None:
    games = stored(4)
    opened = choose_games_to_open(games, open_elsewhere={EntrantId(1): 5})
    assert [one for one in games if EntrantId(1) not in one.players] == list(opened)
    assert choose_games_to_open(games, limit=None, open_elsewhere={EntrantId(1): 5}) == tuple(games)
    over = [game(1, 1, 2, "1-0"), game(2, 1, 3, GameState.OPEN), game(3, 1, 4, GameState.ANNULLED)]
    assert choose_games_to_open(over, limit=None) == ()
