"""Morphos: which stones are vulnerable, to stones and to edges, with and without mutator a."""

from __future__ import annotations

from itertools import product

import pytest

from engine.morphos import MORPHOS
from tests.engine.morphos_diagrams import flip_texts, from_diagram
from tests.engine.morphos_oracle import (
    LONG,
    OPPONENT,
    ORIENTATIONS,
    SHORT,
    Coordinates,
    MorphosOracle,
    Orientation,
)

MIDDLE = (3, 3)
PATTERNS = [pytest.param(SHORT, id="short"), pytest.param(LONG, id="long")]
CORNERS = {(-1, 1): SHORT, (-1, 2): LONG}
every_pattern = pytest.mark.parametrize("pattern", PATTERNS)
every_orientation = pytest.mark.parametrize(
    "orientation",
    ORIENTATIONS,
    ids=lambda orientation: f"{orientation.east}{orientation.north}{'xy'[orientation.swapped]}",
)
both_sides = pytest.mark.parametrize("side", ["b", "w"])


def flips_of_centre_stone(
    steps: list[Coordinates], orientation: Orientation, side: str, mutators: str = ""
) -> set[str]:
    """Return the flips of `side` with an enemy stone on D4 and its own stones at `steps` from it."""
    own = [orientation.apply(step) for step in steps]
    stones = {(MIDDLE[0] + file, MIDDLE[1] + rank): side for file, rank in own} | {MIDDLE: OPPONENT[side]}
    return flip_texts(MORPHOS.load(MorphosOracle(7, mutators, stones, side, 10).line()))


@both_sides
@every_orientation
@every_pattern
def test_a_complete_pattern_makes_a_stone_vulnerable(
    pattern: list[Coordinates], orientation: Orientation, side: str
) -> None:
    assert flips_of_centre_stone(pattern, orientation, side) == {"xD4"}


@every_orientation
@every_pattern
def test_a_pattern_needs_each_of_its_stones(pattern: list[Coordinates], orientation: Orientation) -> None:
    for missing in pattern:
        rest = [step for step in pattern if step != missing]
        assert flips_of_centre_stone(rest, orientation, "b") == set()


@both_sides
@every_orientation
@every_pattern
def test_mutator_a_does_not_need_the_corner_stone(
    pattern: list[Coordinates], orientation: Orientation, side: str
) -> None:
    rest = [step for step in pattern if CORNERS.get(step) is not pattern]
    assert len(rest) == len(pattern) - 1
    assert flips_of_centre_stone(rest, orientation, side, "a") == {"xD4"}


@every_orientation
@every_pattern
def test_mutator_a_needs_each_other_stone(pattern: list[Coordinates], orientation: Orientation) -> None:
    rest = [step for step in pattern if CORNERS.get(step) is not pattern]
    for missing in rest:
        fewer = [step for step in rest if step != missing]
        assert flips_of_centre_stone(fewer, orientation, "b", "a") == set()


def test_other_points_do_not_matter() -> None:
    full = dict.fromkeys(product(range(1, 6), range(7)), "w")
    own = {(MIDDLE[0] + file, MIDDLE[1] + rank): "b" for file, rank in SHORT}
    position = MORPHOS.load(MorphosOracle(7, "", full | own | {MIDDLE: "w"}, "b", 10).line())
    assert "xD4" in flip_texts(position)


def test_an_edge_counts_as_stones_of_its_owner() -> None:
    position = from_diagram(
        """
        . . . . .
        w . . . .
        b . . . .
        w . . . .
        . . . . .
        """,
        mover="w",
    )
    assert flip_texts(position) == {"xA3"}


def test_an_edge_of_the_enemy_does_not_count() -> None:
    position = from_diagram(
        """
        . . . . .
        b . . . .
        w . . . .
        b . . . .
        . . . . .
        """,
        mover="b",
    )
    assert flip_texts(position) == set()


def test_top_and_bottom_belong_to_black() -> None:
    position = from_diagram(
        """
        . b w b .
        . . . . .
        . . . . .
        . . . . .
        . b w b .
        """,
        mover="b",
    )
    assert flip_texts(position) == {"xC1", "xC5"}


def test_an_edge_counts_as_the_long_side_of_the_second_pattern() -> None:
    position = from_diagram(
        """
        . . . . .
        . . . . .
        b . . . .
        w w . . .
        . . . . .
        """,
        mover="w",
    )
    assert flip_texts(position) == {"xA3"}


def test_an_edge_is_as_long_as_the_board() -> None:
    position = from_diagram(
        """
        . . . . .
        b . . . .
        w w . . .
        . . . . .
        . . . . .
        """,
        mover="w",
    )
    assert flip_texts(position) == set(), "the long side would need the corner outside"


def test_the_short_side_of_the_second_pattern_may_be_the_edge() -> None:
    position = from_diagram(
        """
        . . . . .
        b . . . .
        w w w . .
        . . . . .
        . . . . .
        """,
        mover="w",
    )
    assert flip_texts(position) == {"xA4"}


def test_the_outer_corners_belong_to_nobody() -> None:
    position = from_diagram(
        """
        b . . . .
        w w w w .
        . . . . .
        . . . . .
        . . . . .
        """,
        mover="w",
    )
    assert flip_texts(position) == set()


def test_edges_count_under_mutator_a() -> None:
    position = from_diagram(
        """
        . . . . .
        b . . . .
        w w . . .
        . . . . .
        . . . . .
        """,
        mutators="a",
        mover="w",
    )
    assert flip_texts(position) == {"xA4"}


@pytest.mark.parametrize("size", [5, 6, 12, 13, 19])
def test_a_stone_on_an_edge_is_vulnerable_on_every_board(size: int) -> None:
    last = size - 1
    stones = {(last, 2): "b", (last, 1): "w", (last, 3): "w"}
    position = MORPHOS.load(MorphosOracle(size, "", stones, "w", 10).line())
    assert flip_texts(position) == {f"x{'ABCDEFGHIJKLMNOPQRS'[last]}3"}
