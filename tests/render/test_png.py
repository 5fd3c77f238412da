"""The PNG writer: the kind of file, and that its caches change nothing."""

import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

import engine
from render import RenderOptions, ThemeName, build_scene, to_png
from render.canvas import FONT_PATH, load_font
from render.png import paint_scene
from render.scene import (
    Background,
    Box,
    Circle,
    Colour,
    Diagram,
    Grid,
    PlacedSprite,
    Polygon,
    Scene,
    Sprite,
    Stroke,
)
from render.tiles import TileIndex, tile_cache_for
from tests.games import TEXTS
from tests.render.golden_images import CROWDED, GoldenImage, play_turn

RED, BLUE, WHITE = Colour("#d00000"), Colour("#0000d0"), Colour("#ffffff")
DIAGRAM = Diagram((), (), ())


def blank_scene(*sprites: PlacedSprite) -> Scene:
    """Return a white picture of 40 by 40 pixels in squares of 10, the board's first at (5, 5)."""
    return Scene(Background(40, 40, Grid(5, 5, 10), WHITE, (), (WHITE, RED, BLUE)), sprites, "Sheet", DIAGRAM)


def count_pixels(scene: Scene, colour: tuple[int, int, int]) -> list[tuple[int, int]]:
    picture = Image.open(BytesIO(to_png(scene))).convert("RGB")
    return [(x, y) for y in range(40) for x in range(40) if picture.getpixel((x, y)) == colour]


def test_file_is_a_palette_png_of_the_requested_width() -> None:
    picture = Image.open(BytesIO(to_png(GoldenImage(CROWDED, width=512).scene())))
    assert (picture.format, picture.mode, picture.width) == ("PNG", "P", 512)


def test_file_of_cached_strips_is_valid_and_has_the_pixels_of_the_whole_picture() -> None:
    position, last = play_turn(CROWDED, "G3-G5")
    scenes = [build_scene(position, RenderOptions(TEXTS, last_turn=turn)) for turn in (last, ())]
    for scene in (*scenes, scenes[0]):
        file = to_png(scene)
        picture = Image.open(BytesIO(file))
        picture.verify()
        start = file.index(b"IDAT") + 4
        data = file[start : start + int.from_bytes(file[start - 8 : start - 4])]
        assert len(zlib.decompress(data)) == (picture.width + 1) * picture.height
        assert Image.open(BytesIO(file)).tobytes() == paint_scene(scene).tobytes()


@pytest.mark.parametrize("theme", ThemeName)
def test_crowded_board_stays_within_the_size_limit(theme: ThemeName) -> None:
    position, last = play_turn(CROWDED, "G3-G5")
    assert len(to_png(build_scene(position, RenderOptions(TEXTS, theme=theme, last_turn=last)))) <= 27_000


@pytest.mark.parametrize("theme", ThemeName)
def test_palette_is_small_and_every_colour_written_once(theme: ThemeName) -> None:
    palette = build_scene(
        engine.GAMES["morelli"].initial_position(), RenderOptions(TEXTS, theme=theme)
    ).background.palette
    assert len(set(palette)) == len(palette) <= 64


@pytest.mark.long
def test_same_scene_gives_the_same_bytes_from_many_threads() -> None:
    scene = GoldenImage(CROWDED, ("G3-G5",)).scene()
    tile_cache_for.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(to_png, [scene] * 32))) == 1


def test_painting_leaves_the_background_clean() -> None:
    bare = blank_scene()
    before = paint_scene(bare).tobytes()
    paint_scene(blank_scene(PlacedSprite(Sprite((Circle(0, 0, 8, RED),)), 20, 20)))
    assert paint_scene(bare).tobytes() == before


def test_sprite_across_tiles_is_complete() -> None:
    box = PlacedSprite(Sprite((Box(-8, -6, 16, 12, RED),)), 20, 20)
    assert count_pixels(blank_scene(box), (208, 0, 0)) == [
        (x, y) for y in range(14, 26) for x in range(12, 28)
    ]


def test_later_sprites_cover_earlier_ones() -> None:
    under = PlacedSprite(Sprite((Box(-4, -4, 8, 8, RED),)), 20, 20)
    over = PlacedSprite(Sprite((Box(-4, -4, 8, 8, BLUE),)), 20, 20)
    assert count_pixels(blank_scene(under, over), (208, 0, 0)) == []


def test_sprite_at_the_edge_is_cut_off() -> None:
    box = PlacedSprite(Sprite((Box(-8, -8, 16, 16, RED),)), 0, 40)
    assert count_pixels(blank_scene(box), (208, 0, 0)) == [(x, y) for y in range(32, 40) for x in range(8)]


def test_sprite_outside_overlaps_no_tile() -> None:
    far = blank_scene(PlacedSprite(Sprite((Circle(0, 0, 2, RED),)), 200, 200))
    assert tile_cache_for(far.background).place_sprites(far) == {}


@pytest.mark.parametrize(
    ("shape", "spot"),
    [
        (Polygon(((-8, -8), (8, -8), (-8, 8)), RED), (14, 14)),
        (Stroke(((-8, 0), (8, 0)), RED, 4), (13, 20)),
        (Circle(0, 0, 9, None, RED, 3), (12, 20)),
        (Box(-9, -9, 18, 18, None, 4, RED, 3), (20, 12)),
    ],
)
def test_shapes_are_drawn(shape: Polygon | Stroke | Circle | Box, spot: tuple[int, int]) -> None:
    assert spot in count_pixels(blank_scene(PlacedSprite(Sprite((shape,)), 20, 20)), (208, 0, 0))


def test_tiles_that_look_alike_share_an_image() -> None:
    tiles = tile_cache_for(blank_scene().background)
    contents = ((Sprite((Circle(0, 0, 3, RED),)), 5.0, 5.0),)
    assert tiles.paint_tile(TileIndex(0), contents)[0] is tiles.paint_tile(TileIndex(7), contents)[0]


def test_panel_is_painted_over_squares_that_reach_into_it() -> None:
    low = PlacedSprite(Sprite((Box(-2, -2, 4, 4, BLUE),)), 20, 36)
    board = PlacedSprite(Sprite((Box(-4, -4, 8, 8, RED),)), 20, 28)
    bare = blank_scene(board, low)
    scene = replace(bare, background=replace(bare.background, panels=((10, 32, 20, 8),)))
    assert len(count_pixels(scene, (0, 0, 208))) == 16
    assert len(count_pixels(scene, (208, 0, 0))) == 64


def test_font_comes_with_its_licence() -> None:
    assert load_font(20).getname() == ("Karla", "Bold")
    licence = (FONT_PATH.parent / "OFL.txt").read_text(encoding="utf-8")
    assert "The Karla Project Authors" in licence
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
