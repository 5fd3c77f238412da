"""The scene: geometry that holds for every size, and the painters' common ground."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.game import Cell, Position, Side
from render import Mark, MarkKind, ThemeName, View, boards, scene
from render.frame import Frame
from render.scene import Bounds, Disc, Figure, Scene, Stamp
from render.view import NARROWEST, WIDEST

MORELLI, MORPHOS, MORABARABA = (engine.GAMES[name] for name in ("morelli", "morphos", "morabaraba"))
NINE = MORELLI.start(size=9)
STARTS = (
    NINE,
    *(MORELLI.start(size=size) for size in (13, 11)),
    *(MORPHOS.start(size=size) for size in (5, 13, 19)),
    *(MORABARABA.start(men=men) for men in (11, 12)),
)
views = st.builds(
    View,
    side=st.sampled_from([None, *Side]),
    theme=st.sampled_from(list(ThemeName)),
    width=st.integers(NARROWEST, WIDEST),
    large=st.booleans(),
)


def bounds(figure: Figure) -> Bounds:
    left, top, right, bottom = figure.stamp.bounds
    return left + figure.x, top + figure.y, right + figure.x, bottom + figure.y


def inside(made: Scene) -> bool:
    width, height = made.ground.width, made.ground.height
    boxes = [*map(bounds, made.figures), *(shape.bounds for shape in made.ground.shapes)]
    return all(
        min(left, top) >= 0 and right <= width and bottom <= height for left, top, right, bottom in boxes
    )


@given(view=views, position=st.sampled_from(STARTS))
def test_everything_lies_on_the_picture(view: View, position: Position) -> None:
    made = scene(position, view)
    assert made.ground.width == view.width
    assert inside(made)


@given(view=views, position=st.sampled_from(STARTS))
def test_figures_stand_on_the_board_or_within_one_panel(view: View, position: Position) -> None:
    made = scene(position, view)
    panels = made.ground.panels
    floor = min(top for _, top, _, _ in panels)
    for figure in made.figures:
        left, top, right, bottom = bounds(figure)
        within = [
            x <= left and y <= top and right <= x + width and bottom <= y + height
            for x, y, width, height in panels
        ]
        assert bottom <= floor or within.count(True) == 1


@given(width=st.integers(NARROWEST, WIDEST), size=st.integers(5, 19))
def test_turned_board_is_the_board_turned(width: int, size: int) -> None:
    straight, turned = Frame(size, width, turned=False), Frame(size, width, turned=True)
    middle = straight.left + straight.board / 2
    for cell in (Cell("A1"), Cell("B4"), Cell("E3")):
        (x, y), (u, v) = straight.centre(cell), turned.centre(cell)
        assert (x + u, y + v) == (2 * middle, 2 * middle)


@given(width=st.integers(NARROWEST, WIDEST), size=st.integers(5, 19))
def test_margins_are_even(width: int, size: int) -> None:
    frame = Frame(size, width, turned=False)
    assert frame.width - frame.board - 2 * frame.left in {0, 1}


def test_equal_views_give_equal_scenes() -> None:
    assert scene(NINE, View(width=500)) == scene(NINE, View(width=500))


def test_view_may_be_left_out() -> None:
    assert scene(NINE) == scene(NINE, View())


def test_stamps_are_equal_by_content() -> None:
    one, other = (Stamp((Disc(0, 0, 4),)) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Stamp((Disc(0, 0, 5),))


@pytest.mark.parametrize("width", [NARROWEST - 1, WIDEST + 1])
def test_width_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match=f"{NARROWEST} to {WIDEST}"):
        View(width=width)


def test_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="mauve"):
        View(theme="mauve")  # type: ignore[arg-type]


def test_theme_is_known_by_its_name() -> None:
    assert View(theme="clear").theme is ThemeName.CLEAR  # type: ignore[arg-type]


def test_mark_on_no_cell_of_the_board_is_refused() -> None:
    with pytest.raises(ValueError, match="J10"):
        scene(NINE, View(marks=(Mark(MarkKind.OPEN, Cell("J10")),)))


@pytest.mark.parametrize("name", engine.GAMES)
def test_every_game_has_a_board(name: str) -> None:
    assert callable(boards.board(name))


def test_game_without_a_board_is_named() -> None:
    with pytest.raises(LookupError, match="'chess'"):
        boards.board("chess")
