"""Morelli on random positions: compared with the oracle and with rotated and reflected positions."""

from __future__ import annotations

import re
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.morelli import MORELLI
from tests.engine.morelli_oracle import Coordinates, MorelliOracle

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = (13, 11, 9)
brief = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def positions(draw: st.DrawFn, *, optional: bool) -> MorelliOracle:
    size = draw(st.sampled_from(SIZES))
    places = [place for place in product(range(size), range(size)) if place != (size // 2, size // 2)]
    signs = draw(st.lists(st.sampled_from("....bw"), min_size=len(places), max_size=len(places)))
    stones = {place: sign for place, sign in zip(places, signs, strict=True) if sign != "."}
    tower = draw(st.sampled_from(["", "", "b", "w"]))
    return MorelliOracle(size, stones, tower, draw(st.sampled_from("bw")), optional)


def edition(position: MorelliOracle) -> str:
    return "nestor" if position.optional else "2015"


def move_texts(position: MorelliOracle) -> list[str]:
    return list(map(str, MORELLI.load(position.line(edition(position))).legal_moves()))


@pytest.mark.long
@brief
@given(st.booleans().flatmap(lambda optional: positions(optional=optional)))
def test_a_loaded_line_is_written_unchanged(position: MorelliOracle) -> None:
    line = position.line(edition(position))
    assert str(MORELLI.load(line)) == line


@pytest.mark.long
@pytest.mark.parametrize("optional", [True, False], ids=["nestor", "2015"])
def test_legal_moves_agree_with_the_oracle(optional: bool) -> None:
    @brief
    @given(positions(optional=optional))
    def agree(position: MorelliOracle) -> None:
        assert move_texts(position) == sorted(position.moves())

    agree()


@pytest.mark.long
@brief
@given(st.booleans().flatmap(lambda optional: positions(optional=optional)))
def test_the_outcome_is_known_without_listing_moves(
    position: MorelliOracle,
) -> None:
    loaded = MORELLI.load(position.line(edition(position)))
    is_over = loaded.outcome is not None
    assert loaded._moves is None
    assert is_over == (loaded.legal_moves() == ())


@pytest.mark.long
@pytest.mark.parametrize("optional", [True, False], ids=["nestor", "2015"])
def test_played_moves_agree_with_the_oracle(optional: bool) -> None:
    @brief
    @given(positions(optional=optional), st.integers(min_value=0, max_value=6))
    def agree(position: MorelliOracle, first: int) -> None:
        loaded = MORELLI.load(position.line(edition(position)))
        for text, after in list(position.moves().items())[first::7]:
            assert str(loaded.play(loaded.parse(text))) == after.line(edition(position))

    agree()


def rotate_cell(size: int, place: Coordinates) -> Coordinates:
    return place[1], size - 1 - place[0]


def mirror_cell(size: int, place: Coordinates) -> Coordinates:
    return size - 1 - place[0], place[1]


def transform_text(text: str, change: Callable[[Coordinates], Coordinates]) -> str:
    """Return a move with every cell changed and the declined cells sorted again."""
    places = [(ord(cell[0]) - 65, int(cell[1:]) - 1) for cell in re.findall(r"[A-M][0-9]+", text)]
    start, end, *declined = map(change, places)
    return MorelliOracle(13, {}, "", "b", optional=True).move_text(start, end, sorted(declined))


@pytest.mark.long
@pytest.mark.parametrize("optional", [True, False], ids=["nestor", "2015"])
def test_symmetric_positions_have_symmetric_moves(optional: bool) -> None:
    @brief
    @given(positions(optional=optional))
    def agree(position: MorelliOracle) -> None:
        for image, change in [(position.rotate(), rotate_cell), (position.mirror(), mirror_cell)]:
            images = [transform_text(text, partial(change, position.size)) for text in move_texts(position)]
            assert move_texts(image) == sorted(images)

    agree()
