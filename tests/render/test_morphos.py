"""The Morphos board: points, edges, the winning chain, highlights."""

import pytest

import engine
from engine.game import Cell, Position, Side
from engine.morphos import MorphosPosition
from render import Mark, MarkKind, RenderOptions, ThemeName, build_scene, morphos, to_text
from render.themes import get_theme
from tests.games import TEXTS
from tests.render.golden_images import ALMOST_CHAIN, play_turn
from tests.render.pixel_probe import PixelProbe

RAINBOW = get_theme(ThemeName.RAINBOW)
WEAK = "morphos - 5/5/ww3/wb3/1w3 w 5 -"


def render_probe(position: Position, options: RenderOptions) -> PixelProbe:
    assert isinstance(position, MorphosPosition)
    return PixelProbe(position, options, morphos.build_layout(position, options))


def load_position(line: str) -> Position:
    return engine.GAMES["morphos"].load(line)


@pytest.mark.long
@pytest.mark.parametrize("size", [5, 13, 19])
@pytest.mark.parametrize("bottom_side", [Side.BLACK, Side.WHITE])
def test_edges_have_the_colours_of_their_sides(size: int, bottom_side: Side) -> None:
    probe = render_probe(
        engine.GAMES["morphos"].initial_position(size=size), RenderOptions(TEXTS, bottom_side=bottom_side)
    )
    frame, bar = probe.layout, probe.layout.border / 2
    middle = frame.top + frame.board_width / 2
    across = [
        probe.colour_of_pixel(frame.left + frame.board_width / 2, frame.top + y)
        for y in (-bar, frame.board_width + bar)
    ]
    upright = [probe.colour_of_pixel(frame.left + x, middle) for x in (-bar, frame.board_width + bar)]
    assert set(across) == {RAINBOW.black.face}
    assert set(upright) == {RAINBOW.white.face}


def test_outer_corners_have_no_colour() -> None:
    probe = render_probe(engine.GAMES["morphos"].initial_position(), RenderOptions(TEXTS))
    frame, bar = probe.layout, probe.layout.border / 2
    far = frame.board_width + bar
    assert {
        probe.colour_of_pixel(frame.left + x, frame.top + y) for x in (-bar, far) for y in (-bar, far)
    } == {RAINBOW.board}


def test_stones_stand_on_the_points_and_lines_meet_on_empty_ones() -> None:
    probe = render_probe(load_position(WEAK), RenderOptions(TEXTS))
    assert (probe.colour_at("A2"), probe.colour_at("B2")) == (RAINBOW.white.face, RAINBOW.black.face)
    assert probe.colour_at("E5") == RAINBOW.board_lines
    assert probe.colour_at("E5", 0.3, 0.3) == RAINBOW.board


def test_flipped_stone_has_a_ring_and_its_new_colour() -> None:
    position, last = play_turn(WEAK, "xB2")
    probe = render_probe(position, RenderOptions(TEXTS, last_turn=last))
    assert probe.colour_at("B2") == RAINBOW.white.face
    assert probe.colour_at("B2", -0.25) == RAINBOW.white.symbol


def test_weak_stone_can_be_marked() -> None:
    probe = render_probe(
        load_position(WEAK), RenderOptions(TEXTS, marks=(Mark(MarkKind.SELECTABLE, Cell("B2")),))
    )
    assert probe.colour_at("B2", 0.52) == RAINBOW.selection


@pytest.mark.parametrize("spot", [("F9", 0, -0.4), ("F8", 0, -0.5), ("E8", 0.5, 0), ("E2", 0, 0)])
def test_winning_chain_runs_from_edge_to_edge(spot: tuple[str, float, float]) -> None:
    position, last = play_turn(ALMOST_CHAIN, "F9")
    assert render_probe(position, RenderOptions(TEXTS, last_turn=last)).colour_at(*spot) == RAINBOW.gold


def test_chain_reaches_both_edges_seen_from_white() -> None:
    position, last = play_turn(ALMOST_CHAIN, "F9")
    probe = render_probe(position, RenderOptions(TEXTS, bottom_side=Side.WHITE, last_turn=last))
    assert probe.colour_at("F9", 0, 0.52) == probe.colour_at("E1", 0, -0.52) == RAINBOW.gold


def test_chain_of_white_runs_across() -> None:
    position, last = play_turn("morphos - 5/5/wwww1/5/5 w 7 -", "E3")
    probe = render_probe(position, RenderOptions(TEXTS, last_turn=last))
    assert probe.colour_at("A3", -0.52) == probe.colour_at("E3", 0.52) == RAINBOW.gold


def test_no_line_before_the_end() -> None:
    assert (
        render_probe(load_position(ALMOST_CHAIN), RenderOptions(TEXTS)).colour_at("E2") == RAINBOW.black.face
    )


@pytest.mark.parametrize(
    ("size", "points"),
    [
        (5, {(2, 2)}),
        (6, set()),
        (9, {(2, 2), (2, 6), (6, 2), (6, 6), (4, 4)}),
        (10, {(2, 2), (2, 7), (7, 2), (7, 7)}),
        (13, {(3, 3), (3, 9), (9, 3), (9, 9), (6, 6)}),
        (19, {(x, y) for x in (3, 9, 15) for y in (3, 9, 15)}),
    ],
)
def test_star_points(size: int, points: set[tuple[int, int]]) -> None:
    assert set(morphos.star_points(size)) == points


def test_text_describes_stones_edges_and_turn() -> None:
    position, last = play_turn(WEAK, "xB2")
    assert to_text(build_scene(position, RenderOptions(TEXTS, last_turn=last))).splitlines() == [
        "5 . . . . .",
        "4 . . . . .",
        "3 w w . . .",
        "2 w w . . .",
        "1 . w . . .",
        "  A B C D E",
        "b black, joins bottom and top; w white, joins left and right",
        "black 0, white 5",
        "to move: black",
        "last turn: \u00d7B2",
    ]


def test_stone_to_restore_is_counted_separately() -> None:
    position, _ = play_turn("morphos d 5/5/ww3/wb3/1w3 w 5 -", "xB2")
    assert "black 0+1, white 5" in to_text(build_scene(position, RenderOptions(TEXTS)))


def test_text_of_the_largest_board_fits_the_description_of_an_attachment() -> None:
    assert (
        len(to_text(build_scene(engine.GAMES["morphos"].initial_position(size=19), RenderOptions(TEXTS))))
        <= 1024
    )
