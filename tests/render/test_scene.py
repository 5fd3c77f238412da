"""The scene: geometry that holds for every size, and the painters' common ground."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.game import Cell, Side
from render import Mark, MarkKind, ThemeName, View, boards, scene
from render.frame import Frame
from render.scene import Disc, Figure, Scene, Stamp
from render.view import NARROWEST, WIDEST

STARTS = {size: engine.GAMES["morelli"].start(size=size) for size in (13, 11, 9)}
views = st.builds(
    View,
    side=st.sampled_from([None, Side.BLACK, Side.WHITE]),
    theme=st.sampled_from(list(ThemeName)),
    width=st.integers(NARROWEST, WIDEST),
)


def spot(figure: Figure) -> tuple[float, float]:
    return figure.x, figure.y


def inside(made: Scene) -> bool:
    boxes = [
        (left + figure.x, top + figure.y, right + figure.x, bottom + figure.y)
        for figure in made.figures
        for left, top, right, bottom in [figure.stamp.bounds]
    ]
    boxes += [shape.bounds for shape in made.ground.shapes]
    width, height = made.ground.width, made.ground.height
    return all(
        left >= 0 and top >= 0 and right <= width and bottom <= height for left, top, right, bottom in boxes
    )


@given(view=views, size=st.sampled_from(list(STARTS)))
def test_everything_lies_on_the_picture(view: View, size: int) -> None:
    made = scene(STARTS[size], view)
    assert made.ground.width == view.width
    assert inside(made)


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
    assert scene(STARTS[9], View(width=500)) == scene(STARTS[9], View(width=500))


def test_view_may_be_left_out() -> None:
    assert scene(STARTS[9]) == scene(STARTS[9], View())


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
        scene(STARTS[9], View(marks=(Mark(MarkKind.OPEN, Cell("J10")),)))


@pytest.mark.parametrize("name", engine.GAMES)
def test_every_game_has_a_board(name: str) -> None:
    assert callable(boards.board(name))


def test_game_without_a_board_is_named() -> None:
    with pytest.raises(LookupError, match="'chess'"):
        boards.board("chess")
