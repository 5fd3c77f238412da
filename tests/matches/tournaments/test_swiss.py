"""Swiss rounds: no rematches, no second byes, equal points, sides, and the same pairs again."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import permutations
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.tournaments.pairing.swiss import count_rounds, pair_swiss_round
from matches.tournaments.results import Decision, EntrantId, Pairing
from matches.tournaments.standings import build_table
from tests.matches.tournaments.games import entrants, game
from tests.matches.tournaments.swiss_season import SwissSeason
from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Pairs = frozenset[frozenset[int | None]]


def play_season(players: int, seed: int, *, asked: int | None = None, leaving: float = 0) -> SwissSeason:
    season, rounds = SwissSeason.of(players, Random(seed)), count_rounds(players, asked)
    for _ in range(rounds):
        season.play(pair_swiss_round(season.entrants, season.games, rounds=rounds), leaving=leaving)
    return season


def count_rematches(season: SwissSeason) -> int:
    met = Counter(one.pair for one in season.games if one.second is not None)
    return sum(times - 1 for times in met.values())


def count_second_byes(season: SwissSeason) -> int:
    byes = Counter(one.first for one in season.games if one.second is None)
    return sum(times - 1 for times in byes.values())


@pytest.mark.parametrize(
    ("players", "asked", "rounds"),
    [
        *((0, None, 0), (1, 7, 0), (2, None, 1), (3, None, 2), (5, 7, 4), (8, 7, 7), (64, None, 7)),
        *((64, 5, 5), (512, None, 10), (9, 0, 1)),
    ],
)
def test_number_of_rounds(players: int, asked: int | None, rounds: int) -> None:
    assert count_rounds(players, asked) == rounds


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_64_players_of_whom_some_leave_never_meet_twice(seed: int) -> None:
    season = play_season(64, seed, leaving=0.06)
    assert season.stage == 7
    assert len(season.active) < 64
    assert (count_rematches(season), count_second_byes(season)) == (0, 0)
    surplus = Counter(one.first for one in season.games if one.second is not None)
    surplus.subtract(one.second for one in season.games if one.second is not None)
    assert max(map(abs, surplus.values())) <= 2


@pytest.mark.parametrize("players", range(3, 13))
def test_small_fields_never_meet_twice(players: int) -> None:
    for asked, seeds in ((None, 40 if players in {5, 6} else 6), (players - 1, 2)):
        for seed in range(seeds):
            season = play_season(players, seed, asked=asked)
            assert len(season.games) == season.stage * ((players + 1) // 2)
            assert (count_rematches(season), count_second_byes(season)) == (0, 0)


def test_usual_number_of_rounds_is_known_without_being_told() -> None:
    season = SwissSeason.of(6, Random(1))
    for _ in range(count_rounds(6)):
        pairings = pair_swiss_round(season.entrants, season.games)
        assert pairings == pair_swiss_round(season.entrants, season.games, rounds=4)
        season.play(pairings)


@pytest.mark.parametrize(("players", "asked"), [(8, 7), (16, 15), (15, 14)])
def test_all_play_all(players: int, asked: int) -> None:
    for seed in range(5 if players == 8 else 1):
        season = play_season(players, seed, asked=asked)
        assert (count_rematches(season), count_second_byes(season)) == (0, 0)


def can_finish(season: SwissSeason, rounds: int) -> bool:
    """Return whether so many rounds can be paired without a rematch or a second bye, by trying all."""
    pairs = frozenset(frozenset[int | None](one.pair) for one in season.games)
    places = [one.id for one in season.active]
    return can_pair_rounds([*places, None] if len(places) % 2 else places, pairs, rounds)


def can_pair_rounds(places: Sequence[int | None], met: Pairs, rounds: int) -> bool:
    if not rounds:
        return True
    return any(can_pair_rounds(places, met | chosen, rounds - 1) for chosen in list_rounds(places, met))


def list_rounds(places: Sequence[int | None], met: Pairs) -> Iterator[Pairs]:
    if not places:
        yield frozenset()
        return
    one, *others = places
    for other in others:
        pair = frozenset(place for place in (one, other) if place is not None)
        if pair not in met:
            for chosen in list_rounds([place for place in others if place != other], met):
                yield chosen | {pair}


@given(st.integers(4, 8), st.integers(0, 4), st.integers(0, 10**6))
@settings(deadline=None, max_examples=40)
def test_field_that_some_have_left_is_paired_cleanly_if_that_is_possible(
    players: int, before: int, seed: int
) -> None:
    season, rounds = SwissSeason.of(players, Random(seed)), count_rounds(players, players - 1)
    for _ in range(min(before, rounds - 1)):
        season.play(pair_swiss_round(season.entrants, season.games, rounds=rounds), leaving=0.15)
    left = rounds - season.stage
    most = max(ahead for ahead in range(left + 1) if can_finish(season, ahead))
    clean = count_rematches(season), count_second_byes(season)
    for _ in range(most):
        season.play(pair_swiss_round(season.entrants, season.games, rounds=rounds))
    assert (count_rematches(season), count_second_byes(season)) == clean


@pytest.mark.parametrize("leaving", [0.08, 0.3])
def test_field_that_melts_is_paired_to_the_end(leaving: float) -> None:
    for seed in range(10):
        season = SwissSeason.of(9, Random(seed))
        while pairings := pair_swiss_round(season.entrants, season.games):
            seen = [one for pairing in pairings for one in (pairing.first, pairing.second)]
            assert {one for one in seen if one is not None} == {one.id for one in season.active}
            season.play(pairings, leaving=leaving)
            if season.stage == 12:
                break
        else:
            assert len(season.active) < 2


@pytest.mark.parametrize("players", [0, 1])
def test_fewer_than_two_are_not_paired(players: int) -> None:
    assert pair_swiss_round(entrants(players), ()) == ()


def test_three_players() -> None:
    assert pair_swiss_round(entrants(3), ()) == (
        Pairing(EntrantId(1), EntrantId(2)),
        Pairing(EntrantId(3), None),
    )
    games = [game(1, 1, 2, "1-0"), game(2, 3, None, "1-0", Decision.BYE)]
    assert pair_swiss_round(entrants(3), [*games]) == (
        Pairing(EntrantId(3), EntrantId(1)),
        Pairing(EntrantId(2), None),
    )


def test_the_upper_half_meets_the_lower_half_first() -> None:
    for players in (8, 200):
        pairs = {frozenset((one.first, one.second)) for one in pair_swiss_round(entrants(players), ())}
        half = players // 2
        assert pairs == {frozenset((one, one + half)) for one in range(1, half + 1)}


def test_blocked_players_are_not_paired_unless_nothing_else_is_left() -> None:
    blocks = frozenset({frozenset(map(EntrantId, (1, 3)))})
    pairs = {frozenset((one.first, one.second)) for one in pair_swiss_round(entrants(4), (), blocks=blocks)}
    assert frozenset((1, 3)) not in pairs
    games = [game(1, 1, 2, "1-0"), game(2, 3, 4, "1-0"), game(3, 1, 4, "1-0"), game(4, 2, 3, "0-1")]
    assert all(not one.is_blocked for one in pair_swiss_round(entrants(4), games, blocks=blocks))
    only = pair_swiss_round(entrants(4, withdrawn=(2, 4)), (), blocks=blocks)
    assert [(one.points, one.decision) for one in only] == [((1, 1), Decision.BLOCKED)]


def test_two_games_of_a_pair_swap_sides_and_count_as_one_meeting() -> None:
    first, second = pair_swiss_round(entrants(2), (), games_per_pair=2)
    assert (first.first, first.second) == (second.second, second.first)
    assert (first.number, second.number) == (1, 2)


def test_order_of_the_input_does_not_matter() -> None:
    season = play_season(7, 1, asked=2)
    expected = pair_swiss_round(season.entrants, season.games)
    for order in list(permutations(season.entrants))[:40]:
        assert pair_swiss_round(order, season.games[::-1]) == expected


@pytest.mark.long
def test_another_process_gets_the_same_pairs() -> None:
    program = (
        "from random import Random\n"
        "from matches.tournaments.pairing.swiss import pair_swiss_round\n"
        "from tests.matches.tournaments.swiss_season import SwissSeason\n"
        "season = SwissSeason.of(20, Random(3))\n"
        "season.play(pair_swiss_round(season.entrants, season.games))\n"
        "print(pair_swiss_round(season.entrants, season.games))"
    )
    done = subprocess.run(  # noqa: S603 - this interpreter
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={"PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    season = SwissSeason.of(20, Random(3))
    season.play(pair_swiss_round(season.entrants, season.games))
    assert done.stdout == f"{pair_swiss_round(season.entrants, season.games)}\n"


def test_who_blocks_nearly_everybody_meets_somebody_else_of_a_large_field() -> None:
    season = play_season(160, 2, asked=2)
    blocks = frozenset(frozenset(map(EntrantId, (1, one))) for one in range(2, 154))
    assert not any(one.is_blocked for one in pair_swiss_round(season.entrants, season.games, blocks=blocks))


@pytest.mark.long
def test_parts_of_a_large_field_keep_the_rules() -> None:
    season = play_season(160, 5, asked=5, leaving=0.06)
    assert (count_rematches(season), count_second_byes(season)) == (0, 0)
    blocks = frozenset(frozenset(map(EntrantId, (80, one))) for one in range(60, 80))
    pairings = pair_swiss_round(season.entrants, season.games, blocks=blocks)
    assert not any(one.is_blocked for one in pairings)
    points = {row.entrant: row.points for row in build_table(season.entrants, season.games)}
    apart = [abs(points[one.first] - points[one.second]) for one in pairings if one.second is not None]
    assert max(apart) <= 2
    assert apart.count(0) >= 0.8 * len(apart)
