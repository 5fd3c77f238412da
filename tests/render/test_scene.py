"""Scenes: geometry that must be right for every size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.game import Cell, Position, Side
from render import Mark, MarkKind, RenderOptions, ThemeName, build_scene, renderers
from render.layout import BoardLayout
from render.options import MAX_WIDTH, MIN_WIDTH
from render.scene import Bounds, Circle, PlacedSprite, Scene, Sprite
from tests.games import GAMES

MORELLI, MORPHOS, MORABARABA = (engine.GAMES[name] for name in ("morelli", "morphos", "morabaraba"))
NINE = MORELLI.initial_position(size=9)
STARTS = (
    NINE,
    *(MORELLI.initial_position(size=size) for size in (13, 11)),
    *(MORPHOS.initial_position(size=size) for size in (5, 13, 19)),
    *(MORABARABA.initial_position(men=men) for men in (11, 12)),
)
views = st.builds(
    RenderOptions,
    bottom_side=st.sampled_from([None, *Side]),
    theme=st.sampled_from(list(ThemeName)),
    width=st.integers(MIN_WIDTH, MAX_WIDTH),
    large_labels=st.booleans(),
)


def bounds(placed: PlacedSprite) -> Bounds:
    left, top, right, bottom = placed.sprite.bounds
    return left + placed.x, top + placed.y, right + placed.x, bottom + placed.y


def inside(made: Scene) -> bool:
    width, height = made.background.width, made.background.height
    boxes = [*map(bounds, made.sprites), *(shape.bounds for shape in made.background.shapes)]
    return all(
        min(left, top) >= 0 and right <= width and bottom <= height for left, top, right, bottom in boxes
    )


@given(view=views, position=st.sampled_from(STARTS))
def test_everything_is_on_the_picture(view: RenderOptions, position: Position) -> None:
    made = build_scene(position, view)
    assert made.background.width == view.width
    assert inside(made)


@given(view=views, position=st.sampled_from(STARTS))
def test_sprites_are_on_the_board_or_in_one_panel(view: RenderOptions, position: Position) -> None:
    made = build_scene(position, view)
    panels = made.background.panels
    floor = min(top for _, top, _, _ in panels)
    for sprite in made.sprites:
        left, top, right, bottom = bounds(sprite)
        within = [
            x <= left and y <= top and right <= x + width and bottom <= y + height
            for x, y, width, height in panels
        ]
        assert bottom <= floor or within.count(True) == 1


@given(width=st.integers(MIN_WIDTH, MAX_WIDTH), size=st.integers(5, 19))
def test_turned_board_is_the_board_turned(width: int, size: int) -> None:
    straight, turned = BoardLayout(size, width, is_flipped=False), BoardLayout(size, width, is_flipped=True)
    middle = straight.left + straight.board_width / 2
    for cell in (Cell("A1"), Cell("B4"), Cell("E3")):
        (x, y), (u, v) = straight.centre(cell), turned.centre(cell)
        assert (x + u, y + v) == (2 * middle, 2 * middle)


@given(width=st.integers(MIN_WIDTH, MAX_WIDTH), size=st.integers(5, 19))
def test_margins_are_even(width: int, size: int) -> None:
    frame = BoardLayout(size, width, is_flipped=False)
    assert frame.width - frame.board_width - 2 * frame.left in {0, 1}


def test_equal_options_give_equal_scenes() -> None:
    assert build_scene(NINE, RenderOptions(width=500)) == build_scene(NINE, RenderOptions(width=500))


def test_options_may_be_left_out() -> None:
    assert build_scene(NINE) == build_scene(NINE, RenderOptions())


def test_sprites_are_equal_by_content() -> None:
    one, other = (Sprite((Circle(0, 0, 4),)) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Sprite((Circle(0, 0, 5),))


@pytest.mark.parametrize("width", [MIN_WIDTH - 1, MAX_WIDTH + 1])
def test_width_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match=f"{MIN_WIDTH} to {MAX_WIDTH}"):
        RenderOptions(width=width)


def test_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="mauve"):
        RenderOptions(theme="mauve")  # type: ignore[arg-type]


def test_theme_may_be_given_by_name() -> None:
    assert RenderOptions(theme="clear").theme is ThemeName.CLEAR  # type: ignore[arg-type]


def test_mark_on_no_cell_of_the_board_is_refused() -> None:
    with pytest.raises(ValueError, match="J10"):
        build_scene(NINE, RenderOptions(marks=(Mark(MarkKind.SELECTABLE, Cell("J10")),)))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_board(name: str) -> None:
    assert callable(renderers.renderer_for(name))


def test_game_without_a_board_is_named() -> None:
    with pytest.raises(LookupError, match="'chess'"):
        renderers.renderer_for("chess")
