"""Divisions, promotion and relegation, absence, and who is registered again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.tournaments.pairing.leagues import (
    Move,
    Participation,
    divide,
    form_next_season,
    is_registered_again,
    mark_places,
    size_divisions,
)
from matches.tournaments.results import EntrantId
from tests.matches.tournaments.games import read_games

PLAYERS = tuple(map(EntrantId, range(1, 22)))  # three divisions of seven


@pytest.mark.parametrize(
    ("players", "sizes"),
    [(0, ()), (1, (1,)), (10, (10,)), (13, (7, 6)), (21, (7, 7, 7)), (38, (10, 10, 9, 9))],
)
def test_sizes(players: int, sizes: tuple[int, ...]) -> None:
    assert size_divisions(players) == sizes


@given(st.integers(14, 500))
def test_divisions_have_seven_to_ten(players: int) -> None:
    sizes = size_divisions(players)
    assert sum(sizes) == players
    assert 7 <= min(sizes) <= max(sizes) <= 10


@pytest.mark.parametrize(
    ("size", "highest", "lowest", "marks"),
    [
        (7, False, False, "up up stay stay stay down down"),
        (7, True, False, "stay stay stay stay stay down down"),
        (7, False, True, "up up stay stay stay stay stay"),
        (7, True, True, "stay stay stay stay stay stay stay"),
        (5, False, False, "up stay stay stay down"),
        (2, False, False, "stay stay"),
        (0, True, True, ""),
    ],
)
def test_marks(size: int, marks: str, *, highest: bool, lowest: bool) -> None:
    assert mark_places(size, is_highest=highest, is_lowest=lowest) == tuple(map(Move, marks.split()))


def division_of(player: int, divisions: tuple[tuple[EntrantId, ...], ...]) -> int | None:
    return next((index for index, division in enumerate(divisions) if player in division), None)


def test_two_go_up_and_two_go_down() -> None:
    assert form_next_season(divide(PLAYERS), {}) == (
        (1, 2, 3, 4, 5, 8, 9),
        (6, 7, 10, 11, 12, 15, 16),
        (13, 14, 17, 18, 19, 20, 21),
    )


@pytest.mark.parametrize(
    ("state", "division"),
    [
        (Participation(is_absent=True, absences=1), 2),
        (Participation(is_absent=True, absences=2), None),
        (Participation(absences=2), 0),
        (Participation(is_registered=False), None),
    ],
)
def test_absence(state: Participation, division: int | None) -> None:
    after = form_next_season(divide(PLAYERS), {EntrantId(1): state})
    assert division_of(1, after) == division


def test_newcomers_begin_below_and_free_places_are_filled() -> None:
    gone = {EntrantId(1): Participation(is_registered=False)}
    after = form_next_season(divide(PLAYERS), gone, [EntrantId(99)])
    assert after[0] == (2, 3, 4, 5, 8, 9, 6)
    assert after[-1][-1] == 99


@pytest.mark.parametrize(
    ("games", "is_registered"),
    [
        ("", True),
        ("1 2 1-0\n1 3 0-1 by_default", True),
        ("1 2 1-0\n1 3 0-1 by_default\n4 1 1-0 by_default", False),
        ("1 2 0-1 by_default\n1 3 1-0 by_default\n1 4 draw blocked", False),
        ("1 2 annulled\n1 3 1-0 by_default", True),
        ("2 3 0-1 by_default", True),
    ],
)
def test_registration(games: str, *, is_registered: bool) -> None:
    assert is_registered_again(EntrantId(1), read_games(games)) is is_registered
