"""Scenes: geometry that must be right for every size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.game import Cell, EventKind, Position, Side
from render import (
    Mark,
    MarkKind,
    RenderOptions,
    ThemeName,
    build_scene,
    can_write,
    renderers,
    to_png,
    with_caption,
)
from render.layout import BoardLayout
from render.options import MAX_WIDTH, MIN_WIDTH
from render.scene import Bounds, Circle, PlacedSprite, Scene, Sprite, Text
from tests.engine.random_games import all_starts, random_game
from tests.examples import for_each
from tests.games import GAMES, TEXTS

SMALL_START = engine.GAMES["morelli"].initial_position(size=9)
STARTS = tuple(start.position() for start in all_starts())
MIDDLES = tuple(tuple(random_game(start.position(), seed=1, max_plies=40))[-2] for start in all_starts())
CHANGES = frozenset({EventKind.CONVERT, EventKind.FLIP, EventKind.CAPTURE})
render_options = st.builds(
    RenderOptions,
    words=st.just(TEXTS),
    bottom_side=st.sampled_from([None, *Side]),
    theme=st.sampled_from(list(ThemeName)),
    width=st.integers(MIN_WIDTH, MAX_WIDTH),
    large_labels=st.booleans(),
)


def bounds(placed: PlacedSprite) -> Bounds:
    left, top, right, bottom = placed.sprite.bounds
    return left + placed.x, top + placed.y, right + placed.x, bottom + placed.y


def is_inside(scene: Scene) -> bool:
    width, height = scene.background.width, scene.background.height
    boxes = [*map(bounds, scene.sprites), *(shape.bounds for shape in scene.background.shapes)]
    return all(
        min(left, top) >= 0 and right <= width and bottom <= height for left, top, right, bottom in boxes
    )


@pytest.mark.long
@given(options=render_options, position=st.sampled_from(STARTS))
def test_everything_is_inside_the_picture(options: RenderOptions, position: Position) -> None:
    scene = build_scene(position, options)
    assert scene.background.width == options.width
    assert is_inside(scene)


@pytest.mark.long
@given(options=render_options, position=st.sampled_from(STARTS))
def test_sprites_are_on_the_board_or_in_one_panel(options: RenderOptions, position: Position) -> None:
    scene = build_scene(position, options)
    panels = scene.background.panels
    floor = min(top for _, top, _, _ in panels)
    for sprite in scene.sprites:
        left, top, right, bottom = bounds(sprite)
        within = [
            x <= left and y <= top and right <= x + width and bottom <= y + height
            for x, y, width, height in panels
        ]
        assert bottom <= floor or within.count(True) == 1


@pytest.mark.long
@given(width=st.integers(MIN_WIDTH, MAX_WIDTH), size=st.integers(5, 19))
def test_flipped_board_is_rotated_by_180_degrees(width: int, size: int) -> None:
    upright, flipped = BoardLayout(size, width, is_flipped=False), BoardLayout(size, width, is_flipped=True)
    middle = upright.left + upright.board_width / 2
    for cell in (Cell("A1"), Cell("B4"), Cell("E3")):
        (x, y), (u, v) = upright.centre(cell), flipped.centre(cell)
        assert (x + u, y + v) == (2 * middle, 2 * middle)


@pytest.mark.long
@given(width=st.integers(MIN_WIDTH, MAX_WIDTH), size=st.integers(5, 19))
def test_margins_are_even(width: int, size: int) -> None:
    frame = BoardLayout(size, width, is_flipped=False)
    assert frame.width - frame.board_width - 2 * frame.left in {0, 1}


def test_equal_options_give_equal_scenes() -> None:
    assert build_scene(SMALL_START, RenderOptions(TEXTS, width=500)) == build_scene(
        SMALL_START, RenderOptions(TEXTS, width=500)
    )


def test_options_may_be_left_out() -> None:
    assert build_scene(SMALL_START, RenderOptions(TEXTS)) == build_scene(SMALL_START, RenderOptions(TEXTS))


def test_sprites_are_equal_by_content() -> None:
    one, other = (Sprite((Circle(0, 0, 4),)) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Sprite((Circle(0, 0, 5),))


@pytest.mark.parametrize("width", [MIN_WIDTH - 1, MAX_WIDTH + 1])
def test_width_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match=f"{MIN_WIDTH} to {MAX_WIDTH}"):
        RenderOptions(TEXTS, width=width)


def test_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="mauve"):
        RenderOptions(TEXTS, theme="mauve")  # type: ignore[arg-type]


def test_theme_may_be_given_by_name() -> None:
    assert RenderOptions(TEXTS, theme="clear").theme is ThemeName.CLEAR  # type: ignore[arg-type]


def test_mark_outside_the_board_is_refused() -> None:
    with pytest.raises(ValueError, match="J10"):
        build_scene(SMALL_START, RenderOptions(TEXTS, marks=(Mark(MarkKind.SELECTABLE, Cell("J10")),)))


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_renderer(name: str) -> None:
    assert callable(renderers.renderer_for(name))


@for_each("position", STARTS)
def test_match_that_is_over_shows_no_side_to_move(position: Position) -> None:
    running, over = (
        build_scene(position, RenderOptions(TEXTS, is_over=is_over)) for is_over in (False, True)
    )
    assert (bool(running.sprites), over.sprites == running.sprites) == (True, False)
    assert set(running.diagram.notes) - set(over.diagram.notes) == {f"to move: {position.to_move}"}


@for_each("position", (*STARTS, *MIDDLES))
def test_scene_has_the_counts_of_both_sides(position: Position) -> None:
    scene = build_scene(position, RenderOptions(TEXTS))
    assert [side for side, _ in scene.counts] == list(position.game.sides)


@for_each("position", MIDDLES)
def test_pieces_that_a_move_changes_are_marked_as_pieces(position: Position) -> None:
    scene = build_scene(position, RenderOptions(TEXTS))
    size, pieces = scene.background.grid.cell_size, [one for one in scene.sprites if one.is_piece]
    marked = {
        cell
        for cell, x, y in scene.cell_positions()
        if any(x < one.x < x + size and y < one.y < y + size for one in pieces)
    }
    events = [event for move in position.legal_moves() for event in position.events(move)]
    moved = {event.cells[0] for event in events if event.kind is EventKind.MOVE}
    changed = {cell for event in events if event.kind in CHANGES for cell in event.cells}
    assert moved | changed <= marked <= {cell for group in position.piece_groups for cell in group.cells}


def test_game_without_a_renderer_is_refused_by_name() -> None:
    with pytest.raises(LookupError, match="'chess'"):
        renderers.renderer_for("chess")


def test_caption_replaces_the_status_bar() -> None:
    scene = build_scene(SMALL_START, RenderOptions(TEXTS))
    captioned = with_caption(scene, "Facing")
    texts = [shape.text for shape in captioned.background.shapes if isinstance(shape, Text)]
    assert (texts[-1], captioned.title, captioned.background.panels) == ("Facing", "Facing", ())
    assert captioned.background.height < scene.background.height + 40
    assert list(captioned.cell_positions()) == list(scene.cell_positions())
    assert to_png(captioned) != to_png(with_caption(scene, "Free"))


@pytest.mark.parametrize(
    ("text", "is_written"),
    [("Zentrum für 9", True), ("向かい合い", False), ("Напротив", False), ("", True)],
)
def test_a_text_is_drawn_only_if_the_font_has_its_letters(text: str, is_written: bool) -> None:
    assert can_write(text) is is_written
