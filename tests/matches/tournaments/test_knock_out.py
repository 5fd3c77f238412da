"""Brackets: byes, duels, who goes on, and places."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.tournaments.pairing.drawing import draw_seeds, seed_by_rating
from matches.tournaments.pairing.knock_out import (
    Duel,
    Reason,
    bracket_order,
    build_bracket,
    count_rounds,
    find_winner,
    list_places,
    pair_round,
    pair_third_game,
)
from matches.tournaments.results import Decision, EntrantId, GameState, Pairing, TournamentGame
from tests.matches.tournaments.games import entrants, game

if TYPE_CHECKING:
    from collections.abc import Sequence

ONE, TWO, THREE = map(EntrantId, (1, 2, 3))


def test_bracket_keeps_the_highest_seeds_apart() -> None:
    assert bracket_order(1) == (1,)
    assert bracket_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    with pytest.raises(ValueError, match="power of two"):
        bracket_order(6)


@pytest.mark.parametrize(("players", "rounds"), [(0, 0), (1, 0), (2, 1), (3, 2), (16, 4), (17, 5)])
def test_number_of_rounds(players: int, rounds: int) -> None:
    assert count_rounds(players) == rounds


def test_byes_go_to_the_highest_seeds() -> None:
    (duels,) = build_bracket(entrants(6), ())
    assert [(duel.upper, duel.lower, duel.winner, duel.reason) for duel in duels] == [
        (1, None, 1, Reason.FREE),
        (4, 5, None, None),
        (2, None, 2, Reason.FREE),
        (3, 6, None, None),
    ]
    assert pair_round(duels)[:3] == (
        Pairing(ONE, None, 1),
        Pairing(EntrantId(4), EntrantId(5), 2, 1),
        Pairing(EntrantId(5), EntrantId(4), 2, 2),
    )


DRAWN = [game(1, 1, 2, "draw"), game(2, 2, 1, "draw", number=2)]


@pytest.mark.parametrize(
    ("games", "ended", "withdrawn", "winner", "reason", "needs_third"),
    [
        ([], 0, (), None, None, False),
        ([], 1, (), 1, Reason.SEED, False),
        ([game(1, 1, 2, "0-1"), game(2, 2, 1, GameState.OPEN, number=2)], 0, (), None, None, False),
        ([game(1, 1, 2, "0-1"), game(2, 2, 1, "draw", number=2)], 0, (), 2, Reason.POINTS, False),
        (DRAWN, 0, (), None, None, True),
        (DRAWN, 1, (), 1, Reason.SEED, False),
        (DRAWN, 0, (1,), 2, Reason.WITHDRAWN, False),
        (DRAWN, 0, (1, 2), 1, Reason.SEED, False),
        ([*DRAWN, game(3, 2, 1, GameState.OPEN, number=3)], 0, (), None, None, False),
        ([*DRAWN, game(3, 2, 1, "1-0", number=3)], 0, (), 2, Reason.POINTS, False),
        ([*DRAWN, game(3, 2, 1, "draw", number=3)], 0, (), 1, Reason.SEED, False),
        (
            [game(1, 1, 2, "draw", Decision.BLOCKED), game(2, 2, 1, "draw", Decision.BLOCKED, number=2)],
            *(0, (), 1, Reason.SEED, False),
        ),
    ],
)
def test_duel(
    games: Sequence[TournamentGame],
    ended: int,
    withdrawn: Sequence[int],
    winner: int | None,
    reason: Reason | None,
    *,
    needs_third: bool,
) -> None:
    ((duel,),) = build_bracket(entrants(2, withdrawn=withdrawn), games, ended=ended)
    assert (duel.winner, duel.reason, duel.needs_third) == (winner, reason, needs_third)


def test_who_withdrew_before_a_round_leaves_the_place_free() -> None:
    games = [game(one, one, 5 - one, "1-0") for one in (1, 2)]
    games += [game(one + 2, 5 - one, one, "0-1", number=2) for one in (1, 2)]
    rounds = build_bracket(entrants(4, withdrawn=(1,)), games)
    assert [(one.upper, one.winner, one.reason) for one in rounds[1]] == [(2, 2, Reason.FREE)]
    assert find_winner(rounds) == 2
    nobody = build_bracket(entrants(4, withdrawn=(1, 2)), games)
    assert find_winner(nobody) is None
    assert pair_round(nobody[1]) == ()


def test_third_game_has_drawn_sides() -> None:
    pairings = {pair_third_game(Duel(1, 1, ONE, TWO), number) for number in range(20)}
    assert pairings == {Pairing(ONE, TWO, 1, 3), Pairing(TWO, ONE, 1, 3)}
    assert len({pair_third_game(Duel(1, 1, ONE, TWO), 5) for _ in range(3)}) == 1
    with pytest.raises(ValueError, match="no two entrants"):
        pair_third_game(Duel(1, 1, ONE, None), 1)


@pytest.mark.long
@given(st.integers(0, 20), st.integers(0, 10**6))
def test_bracket_leads_to_one_winner(players: int, seed: int) -> None:
    random, games, ids = Random(seed), list[TournamentGame](), count(1)
    people = entrants(players)
    for stage in range(1, count_rounds(players) + 1):
        rounds = build_bracket(people, games, ended=stage - 1)
        assert len(rounds) == stage
        games += [
            game(
                next(ids),
                one.first,
                one.second,
                random.choice(["1-0", "draw", "0-1"]),
                stage=stage,
                number=one.number,
            )
            for one in pair_round(rounds[-1])
            if one.second is not None
        ]
    rounds = build_bracket(people, games, ended=count_rounds(players))
    places = list_places(people, rounds)
    assert sorted(one for _, one in places) == [one.id for one in people]
    if players > 1:
        assert sum(len(duel.entrants) == 2 for duels in rounds for duel in duels) == players - 1
        assert places[0] == (1, find_winner(rounds))
        assert [place for place, _ in places[:3]] == [1, 2, 3][:players]


def test_draws_can_be_checked_by_hand() -> None:
    # As with: printf 4711:1 | sha256sum
    seeds = draw_seeds((ONE, TWO, THREE), 4711)
    assert sorted(seeds.values()) == [1, 2, 3]
    assert seeds == draw_seeds((THREE, TWO, ONE), 4711)
    orders = {tuple(sorted(seeds, key=draw_seeds(seeds, number).__getitem__)) for number in range(60)}
    assert len(orders) == 6
    rated = seed_by_rating({ONE: 1500.0, TWO: 1600.0, THREE: 1500.0}, 4711)
    assert rated[TWO] == 1
    assert (rated[ONE] < rated[THREE]) == (seeds[ONE] < seeds[THREE])
