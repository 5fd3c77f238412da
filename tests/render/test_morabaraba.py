"""The Morabaraba board: lines, men, men in hand, mills."""

import pytest

import engine
from engine.game import Position, Side
from render import RenderOptions, ThemeName, build_scene, morabaraba, to_text
from render.themes import get_theme
from tests.games import TEXTS
from tests.render.golden_images import ALMOST_MILL, play_turn
from tests.render.pixel_probe import PixelProbe

RAINBOW = get_theme(ThemeName.RAINBOW)
START = "morabaraba 12 3/3/3/6/3/3/3 w 12,12 -"


def render_probe(position: Position, options: RenderOptions) -> PixelProbe:
    return PixelProbe(position, options, morabaraba.build_layout(options))


def load_position(line: str) -> Position:
    return engine.GAMES["morabaraba"].load(line)


@pytest.mark.parametrize(
    ("cell", "right", "down"),
    [("A1", 0.5, 0), ("A1", 0, -0.5), ("A1", 0.5, -0.5), ("G7", -0.5, 0.5), ("C5", 0.5, 0), ("D6", 0, 0.5)],
)
def test_lines_join_the_points(cell: str, right: float, down: float) -> None:
    assert (
        render_probe(load_position(START), RenderOptions(TEXTS)).colour_at(cell, right, down)
        == RAINBOW.board_lines
    )


@pytest.mark.parametrize(("cell", "right", "down"), [("D4", 0, 0), ("C4", 0.5, 0), ("B3", 0.3, 0.3)])
def test_nothing_is_drawn_where_no_line_runs(cell: str, right: float, down: float) -> None:
    assert (
        render_probe(load_position(START), RenderOptions(TEXTS)).colour_at(cell, right, down) == RAINBOW.board
    )


@pytest.mark.parametrize("bottom_side", [None, Side.WHITE, Side.RED])
@pytest.mark.parametrize("name", ThemeName)
def test_men_have_their_colours(bottom_side: Side | None, name: ThemeName) -> None:
    probe = render_probe(
        load_position(ALMOST_MILL), RenderOptions(TEXTS, bottom_side=bottom_side, theme=name)
    )
    assert (probe.colour_at("F6"), probe.colour_at("B2")) == (
        get_theme(name).white.face,
        get_theme(name).red.face,
    )


def test_men_in_hand_are_stacked_on_both_sides() -> None:
    probe = render_probe(load_position("morabaraba 12 3/3/1w1/2w2r/3/3/3 w 10,11 -"), RenderOptions(TEXTS))
    frame, inset = probe.layout, 0.6 * probe.layout.side_margin
    for x, coat, men in ((inset, RAINBOW.white, 10), (frame.width - inset, RAINBOW.red, 11)):
        column = [probe.colour_of_pixel(x, y) for y in range(frame.top, frame.top + frame.board_width)]
        runs = sum(here == coat.face != before for before, here in zip(["", *column], column, strict=False))
        assert runs == men


def test_no_stack_if_the_hand_is_empty() -> None:
    probe = render_probe(load_position(ALMOST_MILL), RenderOptions(TEXTS))
    frame, inset = probe.layout, 0.6 * probe.layout.side_margin
    assert {probe.colour_of_pixel(inset, y) for y in range(frame.top, frame.top + frame.board_width)} == {
        RAINBOW.background
    }


def test_mill_has_a_line() -> None:
    position, last = play_turn(ALMOST_MILL, "D5-E5xA1")
    probe = render_probe(position, RenderOptions(TEXTS, last_turn=last))
    assert probe.colour_at("E5", 0.5, -0.5) == probe.colour_at("F6", 0.5, -0.5) == RAINBOW.gold
    assert (
        render_probe(load_position(ALMOST_MILL), RenderOptions(TEXTS)).colour_at("E5", 0.5, -0.5)
        == RAINBOW.board_lines
    )


def test_man_that_moved_leaves_a_trail_and_the_one_removed_a_cross() -> None:
    position, last = play_turn(ALMOST_MILL, "D5-E5xA1")
    probe = render_probe(position, RenderOptions(TEXTS, last_turn=last))
    assert probe.colour_at("D5") == RAINBOW.light
    assert probe.colour_at("A1", 0.1, 0.1) == probe.colour_at("A1", -0.1, 0.1) == RAINBOW.light


def test_text_has_only_points() -> None:
    position, last = play_turn(ALMOST_MILL, "D5-E5xA1")
    assert to_text(build_scene(position, RenderOptions(TEXTS, last_turn=last))).splitlines() == [
        "7 .     .     w",
        "6   r   .   w",
        "5     . . w",
        "4 r . .   . w w",
        "3     . . w",
        "2   r   .   .",
        "1 .     .     r",
        "  A B C D E F G",
        "w white, r red, . an empty point",
        "in hand: white 0, red 0",
        "white 6, red 4",
        "to move: red",
        "last turn: D5\u2013E5  \u00d7A1",
    ]


def test_text_is_flipped_with_the_board() -> None:
    assert (
        to_text(
            build_scene(load_position(ALMOST_MILL), RenderOptions(TEXTS, bottom_side=Side.RED))
        ).splitlines()[0]
        == "1 r     .     r"
    )
