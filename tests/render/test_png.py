"""The PNG painter: what kind of file it gives, and that its caches change nothing."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

import engine
from render import ThemeName, View, png, scene
from render.pen import FONT, font
from render.plots import Plot, plots
from render.raster import paint
from render.scene import Box, Colour, Diagram, Disc, Figure, Ground, Lattice, Patch, Scene, Stamp, Stroke
from tests.render.gallery import DENSE, Piece, turn

RED, BLUE, WHITE = Colour("#d00000"), Colour("#0000d0"), Colour("#ffffff")
DIAGRAM = Diagram((), (), ())


def sheet(*figures: Figure) -> Scene:
    """Give a white picture of 40 by 40 pixels in squares of 10, the board's first at (5, 5)."""
    return Scene(Ground(40, 40, Lattice(5, 5, 10), WHITE, (), (WHITE, RED, BLUE)), figures, "Sheet", DIAGRAM)


def dots(made: Scene, colour: tuple[int, int, int]) -> list[tuple[int, int]]:
    picture = Image.open(BytesIO(png(made))).convert("RGB")
    return [(x, y) for y in range(40) for x in range(40) if picture.getpixel((x, y)) == colour]


def test_file_is_a_palette_png_of_the_asked_width() -> None:
    picture = Image.open(BytesIO(png(Piece(DENSE, width=512).scene())))
    assert (picture.format, picture.mode, picture.width) == ("PNG", "P", 512)


@pytest.mark.parametrize("theme", ThemeName)
def test_dense_board_keeps_within_its_bytes(theme: ThemeName) -> None:
    position, last = turn(DENSE, "G3-G5")
    assert len(png(scene(position, View(theme=theme, last=last)))) <= 26_000


@pytest.mark.parametrize("theme", ThemeName)
def test_palette_is_small_and_every_colour_written_once(theme: ThemeName) -> None:
    palette = scene(engine.GAMES["morelli"].start(), View(theme=theme)).ground.palette
    assert len(set(palette)) == len(palette) <= 64


def test_same_scene_gives_the_same_bytes_from_many_threads() -> None:
    made = Piece(DENSE, ("G3-G5",)).scene()
    plots.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(png, [made] * 32))) == 1


def test_painting_leaves_the_ground_clean() -> None:
    bare = sheet()
    before = paint(bare).tobytes()
    paint(sheet(Figure(Stamp((Disc(0, 0, 8, RED),)), 20, 20)))
    assert paint(bare).tobytes() == before


def test_figure_across_squares_is_whole() -> None:
    box = Figure(Stamp((Box(-8, -6, 16, 12, RED),)), 20, 20)
    assert dots(sheet(box), (208, 0, 0)) == [(x, y) for y in range(14, 26) for x in range(12, 28)]


def test_later_figures_cover_earlier_ones() -> None:
    under = Figure(Stamp((Box(-4, -4, 8, 8, RED),)), 20, 20)
    over = Figure(Stamp((Box(-4, -4, 8, 8, BLUE),)), 20, 20)
    assert dots(sheet(under, over), (208, 0, 0)) == []


def test_figure_beyond_the_edge_is_cut_off() -> None:
    box = Figure(Stamp((Box(-8, -8, 16, 16, RED),)), 0, 40)
    assert dots(sheet(box), (208, 0, 0)) == [(x, y) for y in range(32, 40) for x in range(8)]


def test_figure_outside_touches_nothing() -> None:
    far = sheet(Figure(Stamp((Disc(0, 0, 2, RED),)), 200, 200))
    assert plots(far.ground).spread(far) == {}


@pytest.mark.parametrize(
    ("shape", "spot"),
    [
        (Patch(((-8, -8), (8, -8), (-8, 8)), RED), (14, 14)),
        (Stroke(((-8, 0), (8, 0)), RED, 4), (13, 20)),
        (Disc(0, 0, 9, None, RED, 3), (12, 20)),
        (Box(-9, -9, 18, 18, None, 4, RED, 3), (20, 12)),
    ],
)
def test_shapes_are_drawn(shape: Patch | Stroke | Disc | Box, spot: tuple[int, int]) -> None:
    assert spot in dots(sheet(Figure(Stamp((shape,)), 20, 20)), (208, 0, 0))


def test_plots_that_look_alike_share_their_tiles() -> None:
    ground = plots(sheet().ground)
    stamp = ((Stamp((Disc(0, 0, 3, RED),)), 5.0, 5.0),)
    assert ground.tile(Plot(0), stamp)[0] is ground.tile(Plot(7), stamp)[0]


def test_panel_is_painted_over_squares_that_reach_into_it() -> None:
    low = Figure(Stamp((Box(-2, -2, 4, 4, BLUE),)), 20, 36)
    board = Figure(Stamp((Box(-4, -4, 8, 8, RED),)), 20, 28)
    bare = sheet(board, low)
    made = replace(bare, ground=replace(bare.ground, panels=((10, 32, 20, 8),)))
    assert len(dots(made, (0, 0, 208))) == 16
    assert len(dots(made, (208, 0, 0))) == 64


def test_font_and_its_licence_are_on_board() -> None:
    assert font(20).getname() == ("Karla", "Bold")
    licence = (FONT.parent / "OFL.txt").read_text(encoding="utf-8")
    assert "The Karla Project Authors" in licence
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
