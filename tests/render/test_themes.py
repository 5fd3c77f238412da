"""Themes: enough contrast for everyone, also in grey."""

from itertools import pairwise

import pytest

from engine.game import Side
from render import ThemeName
from render.scene import Colour
from render.themes import get_theme, mix

SIDES = (Side.BLACK, Side.WHITE, Side.RED)


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2, 0 for black to 1 for white."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of WCAG 2, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_neighbouring_bands_differ_in_grey() -> None:
    bands = get_theme(ThemeName.CLEAR).bands
    assert min(contrast(*pair) for pair in pairwise(bands)) >= 1.4


@pytest.mark.parametrize("side", SIDES)
def test_outlined_stone_stands_out_from_every_background_in_grey(side: Side) -> None:
    look = get_theme(ThemeName.CLEAR)
    coat = look.piece_colours(side)
    for background in (look.board, *(() if side is Side.RED else look.bands)):
        assert max(contrast(coat.face, background), contrast(coat.outline, background)) >= 3


@pytest.mark.parametrize("pair", [(Side.BLACK, Side.WHITE), (Side.WHITE, Side.RED)])
@pytest.mark.parametrize("name", ThemeName)
def test_sides_that_meet_differ_in_grey(name: ThemeName, pair: tuple[Side, Side]) -> None:
    one, other = (get_theme(name).piece_colours(side).face for side in pair)
    assert contrast(one, other) >= 4


def test_white_stones_have_a_groove_and_the_others_none() -> None:
    look = get_theme(ThemeName.CLEAR)
    assert [bool(look.piece_colours(side).groove) for side in SIDES] == [False, True, False]


@pytest.mark.parametrize("name", ThemeName)
def test_labels_are_easy_to_read(name: ThemeName) -> None:
    look = get_theme(name)
    assert contrast(look.label, look.background) >= 7


@pytest.mark.parametrize("name", ThemeName)
@pytest.mark.parametrize("side", SIDES)
def test_symbols_stand_out_on_stones(name: ThemeName, side: Side) -> None:
    coat = get_theme(name).piece_colours(side)
    assert contrast(coat.symbol, coat.face) >= 4.5


@pytest.mark.parametrize(("share", "colour"), [(0, "#102030"), (1, "#f0e0d0"), (0.5, "#808080")])
def test_mixing(share: float, colour: str) -> None:
    assert mix(Colour("#102030"), Colour("#f0e0d0"), share) == colour
